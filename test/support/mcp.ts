/**
 * Messages to `POST /mcp` as a correct client sends them, any part of which a test may spoil, and
 * the judges of what comes back: by the contract, by the schemas of the protocol's own client, and
 * by what neither of them says.
 */
import { specTypeSchemas } from "@modelcontextprotocol/client";
import { expect } from "vitest";
import { MCPJsonRpcError, MCPJsonRpcSuccess } from "../../runtime/contract/mcp.ts";
import { expectSchema } from "./schemas.ts";
import type { Reply, Service } from "./service.ts";

export const VERSION = "2026-07-28";
export const TOOL = "resolve_service_semantics";

export const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
export const CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities";
export const CLIENT_KEY = "io.modelcontextprotocol/clientInfo";
const SERVER_KEY = "io.modelcontextprotocol/serverInfo";

export type Members = Readonly<Record<string, unknown>>;

export interface McpRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** What to send otherwise; a member that is undefined is left out. */
export interface Changes {
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Members of the message, of its `params`, of their `_meta`. */
  readonly message?: Members;
  readonly meta?: Members;
  /** Instead of the whole message. */
  readonly body?: string | Uint8Array;
}

const RESULTS = {
  "server/discover": { schema: specTypeSchemas.DiscoverResult, cacheable: true },
  "tools/list": { schema: specTypeSchemas.ListToolsResult, cacheable: true },
  "tools/call": { schema: specTypeSchemas.CallToolResult, cacheable: false },
  "resources/list": { schema: specTypeSchemas.ListResourcesResult, cacheable: true },
  "resources/read": { schema: specTypeSchemas.ReadResourceResult, cacheable: true },
  "prompts/list": { schema: specTypeSchemas.ListPromptsResult, cacheable: true },
  "prompts/get": { schema: specTypeSchemas.GetPromptResult, cacheable: false },
} as const;

export type MethodName = keyof typeof RESULTS;

/** A request as the revision wants it: id 1, the three fields, the two members of `_meta`. */
export function mcpRequest(method: string, params: Members = {}, changes: Changes = {}): McpRequest {
  const name = method === "resources/read" ? params["uri"] : params["name"];
  const named = ["tools/call", "resources/read", "prompts/get"].includes(method) && typeof name === "string";
  const fields = {
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
    "MCP-Protocol-Version": VERSION,
    "Mcp-Method": method,
    "Mcp-Name": named ? nameField(name) : undefined,
    ...changes.headers,
  };
  const meta = { [VERSION_KEY]: VERSION, [CAPABILITIES_KEY]: {}, ...changes.meta };
  const message = { jsonrpc: "2.0", id: 1, method, params: { _meta: meta, ...params }, ...changes.message };
  return {
    headers: Object.fromEntries(
      Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined),
    ),
    body: changes.body ?? JSON.stringify(message),
  };
}

/** A call of the one tool. */
export function toolCall(given: unknown, changes?: Changes): McpRequest {
  return mcpRequest("tools/call", { name: TOOL, arguments: given }, changes);
}

/** A request for the list of tools, good but for these changes. */
export function listing(changes?: Changes): McpRequest {
  return mcpRequest("tools/list", {}, changes);
}

/** The value of `Mcp-Name`: in Base64 where plain ASCII will not do. */
function nameField(name: string): string {
  const plain = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/.test(name) && !/^=\?base64\?.*\?=$/.test(name);
  return plain ? name : encodedName(name);
}

/** `=?base64?…?=` around the Base64 of these bytes. */
export function encodedName(name: string | Uint8Array): string {
  return `=?base64?${Buffer.from(name as string).toString("base64")}?=`;
}

export function post(service: Service, { headers, body }: McpRequest, target = "/mcp"): Promise<Reply> {
  return service.send("POST", target, { headers, body });
}

/** Posts a request and expects the result of `method`. */
export async function resultOf(service: Service, method: MethodName, params: Members = {}): Promise<Members> {
  return expectResult(await post(service, mcpRequest(method, params)), method);
}

/** Expects a complete result of `method` in answer to the request with this id, and gives it. */
export function expectResult(reply: Reply, method: MethodName, id: unknown = 1): Members {
  expectFields(reply);
  const body = reply.json() as Members;
  expect([reply.status, Object.keys(body), body["jsonrpc"], body["id"]]).toEqual([
    200,
    ["jsonrpc", "id", "result"],
    "2.0",
    id,
  ]);
  const { result }: { result: Members } = expectSchema(MCPJsonRpcSuccess, body);
  const { schema, cacheable } = RESULTS[method];
  expectSpec(specTypeSchemas.JSONRPCResultResponse, body);
  expectSpec(schema, result);
  expect(result["resultType"]).toBe("complete");
  expect(["ttlMs" in result, "cacheScope" in result]).toEqual([cacheable, cacheable]);
  if (cacheable) {
    expect(Number.isInteger(result["ttlMs"]) && Number(result["ttlMs"]) >= 0).toBe(true);
    expect(result["cacheScope"]).toBe("public");
  }
  const { [SERVER_KEY]: server } = result["_meta"] as Members;
  expectSpec(specTypeSchemas.Implementation, server);
  expect(server).toMatchObject({ name: expect.stringMatching(/./), version: expect.stringMatching(/./) });
  return result;
}

export interface ExpectedError {
  readonly status: number;
  readonly code: number;
  /** 1 if not said. */
  readonly id?: unknown;
}

export const PARSE_ERROR = { status: 400, code: -32700, id: null };
export const INVALID_REQUEST = { status: 400, code: -32600 };
/** Refused before there was a message. */
export const NO_MESSAGE = { ...INVALID_REQUEST, id: null };
export const FORBIDDEN = { ...NO_MESSAGE, status: 403 };
export const METHOD_NOT_FOUND = { status: 404, code: -32601 };
export const INVALID_META = { status: 400, code: -32602 };
export const INVALID_PARAMS = { status: 200, code: -32602 };
export const HEADER_MISMATCH = { status: 400, code: -32020 };
export const UNSUPPORTED_VERSION = { status: 400, code: -32022 };

/** Expects a JSON-RPC error and gives its `error`. */
export function expectError(reply: Reply, { status, code, id = 1 }: ExpectedError): Members {
  expectFields(reply);
  const body = reply.json() as Members;
  expect([reply.status, (body["error"] as Members | undefined)?.["code"], body["id"]]).toEqual([status, code, id]);
  expect(Object.keys(body)).toEqual(["jsonrpc", "id", "error"]);
  const { error } = expectSchema(MCPJsonRpcError, body);
  // The protocol leaves an id out that could not be read; the contract says null.
  const { id: _id, ...unidentified } = body;
  expectSpec(specTypeSchemas.JSONRPCErrorResponse, id === null ? unidentified : body);
  expectSentence(error.message);
  return error;
}

/** Expects a result of the tool that reports an error of its arguments, and gives its text. */
export function expectToolError(reply: Reply): string {
  const { isError, content, ...more } = expectResult(reply, "tools/call");
  expect(isError).toBe(true);
  expect(more).not.toHaveProperty("structuredContent");
  expect(content).toEqual([{ type: "text", text: expect.stringMatching(/./) }]);
  return (content as [{ text: string }])[0].text;
}

/** One short line without internals. */
export function expectSentence(message: string): void {
  expect(message.length).toBeLessThanOrEqual(300);
  expect(message).toMatch(/^[^\r\n\v\f\u0085\u2028\u2029]+$/u);
  expect(message).not.toMatch(/\bat \/|node_modules|\.[cm]?[jt]s\b|\bError:/);
}

/** What every response of the path says in its fields. */
function expectFields({ headers, body }: Reply): void {
  expect(headers).toMatchObject({
    "content-type": "application/json",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "content-length": String(body.length),
  });
  const odd = /^(?:access-control-|mcp-|set-cookie$|www-authenticate$|etag$|x-powered-by$|server$)/;
  expect(Object.keys(headers).filter((name) => odd.test(name))).toEqual([]);
}

interface SpecSchema {
  readonly "~standard": {
    validate(value: unknown): { readonly issues?: readonly unknown[] | undefined } | Promise<unknown>;
  };
}

function expectSpec(schema: SpecSchema, value: unknown): void {
  const outcome = schema["~standard"].validate(value);
  if (outcome instanceof Promise) throw new TypeError("The schemas of the client are synchronous");
  expect(outcome.issues ?? []).toEqual([]);
}

/** The lines of a head and a body as bytes; a character of a line is a byte. */
export function wire(lines: readonly string[], body: string | Uint8Array = ""): Buffer {
  return Buffer.concat([Buffer.from([...lines, "", ""].join("\r\n"), "latin1"), Buffer.from(body as string)]);
}

/** A request as bytes, the last of its connection; `lines` go before its own fields. */
export function wireOf({ headers, body }: McpRequest, lines: readonly string[]): Buffer {
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return wire([...lines, ...fields, `Content-Length: ${Buffer.byteLength(body)}`, "Connection: close"], body);
}

/** Where a test sends raw bytes, and to whom they are addressed. */
export const REQUEST_LINE = "POST /mcp HTTP/1.1";
export const HOST = "Host: registry.example";
