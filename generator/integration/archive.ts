/** A ZIP whose bytes depend on names, modes and contents alone, on every machine and in every time zone (O-42). */
import { buffer } from "node:stream/consumers";
import yazl from "yazl";
import { product } from "../../runtime/contract/product.ts";
import { compareCodePoints } from "../text/order.ts";

export interface ArchiveFile {
  readonly bytes: Uint8Array;
  readonly executable: boolean;
}

const [year = 0, month = 0, day = 0] = product.updated.split("-").map(Number);
/** DOS time has no zone: yazl writes the local parts of a date, so it is made of local parts, those of the label's. */
const TIME = new Date(year, month - 1, day, 12);

/** Stored, not deflated; in byte order of the names. */
export function archive(files: ReadonlyMap<string, ArchiveFile>): Promise<Uint8Array> {
  const zip = new yazl.ZipFile();
  for (const [name, { bytes, executable }] of [...files].sort(([a], [b]) => compareCodePoints(a, b))) {
    zip.addBuffer(Buffer.from(bytes), name, {
      mtime: TIME,
      mode: executable ? 0o100755 : 0o100644,
      compress: false,
      // Without it there is an extra field with a time of its own.
      forceDosTimestamp: true,
    });
  }
  zip.end();
  return buffer(zip.outputStream);
}
