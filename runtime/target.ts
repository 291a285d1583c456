/** The request target (RFC 9112 §3.2): `/path`, or the absolute form that proxies send. */

const SCHEME_AND_AUTHORITY = /^https?:\/\/([^/?#]*)/i;

/** The target from its path on; the absolute form is accepted (§3.2.2). */
export function originForm(target: string): string {
  if (target.startsWith("/")) return target;
  const rest = target.replace(SCHEME_AND_AUTHORITY, "");
  // §3.2.1: an empty path is sent as "/".
  return rest === "" || rest.startsWith("?") ? `/${rest}` : rest;
}

/** The host and port of an absolute target, which count instead of `Host` (§3.2.2); undefined in other forms. */
export function authorityOf(target: string): string | undefined {
  return SCHEME_AND_AUTHORITY.exec(target)?.[1];
}
