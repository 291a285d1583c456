/** One message of `POST /mcp` on its own: JSON, shape, id, method. */
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import {
  type ExpectedError,
  expectError,
  expectResult,
  expectToolError,
  HEADER_MISMATCH,
  INVALID_REQUEST,
  listing,
  type McpRequest,
  mcpRequest,
  METHOD_NOT_FOUND,
  NO_MESSAGE,
  PARSE_ERROR,
  post,
  toolCall,
} from "../../support/mcp.ts";
import { nasty } from "../../support/nasty.ts";
import { checkedRegistry } from "../../support/registry.ts";
import { serviceFor } from "../../support/service.ts";

const service = serviceFor(() => checkedRegistry(nasty));

/** A request whose body is this, however wrong, under good fields. */
function bodied(body: string | Uint8Array): McpRequest {
  return listing({ body });
}

/** The good request with the source text of its id replaced. */
function identified(id: string): McpRequest {
  const { body } = mcpRequest("tools/list");
  return bodied(String(body).replace('"id":1', `"id":${id}`));
}

interface Refused extends Partial<ExpectedError> {
  readonly what: string;
  readonly request: McpRequest;
}

const good = String(mcpRequest("tools/list").body);

describe("a body", () => {
  const unparsable: Refused[] = [
    { what: "nothing", request: bodied("") },
    { what: "white space alone", request: bodied(" \n") },
    { what: "truncated JSON", request: bodied(good.slice(0, -1)) },
    { what: "something behind the JSON", request: bodied(`${good}x`) },
    { what: "two messages", request: bodied(`${good}\n${good}`) },
    { what: "a word", request: bodied("hello") },
    { what: "a trailing comma", request: bodied(good.replace(/\}$/, ",}")) },
    { what: "NaN", request: bodied(good.replace('"id":1', '"id":NaN')) },
    { what: "a raw line feed in a string", request: bodied(good.replace("tools/list", "tools\n/list")) },
    { what: "a byte that is no UTF-8", request: bodied(Buffer.from(good.replace('"id":1', '"id":"\xff"'), "latin1")) },
    {
      what: "a surrogate in UTF-8",
      request: bodied(Buffer.from(good.replace('"id":1', '"id":"\xed\xa0\x80"'), "latin1")),
    },
    { what: "UTF-16", request: bodied(Buffer.from(good, "utf16le")) },
    { what: "a byte order mark", request: bodied(`\uFEFF${good}`) },
    { what: "gzip", request: listing({ headers: { "Content-Encoding": "gzip" }, body: gzipSync(good) }) },
    { what: "gzip that does not say so", request: bodied(gzipSync(good)) },
    ...["gzip", "br", "x-unknown", "gzip, identity"].map((coding) => ({
      what: `good JSON that is said to be in the coding ${coding}`,
      request: listing({ headers: { "Content-Encoding": coding } }),
    })),
    { what: "a name twice in the message", request: bodied(good.replace('"id":1', '"id":1,"id":2')) },
    { what: "a name twice, once escaped", request: bodied(good.replace('"id":1', '"id":1,"\\u0069d":2')) },
    { what: "a name twice in the parameters", request: bodied(good.replace('"params":{', '"params":{"x":1,"x":1,')) },
  ];

  it.each(unparsable)("M14 O-50 O-52: that is $what is 400, -32700, id null", async ({ request }) => {
    expectError(await post(service, request), PARSE_ERROR);
  });

  it("O-52: an expression twice resolves to nothing", async () => {
    const body = String(toolCall({ expression: "taxi" }).body).replace('"taxi"', '"poison","expression":"taxi"');
    expectError(await post(service, toolCall({}, { body })), PARSE_ERROR);
  });

  const notMessages: Refused[] = [
    { what: "an empty array", request: bodied("[]") },
    { what: "a batch of one", request: bodied(`[${good}]`) },
    { what: "a batch of two", request: bodied(`[${good},${good}]`) },
    { what: "null", request: bodied("null") },
    { what: "a string", request: bodied('"x"') },
    { what: "a number", request: bodied("5") },
    { what: "a boolean", request: bodied("true") },
    { what: "an empty object", request: bodied("{}") },
  ];

  it.each(notMessages)("M25 M14 O-50: that is $what is 400, -32600, id null", async ({ request }) => {
    expectError(await post(service, request), NO_MESSAGE);
  });

  it("M25: a batch resolves nothing of what it holds", async () => {
    const call = toolCall({ expression: "taxi" });
    const reply = await post(service, { ...call, body: `[${String(call.body)}]` });
    expectError(reply, NO_MESSAGE);
    expect(reply.body.toString()).not.toContain("N-TAXI");
  });

  const deep = "[".repeat(30_000) + "]".repeat(30_000);

  it("M05 M28: 30,000 brackets are refused where they do not belong, and the service lives on", async () => {
    expectError(await post(service, bodied(deep)), NO_MESSAGE);
    expectError(await post(service, bodied("[".repeat(60_000))), PARSE_ERROR);
    expectError(await post(service, identified(deep)), NO_MESSAGE);
    const call = String(toolCall("DEEP").body);
    expectError(await post(service, toolCall({}, { body: call.replace('"DEEP"', deep) })), {
      status: 200,
      code: -32602,
    });
    const inside = call.replace('"DEEP"', `{"expression":${deep}}`);
    expectToolError(await post(service, toolCall({}, { body: inside })));
    expectResult(await post(service, mcpRequest("tools/list")), "tools/list");
  });

  it("M07 M11: 30,000 brackets, or braces, are ignored where anything may stand", async () => {
    expectResult(await post(service, bodied(good.replace('"params":{', `"params":{"x":${deep},`))), "tools/list");
    expectResult(await post(service, bodied(good.replace('"_meta":{', `"_meta":{"x":${deep},`))), "tools/list");
    const braces = `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`;
    expectResult(await post(service, bodied(good.replace('"_meta":{', `"_meta":{"x":${braces},`))), "tools/list");
  });
});

describe("a message", () => {
  const misshapen: Refused[] = [
    { what: "M04: jsonrpc 1.0", request: listing({ message: { jsonrpc: "1.0" } }) },
    { what: "M04: jsonrpc as a number", request: listing({ message: { jsonrpc: 2 } }) },
    { what: "M04: jsonrpc null", request: listing({ message: { jsonrpc: null } }) },
    { what: "M02: no jsonrpc", request: listing({ message: { jsonrpc: undefined } }) },
    { what: "M02: no method", request: listing({ message: { method: undefined } }) },
    { what: "M02: no id", request: listing({ message: { id: undefined } }), id: null },
    { what: "M03: another member", request: listing({ message: { extra: 1 } }) },
    { what: "M03: another member, null", request: listing({ message: { result: null } }) },
    { what: "M03: _meta beside params", request: listing({ message: { _meta: {} } }) },
    { what: "M03: __proto__", request: bodied(good.replace('"id":1', '"id":1,"__proto__":{"id":2}')) },
    { what: "M06: a method that is a number", request: listing({ message: { method: 5 } }) },
    { what: "M06: a method that is null", request: listing({ message: { method: null } }) },
    { what: "M07: params as an array", request: listing({ message: { params: [] } }) },
    { what: "M07: params null", request: listing({ message: { params: null } }) },
    { what: "M07: params as a string", request: listing({ message: { params: "x" } }) },
    { what: "M25: a response", request: bodied('{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete"}}') },
    { what: "M25: an error", request: bodied('{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}') },
    {
      what: "M02: notifications/initialized, without fields",
      request: {
        headers: { "Content-Type": "application/json" },
        body: '{"jsonrpc":"2.0","method":"notifications/initialized"}',
      },
      id: null,
    },
    {
      what: "M02: notifications/cancelled, with them",
      request: mcpRequest("notifications/cancelled", { requestId: 1 }, { message: { id: undefined } }),
      id: null,
    },
  ];

  it.each(misshapen)("M02 M03 M04 M06 M07 M14 O-50: is 400, -32600 with its id: $what", async ({ request, id = 1 }) => {
    expectError(await post(service, request), { ...INVALID_REQUEST, id });
  });

  it.each(["null", "true", "false", "1.5", "{}", "[]", "[1]", "-0.5"])(
    "M05 M14: is 400, -32600, id null where its id is %s",
    async (id) => {
      expectError(await post(service, identified(id)), NO_MESSAGE);
    },
  );

  it.each(["9007199254740993", "9007199254740992", "-9007199254740992", "1e400", "1e16", "-1e400"])(
    "O-63 M14: is 400, -32600, id null where its id is %s, which could not be echoed",
    async (id) => {
      expectError(await post(service, identified(id)), NO_MESSAGE);
    },
  );

  const ids = [
    '""', '"a"', '"1"', '"null"', '"日本 😀"', '"\\"\\\\\\n\\u0000"', '"\\ud800"', `"${"x".repeat(10_000)}"`,
    "0", "1", "-5", "1.0", "1e3", "9007199254740991", "-9007199254740991",
  ].map((source) => ({ source, name: source.slice(0, 24), id: JSON.parse(source) as unknown })); // prettier-ignore

  it.each(ids)(
    "M05 M12 M14: gets its id $name back with its type, in a result and in an error",
    async ({ source, id }) => {
      expectResult(await post(service, identified(source)), "tools/list", id);
      const { headers, body } = identified(source);
      expectError(await post(service, { headers, body: String(body).replace("2.0", "1.0") }), {
        ...INVALID_REQUEST,
        id,
      });
      expectError(await post(service, { headers: { ...headers, "Mcp-Method": "x" }, body }), {
        ...HEADER_MISMATCH,
        id,
      });
    },
  );

  const verbose = [
    { what: "500 unknown members", message: Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`m${i}`, 1])) },
    { what: "an unknown member with a long name", message: { ["x".repeat(5000)]: 1 } },
    { what: "a name of quotation marks", message: { ['"'.repeat(5000)]: 1 } },
    { what: "a name of control characters", message: { ["\u0000".repeat(5000)]: 1 } },
    { what: "a line feed in a name", message: { "a\nb": 1 } },
    { what: "a line separator in a name", message: { "a\u2028b": 1 } },
    { what: "half a surrogate pair at the cut of a name", message: { [`${"x".repeat(39)}😀😀`]: 1 } },
    { what: "wrong types everywhere", message: { jsonrpc: 1, id: {}, method: [], params: "x" }, id: null },
  ];

  it.each(verbose)("M13 M28: is refused in one short line with $what", async ({ message, id = 1 }) => {
    expectError(await post(service, listing({ message })), { ...INVALID_REQUEST, id });
  });
});

describe("a method", () => {
  const unknown = [
    "foo/bar", "", "ping", "logging/setLevel", "completion/complete", "subscriptions/listen", "resources/templates/list",
    "resources/subscribe", "notifications/initialized", "initialize", "__proto__", "constructor", "toString", "tools/List", "tools",
    "tools/list/", "x".repeat(4000), '"'.repeat(4000),
  ].map((method) => ({ name: method.slice(0, 32), method })); // prettier-ignore

  it.each(unknown)("M06 M28 O-50: outside the seven is 404, -32601: $name", async ({ method }) => {
    expectError(await post(service, mcpRequest(method)), METHOD_NOT_FOUND);
  });
});
