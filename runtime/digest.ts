/** SHA-256 of representation bytes, and its three spellings: hex, strong ETag (O-11), Repr-Digest (RFC 9530 §3). */
import { createHash, hash } from "node:crypto";

/** Lowercase hex SHA-256. */
export function sha256(bytes: Uint8Array): string {
  return hash("sha256", bytes, "hex");
}

/** Lowercase hex SHA-256 of bytes that come in pieces. */
export function sha256Of(chunks: Iterable<Uint8Array>): string {
  const running = createHash("sha256");
  for (const chunk of chunks) running.update(chunk);
  return running.digest("hex");
}

export function formatEntityTag(hex: string): string {
  return `"${hex}"`;
}

export function formatReprDigest(hex: string): string {
  return `sha-256=:${Buffer.from(hex, "hex").toString("base64")}:`;
}
