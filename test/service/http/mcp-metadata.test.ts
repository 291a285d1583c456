/** The fields and metadata of every `POST /mcp`, and which of several faults is reported. */
import { describe, expect, it } from "vitest";
import {
  CAPABILITIES_KEY,
  type Changes,
  CLIENT_KEY,
  type ExpectedError,
  expectError,
  expectResult,
  expectToolError,
  HEADER_MISMATCH,
  INVALID_META,
  INVALID_PARAMS,
  INVALID_REQUEST,
  listing,
  type McpRequest,
  mcpRequest,
  METHOD_NOT_FOUND,
  PARSE_ERROR,
  post,
  TOOL,
  UNSUPPORTED_VERSION,
  VERSION,
  VERSION_KEY,
} from "../../support/mcp.ts";
import { nasty } from "../../support/nasty.ts";
import { checkedRegistry } from "../../support/registry.ts";
import { type Reply, serviceFor } from "../../support/service.ts";

const service = serviceFor(() => checkedRegistry(nasty));

interface Refused {
  readonly what: string;
  readonly request: McpRequest;
}

describe("the version", () => {
  const headed = (version: string | undefined): Record<string, string | undefined> => ({
    "MCP-Protocol-Version": version,
  });
  const claimed = (version: unknown, more: Changes = {}): McpRequest =>
    listing({ ...more, meta: { [VERSION_KEY]: version, ...more.meta } });

  const mismatched: Refused[] = [
    { what: "the field is missing", request: listing({ headers: headed(undefined) }) },
    { what: "the field is empty", request: listing({ headers: headed("") }) },
    { what: "the field says 2025-11-25", request: listing({ headers: headed("2025-11-25") }) },
    { what: "the field says it twice", request: listing({ headers: headed(`${VERSION}, ${VERSION}`) }) },
    { what: "the field says more", request: listing({ headers: headed(`${VERSION} x`) }) },
    { what: "the body claims v999", request: claimed("v999") },
    { what: "the body claims nothing", request: claimed("") },
  ];

  it.each(mismatched)("M08 O-51 O-50: is 400, -32020 where $what", async ({ request }) => {
    expectError(await post(service, request), HEADER_MISMATCH);
  });

  it.each(["v999", "2025-11-25", "2025-06-18", "2027-01-01", "2026-07-28-draft", "DRAFT"])(
    "M08 O-50: that both name and nobody supports is 400, -32022 with what is: %s",
    async (version) => {
      const { data } = expectError(
        await post(service, claimed(version, { headers: headed(version) })),
        UNSUPPORTED_VERSION,
      );
      expect(data).toEqual({ supported: [VERSION], requested: version });
    },
  );

  it("M08: that is newer is refused before any other fault of the metadata", async () => {
    const version = "2027-01-01";
    const request = claimed(version, { headers: headed(version), meta: { [CAPABILITIES_KEY]: undefined } });
    expect(expectError(await post(service, request), UNSUPPORTED_VERSION)["data"]).toMatchObject({
      requested: version,
    });
  });

  const opening = (fields: Record<string, string>, params?: unknown): McpRequest => ({
    headers: { "Content-Type": "application/json", ...fields },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }),
  });
  const legacy = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "old", version: "1" } };

  const openings = [
    { what: "in its normal form", request: opening({}, legacy), requested: "2025-11-25" },
    {
      what: "with a version field",
      request: opening({ "MCP-Protocol-Version": "2025-06-18" }, legacy),
      requested: "2025-11-25",
    },
    {
      what: "with other metadata",
      request: opening({}, { ...legacy, _meta: { progressToken: 1 } }),
      requested: "2025-11-25",
    },
    {
      what: "naming no version",
      request: opening({ "MCP-Protocol-Version": "2025-06-18" }, {}),
      requested: "2025-06-18",
    },
  ];

  it.each(openings)(
    "M06 O-50: an older client's initialize $what is told the supported one",
    async ({ request, requested }) => {
      const { data, message } = expectError(await post(service, request), UNSUPPORTED_VERSION);
      expect(data).toEqual({ supported: [VERSION], requested });
      expect(message).toContain(VERSION);
    },
  );

  it("O-50: an initialize that asks for the supported version is refused, and says how this version begins", async () => {
    for (const request of [
      opening({}, { ...legacy, protocolVersion: VERSION }),
      opening({ "MCP-Protocol-Version": VERSION }, {}),
    ]) {
      const { message } = expectError(await post(service, request), UNSUPPORTED_VERSION);
      expect(message).toContain(
        `supports only protocol version ${VERSION}, which begins with server/discover, not initialize`,
      );
    }
  });

  it("O-50: an initialize that says nothing at all still gets a valid -32022", async () => {
    for (const params of [undefined, {}, { protocolVersion: 5 }]) {
      const { data } = expectError(await post(service, opening({}, params)), UNSUPPORTED_VERSION);
      expect(data).toEqual({ supported: [VERSION], requested: expect.any(String) as unknown });
    }
  });

  it("O-50: other requests of an older client are refused with the supported version, by their header field", async () => {
    for (const message of [{ params: {} }, { params: undefined }]) {
      const request = listing({ headers: headed("2025-11-25"), message });
      const { data } = expectError(await post(service, request), UNSUPPORTED_VERSION);
      expect(data).toEqual({ supported: [VERSION], requested: "2025-11-25" });
    }
  });
});

describe("the metadata", () => {
  const client = (info: unknown): Changes => ({ meta: { [CLIENT_KEY]: info } });
  const params = (value: unknown, headers: Record<string, string | undefined> = {}): McpRequest =>
    listing({ message: { params: value }, headers });
  const refused: Refused[] = [
    { what: "M07: no params", request: params(undefined) },
    { what: "M07: empty params", request: params({}) },
    {
      what: "M07: no _meta and no fields",
      request: params({}, { "MCP-Protocol-Version": undefined, "Mcp-Method": undefined }),
    },
    { what: "M07: _meta null", request: params({ _meta: null }) },
    { what: "M07: _meta as an array", request: params({ _meta: [] }) },
    { what: "M07: _meta as a string", request: params({ _meta: VERSION }) },
    { what: "M08: no protocolVersion", request: listing({ meta: { [VERSION_KEY]: undefined } }) },
    ...[20_260_728, null, true, {}, [VERSION]].map((version) => ({
      what: `M08: protocolVersion ${JSON.stringify(version)}`,
      request: listing({ meta: { [VERSION_KEY]: version } }),
    })),
    {
      what: "M08: no protocolVersion, and an old field",
      request: listing({ meta: { [VERSION_KEY]: undefined }, headers: { "MCP-Protocol-Version": "2025-11-25" } }),
    },
    { what: "M09: no clientCapabilities", request: listing({ meta: { [CAPABILITIES_KEY]: undefined } }) },
    ...["x", [], null, true, 1].map((capabilities) => ({
      what: `M09: clientCapabilities ${JSON.stringify(capabilities)}`,
      request: listing({ meta: { [CAPABILITIES_KEY]: capabilities } }),
    })),
    ...[
      "x",
      [],
      null,
      {},
      { name: "n" },
      { version: "1" },
      { name: 1, version: "1" },
      { name: "n", version: null },
    ].map((info) => ({
      what: `M10: clientInfo ${JSON.stringify(info)}`,
      request: listing(client(info)),
    })),
    ...["", "x".repeat(201), "😀".repeat(201)].flatMap((text) => [
      { what: `M10: a name of ${text.length} code units`, request: listing(client({ name: text, version: "1" })) },
      { what: `M10: a version of ${text.length} code units`, request: listing(client({ name: "n", version: text })) },
    ]),
  ];

  it.each(refused)("M07 M08 M09 M10 O-50: is 400, -32602 with the id: $what", async ({ request }) => {
    expectError(await post(service, request), INVALID_META);
  });

  const accepted: { what: string; meta: Record<string, unknown> }[] = [
    {
      what: "M09: capabilities of any kind",
      meta: { [CAPABILITIES_KEY]: { x: {}, elicitation: { form: {} }, sampling: null } },
    },
    { what: "M10: no clientInfo", meta: { [CLIENT_KEY]: undefined } },
    { what: "M10: clientInfo of 1 character", meta: { [CLIENT_KEY]: { name: "n", version: "1" } } },
    ...["x", "é", "😀"].map((character) => ({
      what: `M10: clientInfo of 200 characters ${character}, and more members`,
      meta: {
        [CLIENT_KEY]: { name: character.repeat(200), version: character.repeat(200), title: "T", icons: 5, x: null },
      },
    })),
    { what: "M11: trace fields", meta: { traceparent: "00-1-2-01", tracestate: 5, baggage: null } },
    { what: "M11: progressToken and vendor keys", meta: { progressToken: {}, "example.com/key": [1, "😀"], __x: 1 } },
    { what: "M11: a log level that is none", meta: { "io.modelcontextprotocol/logLevel": "bogus" } },
  ];

  it.each(accepted)("M09 M10 M11: is accepted with $what", async ({ meta }) => {
    expectResult(await post(service, listing({ meta })), "tools/list");
  });
});

/** A request in the making, so that faults can be put together. */
interface Draft {
  method: string;
  headers: Record<string, string>;
  meta: Record<string, unknown>;
  params: Record<string, unknown>;
  jsonrpc: string;
  rpc: string;
  /** What the text of the body becomes. */
  spoil: ((text: string) => string)[];
}

interface Fault extends ExpectedError {
  readonly what: string;
  readonly put: (draft: Draft) => void;
}

/** In the order in which they are looked for. */
const faults: readonly Fault[] = [
  { what: "Host", status: 403, code: -32600, id: null, put: ({ headers }) => (headers["Host"] = "evil.example") },
  { what: "HTTP method", status: 405, code: -32600, id: null, put: (draft) => (draft.method = "PUT") },
  {
    what: "Content-Type",
    status: 415,
    code: -32600,
    id: null,
    put: ({ headers }) => (headers["Content-Type"] = "text/plain"),
  },
  { what: "size", status: 413, code: -32600, id: null, put: ({ spoil }) => spoil.push((text) => text.padEnd(65_537)) },
  { what: "JSON", ...PARSE_ERROR, put: ({ spoil }) => spoil.unshift((text) => text.slice(1)) },
  { what: "shape", ...INVALID_REQUEST, put: (draft) => (draft.jsonrpc = "1.0") },
  { what: "claimed version", ...INVALID_META, put: ({ meta }) => (meta[VERSION_KEY] = 5) },
  { what: "version field", ...HEADER_MISMATCH, put: ({ headers }) => (headers["MCP-Protocol-Version"] = "x") },
  {
    what: "version",
    ...UNSUPPORTED_VERSION,
    put: ({ meta, headers }) => (meta[VERSION_KEY] = headers["MCP-Protocol-Version"] = "v999"),
  },
  { what: "metadata", ...INVALID_META, put: ({ meta }) => (meta[CAPABILITIES_KEY] = []) },
  { what: "Mcp-Method", ...HEADER_MISMATCH, put: ({ headers }) => (headers["Mcp-Method"] = "x") },
  { what: "method", ...METHOD_NOT_FOUND, put: (draft) => (draft.rpc = draft.headers["Mcp-Method"] = "foo/bar") },
  { what: "Mcp-Name", ...HEADER_MISMATCH, put: ({ headers }) => (headers["Mcp-Name"] = "x") },
  { what: "parameters", ...INVALID_PARAMS, put: ({ params }) => (params["arguments"] = []) },
];

async function sendWith(put: readonly Fault["put"][]): Promise<Reply> {
  const draft: Draft = {
    method: "POST",
    headers: { ...mcpRequest("tools/call", { name: TOOL }).headers },
    meta: { [VERSION_KEY]: VERSION, [CAPABILITIES_KEY]: {} },
    params: { name: TOOL, arguments: {} },
    jsonrpc: "2.0",
    rpc: "tools/call",
    spoil: [],
  };
  for (const change of put) change(draft);
  const { method, headers, meta, params, jsonrpc, rpc, spoil } = draft;
  const text = JSON.stringify({ jsonrpc, id: 1, method: rpc, params: { _meta: meta, ...params } });
  return service.send(method, "/mcp", { headers, body: spoil.reduce((body, change) => change(body), text) });
}

describe("of several faults", () => {
  it("M22: those of the tool's arguments are answered last, as an error of the tool", async () => {
    expectToolError(await sendWith([]));
  });

  it.each(faults.map((first, i) => ({ ...first, later: faults.slice(i + 1) })))(
    "O-50: the $what is answered before all that are checked later",
    async ({ put, later, status, code, id = 1 }) => {
      expectError(await sendWith([put]), { status, code, id });
      for (const other of later) expectError(await sendWith([other.put, put]), { status, code, id });
      expectError(await sendWith([...later.map((other) => other.put).toReversed(), put]), { status, code, id });
    },
  );

  it("O-28 O-50: an encoded body that is too large is refused for its size, not for its coding", async () => {
    const headers = { ...mcpRequest("tools/list").headers, "Content-Encoding": "gzip" };
    const reply = await service.send("POST", "/mcp", { headers, body: Buffer.alloc(65_537, 0xa5) });
    expectError(reply, { status: 413, code: -32600, id: null });
  });
});
