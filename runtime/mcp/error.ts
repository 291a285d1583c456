/**
 * The JSON-RPC errors of `POST /mcp`, each with its HTTP status. A refusal is a value, as in
 * problem.ts.
 * Source: MCP 2026-07-28 (error codes; Streamable HTTP, server validation); JSON-RPC 2.0 §5.1;
 * rulings O-50, O-51, O-56.
 */
import type { RequestId } from "../contract/mcp.ts";
import { type Problem, toSentence } from "../contract/problem.ts";

const catalogue = {
  parse_error: { code: -32700, status: 400 },
  invalid_request: { code: -32600, status: 400 },
  forbidden: { code: -32600, status: 403 },
  method_not_found: { code: -32601, status: 404 },
  /** The message itself is refused. */
  invalid_meta: { code: -32602, status: 400 },
  /** The message was understood, but it asks for something that does not exist or is malformed. */
  invalid_params: { code: -32602, status: 200 },
  internal_error: { code: -32603, status: 500 },
  header_mismatch: { code: -32020, status: 400 },
  unsupported_version: { code: -32022, status: 400 },
} as const;

export interface McpError {
  readonly status: number;
  readonly code: number;
  /** One sentence on one line. */
  readonly message: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

export function mcpError(
  name: keyof typeof catalogue,
  message: string,
  data?: Readonly<Record<string, unknown>>,
): McpError {
  return { ...catalogue[name], message: toSentence(message), ...(data === undefined ? {} : { data }) };
}

/** A problem as a protocol error: fields or body were refused before a message was read. */
export function fromProblem({ code, status, message }: Problem): McpError {
  // Our own codes are outside the range that JSON-RPC and the protocol reserve.
  if (code === "rate_limited") return { status, code: status, message, data: { code } };
  if (status >= 500) return mcpError("internal_error", message);
  return { status, code: catalogue.invalid_request.code, message };
}

/** A JSON-RPC response as it goes over HTTP (JSON-RPC 2.0 §5). */
export interface McpResponse {
  /** The HTTP status. */
  readonly status: number;
  readonly body: string | readonly (string | Uint8Array)[];
}

/** `id` is null if the request's id could not be read. */
export function formatError(id: RequestId | null, { status, code, message, data }: McpError): McpResponse {
  return { status, body: `${JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, data } })}\n` };
}
