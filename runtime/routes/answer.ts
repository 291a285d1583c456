/**
 * Answers that are not representations: computed texts, problems, JSON-RPC responses. Other files
 * make the bodies.
 * Source: contract §4.5 common rules; rulings O-27, O-45, O-54, O-55, O-60.
 */
import { STORE_RETRY_SECONDS } from "../contract/limits.ts";
import { paths } from "../contract/paths.ts";
import { formatProblem, type Problem, problem } from "../contract/problem.ts";
import { preflightFields } from "../http/cors.ts";
import { COMMON_FIELDS, type Fields, formatFields, MESSAGE_FIELDS } from "../http/representation.ts";
import { pathOf } from "../http/target.ts";
import { formatError, fromProblem, type McpResponse } from "../mcp/error.ts";
import { StorageError } from "../registry/block-source.ts";
import { IndexError } from "../registry/index.ts";
import type { Answer, Body, LongBody, Request } from "./route.ts";

const answerFields = formatFields("answer", undefined).ok;

/** A computed answer that must not be stored. */
export function answerText(body: string): Answer {
  return { status: 200, fields: answerFields, body };
}

/** A problem in the form its path requires: an ErrorEnvelope, or on `/mcp` a JSON-RPC error. */
export function answerProblem({ target }: Pick<Request, "target">, refusal: Problem, fields: Fields = []): Answer {
  const { status } = refusal;
  return pathOf(target) === paths.mcp
    ? answerMessage({ ...formatError(null, fromProblem(refusal)), status }, fields)
    : { status, fields: [...answerFields, ...fields], body: formatProblem(refusal) };
}

/** The answer to an unexpected error, without internal details (O-27). */
export function answerError(request: Pick<Request, "target">, error: unknown): Answer {
  return answerProblem(request, problemOf(error), retryFields(error));
}

export function problemOf(error: unknown): Problem {
  return problem(error instanceof IndexError ? "registry_unavailable" : "internal_error");
}

/** If a store failed, a retry may soon succeed. */
export function retryFields(error: unknown): Fields {
  return error instanceof StorageError ? ["Retry-After", String(STORE_RETRY_SECONDS)] : [];
}

/** What a host returns instead of a body that is longer than its route accepts. */
export function bodyTooLarge(maxBytes: number): Problem {
  return problem("request_too_large", `The request body may have at most ${maxBytes} bytes`);
}

/** A JSON-RPC response. */
export function answerMessage({ status, body }: McpResponse, fields: Fields = []): Answer {
  return { status, fields: [...MESSAGE_FIELDS, ...fields], body };
}

/** The answer to OPTIONS: for CORS, and for people who ask what a path accepts. */
export function answerOptions(allow: string): Answer {
  return { status: 204, fields: [...COMMON_FIELDS, ...preflightFields(allow), "Allow", allow] };
}

/** Whether a body is produced while it is sent. */
export function isLong(body: Body): body is LongBody {
  return typeof body === "object" && "pieces" in body;
}
