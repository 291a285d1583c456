/** The lowercase hex SHA-256 over the canonical form of a JSON value (RFC 8785). */
import canonicalize from "canonicalize";
import { sha256 } from "../../runtime/http/digest.ts";

export function canonicalSha256(value: unknown): string {
  return sha256(Buffer.from(canonicalize(value) ?? ""));
}
