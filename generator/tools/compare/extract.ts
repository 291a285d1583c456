/**
 * Extracts the files of an archive into a folder of our own. Whatever the archive contains, names
 * stay below the folder, only regular files are written, and never more bytes than a release can
 * have.
 */
import path from "node:path";
import type { Effects } from "../../effects/effects.ts";
import { printable } from "../../text/printable.ts";
import { UsageError } from "../../text/usage-error.ts";
import { ArchiveError, type ReadEntry, readTar } from "../../archives/tar.ts";
import { readZip } from "../../archives/zip.ts";

const TOTAL_MAX_BYTES = 8 * 1024 ** 3;
const FILES_MAX = 1_000_000;

/**
 * Extracts a ZIP or tar, distinguished by its first bytes. Throws UsageError if it must not or
 * cannot be read.
 */
export async function extract(effects: Effects, archive: string, folder: string): Promise<void> {
  try {
    await writeEntries(
      effects,
      isZip(effects, archive) ? readZip(archive, TOTAL_MAX_BYTES) : readTar(effects.chunks(archive)),
      folder,
    );
  } catch (error) {
    // The file system may refuse a name, or have no room for the files.
    if (!(error instanceof ArchiveError) && !(error instanceof Error && "syscall" in error)) throw error;
    // The reader of archives quotes the name of an entry as the archive has it.
    throw new UsageError(`${archive} cannot be read as an archive: ${printable(error.message, 200)}`);
  }
}

async function writeEntries(effects: Effects, entries: AsyncIterable<ReadEntry>, folder: string): Promise<void> {
  let [bytes, files] = [0, 0];
  const counted = async function* (chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > TOTAL_MAX_BYTES) throw new ArchiveError(`it holds more than ${TOTAL_MAX_BYTES} bytes`);
      yield chunk;
    }
  };
  for await (const { path: name, chunks } of entries) {
    files++;
    if (files > FILES_MAX) throw new ArchiveError(`it holds more than ${FILES_MAX} files`);
    await effects.writeStream(path.join(folder, name), counted(chunks));
  }
}

function isZip(effects: Effects, archive: string): boolean {
  const [start = new Uint8Array()] = effects.chunks(archive);
  return start[0] === 0x50 && start[1] === 0x4b;
}
