/**
 * Answers the methods of `POST /mcp` for a host on this machine: from an opened release, by the
 * code of the service itself, or from a running service, by HTTP. A service that cannot be asked is
 * an error, never an abstention. Source: MCP 2026-07-28, Streamable HTTP (request metadata).
 */
import { MCP_PROTOCOL_VERSION, MCPJsonRpcResponse, REQUEST_META } from "../../../../runtime/contract/mcp.ts";
import { paths } from "../../../../runtime/contract/paths.ts";
import { makeMethods } from "../../../../runtime/mcp/methods.ts";
import type { McpMethod, Params } from "../../../../runtime/mcp/request.ts";
import type { Release } from "../../../../runtime/release/release.ts";
import { readAtMost } from "../../../../runtime/text/bytes.ts";
import { fetchReason } from "../../../../runtime/extras/store/fetch-reason.ts";
import { parseJson } from "../../../../runtime/text/json.ts";
import { compileSchema } from "../../../text/compile-schema.ts";

export type Result = Readonly<Record<string, unknown>>;

/** Answers one method. Throws AskError for a refusal, and if there is no answer. */
export type Ask = (method: McpMethod, params: Params) => Result | Promise<Result>;

/** An error of JSON-RPC; the message is one line. */
export class AskError extends Error {
  override name = "AskError";

  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export function askRelease(release: Release): Ask {
  const methods = makeMethods(release);
  const decoder = new TextDecoder();
  return (method, params) => {
    const answer = methods[method](params);
    if (!answer.ok) throw new AskError(answer.error.code, answer.error.message, answer.error.data);
    const { result } = answer;
    return JSON.parse(typeof result === "string" ? result : decoder.decode(result)) as Result;
  };
}

const parseResponse = compileSchema(MCPJsonRpcResponse);
const INTERNAL_ERROR = -32603;
const TIMEOUT_MS = 10_000;
/** The largest documents have a few hundred KB. */
const RESPONSE_MAX_BYTES = 16 * 1024 * 1024;

/** Makes one request for each call, without retries or redirects. */
export function askOrigin(origin: string, timeoutMs = TIMEOUT_MS): Ask {
  let id = 0;
  return async (method, params) => {
    const message = { jsonrpc: "2.0", id: ++id, method, params: { ...params, _meta: REQUEST_META } };
    const body = await post(`${origin}${paths.mcp}`, message, timeoutMs).catch((error: unknown) => {
      throw new AskError(INTERNAL_ERROR, `The service at ${origin} cannot be asked: ${fetchReason(error)}`);
    });
    const json = parseJson(body);
    const reading = json.ok ? parseResponse(json.value) : undefined;
    const answer = reading?.ok === true ? reading.value : undefined;
    if (answer !== undefined && "error" in answer && (answer.id === message.id || answer.id === null)) {
      const { code, message: said, data } = answer.error;
      // Without an id, the address or the sender is refused, which is not the fault of the caller.
      throw new AskError(code, answer.id === null ? `${origin}${paths.mcp} refuses: ${said}` : said, data);
    }
    if (answer === undefined || !("result" in answer) || answer.id !== message.id)
      throw new AskError(INTERNAL_ERROR, `The server at ${origin}${paths.mcp} is not this service`);
    return answer.result;
  };
}

interface Message {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

async function post(url: string, message: Message, timeoutMs: number): Promise<Uint8Array> {
  const { name, uri } = message.params;
  const named = message.method === "resources/read" ? uri : name;
  const response = await fetch(url, {
    method: "POST",
    redirect: "error",
    signal: AbortSignal.timeout(timeoutMs),
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      "MCP-Protocol-Version": MCP_PROTOCOL_VERSION,
      "Mcp-Method": message.method,
      // Always encoded: a name may hold characters that a header field may not.
      ...(typeof named === "string" && { "Mcp-Name": `=?base64?${Buffer.from(named).toString("base64")}?=` }),
    },
    body: JSON.stringify(message),
  });
  const answer = await readAtMost(response.body, RESPONSE_MAX_BYTES);
  if (answer === undefined) throw new Error("the answer is too large");
  return answer;
}
