/** The request target (RFC 9112 §3.2): `/path`, or the absolute form that proxies send. */

const SCHEME_AND_AUTHORITY = /^https?:\/\/([^/?#]*)/i;

/** The target from its path on; the absolute form is accepted (§3.2.2). */
export function originForm(target: string): string {
  if (target.startsWith("/")) return target;
  const rest = target.replace(SCHEME_AND_AUTHORITY, "");
  // §3.2.1: an empty path is sent as "/".
  return rest === "" || rest.startsWith("?") ? `/${rest}` : rest;
}

/** The path of a target without its query, percent-decoded where it can be. */
export function pathOf(target: string): string {
  const [path = ""] = originForm(target).split("?", 1);
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The target in the bytes of a head that could not be read to its end, where they begin with a request line (§3). */
export function targetOf(head: Uint8Array | undefined): string | undefined {
  return /^[A-Za-z-]+ (\S+) HTTP\/1\.[01]\r?\n/.exec(new TextDecoder("latin1").decode(head?.subarray(0, 8192)))?.[1];
}

/** The host and port of an absolute target, which count instead of `Host` (§3.2.2); undefined in other forms. */
export function authorityOf(target: string): string | undefined {
  return SCHEME_AND_AUTHORITY.exec(target)?.[1];
}
