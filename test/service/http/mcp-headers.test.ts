/** `Mcp-Method` and `Mcp-Name` repeat parts of the message, plainly or in Base64. */
import { describe, expect, it } from "vitest";
import {
  encodedName,
  expectError,
  expectResult,
  expectToolError,
  HEADER_MISMATCH,
  HOST,
  INVALID_PARAMS,
  type McpRequest,
  mcpRequest,
  METHOD_NOT_FOUND,
  post,
  REQUEST_LINE,
  TOOL,
  toolCall,
  wireOf,
} from "../../support/mcp.ts";
import { exchangeOne } from "../../support/raw.ts";
import { nasty } from "../../support/nasty.ts";
import { checkedRegistry } from "../../support/registry.ts";
import { type Reply, serviceFor } from "../../support/service.ts";

const service = serviceFor(() => checkedRegistry(nasty));

const URI = "https://registry.example/agent-tool.json";
const PROMPT = "handle-abstention";

/** A good call but for these fields; undefined leaves one out. */
function call(headers: Record<string, string | undefined>): McpRequest {
  return toolCall({ expression: "taxi" }, { headers });
}

/** A request without one of its fields, and with these lines in their place. */
function sendLines(request: McpRequest, name: string, lines: readonly string[]): Promise<Reply> {
  const { [name]: _left, ...headers } = request.headers;
  return exchangeOne(service, wireOf({ ...request, headers }, [REQUEST_LINE, HOST, ...lines]));
}

describe("Mcp-Method", () => {
  it.each([
    undefined,
    "",
    "tools/list",
    "TOOLS/CALL",
    "tools/call/",
    "tools/call, tools/call",
    "=?base64?dG9vbHMvY2FsbA==?=",
  ])("O-51 O-50: is refused with 400, -32020 where it is not the method: %s", async (method) => {
    expectError(await post(service, call({ "Mcp-Method": method })), HEADER_MISMATCH);
  });

  it("O-51: is refused with 400, -32020 where any request lacks it", async () => {
    const headers = { "Mcp-Method": undefined };
    const requests = [
      mcpRequest("server/discover", {}, { headers }), mcpRequest("tools/list", {}, { headers }),
      mcpRequest("resources/list", {}, { headers }), mcpRequest("resources/read", { uri: URI }, { headers }),
      mcpRequest("prompts/list", {}, { headers }), mcpRequest("prompts/get", { name: PROMPT }, { headers }),
      mcpRequest("foo/bar", {}, { headers }),
    ]; // prettier-ignore
    for (const request of requests) expectError(await post(service, request), HEADER_MISMATCH);
  });

  it("O-51: is refused where it is sent twice, though it says the same", async () => {
    const lines = ["Mcp-Method: tools/call", "Mcp-Method: tools/call"];
    expectError(await sendLines(call({}), "Mcp-Method", lines), HEADER_MISMATCH);
    expectError(await sendLines(call({}), "Mcp-Method", [lines[0] ?? "", "mcp-method: tools/list"]), HEADER_MISMATCH);
  });

  it("O-51: that names an unknown method is refused for the method, if the message has it too", async () => {
    expectError(await post(service, mcpRequest("foo/bar")), METHOD_NOT_FOUND);
    expectError(await post(service, call({ "Mcp-Method": "foo/bar" })), HEADER_MISMATCH);
  });
});

describe("Mcp-Name", () => {
  const same = Buffer.from(TOOL).toString("base64");
  const unlike: { what: string; name: string | undefined }[] = [
    { what: "missing", name: undefined },
    { what: "empty", name: "" },
    { what: "another name", name: "other" },
    { what: "the name in upper case", name: TOOL.toUpperCase() },
    { what: "the name and more", name: `${TOOL}, x` },
    { what: "Base64 of another name", name: encodedName("other") },
    { what: "no Base64", name: "=?base64?!!!?=" },
    { what: "Base64 of nothing", name: "=?base64??=" },
    { what: "Base64 without its padding", name: encodedName(TOOL).replace("=?=", "?=") },
    { what: "Base64 with too much padding", name: `=?base64?${same}=?=` },
    { what: "Base64 with a space", name: `=?base64?${same.slice(0, 4)} ${same.slice(4)}?=` },
    { what: "Base64 with an upper-case marker", name: encodedName(TOOL).replace("base64", "BASE64") },
    {
      what: "Base64 with the first letter of the marker in upper case",
      name: encodedName(TOOL).replace("base64", "Base64"),
    },
    { what: "Base64 without its end", name: encodedName(TOOL).slice(0, -2) },
    { what: "Base64 without its marker", name: same },
    { what: "Base64 with something before it", name: `x${encodedName(TOOL)}` },
    { what: "Base64 twice over", name: encodedName(encodedName(TOOL)) },
    { what: "a MIME encoded word", name: `=?utf-8?B?${same}?=` },
    { what: "Base64 of a byte order mark and the name", name: encodedName(`\uFEFF${TOOL}`) },
    { what: "Base64 of the name and NUL", name: encodedName(`${TOOL}\0`) },
  ];

  it.each(unlike)("O-51 O-50: is refused with 400, -32020 where it is $what", async ({ name }) => {
    expectError(await post(service, call({ "Mcp-Name": name })), HEADER_MISMATCH);
  });

  it("O-51: is refused where resources/read or prompts/get lacks it", async () => {
    for (const headers of [{ "Mcp-Name": undefined }, { "Mcp-Name": "x" }]) {
      expectError(await post(service, mcpRequest("resources/read", { uri: URI }, { headers })), HEADER_MISMATCH);
      const get = mcpRequest("prompts/get", { name: PROMPT, arguments: { expression: "x" } }, { headers });
      expectError(await post(service, get), HEADER_MISMATCH);
    }
  });

  it("O-51: is accepted as the uri of resources/read, and refused as a name", async () => {
    const read = mcpRequest("resources/read", { uri: URI, name: "x" }, { headers: { "Mcp-Name": "x" } });
    expectError(await post(service, read), HEADER_MISMATCH);
    expectResult(await post(service, mcpRequest("resources/read", { uri: URI, name: "x" })), "resources/read");
  });

  it("O-51: is accepted as the Base64 of the name", async () => {
    const headers = (name: string): { headers: Record<string, string> } => ({
      headers: { "Mcp-Name": encodedName(name) },
    });
    expectResult(await post(service, call(headers(TOOL).headers)), "tools/call");
    expectResult(await post(service, mcpRequest("resources/read", { uri: URI }, headers(URI))), "resources/read");
    const given = { name: PROMPT, arguments: { expression: "x" } };
    expectResult(await post(service, mcpRequest("prompts/get", given, headers(PROMPT))), "prompts/get");
  });

  it.each(["日本", "é", "😀", " padded ", "a\nb", "=?base64?literal?=", "tab\t", "\0", "", "a\u0000b", "\uFEFFx"])(
    "O-51 M23: is decoded before it is compared: names that ASCII cannot carry are found missing, not different: %s",
    async (name) => {
      const headers = { "Mcp-Name": encodedName(name) };
      for (const request of [
        mcpRequest("resources/read", { uri: name }, { headers }),
        mcpRequest("tools/call", { name }, { headers }),
        mcpRequest("prompts/get", { name }, { headers }),
      ])
        expectError(await post(service, request), INVALID_PARAMS);
    },
  );

  it("O-51: is refused where its Base64 is not of UTF-8", async () => {
    for (const [uri, bytes] of [
      ["\uFFFD", [0xff]],
      ["é", [0xe9]],
      ["\uFFFD\uFFFD\uFFFD", [0xed, 0xa0, 0x80]],
      ["\0", [0xc0, 0x80]],
    ] as const) {
      const headers = { "Mcp-Name": encodedName(Uint8Array.from(bytes)) };
      expectError(await post(service, mcpRequest("resources/read", { uri }, { headers })), HEADER_MISMATCH);
    }
    // Half a pair is in no UTF-8, so no field can name it.
    const headers = { "Mcp-Name": encodedName("\uFFFD") };
    expectError(await post(service, mcpRequest("resources/read", { uri: "\ud800" }, { headers })), HEADER_MISMATCH);
  });

  it.each([
    ["é", "é"],
    ["é", "Ã©"],
    ["a\u0085b", "a\u0085b"],
    ["\u00ff", "\u00ff"],
  ] as const)(
    "O-51: is refused where it is not ASCII, whatever its characters would spell: %j %j",
    async (name, field) => {
      const request = mcpRequest("resources/read", { uri: name });
      expectError(await sendLines(request, "Mcp-Name", [`Mcp-Name: ${field}`]), HEADER_MISMATCH);
    },
  );

  it("O-51: is accepted with white space around it", async () => {
    for (const line of [
      `Mcp-Name:${TOOL}`,
      `Mcp-Name:   ${TOOL}   `,
      `Mcp-Name:\t ${TOOL} \t`,
      `mcp-name: ${encodedName(TOOL)}  `,
    ])
      expectResult(await sendLines(call({}), "Mcp-Name", [line]), "tools/call");
  });

  it("O-51: is refused where it is sent twice, though it says the same", async () => {
    const line = `Mcp-Name: ${TOOL}`;
    expectError(await sendLines(call({}), "Mcp-Name", [line, line]), HEADER_MISMATCH);
  });

  it.each(["server/discover", "tools/list", "resources/list", "prompts/list"] as const)(
    "O-51: is ignored with the methods that name nothing: %s",
    async (method) => {
      for (const name of ["x", TOOL, "=?base64?!!!?="]) {
        expectResult(await post(service, mcpRequest(method, {}, { headers: { "Mcp-Name": name } })), method);
        expectResult(await post(service, mcpRequest(method, { name: "y" }, { headers: { "Mcp-Name": name } })), method);
      }
    },
  );

  it("O-51: is not missed, but the parameters are refused, where the message has no name to repeat", async () => {
    expectError(await post(service, mcpRequest("tools/call")), INVALID_PARAMS);
    expectError(await post(service, mcpRequest("tools/call", { name: 5 })), INVALID_PARAMS);
    expectError(await post(service, mcpRequest("resources/read")), INVALID_PARAMS);
    expectError(await post(service, mcpRequest("prompts/get", { name: null })), INVALID_PARAMS);
  });
});

describe("the names of the fields", () => {
  it.each(["lower", "upper"] as const)("O-51: are read in %s case", async (style) => {
    const request = toolCall({ expression: "taxi" });
    const fields = Object.entries(request.headers).map(([name, value]) => [
      style === "lower" ? name.toLowerCase() : name.toUpperCase(),
      value,
    ]);
    const bytes = wireOf({ ...request, headers: Object.fromEntries(fields) as Record<string, string> }, [
      REQUEST_LINE,
      HOST,
    ]);
    expect(bytes.toString()).toContain(style === "lower" ? "\r\nmcp-protocol-version: " : "\r\nMCP-PROTOCOL-VERSION: ");
    expectResult(await exchangeOne(service, bytes), "tools/call");
  });

  it("O-51: that repeat arguments, which this tool does not ask for, are ignored", async () => {
    const headers = { "Mcp-Param-Expression": "x", "Mcp-Param-language": "=?base64?!!!?=" };
    expectResult(await post(service, call(headers)), "tools/call");
    expectToolError(await post(service, toolCall({}, { headers: { "Mcp-Param-Expression": "taxi" } })));
  });
});
