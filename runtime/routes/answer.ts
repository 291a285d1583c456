/**
 * The answers that routes give, as values. Bodies are made elsewhere; nothing here looks into them.
 * Source: contract §4.5 common rules; rulings O-11, O-27, O-45, O-54, O-55, O-60, O-62.
 */
import type { ConceptNotFound } from "../contract/concept.ts";
import { paths } from "../contract/policy.ts";
import { formatProblem, type Problem, problem } from "../contract/problem.ts";
import { isNotModified, isPreconditionFailed } from "../http/conditional.ts";
import {
  COMMON_FIELDS,
  type Fields,
  formatFields,
  identityFields,
  MESSAGE_FIELDS,
  type RepresentationFields,
} from "../http/representation.ts";
import { pathOf } from "../http/target.ts";
import { fromProblem } from "../mcp/error.ts";
import { formatErrorBody, type McpResponse } from "../mcp/response.ts";
import { STORE_RETRY_SECONDS } from "../contract/limits.ts";
import { StorageError } from "../registry/block-source.ts";
import { IndexError } from "../registry/index.ts";
import type { Answer, LongBody, Request } from "./route.ts";

const answerFields = formatFields("answer", undefined).ok;

/** A computed answer that must not be stored. */
export function answerText(body: string): Answer {
  return { status: 200, fields: answerFields, body };
}

/** A problem in the form its path requires: an ErrorEnvelope, or on `/mcp` a JSON-RPC error. */
export function answerProblem({ target }: Pick<Request, "target">, refusal: Problem, fields: Fields = []): Answer {
  const { status } = refusal;
  return pathOf(target) === paths.mcp
    ? answerMessage({ status, body: formatErrorBody(null, fromProblem(refusal)) }, fields)
    : { status, fields: [...answerFields, ...fields], body: formatProblem(refusal) };
}

/** An unexpected error, without internal details: an unreadable registry, or a failure (O-27). */
export function answerError(request: Pick<Request, "target">, error: unknown): Answer {
  return answerProblem(request, problemOf(error), retryFields(error));
}

export function problemOf(error: unknown): Problem {
  return problem(error instanceof IndexError ? "registry_unavailable" : "internal_error");
}

/** A store may soon be read again. */
export function retryFields(error: unknown): Fields {
  return error instanceof StorageError ? ["Retry-After", String(STORE_RETRY_SECONDS)] : [];
}

/** What a host returns in place of a body that is longer than its route accepts. */
export function bodyTooLarge(maxBytes: number): Problem {
  return problem("request_too_large", `The request body may have at most ${maxBytes} bytes`);
}

/** A JSON-RPC response. */
export function answerMessage({ status, body }: McpResponse, fields: Fields = []): Answer {
  return { status, fields: [...MESSAGE_FIELDS, ...fields], body };
}

const notFound: ConceptNotFound = { error: "concept_not_found" };

/** The only failure body without an envelope (T-04). */
export const conceptNotFound: Answer = {
  status: 404,
  fields: answerFields,
  body: `${JSON.stringify(notFound)}\n`,
};

/** The refusal to represent a resource (RFC 9457); the body comes from not-acceptable.ts. */
export function answerNotAcceptable(body: Uint8Array): Answer {
  return { status: 406, fields: notAcceptableFields, body };
}

const notAcceptableFields = formatFields("problem", undefined, ["Vary", "Accept"]).ok;

/** The refusal to vouch for the deployment; the body comes from identity.ts. */
export function answerIdentityUnavailable(body: string): Answer {
  return { status: 503, fields: identityUnavailableFields, body };
}

const identityUnavailableFields = formatFields("answer", undefined, identityFields("unavailable")).ok;

/** A representation for GET or HEAD, or a precondition's result: 412 or 304 (RFC 9110 §13.2.2). */
export function answerRepresentation(
  request: Request,
  { ok, notModified, entityTag = "", reusable }: RepresentationFields,
  body: Uint8Array | LongBody,
): Answer {
  if (isPreconditionFailed(request.field("if-match"), entityTag))
    return answerProblem(request, problem("precondition_failed"));
  if (reusable && isNotModified(request.field("if-none-match"), entityTag)) return { status: 304, fields: notModified };
  return { status: 200, fields: ok, body };
}

/** The answer to OPTIONS, for browsers on other origins and people who ask what a path accepts. */
export function answerOptions(allow: string): Answer {
  const cors = [
    "Access-Control-Allow-Methods",
    allow,
    "Access-Control-Allow-Headers",
    "Content-Type, If-Match, If-None-Match",
  ];
  return { status: 204, fields: [...COMMON_FIELDS, ...cors, "Access-Control-Max-Age", "86400", "Allow", allow] };
}
