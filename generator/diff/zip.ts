/**
 * The files of a ZIP (APPNOTE 6.3.10), stored or deflated, one after another. Refuses what is no plain file: links,
 * encrypted entries, names that lead out, a name that is there twice. The library holds each file to its declared size.
 */
import { fromBufferPromise, openPromise, type Entry } from "yauzl";
import { ArchiveError, type ReadEntry } from "../release/tar.ts";

const FILE_TYPE = 0o170_000;
const REGULAR = 0o100_000;

/** `source` is the name of a file, or the bytes of one. Throws ArchiveError. */
export async function* readZip(source: string | Uint8Array): AsyncGenerator<ReadEntry, void> {
  const options = { lazyEntries: true, autoClose: true, strictFileNames: true };
  const names = new Set<string>();
  try {
    const zip =
      typeof source === "string"
        ? await openPromise(source, options)
        : await fromBufferPromise(Buffer.from(source), options);
    // A fault that nobody waits for, such as one behind the last entry that was asked for.
    zip.on("error", () => undefined);
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName.endsWith("/")) continue;
      check(entry, names);
      yield { path: entry.fileName, chunks: await zip.openReadStreamPromise(entry) };
    }
  } catch (error) {
    throw new ArchiveError((error as Error).message);
  }
}

function check(entry: Entry, names: Set<string>): void {
  const { fileName, externalFileAttributes } = entry;
  const quoted = JSON.stringify(fileName);
  // Who made the entry without POSIX modes says 0.
  const type = (externalFileAttributes >>> 16) & FILE_TYPE;
  if (type !== 0 && type !== REGULAR) throw new ArchiveError(`${quoted} is no regular file`);
  if (entry.isEncrypted()) throw new ArchiveError(`${quoted} is encrypted`);
  if (names.has(fileName)) throw new ArchiveError(`${quoted} is there twice`);
  names.add(fileName);
}
