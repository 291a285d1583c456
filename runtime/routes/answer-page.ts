/** Pages as answers: a nonce for each response, and the digests of the exact bytes sent (T-01). */
import { sha256 } from "../http/digest.ts";
import { catalogLink, type Fields, formatFields, pageFields } from "../http/representation.ts";
import type { Page } from "../pages/page.ts";
import { answerRepresentation } from "./answer.ts";
import type { Answer, Request } from "./route.ts";

/** What all pages of a service share. */
export interface PageContext {
  /** Returns a fresh unguessable text of Base64 characters each time (CSP 3 §2.3.1). */
  readonly nonce: () => string;
  /** Address of the API catalog. */
  readonly catalogUrl: string;
}

interface PageAnswer {
  readonly page: Page;
  /** Undefined if no address gives exactly this page; then it has no validators either. */
  readonly contentLocation: string | undefined;
  readonly more?: Fields;
}

export function answerPage(
  request: Request,
  context: PageContext,
  { page, contentLocation, more = [] }: PageAnswer,
): Answer {
  const { body, fields } = render(context, page);
  const validators = contentLocation === undefined ? undefined : { contentLocation, sha256: sha256(body) };
  return answerRepresentation(request, formatFields("html", validators, [...more, ...fields]), body);
}

/** A page that says what was not found, with 404. */
export function answerNotFoundPage(context: PageContext, page: Page): Answer {
  const { body, fields } = render(context, page);
  return { status: 404, fields: formatFields("html", undefined, fields).ok, body };
}

function render({ nonce, catalogUrl }: PageContext, page: Page): { body: Uint8Array; fields: Fields } {
  const text = nonce();
  return { body: page.render(text), fields: [...catalogLink(catalogUrl), ...pageFields(text)] };
}
