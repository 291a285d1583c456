/** A ZIP whose bytes depend on names, modes and contents alone, on every machine and in every time zone (O-42). */
import { buffer } from "node:stream/consumers";
import yazl from "yazl";
import { compareCodePoints } from "../order.ts";

export interface ArchiveFile {
  readonly bytes: Uint8Array;
  readonly executable: boolean;
}

/** DOS time has no zone: yazl writes the local parts of a date, so it is made of local parts. The date is the label's. */
const TIME = new Date(2026, 8, 2, 12);

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
