/**
 * The only catalogue of problems, the expected refusals: stable code, HTTP status, default
 * sentence. A problem is a value. A bug throws an error, which becomes `internal_error` without
 * internal details.
 * Source: contract §7; rulings O-06, O-13, O-27, O-60.
 */

/** Length of a sentence in UTF-16 code units, before escaping. */
const MAX_LENGTH = 300;

/**
 * Text for a caller, which may quote the request: truncated if long, and on one line, since control
 * characters and line separators are escaped as in JSON.
 */
export function toSentence(text: string): string {
  const cut = text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1).toWellFormed()}…` : text;
  return cut.replaceAll(
    /[\p{Cc}\p{Zl}\p{Zp}]/gu,
    (character) => String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** The problems of a request to resolve, over any transport. */
const refusals = {
  invalid_request: { status: 400, message: "The request does not have the required shape" },
  invalid_language: {
    status: 400,
    message: "language is not a well-formed BCP 47 language tag (RFC 5646), such as en or pt-BR",
  },
} as const;

const catalogue = {
  invalid_http: { status: 400, message: "The request is not valid HTTP/1.1" },
  invalid_json: { status: 400, message: "The request body is not valid JSON in UTF-8" },
  ...refusals,
  invalid_query: { status: 400, message: "The query parameter q is not valid" },
  not_found: { status: 404, message: "There is nothing at this path" },
  recipe_not_found: { status: 404, message: "There is no recipe with this id; the readiness checklist lists the five" },
  method_not_allowed: {
    status: 405,
    message: "This path does not accept this method; the Allow field lists the ones it does",
  },
  request_timeout: { status: 408, message: "The request did not arrive in time" },
  precondition_failed: { status: 412, message: "The current representation is not one that If-Match names" },
  request_too_large: { status: 413, message: "The request body is too large" },
  expectation_failed: { status: 417, message: "The Expect field asks for something this service does not do" },
  unsupported_media_type: {
    status: 415,
    message: "The request body must be sent with Content-Type: application/json, alone or with charset=utf-8",
  },
  rate_limited: { status: 429, message: "Too many requests; the Retry-After field says how many seconds to wait" },
  header_fields_too_large: { status: 431, message: "The request header fields are too large" },
  internal_error: { status: 500, message: "The service failed to answer; nothing was resolved or assigned" },
  registry_unavailable: { status: 503, message: "The registry cannot be read; nothing was resolved or assigned" },
} as const;

export type ProblemCode = keyof typeof catalogue;

/** A problem: the contract's Error, with its HTTP status. */
export interface Problem {
  readonly code: ProblemCode;
  readonly status: number;
  readonly message: string;
}

/** The whole catalogue, as the API reference lists it. */
export const problems: readonly Problem[] = Object.keys(catalogue).map((code) => problem(code as ProblemCode));

/** Creates a problem; `message` replaces the catalogue's sentence. */
export function problem(code: ProblemCode, message: string = catalogue[code].message): Problem {
  return { code, status: catalogue[code].status, message: toSentence(message) };
}

/**
 * Creates a problem of a request to resolve. Unlike `problem`, it does not need the catalogue,
 * which the resolver for static hosts leaves out.
 */
export function refusal(code: keyof typeof refusals, message: string = refusals[code].message): Problem {
  return { code, status: refusals[code].status, message: toSentence(message) };
}

/** The contract's ErrorEnvelope as JSON. */
export function formatProblem({ code, message }: Problem): string {
  return `${JSON.stringify({ data: null, error: { code, message } })}\n`;
}
