/**
 * Representations as answers, subject to preconditions. Each response with a page has its own
 * nonce, and the digests of the exact bytes sent (T-01).
 * Source: contract §4.5 common rules; rulings O-11, O-62.
 */
import { problem } from "../contract/problem.ts";
import { isNotModified, isPreconditionFailed } from "../http/conditional.ts";
import {
  catalogLink,
  type Fields,
  formatFields,
  pageFields,
  type RepresentationFields,
  type Validators,
} from "../http/representation.ts";
import type { Page } from "../pages/page.ts";
import { answerProblem } from "./answer.ts";
import type { Answer, LongBody, Request } from "./route.ts";

/** For every answer that Accept decides (RFC 9110 §12.5.5). */
export const VARY_ACCEPT: Fields = ["Vary", "Accept"];

/** The answer to GET or HEAD: 200, or 412 or 304 by a precondition (RFC 9110 §13.2.2). */
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

/** Values that all pages of a service share. */
export interface PageContext {
  /** Returns a fresh unguessable text of Base64 characters each time (CSP 3 §2.3.1). */
  readonly nonce: () => string;
  /** Returns the lowercase hex SHA-256 of a page; some hosts compute it only asynchronously. */
  readonly sha256: (bytes: Uint8Array) => string | Promise<string>;
  /** Address of the API catalog. */
  readonly catalogUrl: string;
}

interface PageAnswer {
  readonly page: Page;
  /** Undefined if no URL identifies exactly this page; then it has no validators either. */
  readonly contentLocation: string | undefined;
  readonly more?: Fields;
}

export function answerPage(
  request: Request,
  context: PageContext,
  { page, contentLocation, more = [] }: PageAnswer,
): Answer | Promise<Answer> {
  const { body, fields } = render(context, page);
  const answer = (validators?: Validators): Answer =>
    answerRepresentation(request, formatFields("html", validators, [...more, ...fields]), body);
  if (contentLocation === undefined) return answer();
  const digest = context.sha256(body);
  if (typeof digest === "string") return answer({ contentLocation, sha256: digest });
  return digest.then((sha256) => answer({ contentLocation, sha256 }));
}

/** A page that says what was not found, with 404. */
export function answerNotFoundPage(context: PageContext, page: Page, more: Fields = []): Answer {
  const { body, fields } = render(context, page);
  return { status: 404, fields: formatFields("html", undefined, [...more, ...fields]).ok, body };
}

function render({ nonce, catalogUrl }: PageContext, page: Page): { body: Uint8Array; fields: Fields } {
  const text = nonce();
  return { body: page.render(text), fields: [...catalogLink(catalogUrl), ...pageFields(text)] };
}
