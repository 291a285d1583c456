/** Pages on the wire: a nonce for each response, and the digests of the very bytes that are sent (T-01). */
import type { ServerResponse } from "node:http";
import { sha256 } from "../http/digest.ts";
import type { Page } from "../pages/page.ts";
import { sendMissingPage, sendRepresentation } from "./reply.ts";
import { catalogLink, type Fields, formatFields, pageFields } from "../http/representation.ts";

/** What all pages of a service share. */
export interface PageContext {
  /** Gives another unguessable text each time, of Base64 characters (CSP 3 §2.3.1). */
  readonly nonce: () => string;
  /** Address of the API catalog. */
  readonly catalogUrl: string;
}

interface Sent {
  readonly page: Page;
  /** Undefined where no address gives this very page: then it has no validators either. */
  readonly contentLocation: string | undefined;
  readonly more?: Fields;
}

export function sendPage(response: ServerResponse, pages: PageContext, { page, contentLocation, more = [] }: Sent) {
  const { body, fields } = render(pages, page);
  const validators = contentLocation === undefined ? undefined : { contentLocation, sha256: sha256(body) };
  return sendRepresentation(response, formatFields("html", validators, [...more, ...fields]), body);
}

/** Sends a page that says what is not there, with 404. */
export function sendNotFoundPage(response: ServerResponse, pages: PageContext, page: Page): void {
  const { body, fields } = render(pages, page);
  sendMissingPage(response, formatFields("html", undefined, fields).ok, body);
}

function render({ nonce, catalogUrl }: PageContext, page: Page): { body: Uint8Array; fields: Fields } {
  const text = nonce();
  return { body: page.render(text), fields: [...catalogLink(catalogUrl), ...pageFields(text)] };
}
