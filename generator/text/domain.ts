/** Domain names as they are registered, in lower case (RFC 1123 §2.1). An IPv4 address is none. */
const DOMAIN = /^(?=.{1,100}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

export function isDomain(text: string): boolean {
  return DOMAIN.test(text);
}

/** `org.example` for `example.org`, and back. */
export function reversedDomain(domain: string): string {
  return domain.split(".").toReversed().join(".");
}
