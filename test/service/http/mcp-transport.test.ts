/** `POST /mcp` as HTTP: methods, targets, media types, sizes; every fault in JSON-RPC. */
import { describe, expect, it } from "vitest";
import { ErrorEnvelope } from "../../../runtime/contract/resolution.ts";
import {
  CLIENT_KEY,
  expectError,
  expectResult,
  FORBIDDEN,
  HOST,
  listing as listTools,
  type McpRequest,
  mcpRequest,
  type MethodName,
  NO_MESSAGE,
  post,
  REQUEST_LINE,
  toolCall,
  wire,
  wireOf,
} from "../../support/mcp.ts";
import { nasty } from "../../support/nasty.ts";
import { QUERY, exchange, exchangeOne } from "../../support/raw.ts";
import { checkedRegistry } from "../../support/registry.ts";
import { ORIGIN } from "../../support/release.ts";
import { expectSchema } from "../../support/schemas.ts";
import { type Reply, serviceFor, startService } from "../../support/service.ts";

const service = serviceFor(() => checkedRegistry(nasty));

const METHOD_NOT_ALLOWED = { status: 405, code: -32600, id: null };
const TOO_LARGE = { status: 413, code: -32600, id: null };
const UNSUPPORTED_MEDIA_TYPE = { status: 415, code: -32600, id: null };

const listing = (headers: Record<string, string | undefined> = {}): McpRequest => listTools({ headers });

/** A good request over a connection of its own, behind these lines. */
function sendBehind(lines: readonly string[], request = listing()): Promise<Reply> {
  return exchangeOne(service, wireOf(request, lines));
}

describe("the endpoint", () => {
  it("A16 M16 M17: needs nothing before: a tools/call may open a connection, and each is answered alone", async () => {
    const fresh = await startService(checkedRegistry(nasty));
    try {
      const call = wireOf(toolCall({ expression: "taxi" }), [REQUEST_LINE, HOST]);
      const { structuredContent } = expectResult(await exchangeOne(fresh, call), "tools/call");
      expect(structuredContent).toMatchObject({ data: { status: "resolved", concept: { code: "N-TAXI" } } });
      expectResult(
        await exchangeOne(fresh, wireOf(mcpRequest("server/discover"), [REQUEST_LINE, HOST])),
        "server/discover",
      );
    } finally {
      await fresh.close();
    }
  });

  it("M01 M12: answers a request with one JSON object in application/json", async () => {
    const reply = await post(service, listing());
    expect([reply.status, reply.headers["content-type"]]).toEqual([200, "application/json"]);
    expect(reply.body.toString()).toMatch(/^\{"jsonrpc":"2\.0","id":1,"result":\{.*\}\}\n$/);
    expectResult(reply, "tools/list");
  });

  it.each(["application/json", "text/html", "*/*;q=0", "text/event-stream", "", undefined])(
    "M01: gives JSON to Accept: %s",
    async (accept) => {
      expectResult(await post(service, listing({ Accept: accept })), "tools/list");
    },
  );

  it("A16 M16: ignores what belongs to sessions and streams of older revisions, and starts none", async () => {
    const headers = { "Mcp-Session-Id": "abc", "Last-Event-ID": "7", Cookie: "a=b", Authorization: "Bearer x" };
    const plain = await post(service, listing());
    const reply = await post(service, listing(headers));
    expectResult(reply, "tools/list");
    expect(reply.body.equals(plain.body)).toBe(true);
    expectError(await service.send("DELETE", "/mcp", { headers }), METHOD_NOT_ALLOWED);
  });

  it.each(["GET", "DELETE", "PUT", "PATCH", "OPTIONS", "TRACE", "PROPFIND", ...QUERY])(
    "M26 M28 O-60 O-50 O-55: takes POST alone; everything else is 405 with Allow: POST and no CORS field: %s",
    async (method) => {
      for (const target of ["/mcp", "/mcp?x=1"]) {
        const reply = await service.send(method, target, { headers: { accept: "text/event-stream" } });
        expectError(reply, METHOD_NOT_ALLOWED);
        expect([method, reply.headers.allow]).toEqual([method, "POST"]);
      }
    },
  );

  it("O-60: answers HEAD with the fields of that refusal alone", async () => {
    const [head, get] = await Promise.all(["HEAD", "GET"].map((method) => service.send(method, "/mcp")));
    expect([head?.status, head?.headers.allow, head?.body.length]).toEqual([405, "POST", 0]);
    expect(Object.keys(head?.headers ?? {}).filter((name) => name.startsWith("access-control-"))).toEqual([]);
    expect(head?.headers["content-length"]).toBe(get?.headers["content-length"]);
  });

  it("O-55 O-60: answers no preflight", async () => {
    const asked = {
      "Access-Control-Request-Method": "POST",
      "Access-Control-Request-Headers": "content-type,mcp-method",
    };
    const own = await service.send("OPTIONS", "/mcp", { headers: { ...asked, Origin: ORIGIN } });
    expectError(own, METHOD_NOT_ALLOWED);
    const foreign = await service.send("OPTIONS", "/mcp", { headers: { ...asked, Origin: "https://evil.example" } });
    expectError(foreign, FORBIDDEN);
  });

  it("M16: gives the same answer with a query, which says nothing", async () => {
    const plain = await post(service, toolCall({ expression: "taxi" }));
    for (const target of ["/mcp?x=1", "/mcp?", "/mcp?a=%zz&b"]) {
      const reply = await post(service, toolCall({ expression: "taxi" }), target);
      expectResult(reply, "tools/call");
      expect(reply.body.equals(plain.body)).toBe(true);
    }
    expectError(await post(service, listing({ "Content-Type": "text/plain" }), "/mcp?x=1"), UNSUPPORTED_MEDIA_TYPE);
  });

  it.each(["/mcp/", "/MCP", "//mcp", "/mcp/x", "/mcp.json", "/x/../mcp/", "/mcp;x"])(
    "O-60: is at this path alone: %s",
    async (target) => {
      const reply = await post(service, listing(), target);
      expect([target, reply.status]).toEqual([target, 404]);
      expect(expectSchema(ErrorEnvelope, reply.json()).error.code).toBe("not_found");
    },
  );

  it("M16: gives the same bytes for the same request, also to 50 at once among others, and changes nothing", async () => {
    const watched = ["/api/v1/status", "/registry/bundle.ndjson", "/mcp-server.json"];
    const before = await Promise.all(watched.map((target) => service.send("GET", target)));
    const uri = `${ORIGIN}/answers.md`;
    const asked: [MethodName, McpRequest][] = [
      ["server/discover", mcpRequest("server/discover")],
      ["tools/list", mcpRequest("tools/list")],
      ["tools/call", toolCall({ expression: "bank" })],
      ["tools/call", toolCall({ expression: "taxi", language: "de" })],
      ["resources/list", mcpRequest("resources/list")],
      ["resources/read", mcpRequest("resources/read", { uri })],
      ["prompts/list", mcpRequest("prompts/list")],
      ["prompts/get", mcpRequest("prompts/get", { name: "handle-abstention", arguments: { expression: "x" } })],
    ];
    const once: Reply[] = [];
    for (const [, request] of asked) once.push(await post(service, request));
    once.forEach((reply, i) => expectResult(reply, asked[i]?.[0] ?? "tools/list"));
    const many = await Promise.all(
      Array.from({ length: 50 }, async (_, i) => {
        const [, { headers, body }] = asked[i % asked.length] as [MethodName, McpRequest];
        return post(service, { headers, body: String(body).replace('"id":1', `"id":"n-${i}"`) });
      }),
    );
    many.forEach((reply, i) => {
      const expected = once[i % asked.length]?.body.toString().replace('"id":1', `"id":"n-${i}"`);
      expect(reply.body.toString()).toBe(expected);
    });
    const after = await Promise.all(watched.map((target) => service.send("GET", target)));
    after.forEach((reply, i) => expect(reply.body.equals(before[i]?.body ?? Buffer.alloc(0))).toBe(true));
  });

  it("M16: answers requests sent on one connection without waiting, in their order", async () => {
    const requests = ["a", "b", "c"].map((id) => mcpRequest("tools/list", {}, { message: { id } }));
    const refused = { ...listing(), body: "{" };
    const open = [...requests.slice(0, 2), refused].map((request) => {
      const text = wireOf(request, [REQUEST_LINE, HOST]).toString();
      return Buffer.from(text.replace("Connection: close", "Connection: keep-alive"));
    });
    const last = wireOf(requests[2] as McpRequest, [REQUEST_LINE, HOST]);
    const replies = await exchange(service, Buffer.concat([...open, last]));
    expect(replies.map((reply) => (reply.json() as { id: unknown }).id)).toEqual(["a", "b", null, "c"]);
  });
});

describe("the media type", () => {
  it("O-50: may be application/json in any case, with no charset but UTF-8", async () => {
    for (const type of [
      "Application/JSON",
      "application/json; charset=utf-8",
      'application/json;charset="UTF-8"',
      "application/json;a=b",
    ])
      expectResult(await post(service, listing({ "Content-Type": type })), "tools/list");
  });

  it.each([
    undefined,
    "",
    "text/plain",
    "application/json; charset=latin1",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "application/json-rpc",
    "text/event-stream",
  ])("O-50 M28: is refused with 415, -32600, id null: %s", async (type) => {
    expectError(await post(service, listing({ "Content-Type": type })), UNSUPPORTED_MEDIA_TYPE);
  });

  it("O-50: may go with Content-Encoding: identity, which is none", async () => {
    expectResult(await post(service, listing({ "Content-Encoding": "identity" })), "tools/list");
  });
});

const LIMIT = 64 * 1024;

/** Sends a body in chunks, without its length. */
const sendChunked = ({ headers }: McpRequest, body: readonly (string | Uint8Array)[]): Promise<Reply> =>
  service.send("POST", "/mcp", { headers, body });

describe("a body", () => {
  const padded = (size: number): McpRequest => ({ ...listing(), body: String(listing().body).padEnd(size) });

  it("O-28: may have 64 KiB, declared or chunked", async () => {
    expectResult(await post(service, padded(LIMIT)), "tools/list");
    const body = String(padded(LIMIT).body);
    expectResult(await sendChunked(listing(), [body.slice(0, 40_000), body.slice(40_000)]), "tools/list");
    const bytes = Array.from(Buffer.from(String(mcpRequest("tools/list", {}, { message: { id: "é😀" } }).body)), (byte) => Buffer.of(byte)); // prettier-ignore
    expectResult(await sendChunked(listing(), bytes), "tools/list", "é😀");
  });

  it("O-28 M28 O-50: is refused with 413, -32600, id null from one byte more, declared or chunked", async () => {
    expectError(await post(service, padded(LIMIT + 1)), TOO_LARGE);
    expectError(await post(service, padded(10 * LIMIT)), TOO_LARGE);
    const body = String(padded(LIMIT + 1).body);
    expectError(await sendChunked(listing(), [body.slice(0, 40_000), body.slice(40_000)]), TOO_LARGE);
    const bytes = wire([
      REQUEST_LINE,
      HOST,
      "Content-Type: application/json",
      "Content-Length: 99999999999",
      "Connection: close",
    ]);
    expectError(await exchangeOne(service, bytes), TOO_LARGE);
  });

  it("O-28: that is refused is never read as the next request", async () => {
    const next = "GET /api/v1/status HTTP/1.1\r\nHost: registry.example\r\n\r\n".repeat(2000);
    const head = [REQUEST_LINE, HOST, "Content-Type: application/json", `Content-Length: ${next.length}`];
    const refusal = await exchangeOne(service, wire(head, next));
    expectError(refusal, TOO_LARGE);
    expect(refusal.headers.connection).toBe("close");
    const small = next.slice(0, 600);
    for (const [type, status] of [
      ["text/plain", 415],
      ["application/json", 400],
    ] as const) {
      const lines = [
        REQUEST_LINE,
        HOST,
        `Content-Type: ${type}`,
        `Content-Length: ${small.length}`,
        "Connection: close",
      ];
      expect((await exchangeOne(service, wire(lines, small))).status).toBe(status);
    }
  });

  it("O-28 M10: holds 1000 escaped astral characters beside a clientInfo of full length", async () => {
    const { body } = toolCall({ expression: "LONGEST" }, { meta: { [CLIENT_KEY]: { name: "NAME", version: "NAME" } } });
    const escaped = (times: number): string => "\\ud83d\\ude00".repeat(times);
    const whole = String(body).replace("LONGEST", escaped(1000)).replaceAll("NAME", escaped(200));
    expect(whole.length).toBeGreaterThan(16 * 1024);
    const { structuredContent } = expectResult(await post(service, toolCall({}, { body: whole })), "tools/call");
    expect(structuredContent).toMatchObject({ data: { status: "resolved", concept: { code: "N-LONG" } } });
  });
});

describe("HTTP that this service does not do", () => {
  const head = (target: string, ...more: readonly string[]): string[] =>
    [`POST ${target} HTTP/1.1`, HOST, "Content-Type: application/json", ...more]; // prettier-ignore
  const own = (...more: readonly string[]): string[] => head("/mcp", ...more);
  const chunked = (body: string, target = "/mcp"): Buffer => wire(head(target, "Transfer-Encoding: chunked"), body);
  const expecting = ["Expect: more", "Connection: close"];

  it.each<[what: string, status: number, bytes: Buffer]>([
    ["a chunk without a length", 400, chunked("ZZ\r\n")],
    ["a chunk of another length", 400, chunked("5\r\n{toolong\r\n0\r\n\r\n")],
    ["a chunk of a length below zero", 400, chunked("-1\r\n")],
    ["chunks that are too long together", 413, chunked(`10001\r\n${" ".repeat(65_537)}`)],
    ["a length that is too long", 413, wire(own("Content-Length: 65537"), "{")],
    ["a length that is none", 400, wire(own("Content-Length: a"))],
    ["a length beside chunks", 400, wire(own("Content-Length: 1", "Transfer-Encoding: chunked"))],
    ["another expectation than 100-continue", 417, wire(own(...expecting))],
    ["that of GET", 417, wire(["GET /mcp HTTP/1.1", HOST, ...expecting])],
    ["a line that is no field", 400, wire(own("no field"))],
    ["a control character in a field", 400, wire(own("Mcp-Name: a\u0001b"))],
    ["fields that are too long", 431, wire(own(`Mcp-Name: ${"x".repeat(20_000)}`))],
    ["no Host", 400, wireOf(listing(), [REQUEST_LINE])],
    ["two Hosts", 400, wireOf(listing(), [REQUEST_LINE, HOST, HOST])],
    ["two Hosts that differ", 400, wireOf(listing(), [REQUEST_LINE, HOST, "Host: evil.example"])],
    // RFC 3986 §6.2.2.2: the same path, and the router finds the same route.
    ...["/mcp?a", "http://registry.example/mcp", "/%6dcp", "/m%63p?a"].flatMap((target): [string, number, Buffer][] => [
      [`a chunk without a length at ${target}`, 400, chunked("ZZ\r\n", target)],
      [`an expectation at ${target}`, 417, wire(head(target, ...expecting))],
      [`two Hosts at ${target}`, 400, wireOf(listing(), [`POST ${target} HTTP/1.1`, HOST, HOST])],
    ]),
  ])("M28 O-55: is refused in JSON-RPC, without CORS fields: %s", async (_what, status, bytes) => {
    const reply = await exchangeOne(service, bytes);
    expectError(reply, { ...NO_MESSAGE, status });
    expect(reply.headers.connection).toBe("close");
    expect(service.faults).toEqual([]);
  });

  it("M01: sends 100 Continue to who waits for it", async () => {
    expectResult(await sendBehind([REQUEST_LINE, HOST, "Expect: 100-continue"]), "tools/list");
  });

  it("M01: answers a request for another protocol in this one: an upgrade is declined", async () => {
    const lines = ["Upgrade: websocket", "Connection: Upgrade"];
    const { headers, body } = listing();
    const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    const length = `Content-Length: ${Buffer.byteLength(body)}`;
    const bytes = wire([REQUEST_LINE, HOST, ...lines, "Connection: close", ...fields, length], body);
    expectResult(await exchangeOne(service, bytes), "tools/list");
  });
});
