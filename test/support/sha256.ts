import { createHash } from "node:crypto";

/** Lowercase hex, as everybody compares it. */
export function sha256(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}
