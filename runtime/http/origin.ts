/** The canonical origin: http or https, host and port only (RFC 6454 §6.2; contract §4.6). */

/** The serialized origin, or undefined if the text is not exactly an origin. */
export function parseOrigin(text: string): string | undefined {
  // The URL parser accepts white space, a backslash and an empty query; an origin has none of them.
  if (!/^https?:\/\/[^\s\\/?#@]+\/?$/i.test(text) || !URL.canParse(text)) return undefined;
  const { hostname, origin } = new URL(text);
  // Accepts only a name or an address without characters that a document would have to escape.
  return /^(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])$/.test(hostname) ? origin : undefined;
}

/** Quotes a text that is not the expected origin; `…` replaces a user and password in it. */
export function quoteOrigin(text: string): string {
  return JSON.stringify(text.replace(/^([^/]*\/\/)?[^/?#]*@/, "$1…@"));
}
