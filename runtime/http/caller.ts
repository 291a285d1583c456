/**
 * Decides whether the sender of a request may use `POST /mcp`: `Host` and `Origin` must be those of
 * the service, so that a page of another site cannot reach it through the visitor's browser (DNS
 * rebinding).
 * Source: MCP 2026-07-28, Streamable HTTP (security); RFC 6454 §7; RFC 9112 §3.2.
 */
export interface Caller {
  /** The host and port that the request is for: from its target, else from `Host`. */
  readonly authority: string | undefined;
  /** The `Origin` field; programs other than browsers send none. */
  readonly origin: string | undefined;
  /** True if the connection came over the loopback interface; loopback names are accepted then. */
  readonly overLoopback: boolean;
}

const LOOPBACK = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::(?:[0-9]{1,4}|[1-5][0-9]{4}|6[0-5][0-9]{3}))?$/;

/** Why the caller is refused, as a sentence, or undefined; `served` is the release's origin. */
export function refuseCaller({ authority, origin, overLoopback }: Caller, served: string): string | undefined {
  const isOurs = (candidate: string): boolean => {
    // Scheme and host ignore case, and a port may be empty (RFC 3986 §3.2.3); nothing else is
    // normalized.
    const text = candidate.toLowerCase().replace(/:$/, "");
    return text === served || text === withDefaultPort(served) || (overLoopback && LOOPBACK.test(text));
  };
  const scheme = served.slice(0, served.indexOf("//"));
  if (authority === undefined || !isOurs(`${scheme}//${authority}`))
    return "The Host of the request is not this service";
  if (origin !== undefined && !isOurs(origin)) return "The Origin of the request is not allowed";
  return undefined;
}

/** The origin with the default port of its scheme written out (RFC 9110 §4.2). */
function withDefaultPort(origin: string): string | undefined {
  if (/:[0-9]+$/.test(origin)) return undefined;
  return `${origin}:${origin.startsWith("https:") ? 443 : 80}`;
}

/** Whether a loopback address (RFC 1122 §3.2.1.3, RFC 4291 §2.5.3), as node:net writes it. */
export function isLoopbackAddress(address: string | undefined): boolean {
  return address !== undefined && /^(?:::ffff:)?127(?:\.[0-9]{1,3}){3}$|^::1$/.test(address);
}
