/**
 * What happens on `POST /mcp` when something breaks inside, or on the way: a JSON-RPC error without
 * internals, and the next request works.
 */
import net from "node:net";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { MCPJsonRpcError } from "../../../runtime/contract/mcp.ts";
import { IndexError } from "../../../runtime/registry/index.ts";
import { openRelease, type Release } from "../../../runtime/release/release.ts";
import { expectError, listing, type McpRequest, NO_MESSAGE, toolCall } from "../../support/mcp.ts";
import { nasty } from "../../support/nasty.ts";
import { checkedRegistry } from "../../support/registry.ts";
import { buildRelease } from "../../support/release.ts";
import { expectSchema } from "../../support/schemas.ts";
import { breakingOnce, IMPATIENT, listen, type Listening } from "../../support/service.ts";
import { exchangeOne, halfClosed, raw } from "../../support/raw.ts";

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
const serveBroken = (error: unknown): Promise<number> => portOf(breakingOnce(whole, error));

const messageOf = (id: string | number): McpRequest => toolCall({ expression: "taxi" }, { message: { id } });

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

async function call(port: number, id: string | number = 1): Promise<Reply> {
  const { headers, body } = messageOf(id);
  const reply = await fetch(`http://127.0.0.1:${port}/mcp`, { method: "POST", headers, body: String(body) });
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
    const { headers, body } = listing();
    const reply = await fetch(`http://127.0.0.1:${port}/mcp`, { method: "POST", headers, body: String(body) });
    expect([reply.status, served?.faults]).toEqual([200, []]);
  });
});

const HEAD = `POST /mcp HTTP/1.1\r\nHost: localhost\r\n${Object.entries(messageOf(1).headers)
  .map((field) => `${field.join(": ")}\r\n`)
  .join("")}`;

function post({ body }: McpRequest, more = ""): string {
  return `${HEAD}Content-Length: ${Buffer.byteLength(body)}\r\n${more}\r\n${String(body)}`;
}

describe("a message that does not arrive whole", () => {
  it("M16: is dropped without an error when its sender goes away in the middle, and the next request is answered", async () => {
    const port = await portOf(whole);
    const text = post(messageOf(1));
    for (const sent of [
      HEAD,
      text.slice(0, text.indexOf("\r\n\r\n") + 4),
      text.slice(0, -10),
      `${HEAD}Transfer-Encoding: chunked\r\n\r\n10\r\n{"jsonrpc"`,
      // Whole, but nobody waits for the answer.
      text,
    ]) {
      for (const reset of [false, true]) {
        await new Promise<void>((resolve, reject) => {
          const socket = net.connect(port, "127.0.0.1");
          socket.on("error", reject).on("close", () => resolve());
          socket.on("connect", () => socket.write(sent, () => (reset ? socket.resetAndDestroy() : socket.destroy())));
        });
      }
      await expectWorks(port);
    }
    expect(served?.faults).toEqual([]);
  });

  it("is answered when its sender has closed its own half of the connection", async () => {
    const port = await portOf(whole);
    const answered = await halfClosed(port, post(messageOf(5), "Connection: close\r\n"));
    expect(answered).toMatch(/^HTTP\/1.1 200 [^]*"id":5/);
    await expectWorks(port);
    expect(served?.faults).toEqual([]);
  });

  it("M28 O-56: that comes too slowly is refused with 408, in the protocol's form", async () => {
    served = await listen(whole, { limits: IMPATIENT });
    const { port } = served;
    const slow = [`${HEAD}Content-Length: 100\r\n\r\n{`, `${HEAD}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`];
    for (const reply of await Promise.all(slow.map((text) => exchangeOne({ port }, Buffer.from(text)))))
      expectError(reply, { ...NO_MESSAGE, status: 408 });
    await expectWorks(port);
    expect(served?.faults).toEqual([]);
  });
});
