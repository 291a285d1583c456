/** The canonical origin: absolute, http or https, nothing after the host and port (RFC 6454 §6.2; contract §4.6). */

/** The origin in its serialized form, or undefined when the text is something else or something more. */
export function parseOrigin(text: string): string | undefined {
  // The URL parser forgives white space, a backslash and an empty query; an origin has none of them.
  if (!/^https?:\/\/[^\s\\/?#@]+\/?$/i.test(text) || !URL.canParse(text)) return undefined;
  const { hostname, origin } = new URL(text);
  // A name or an address, and no character that a document would have to escape.
  return /^(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])$/.test(hostname) ? origin : undefined;
}

/** A text that should have been an origin, to be shown: without what may be a password in it. */
export function quoteOrigin(text: string): string {
  return JSON.stringify(text.replace(/^([^/]*\/\/)?[^/?#]*@/, "$1…@"));
}
