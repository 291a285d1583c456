/** What a preview adds to pages: one script, by the nonce that the page's own policy names. The runtime knows none of it. */
import { pageFields } from "../../runtime/http/representation.ts";

/** Paths of the preview alone. */
export const CLIENT_PATH = "/.dev/client.js";
export const EVENTS_PATH = "/.dev/events";

/** A page of the runtime, with the script that loads it anew when there is another build. */
export function withClient(page: string, policy: string, build: string): string {
  const nonce = /script-src 'nonce-([^']+)'/.exec(policy)?.[1] ?? "";
  return `${page}<script nonce="${nonce}" type="module" src="${CLIENT_PATH}?build=${build}"></script>\n`;
}

/** The page while there is nothing to show yet; the script lists why. */
export function emptyPage(nonce: string): { readonly fields: readonly string[]; readonly page: string } {
  const fields = ["Content-Type", "text/html; charset=utf-8", "Cache-Control", "no-store", ...pageFields(nonce)];
  const page = `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>No preview yet</title>
<body><h1>No preview yet</h1><p>Nothing could be built. This page shows the preview as soon as something can.</p>
`;
  return { fields, page: withClient(page, fields.join(" "), "") };
}
