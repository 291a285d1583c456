/**
 * The files of a ZIP (APPNOTE 6.3.10), stored or deflated. Its directory is read completely first,
 * and the ZIP is refused if it has a link or another entry that is not a regular file, an encrypted
 * entry, a name that is not plain, a duplicate name, or more bytes than allowed. Each file must
 * have the size and the CRC-32 that the directory declares; the library checks only the size.
 */
import { crc32 } from "node:zlib";
import { type Entry, fromBufferPromise, openPromise } from "yauzl";
import { quote } from "../text/printable.ts";
import { ArchiveError, Names, type ReadEntry, withoutDot } from "./tar.ts";

const FILE_TYPE = 0o170_000;
const REGULAR = 0o100_000;

/** `source` is a file name, or the bytes of a ZIP. Throws ArchiveError. */
export async function* readZip(source: string | Uint8Array, maxBytes: number): AsyncGenerator<ReadEntry, void> {
  const options = { lazyEntries: true, autoClose: false, strictFileNames: true };
  const zip = await refused(
    typeof source === "string" ? openPromise(source, options) : fromBufferPromise(Buffer.from(source), options),
  );
  // Without a listener, a fault that no call waits for would crash the process.
  zip.on("error", () => undefined);
  try {
    const entries: Entry[] = [];
    const listed = zip.eachEntry();
    for (let step = await refused(listed.next()); step.done !== true; step = await refused(listed.next())) {
      if (!step.value.fileName.endsWith("/")) entries.push(step.value);
    }
    check(entries, maxBytes);
    for (const entry of entries) {
      const stream = await refused(zip.openReadStreamPromise(entry));
      yield { path: withoutDot(entry.fileName), chunks: chunksOf(stream, entry) };
    }
  } finally {
    zip.close();
  }
}

function check(entries: readonly Entry[], maxBytes: number): void {
  const names = new Names();
  let total = 0;
  for (const entry of entries) {
    const { fileName, externalFileAttributes, uncompressedSize } = entry;
    const quoted = quote(fileName);
    // Programs without POSIX modes write 0.
    const type = (externalFileAttributes >>> 16) & FILE_TYPE;
    if (type !== 0 && type !== REGULAR) throw new ArchiveError(`${quoted} is not a regular file`);
    if (entry.isEncrypted()) throw new ArchiveError(`${quoted} is encrypted`);
    names.add(withoutDot(fileName));
    total += uncompressedSize;
  }
  if (total > maxBytes) throw new ArchiveError(`it declares ${total} bytes, more than ${maxBytes}`);
}

async function* chunksOf(stream: AsyncIterable<unknown>, entry: Entry): AsyncGenerator<Uint8Array, void> {
  const pieces = stream[Symbol.asyncIterator]();
  let sum = 0;
  for (let step = await refused(pieces.next()); step.done !== true; step = await refused(pieces.next())) {
    const piece = step.value as Uint8Array;
    sum = crc32(piece, sum);
    yield piece;
  }
  if (sum !== entry.crc32) throw new ArchiveError(`${quote(entry.fileName)} is damaged: its CRC-32 is another`);
}

/** Turns every fault of the library into an ArchiveError. */
async function refused<T>(step: Promise<T>): Promise<T> {
  try {
    return await step;
  } catch (error) {
    throw new ArchiveError((error as Error).message);
  }
}
