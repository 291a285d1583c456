/** Recognizes an origin that leads nowhere on other machines, and tells a person about it. */

/**
 * Whether an origin may lead to the same place for everybody: not a loopback or private address
 * (RFC 6890 §2.2.2, §2.2.3), a special name (RFC 6761 §6, RFC 6762 §3), or a name without a domain.
 */
export function isPublicOrigin(origin: string): boolean {
  const { hostname } = new URL(origin);
  if (hostname.startsWith("[")) return !/^\[(?:::1?\]|::ffff:|f[cd]|fe[89ab])/.test(hostname);
  if (/^[0-9.]+$/.test(hostname)) return !PRIVATE_IPV4.test(hostname);
  return hostname.includes(".") && !/\.(?:localhost|test|invalid|local|internal|home\.arpa)\.?$/.test(hostname);
}

const PRIVATE_IPV4 =
  /^(?:0|10|127|169\.254|192\.168|172\.(?:1[6-9]|2[0-9]|3[01])|100\.(?:6[4-9]|[7-9][0-9]|1[01][0-9]|12[0-7]))\./;

/** A line about addresses that leave this machine; none if the origin may be public. */
export function originNotices(what: string, origin: string): string[] {
  if (isPublicOrigin(origin)) return [];
  const remedy = "set origin in service.yaml, SERVICE_ORIGIN or --origin to the public one";
  return [`Notice: IRIs in ${what} begin with ${origin}, which leads nowhere on other machines: ${remedy}`];
}
