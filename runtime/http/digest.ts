/** SHA-256 of representation bytes: as hex, strong ETag (O-11) and Repr-Digest (RFC 9530 §3). */
import { hash } from "node:crypto";

/** Lowercase hex SHA-256. */
export function sha256(bytes: Uint8Array): string {
  return hash("sha256", bytes, "hex");
}

export function formatEntityTag(hex: string): string {
  return `"${hex}"`;
}

export function formatReprDigest(hex: string): string {
  return `sha-256=:${Buffer.from(hex, "hex").toString("base64")}:`;
}
