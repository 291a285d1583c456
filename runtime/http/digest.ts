/** SHA-256 from Node. Other hosts supply their own; see PageContext. */
import { hash } from "node:crypto";

/** Lowercase hex SHA-256. */
export function sha256(bytes: Uint8Array): string {
  return hash("sha256", bytes, "hex");
}
