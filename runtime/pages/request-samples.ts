/**
 * One request as people write it: curl, JavaScript, Python and, if MCP offers it, MCP. Each sample
 * runs as printed.
 */
import { MCP_PROTOCOL_VERSION, REQUEST_META, TOOL_NAME } from "../contract/mcp.ts";
import { paths } from "../contract/paths.ts";
import type { ResolveRequest } from "../contract/resolution.ts";
import { shellQuote } from "../text/shell.ts";

export interface SampleRequest {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON by POST; without it the request is a GET. */
  readonly body?: unknown;
  /** How the answer is read. */
  readonly as: "json" | "text" | "bytes";
}

/** The same request over MCP: a method and its parameters. */
interface McpMessage {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** MCP is spoken over HTTP, so its sample is another HTTP request. */
export interface Sample {
  readonly id: "curl" | "javascript" | "python" | "mcp";
  readonly title: string;
  /** The name of its language, for highlighting. */
  readonly language: string;
  readonly text: string;
}

export function requestSamples(request: SampleRequest, mcp?: SampleRequest): Sample[] {
  return [
    { id: "curl", title: "curl", language: "sh", text: curl(request) },
    { id: "javascript", title: "JavaScript", language: "javascript", text: javaScript(request) },
    { id: "python", title: "Python", language: "python", text: python(request) },
    ...(mcp === undefined ? [] : [{ id: "mcp", title: "MCP", language: "sh", text: curl(mcp) } as const]),
  ];
}

/** A resolution as a request of the service at an origin, and the same over MCP. */
export function resolveRequests(origin: string, request: ResolveRequest): [SampleRequest, SampleRequest] {
  const direct = {
    url: origin + paths.resolve,
    headers: { "Content-Type": "application/json" },
    body: request,
    as: "json",
  } as const;
  return [direct, mcpRequest(origin, { method: "tools/call", params: { name: TOOL_NAME, arguments: request } })];
}

/** The HTTP request that carries an MCP message. */
export function mcpRequest(origin: string, { method, params = {} }: McpMessage): SampleRequest {
  const { name } = params;
  return {
    url: origin + paths.mcp,
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      "MCP-Protocol-Version": MCP_PROTOCOL_VERSION,
      "Mcp-Method": method,
      ...(typeof name === "string" && { "Mcp-Name": name }),
    },
    body: { jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: REQUEST_META } },
    as: "json",
  };
}

export function curl({ url, headers = {}, body, as }: SampleRequest, separator = " \\\n  "): string {
  return [
    `curl -s ${as === "bytes" ? "-O " : ""}${shellQuote(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${shellQuote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${shellQuote(JSON.stringify(body))}`]),
  ].join(separator);
}

function javaScript({ url, headers, body, as }: SampleRequest): string {
  const options = [
    ...(body === undefined ? [] : ['method: "POST"']),
    ...(headers === undefined ? [] : [`headers: ${JSON.stringify(headers)}`]),
    ...(body === undefined ? [] : [`body: JSON.stringify(${JSON.stringify(body)})`]),
  ].map((line) => `\n  ${line},`);
  const rest = options.length === 0 ? "" : `, {${options.join("")}\n}`;
  const read = { json: "json", text: "text", bytes: "arrayBuffer" }[as];
  return `const response = await fetch(${JSON.stringify(url)}${rest});\nconst answer = await response.${read}();`;
}

function python({ url, headers, body, as }: SampleRequest): string {
  const lines = [
    JSON.stringify(url),
    ...(body === undefined ? [] : [`data=json.dumps(${JSON.stringify(body)}).encode()`]),
    ...(headers === undefined ? [] : [`headers=${JSON.stringify(headers)}`]),
  ];
  const request = lines.length === 1 ? lines[0] : `urllib.request.Request(\n    ${lines.join(",\n    ")},\n)`;
  const opened = lines.length === 1 ? request : "request";
  const read = { json: "json.load(response)", text: "response.read().decode()", bytes: "response.read()" }[as];
  return [
    as === "json" ? "import json, urllib.request" : "import urllib.request",
    ...(lines.length === 1 ? [] : [`request = ${request}`]),
    `with urllib.request.urlopen(${opened}) as response:`,
    `    answer = ${read}`,
  ].join("\n");
}
