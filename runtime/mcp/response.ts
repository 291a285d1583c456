/** JSON-RPC responses as they go over HTTP. Source: contract §2; JSON-RPC 2.0 §5. */
import type { RequestId } from "../contract/mcp.ts";
import type { McpError } from "./error.ts";
import type { Result } from "./result.ts";

export interface McpResponse {
  /** The HTTP status. */
  readonly status: number;
  readonly body: string | readonly (string | Uint8Array)[];
}

export function formatResult(id: RequestId, result: Result): McpResponse {
  const head = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;
  return { status: 200, body: typeof result === "string" ? `${head}${result}}\n` : [head, result, "}\n"] };
}

/** `id` is null if the request's own could not be read. */
export function formatError(id: RequestId | null, error: McpError): McpResponse {
  return { status: error.status, body: formatErrorBody(id, error) };
}

export function formatErrorBody(id: RequestId | null, { code, message, data }: McpError): string {
  return `${JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, data } })}\n`;
}
