/**
 * Whether the sender of a request may use `POST /mcp`: `Host` and `Origin` must be those of the service, so that a page of
 * another site cannot reach it through the visitor's browser (DNS rebinding).
 * Source: MCP 2026-07-28, Streamable HTTP (security); RFC 6454 §7; RFC 9112 §3.2.
 */
export interface Caller {
  /** Host and port that the request is for: of its target, else of `Host`. */
  readonly authority: string | undefined;
  /** The `Origin` field; a program that is no browser sends none. */
  readonly origin: string | undefined;
  /** The connection came in over the loopback interface, where the loopback names are ours too. */
  readonly overLoopback: boolean;
}

const LOOPBACK = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::(?:[0-9]{1,4}|[1-5][0-9]{4}|6[0-5][0-9]{3}))?$/;

/** Why the caller is refused, in a sentence, or undefined; `served` is the origin of the release. */
export function refuseCaller({ authority, origin, overLoopback }: Caller, served: string): string | undefined {
  const isOurs = (candidate: string): boolean => {
    // Case does not count in scheme and host, and a port may be empty (RFC 3986 §3.2.3); nothing else is made equal.
    const text = candidate.toLowerCase().replace(/:$/, "");
    return text === served || text === withDefaultPort(served) || (overLoopback && LOOPBACK.test(text));
  };
  const scheme = served.slice(0, served.indexOf("//"));
  if (authority === undefined || !isOurs(`${scheme}//${authority}`))
    return "The Host of the request is not this service";
  if (origin !== undefined && !isOurs(origin)) return "The Origin of the request is not allowed";
  return undefined;
}

/** An origin whose port is that of its scheme may be named with it (RFC 9110 §4.2). */
function withDefaultPort(origin: string): string | undefined {
  if (/:[0-9]+$/.test(origin)) return undefined;
  return `${origin}:${origin.startsWith("https:") ? 443 : 80}`;
}

/** Is this the address of a loopback interface (RFC 1122 §3.2.1.3, RFC 4291 §2.5.3), as node:net writes it? */
export function isLoopbackAddress(address: string | undefined): boolean {
  return address !== undefined && /^(?:::ffff:)?127(?:\.[0-9]{1,3}){3}$|^::1$/.test(address);
}
