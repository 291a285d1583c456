/**
 * A ZIP whose bytes depend only on names, modes and contents, on every machine and in every time
 * zone (O-42).
 */
import { buffer } from "node:stream/consumers";
import yazl from "yazl";
import { product } from "../../runtime/contract/product.ts";
import { compareCodePoints } from "../text/order.ts";

export interface ArchiveFile {
  readonly bytes: Uint8Array;
  readonly executable: boolean;
}

const [year = 0, month = 0, day = 0] = product.updated.split("-").map(Number);
/**
 * DOS time has no zone, and yazl writes the local parts of a date, so the day of the release label
 * is given in local parts.
 */
const TIME = new Date(year, month - 1, day, 12);

/** Stored, not deflated; in byte order of the names. */
export function archive(files: ReadonlyMap<string, ArchiveFile>): Promise<Uint8Array> {
  const zip = new yazl.ZipFile();
  for (const [name, { bytes, executable }] of [...files].sort(([a], [b]) => compareCodePoints(a, b))) {
    zip.addBuffer(Buffer.from(bytes), name, {
      mtime: TIME,
      mode: executable ? 0o100755 : 0o100644,
      compress: false,
      // Otherwise yazl adds an extra field with another time.
      forceDosTimestamp: true,
    });
  }
  zip.end();
  return buffer(zip.outputStream);
}
