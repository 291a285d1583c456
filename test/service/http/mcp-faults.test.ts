/**
 * What happens on `POST /mcp` when something breaks inside, or on the way: a JSON-RPC error without internals, and the
 * next request works.
 */
import http from "node:http";
import net from "node:net";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { MCPJsonRpcError } from "../../../runtime/contract/mcp.ts";
import { IndexError, openIndex } from "../../../runtime/registry/index.ts";
import { openRelease, type Release } from "../../../runtime/release/release.ts";
import { nasty } from "../../support/nasty.ts";
import { checkedRegistry } from "../../support/registry.ts";
import { buildRelease } from "../../support/release.ts";
import { expectSchema } from "../../support/schemas.ts";
import { listen, type Listening } from "../../support/service.ts";
import { raw } from "../../support/raw.ts";

const directory = await buildRelease(checkedRegistry(nasty));
const whole = openRelease(directory);
let served: Listening | undefined;
afterEach(() => served?.close());
afterAll(() => whole.close());

/** Listens on a port of its own and gives it. */
async function portOf(release: Release): Promise<number> {
  served = await listen(release);
  return served.port;
}

/** A server whose index throws this on its next read, once. */
function serveBroken(error: unknown): Promise<number> {
  let armed = false;
  const source = {
    length: whole.index.source.length,
    read(offset: number, length: number) {
      if (!armed) return whole.index.source.read(offset, length);
      armed = false;
      throw error;
    },
  };
  const release: Release = { ...whole, index: openIndex(source) };
  armed = true;
  return portOf(release);
}

const FIELDS = {
  "content-type": "application/json",
  "mcp-protocol-version": "2026-07-28",
  "mcp-method": "tools/call",
  "mcp-name": "resolve_service_semantics",
};

function messageOf(id: string | number): string {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const params = { name: "resolve_service_semantics", arguments: { expression: "taxi" }, _meta: meta };
  return JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params });
}

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

async function call(port: number, id: string | number = 1): Promise<Reply> {
  const reply = await fetch(`http://127.0.0.1:${port}/mcp`, { method: "POST", headers: FIELDS, body: messageOf(id) });
  return { status: reply.status, headers: reply.headers, text: await reply.text() };
}

async function expectWorks(port: number): Promise<void> {
  const { status, text } = await call(port, "after");
  expect([status, JSON.parse(text)]).toMatchObject([
    200,
    { id: "after", result: { isError: false, structuredContent: { data: { concept: { code: "N-TAXI" } } } } },
  ]);
}

describe("an exception inside the service during tools/call", () => {
  it.each([
    ["an error of the program", new TypeError("secret detail at /some/path.ts:1"), 41],
    ["a registry that cannot be read", new IndexError("secret detail: Registry index cannot be read"), "a b"],
    ["what is no error", "secret detail", 0],
  ] as const)(
    "M28 O-27: %s is HTTP 500 and -32603 with the request's id, without internals, once reported",
    async (_what, error, id) => {
      const port = await serveBroken(error);
      const { status, headers, text } = await call(port, id);
      expect([status, headers.get("content-type")]).toEqual([500, "application/json"]);
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("access-control-allow-origin")).toBeNull();
      const body = expectSchema(MCPJsonRpcError, JSON.parse(text));
      expect([body.id, body.error.code, Object.keys(body.error)]).toEqual([id, -32603, ["code", "message"]]);
      expect(body.error.message).toMatch(/^[^\n]+$/);
      expect(text).not.toMatch(/secret|path|\.ts|TypeError|IndexError|taxi/);
      expect(served?.faults).toEqual([error]);
      await expectWorks(port);
      expect(served?.faults).toEqual([error]);
    },
  );

  it("M28: leaves the connection in order: what was sent behind it is answered behind it", async () => {
    const port = await serveBroken(new Error("secret"));
    const replies = await raw(port, post(messageOf(1)) + post(messageOf(2), "Connection: close\r\n"));
    expect(replies.match(/^HTTP\/1.1 \d+|"id":\d+/gm)).toEqual(["HTTP/1.1 500", '"id":1', "HTTP/1.1 200", '"id":2']);
  });

  it("touches no method that needs no registry", async () => {
    const port = await serveBroken(new Error("secret"));
    const headers = { ...FIELDS, "mcp-method": "tools/list" };
    const body = messageOf(1).replace("tools/call", "tools/list");
    const reply = await fetch(`http://127.0.0.1:${port}/mcp`, { method: "POST", headers, body });
    expect([reply.status, served?.faults]).toEqual([200, []]);
  });
});

const HEAD = `POST /mcp HTTP/1.1\r\nHost: localhost\r\n${Object.entries(FIELDS)
  .map((field) => `${field.join(": ")}\r\n`)
  .join("")}`;

function post(body: string, more = ""): string {
  return `${HEAD}Content-Length: ${Buffer.byteLength(body)}\r\n${more}\r\n${body}`;
}

/** A JSON-RPC error without an id, on a connection that ends. */
function expectRefusal(reply: string, status: number): void {
  const [head = "", body = ""] = reply.split("\r\n\r\n");
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(head).toMatch(/\r\nContent-Type: application\/json(?:\r\n|$)/i);
  expect(head).toMatch(/\r\nConnection: close(?:\r\n|$)/i);
  expect(head).not.toMatch(/access-control-/i);
  const { id, error } = expectSchema(MCPJsonRpcError, JSON.parse(body));
  expect([id, error.code]).toEqual([null, -32600]);
}

describe("a message that does not arrive whole", () => {
  it("disturbs nobody when its sender goes away in the middle of it", async () => {
    const port = await portOf(whole);
    const body = messageOf(1);
    for (const text of [
      HEAD,
      `${HEAD}Content-Length: ${body.length}\r\n\r\n`,
      post(body).slice(0, -10),
      `${HEAD}Transfer-Encoding: chunked\r\n\r\n10\r\n{"jsonrpc"`,
      // Whole, but nobody waits for the answer.
      post(body),
    ]) {
      for (const reset of [false, true]) {
        await new Promise<void>((resolve, reject) => {
          const socket = net.connect(port, "127.0.0.1");
          socket.on("error", reject).on("close", () => resolve());
          socket.on("connect", () => socket.write(text, () => (reset ? socket.resetAndDestroy() : socket.destroy())));
        });
      }
      await expectWorks(port);
    }
    expect(served?.faults).toEqual([]);
  });

  it("disturbs nobody when its sender closes only its own half of the connection", async () => {
    const port = await portOf(whole);
    const answered = await new Promise<string>((resolve, reject) => {
      const socket = net.connect({ port, host: "127.0.0.1", allowHalfOpen: true });
      let reply = "";
      socket.on("data", (chunk) => (reply += chunk.toString())).on("error", reject);
      socket.on("end", () => socket.destroy()).on("close", () => resolve(reply));
      socket.end(post(messageOf(5), "Connection: close\r\n"));
    });
    expect(answered).toMatch(/^HTTP\/1.1 200 [^]*"id":5/);
    await expectWorks(port);
    expect(served?.faults).toEqual([]);
  });

  it("M28: is refused in the protocol's form where its framing is broken", async () => {
    const port = await portOf(whole);
    for (const [text, status] of [
      [`${HEAD}Transfer-Encoding: chunked\r\n\r\nZZ\r\n`, 400],
      [`${HEAD}Transfer-Encoding: chunked\r\n\r\n5\r\n{"json\r\n0\r\n\r\n`, 400],
      [`${HEAD}Expect: more\r\nConnection: close\r\n\r\n`, 417],
      // What is refused before there is a request at all.
      [`${HEAD}X: ${"a".repeat(20_000)}\r\n\r\n`, 431],
      [`${HEAD}Content-Length: a\r\n\r\n`, 400],
      [`${HEAD}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`, 400],
      [`${HEAD}no field\r\n\r\n`, 400],
      [post(messageOf(1)).replace("Host: localhost\r\n", ""), 400],
      [post(messageOf(1), "Host: localhost\r\n"), 400],
      [`${HEAD}Content-Length: 65537\r\n\r\n{`, 413],
      [`${HEAD}Transfer-Encoding: chunked\r\n\r\n10001\r\n${" ".repeat(65_537)}`, 413],
    ] as const)
      expectRefusal(await raw(port, text), status);
    await expectWorks(port);
    expect(served?.faults).toEqual([]);
  });

  // RFC 3986 §6.2.2.2: the same path, and the router finds the same route.
  it("M28: is refused in the protocol's form where its path is escaped or has a query, too", async () => {
    const port = await portOf(whole);
    const found: string[] = [];
    for (const target of ["/mcp?a", "http://localhost/mcp", "/%6dcp", "/m%63p?a"]) {
      const head = HEAD.replace("/mcp", target);
      const broken = [
        `${head}Expect: more\r\nConnection: close\r\n\r\n`,
        `${head}Transfer-Encoding: chunked\r\n\r\nZZ\r\n`,
      ];
      for (const text of broken) {
        const [, body = ""] = (await raw(port, text)).split("\r\n\r\n");
        if (!body.startsWith('{"jsonrpc":"2.0","id":null,"error":')) found.push(`${target}: ${body.trimEnd()}`);
      }
    }
    expect(found).toEqual([]);
  });

  it("M28 O-56: that comes too slowly is refused with 408, in the protocol's form", async () => {
    served = await listen(whole, { timeoutMs: 100 });
    const { port } = served;
    const slow = [`${HEAD}Content-Length: 100\r\n\r\n{`, `${HEAD}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`];
    for (const reply of await Promise.all(slow.map((text) => raw(port, text)))) expectRefusal(reply, 408);
    await expectWorks(port);
    expect(served?.faults).toEqual([]);
  });

  it("is answered when it comes in the smallest pieces", async () => {
    const port = await portOf(whole);
    const answered = await new Promise<string>((resolve, reject) => {
      const request = http.request({ host: "127.0.0.1", port, path: "/mcp", method: "POST", headers: FIELDS });
      request.on("error", reject).on("response", (response) => {
        let text = "";
        response.on("data", (chunk: Buffer) => (text += chunk.toString())).on("end", () => resolve(text));
      });
      for (const byte of Buffer.from(messageOf("é😀"))) request.write(Buffer.of(byte));
      request.end();
    });
    expect(JSON.parse(answered)).toMatchObject({ id: "é😀", result: { isError: false } });
  });
});
