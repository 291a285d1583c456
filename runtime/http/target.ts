/** The request target (RFC 9112 §3.2): `/path`, or the absolute form that proxies send. */

const SCHEME_AND_AUTHORITY = /^https?:\/\/([^/?#]*)/i;

/** The target from its path on. The absolute form is accepted (§3.2.2). */
export function originForm(target: string): string {
  if (target.startsWith("/")) return target;
  const rest = target.replace(SCHEME_AND_AUTHORITY, "");
  // §3.2.1: an empty path is sent as "/".
  return rest === "" || rest.startsWith("?") ? `/${rest}` : rest;
}

// RFC 3986 §3.2.2, §3.2.3.
const HOST = /^(?:\[(?:[\da-f:.]+|v[\da-f]+\.[\w.:~!$&'()*+,;=-]+)\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d*)?$/i;

/** Whether a text is a host, which may be empty, with no more than a port. */
export function isHost(text: string): boolean {
  return HOST.test(text);
}

/**
 * Whether it is an absolute target that is invalid: without a host (RFC 9110 §4.2.1), or with more
 * than a host and a port, such as a user (§4.2.4).
 */
export function lacksHost(target: string): boolean {
  const authority = authorityOf(target);
  return authority !== undefined && (/^(?::|$)/.test(authority) || !isHost(authority));
}

/** The path of a target without query and fragment, percent-decoded if possible. */
export function pathOf(target: string): string {
  const [path = ""] = originForm(target).split(/[?#]/, 1);
  return decodePart(path);
}

/** A part of an address, percent-decoded if possible. */
export function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Behind a line end, or a body of JSON. */
const REQUEST_LINE = /(?<=^|\})([A-Z_-]+) ((?:\/|https?:)\S*)(?:(?: HTTP\/\d\.\d)?\r?$|(?: \S*)?(?![^]))/gm;

/** Of the last request line (§3) in bytes read before an error, unless its head ended before that; it may be cut short. */
export function readRequestLine(bytes: Uint8Array): { method: string; url: string } {
  const text = new TextDecoder("latin1").decode(bytes);
  const [, method = "", url = ""] =
    [...text.slice(text.lastIndexOf("\r\n\r\n") + 1).matchAll(REQUEST_LINE)].at(-1) ?? [];
  return { method, url };
}

/** A character of a method (RFC 9110 §9.1, §5.6.2). */
const IN_METHOD = /[\w!#$%&'*+.^`|~-]/;
const AFTER_METHOD = /^ ((?:\/|https?:)\S*)(?: \S*)?\r?(?:\n|$)/i;

/** The target behind a method that the parser does not know, at which it stopped; empty where there is none. */
export function readTargetAfter(bytes: Uint8Array, at: number): string {
  const text = new TextDecoder("latin1").decode(bytes);
  let end = at;
  while (IN_METHOD.test(text.charAt(end))) end++;
  return AFTER_METHOD.exec(text.slice(end))?.[1] ?? "";
}

/** The host and port of an absolute target, which override `Host` (§3.2.2); else undefined. */
export function authorityOf(target: string): string | undefined {
  return SCHEME_AND_AUTHORITY.exec(target)?.[1];
}
