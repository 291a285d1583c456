/** The request target (RFC 9112 §3.2): `/path`, or the absolute form that proxies send. */

const SCHEME_AND_AUTHORITY = /^https?:\/\/([^/?#]*)/i;

/** Removes scheme and authority from a target in absolute form (§3.2.2). */
export function originForm(target: string): string {
  if (target.startsWith("/")) return target;
  const rest = target.replace(SCHEME_AND_AUTHORITY, "");
  // §3.2.1: an empty path is sent as "/".
  return rest === "" || rest.startsWith("?") ? `/${rest}` : rest;
}

// RFC 3986 §3.2.2, §3.2.3.
const HOST = /^(?:\[(?:[\da-f:.]+|v[\da-f]+\.[\w.:~!$&'()*+,;=-]+)\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d*)?$/i;

/** Whether a text is a host, which may be empty, with an optional port. */
export function isHost(text: string): boolean {
  return HOST.test(text);
}

/**
 * Whether an absolute target is invalid: it has no host (RFC 9110 §4.2.1), or more than a host and
 * a port, such as a user (§4.2.4).
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

/** Starts after a line end or a JSON body. */
const REQUEST_LINE = /(?<=^|\})([A-Z_-]+) ((?:\/|https?:)\S*)(?:(?: HTTP\/\d\.\d)?\r?$|(?: \S*)?(?![^]))/gm;

/**
 * Reads the last request line (§3), which may be cut short, from the bytes before an error. Both
 * parts are empty if there is none, or if its head ended before the error.
 */
export function readRequestLine(bytes: Uint8Array): { method: string; url: string } {
  const text = new TextDecoder("latin1").decode(bytes);
  const [, method = "", url = ""] =
    [...text.slice(text.lastIndexOf("\r\n\r\n") + 1).matchAll(REQUEST_LINE)].at(-1) ?? [];
  return { method, url };
}

/** A character of a method (RFC 9110 §9.1, §5.6.2). */
const IN_METHOD = /[\w!#$%&'*+.^`|~-]/;
const AFTER_METHOD = /^ ((?:\/|https?:)\S*)(?: \S*)?\r?(?:\n|$)/i;

/**
 * The target after a method that the parser does not know; empty if there is none. The parser
 * stopped at `at`, within the method.
 */
export function readTargetAfter(bytes: Uint8Array, at: number): string {
  const text = new TextDecoder("latin1").decode(bytes);
  let end = at;
  while (IN_METHOD.test(text.charAt(end))) end++;
  return AFTER_METHOD.exec(text.slice(end))?.[1] ?? "";
}

/** The authority of an absolute target, which overrides `Host` (§3.2.2); otherwise undefined. */
export function authorityOf(target: string): string | undefined {
  return SCHEME_AND_AUTHORITY.exec(target)?.[1];
}
