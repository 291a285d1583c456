/**
 * The answer of a method: the JSON of a result, or an error. Source: MCP 2026-07-28 (results,
 * caching); ruling O-52.
 */
import { type MCPDefinition, type RequestId, SERVER_INFO_KEY } from "../contract/mcp.ts";
import { MAX_AGE_SECONDS } from "../contract/policy.ts";
import { firstViolation, type Validated } from "../contract/validator.ts";
import { type McpError, mcpError, type McpResponse } from "./error.ts";
import type { Params } from "./request.ts";

/** The JSON of a result; bytes if many answers share it, so that pending answers need no copies. */
export type Result = string | Uint8Array;

export type MethodAnswer =
  | { readonly ok: true; readonly result: Result }
  | { readonly ok: false; readonly error: McpError };

export type Method = (params: Params) => MethodAnswer;

const encoder = new TextEncoder();

/** Creates results, all with the type `complete` and the server's info. */
export class Results {
  readonly #serverInfo: string;

  constructor({ serverInfo }: MCPDefinition) {
    this.#serverInfo = JSON.stringify({ [SERVER_INFO_KEY]: serverInfo });
  }

  /** `members` is the JSON between the braces of an object. */
  complete(members: string): MethodAnswer {
    return { ok: true, result: this.#format(members) };
  }

  #format(members: string): string {
    return `{"resultType":"complete",${members},"_meta":${this.#serverInfo}}`;
  }

  /** A result that is the same for every client of a release. */
  cacheable(value: Readonly<Record<string, unknown>>): MethodAnswer {
    const members = { ...value, ttlMs: MAX_AGE_SECONDS * 1000, cacheScope: "public" };
    return { ok: true, result: encoder.encode(this.#format(JSON.stringify(members).slice(1, -1))) };
  }
}

export function invalidParams(message: string, data?: Readonly<Record<string, unknown>>): MethodAnswer {
  return { ok: false, error: mcpError("invalid_params", message, data) };
}

/** A method that validates its parameters with `parse`. */
export function takes<T>(parse: (params: unknown) => Validated<T>, answer: (params: T) => MethodAnswer): Method {
  return (params) => {
    const reading = parse(params);
    return reading.ok ? answer(reading.value) : invalidParams(firstViolation(reading.violations, "params"));
  };
}

/** The response of a method that succeeded, as it goes over HTTP. */
export function formatResult(id: RequestId, result: Result): McpResponse {
  const head = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;
  return { status: 200, body: typeof result === "string" ? `${head}${result}}\n` : [head, result, "}\n"] };
}
