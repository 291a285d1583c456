/** The rate limit on the wire: what is limited, how it is refused, and its settings. */
import http from "node:http";
import net from "node:net";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { MCPJsonRpcError } from "../../../runtime/contract/mcp.ts";
import { ErrorEnvelope } from "../../../runtime/contract/resolution.ts";
import { openRelease } from "../../../runtime/release/release.ts";
import type { RateLimit } from "../../../runtime/http/token-bucket.ts";
import { trustProxies } from "../../../runtime/extras/proxies/proxies.ts";
import { SettingError } from "../../../runtime/operations/settings.ts";
import { main } from "../../../runtime/serve.ts";
import { serve } from "../../support/command.ts";
import { toolCall } from "../../support/mcp.ts";
import { nasty } from "../../support/nasty.ts";
import { checkedRegistry } from "../../support/registry.ts";
import { buildRelease } from "../../support/release.ts";
import { expectSchema } from "../../support/schemas.ts";
import { listen as serveRelease, type Listening, type Reply, send as sendTo } from "../../support/service.ts";
import { raw } from "../../support/raw.ts";

const directory = await buildRelease(checkedRegistry(nasty));
const release = openRelease(directory);
afterAll(() => release.close());

let listening: Listening | undefined;
afterEach(async () => {
  const [fault] = listening?.faults ?? [];
  await listening?.close();
  listening = undefined;
  if (fault !== undefined) throw new Error("The server reported a fault", { cause: fault });
});

/** The clock of the servers of this file. */
const clock = { now: 1000 };

async function listen(rate?: RateLimit, trusted?: string): Promise<number> {
  const clientAddress = trusted === undefined ? undefined : trustProxies(trusted);
  listening = await serveRelease(release, rate && { clientAddress, rate: { ...rate, now: () => clock.now } });
  return listening.port;
}

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends one request; `from` is the address of the sender. */
const send = (port: number, { path: target, ...sent }: Sent, from?: string): Promise<Reply> =>
  sendTo({ port, method: sent.method, path: target, agent: false, localAddress: from }, sent);

const RESOLVE: Sent = {
  method: "POST",
  path: "/api/v1/resolve",
  headers: { "content-type": "application/json" },
  body: '{"expression":"taxi"}',
};
const call = toolCall({ expression: "taxi" });
const MCP: Sent = { method: "POST", path: "/mcp", headers: call.headers, body: String(call.body) };

/** The statuses of requests, sent one after the other. */
async function statuses(port: number, requests: readonly Sent[]): Promise<number[]> {
  const found: number[] = [];
  for (const request of requests) found.push((await send(port, request)).status);
  return found;
}

describe("the rate limit", () => {
  it("O-56: refuses resolve with 429, rate_limited and the whole seconds to wait", async () => {
    const port = await listen({ perSecond: 0.25, burst: 2 });
    expect(await statuses(port, [RESOLVE, RESOLVE])).toEqual([200, 200]);
    const reply = await send(port, RESOLVE);
    const { status, headers } = reply;
    expect([status, headers["retry-after"], headers["content-type"]]).toEqual([429, "4", "application/json"]);
    expect(headers).toMatchObject({ "cache-control": "no-store", "access-control-allow-origin": "*" });
    expect(expectSchema(ErrorEnvelope, reply.json()).error.code).toBe("rate_limited");
    clock.now += 2.5;
    expect((await send(port, RESOLVE)).headers["retry-after"]).toBe("2");
  });

  it("O-56: limits the clients that a trusted proxy names, each by itself, for both routes", async () => {
    const from = (sent: Sent, client: string): Sent => ({ ...sent, headers: { ...sent.headers, "X-Forwarded-For": `203.0.113.1, ${client}` } }); // prettier-ignore
    const requests = [from(RESOLVE, "192.0.2.1"), from(MCP, "192.0.2.1"), from(RESOLVE, "192.0.2.2"), from(MCP, "192.0.2.2")]; // prettier-ignore
    expect(await statuses(await listen({ perSecond: 1, burst: 1 }, "127.0.0.0/8"), requests)).toEqual([200, 429, 200, 429]); // prettier-ignore
    await listening?.close();
    expect(await statuses(await listen({ perSecond: 1, burst: 1 }, "10.0.0.1"), requests)).toEqual([200, 429, 429, 429]); // prettier-ignore
  });

  it.each([
    ["2001:db8::1", "2001:DB8:0:0:1::9", "2001:0db8:0000:0000::9", "2001:db8:0:0:1::"],
    ["6.6.6.6", "::ffff:6.6.6.6", "::ffff:606:606", "0:0:0:0:0:FFFF:0606:0606"],
  ])("O-56: limits a client that a trusted proxy names in any spelling as one: %s", async (...spellings) => {
    const requests = spellings.map((node) => ({ ...RESOLVE, headers: { ...RESOLVE.headers, Forwarded: `for="${node.includes(":") ? `[${node}]` : node}"` } })); // prettier-ignore
    const port = await listen({ perSecond: 1, burst: 1 }, "127.0.0.0/8");
    expect(await statuses(port, requests)).toEqual([200, 429, 429, 429]);
  });

  it("O-56 M28: refuses MCP with 429 and a JSON-RPC error of its own code, without CORS", async () => {
    const port = await listen({ perSecond: 1, burst: 1 });
    const first = await send(port, MCP);
    expect([first.status, first.json()]).toMatchObject([200, { id: 1, result: { isError: false } }]);
    const reply = await send(port, MCP);
    const { status, headers } = reply;
    expect([status, headers["retry-after"], headers["content-type"]]).toEqual([429, "1", "application/json"]);
    expect(headers["cache-control"]).toBe("no-store");
    expect(Object.keys(headers).filter((name) => name.startsWith("access-control-"))).toEqual([]);
    const { id, error } = expectSchema(MCPJsonRpcError, reply.json());
    expect([id, error.code, error.data]).toEqual([null, 429, { code: "rate_limited" }]);
    // JSON-RPC 2.0 §5.1 keeps this range for itself.
    expect(error.code >= -32_768 && error.code <= -32_000).toBe(false);
    expect(error.message).toMatch(/^[^\n]+$/);
  });

  it("O-56: accepts again after the time that it named, and not before", async () => {
    const port = await listen({ perSecond: 0.5, burst: 3 });
    expect(await statuses(port, [RESOLVE, RESOLVE, RESOLVE, RESOLVE, MCP])).toEqual([200, 200, 200, 429, 429]);
    const seconds = Number((await send(port, MCP)).headers["retry-after"]);
    expect(seconds).toBe(2);
    clock.now += seconds - 0.5;
    expect(await statuses(port, [RESOLVE, MCP])).toEqual([429, 429]);
    clock.now += 0.5;
    expect(await statuses(port, [MCP, RESOLVE])).toEqual([200, 429]);
    clock.now += 3600;
    expect(await statuses(port, [RESOLVE, MCP, RESOLVE, MCP])).toEqual([200, 200, 200, 429]);
  });

  it("O-56: refuses after the burst of resolve and MCP together", async () => {
    const port = await listen({ perSecond: 1, burst: 4 });
    expect(await statuses(port, [RESOLVE, MCP, MCP, RESOLVE, MCP, RESOLVE])).toEqual([200, 200, 200, 200, 429, 429]);
  });

  it("O-56: counts requests that are refused for their body or form too, in whatever form of the target", async () => {
    const port = await listen({ perSecond: 1, burst: 6 });
    expect(
      await statuses(port, [
        { ...RESOLVE, body: "{" },
        { ...RESOLVE, headers: {} },
        { ...RESOLVE, path: "/api/v1/resolve?x" },
        { ...MCP, body: "{" },
        { ...MCP, headers: {} },
        { ...MCP, path: "/%6dcp?x" },
        { ...RESOLVE, path: "/api/v1/%72esolve" },
        { ...MCP, path: "/mcp?x" },
        { ...RESOLVE, path: `http://127.0.0.1:${port}/api/v1/resolve` },
      ]),
    ).toEqual([400, 415, 200, 400, 415, 200, 429, 429, 429]);
  });

  it("O-56: refuses and counts no other request", async () => {
    const port = await listen({ perSecond: 1, burst: 1 });
    const others: [Sent, number][] = [
      [{ method: "GET", path: "/" }, 200],
      [{ method: "GET", path: "/api/v1/status" }, 200],
      [{ method: "HEAD", path: "/api/v1/status" }, 200],
      [{ method: "GET", path: "/api/v1/concepts" }, 200],
      [{ method: "GET", path: "/api/v1/concepts?q=name" }, 200],
      [{ method: "GET", path: "/api/v1/concepts/N-TAXI" }, 200],
      [{ method: "GET", path: "/registry/bundle.ndjson" }, 200],
      [{ method: "GET", path: "/openapi.json" }, 200],
      [{ method: "GET", path: "/nope" }, 404],
      [{ method: "GET", path: "/api/v1/resolve" }, 405],
      [{ method: "OPTIONS", path: "/api/v1/resolve" }, 204],
      [{ method: "GET", path: "/mcp" }, 405],
      [{ ...MCP, headers: { ...MCP.headers, origin: "https://evil.example" } }, 403],
      [{ ...MCP, headers: { ...MCP.headers, host: "evil.example" } }, 403],
    ];
    const rounds = Array.from({ length: 5 }, () => others).flat();
    const expected = rounds.map(([, status]) => status);
    const requests = rounds.map(([request]) => request);
    // First with a token left, which they must not take; then without one, which they must not
    // need.
    expect(await statuses(port, requests)).toEqual(expected);
    expect(await statuses(port, [RESOLVE, RESOLVE])).toEqual([200, 429]);
    expect(await statuses(port, requests)).toEqual(expected);
  });

  // Every 127.x.y.z is an address of its own on Linux; elsewhere there is only one.
  it.skipIf(process.platform !== "linux")("O-56: refuses one client alone, over all its connections", async () => {
    const port = await listen({ perSecond: 1, burst: 1 });
    const found = [];
    for (const from of ["127.0.0.1", "127.0.0.2", "127.0.0.1", "127.0.0.3", "127.0.0.2"])
      found.push((await send(port, RESOLVE, from)).status);
    expect(found).toEqual([200, 200, 429, 200, 429]);
  });

  it("O-56: believes no field that names another client", async () => {
    const port = await listen({ perSecond: 1, burst: 1 });
    const claims = ["x-forwarded-for", "forwarded", "x-real-ip", "cf-connecting-ip", "true-client-ip"];
    expect(await statuses(port, [RESOLVE])).toEqual([200]);
    for (const name of claims) {
      const headers = { ...RESOLVE.headers, [name]: "203.0.113.7" };
      expect([name, (await send(port, { ...RESOLVE, headers })).status]).toEqual([name, 429]);
    }
  });

  it("O-56: refuses nobody if no limit is set", async () => {
    const port = await listen();
    const replies = await pipeline(
      port,
      Array.from({ length: 500 }, (_, i) => (i % 2 === 0 ? RESOLVE : MCP)),
    );
    expect(replies).toEqual(Array<string>(500).fill("200"));
  });
});

/** A request as it stands on the wire; the last one of a connection closes it. */
function wire({ method, path: target, headers = {}, body = "" }: Sent, last: boolean): string {
  const fields = { host: "127.0.0.1", ...headers, "content-length": Buffer.byteLength(body) };
  const lines = Object.entries(last ? { ...fields, connection: "close" } : fields).map(
    (field) => `${field.join(": ")}\r\n`,
  );
  return `${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n${body}`;
}

/**
 * Sends all requests at once on one connection: quicker than any bucket fills. Gives the statuses.
 */
async function pipeline(port: number, requests: readonly Sent[]): Promise<string[]> {
  const replies = await raw(port, requests.map((request, i) => wire(request, i + 1 === requests.length)).join(""));
  return Array.from(replies.matchAll(/HTTP\/1\.1 (\d{3}) /g), ([, status = ""]) => status);
}

describe("a connection that is kept", () => {
  /** What each reply says, in order: status, and the code of its data or of its refusal. */
  function said(replies: string): string[] {
    return replies.match(/(?<=HTTP\/1\.1 )\d{3}|"(?:N-TAXI|rate_limited|invalid_json)"/g) ?? [];
  }

  it("O-56: stays in order after a refusal whose body was not read", async () => {
    const port = await listen({ perSecond: 1, burst: 1 });
    // A body that looks like a request must not become one, and may not fit into one packet.
    const long = `{"expression":"taxi"}${" ".repeat(15_000)}`;
    for (const body of ['{"expression":"taxi"}', wire(RESOLVE, false).repeat(20), long]) {
      clock.now += 1;
      const first = { ...RESOLVE, body: '{"expression":"taxi"}' };
      const status: Sent = { method: "GET", path: "/api/v1/concepts/N-TAXI" };
      const requests = [first, { ...RESOLVE, body }, { ...MCP, body }, status, { ...RESOLVE, body }];
      const replies = await raw(port, requests.map((request, i) => wire(request, i === 4)).join(""));
      expect(said(replies)).toEqual([
        "200",
        '"N-TAXI"',
        "429",
        '"rate_limited"',
        "429",
        '"rate_limited"',
        "200",
        '"N-TAXI"',
        "429",
        '"rate_limited"',
      ]);
    }
  });

  it("O-56: stays open after a refusal, and the next request on it works when its time has come", async () => {
    const port = await listen({ perSecond: 1, burst: 1 });
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const sockets = new Set<net.Socket>();
    const post = ({ path: target, headers, body }: Sent): Promise<number> =>
      new Promise((resolve, reject) => {
        const request = http.request({ agent, host: "127.0.0.1", port, method: "POST", path: target, headers });
        request.on("error", reject).on("socket", (socket: net.Socket) => sockets.add(socket));
        request.on("response", (response) => response.resume().on("end", () => resolve(response.statusCode ?? 0)));
        request.end(body);
      });
    const found = [await post(RESOLVE), await post(RESOLVE), await post(MCP)];
    clock.now += 1;
    found.push(await post(MCP), await post(RESOLVE));
    agent.destroy();
    expect([found, sockets.size]).toEqual([[200, 429, 429, 200, 429], 1]);
  });

  it("O-56: is refused before a body that never ends has come, and takes no harm from it", async () => {
    const port = await listen({ perSecond: 1, burst: 1 });
    expect(await statuses(port, [RESOLVE])).toEqual([200]);
    for (const target of [RESOLVE, MCP]) {
      const head = wire({ ...target, body: "" }, false).replace("content-length: 0", "content-length: 16000");
      const socket = net.connect(port, "127.0.0.1", () => socket.write(`${head}{`));
      const [reply] = await new Promise<string[]>((resolve, reject) => {
        socket.on("data", (chunk) => resolve([chunk.toString()])).on("error", reject);
      });
      expect(reply).toMatch(/^HTTP\/1\.1 429 /);
      socket.destroy();
    }
    clock.now += 1;
    expect(await statuses(port, [RESOLVE])).toEqual([200]);
  });
});

describe("the server process", () => {
  const many = (count: number): Sent[] => Array.from({ length: count }, (_, i) => (i % 2 === 0 ? RESOLVE : MCP));
  /** An empty variable counts as unset: what the tests themselves are run with must not show. */
  const unset = { RATE_LIMIT_PER_SECOND: "", RATE_LIMIT_BURST: "" };

  it("O-56: limits on every other address, after a burst of 200", async () => {
    // So many that a slow machine, too, sends more than it is given while it sends.
    const served = await serve("lib/runtime/main.js", ["--out", directory], { ...unset, HOST: "0.0.0.0" });
    const answers = await pipeline(served.port, many(1000));
    served.child.kill();
    expect([await served.exit, served.stderr()]).toEqual([0, ""]);
    expect(answers.length).toBe(1000);
    expect(answers.slice(0, 200)).toEqual(Array<string>(200).fill("200"));
    expect(answers.slice(200)).toContain("429");
    expect(new Set(answers)).toEqual(new Set(["200", "429"]));
  });

  it.each([
    ["RATE_LIMIT_PER_SECOND", "-1", 0],
    ["RATE_LIMIT_PER_SECOND", "1.5", 0],
    ["RATE_LIMIT_BURST", "0", 1],
    ["RATE_LIMIT_BURST", "many", 1],
    ["RATE_LIMIT_BURST", "1000001", 1],
  ] as const)("O-56: has one line for what is wrong with a setting: %j %j %j", async (name, value, least) => {
    const message = `${name} "${value}" is not a whole number from ${least} to 1000000`;
    await expect(main(["--out", directory], { [name]: value })).rejects.toThrow(new SettingError(message));
  });
});
