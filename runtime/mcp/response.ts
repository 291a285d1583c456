/** JSON-RPC responses as they go over HTTP. Source: contract §2; JSON-RPC 2.0 §5. */
import type { RequestId } from "../contract/mcp.ts";
import type { McpError } from "./error.ts";

export interface McpResponse {
  /** Of HTTP. */
  readonly status: number;
  readonly body: string;
}

/** `result` is the JSON of the result. */
export function formatResult(id: RequestId, result: string): McpResponse {
  return { status: 200, body: `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}\n` };
}

/** `id` is null where that of the request could not be read. */
export function formatError(id: RequestId | null, { status, code, message, data }: McpError): McpResponse {
  return { status, body: `${JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, data } })}\n` };
}
