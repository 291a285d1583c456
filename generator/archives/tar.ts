/**
 * Writes a tar whose bytes depend only on names, modes, contents and one given time, and reads the
 * regular files of any tar. The library writes and reads the format. This module decides which
 * names and types are allowed, and checks that an archive is complete: the library accepts one that
 * is cut off between two files. It does not decide how another reader understands headers that
 * contradict each other.
 * Source: POSIX.1-2024 pax, "ustar Interchange Format".
 */
import { pipeline } from "node:stream/promises";
import { extract, type Header, pack, type Pack } from "tar-stream";
import { compareCodePoints } from "../text/order.ts";
import { quote } from "../text/printable.ts";

export interface TarEntry {
  /** Below the archive's root, with `/`. */
  readonly path: string;
  readonly size: number;
  /** Each chunk has its own memory: it is not copied before it is written. */
  chunks(): Iterable<Uint8Array>;
  readonly executable?: boolean;
}

/** An archive that cannot be written or must not be read; the message is one line. */
export class ArchiveError extends Error {
  override name = "ArchiveError";
}

const BLOCK = 512;
/** The longest path on Linux. */
const PATH_MAX = 4096;
/** The library writes the time in 32 bits. */
const TIME_MAX = 0x7fff_ffff;

/** The files and their folders, in the byte order of their names. Files are streamed on demand. */
export async function* packTar(entries: Iterable<TarEntry>, mtimeSeconds: number): AsyncGenerator<Uint8Array, void> {
  if (!Number.isInteger(mtimeSeconds) || mtimeSeconds < 0 || mtimeSeconds > TIME_MAX)
    throw new ArchiveError(`${mtimeSeconds} is not a time in whole seconds from 0 to ${TIME_MAX}`);
  const names = new Names();
  const listed: Listed = new Map();
  for (const entry of entries) {
    names.add(entry.path);
    listed.set(entry.path, entry);
  }
  for (const folder of names.folders) listed.set(`${folder}/`, undefined);
  const tar = pack();
  const written = writeEntries(tar, listed, mtimeSeconds);
  try {
    // A reader that stops early ends the archive too.
    yield* tar as AsyncIterable<Uint8Array>;
  } finally {
    await written;
  }
}

/** Names as the archive has them; the name of a folder ends with `/` and has no entry. */
type Listed = Map<string, TarEntry | undefined>;

/** Never rejects: a fault destroys the archive, and its reader gets it. */
async function writeEntries(tar: Pack, listed: Listed, mtimeSeconds: number): Promise<void> {
  // The library accepts a time only as a Date.
  const mtime = new Date(0);
  mtime.setTime(mtimeSeconds * 1000);
  const owner = { uid: 0, gid: 0, uname: "", gname: "", mtime } satisfies Partial<Header>;
  try {
    for (const [name, entry] of [...listed].sort(([a], [b]) => compareCodePoints(a, b))) {
      if (entry === undefined) tar.entry({ ...owner, name, type: "directory", mode: 0o755 });
      else {
        const mode = entry.executable === true ? 0o755 : 0o644;
        const sink = tar.entry({ ...owner, name, type: "file", mode, size: entry.size });
        await pipeline(measured(entry), sink);
      }
    }
    tar.finalize();
  } catch (error) {
    tar.destroy(error as Error);
  }
}

/** The header has declared the size, so a reader would take extra content for headers. */
function* measured(entry: TarEntry): Generator<Uint8Array, void> {
  const { path, size } = entry;
  let sent = 0;
  for (const chunk of entry.chunks()) {
    sent += chunk.length;
    if (sent > size) throw new ArchiveError(`${quote(path)} has more than the ${size} bytes it was said to have`);
    yield chunk;
  }
  if (sent < size) throw new ArchiveError(`${quote(path)} has ${sent} of the ${size} bytes it was said to have`);
}

export interface ReadEntry {
  readonly path: string;
  /** Read it before you ask for the next entry; unread content is skipped. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

type Chunks = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** The regular files of a tar, in its order; a `./` before a name is not part of it. */
export async function* readTar(chunks: Chunks): AsyncGenerator<ReadEntry, void> {
  const [tar, input, names] = [extract(), new Input(), new Names()];
  // Never rejects: a fault destroys the archive, and its reader gets it.
  const fed = pipeline(input.tap(chunks), tar).catch(() => undefined);
  let end = 0;
  try {
    for await (const entry of input.guard(tar)) {
      const { name, type, size } = entry.header;
      // The library does not read the content of a directory, and its stream may never end.
      if (type === "directory") continue;
      if (type !== "file") throw new ArchiveError(`${quote(name)} is not a regular file`);
      // The library gives null for a size that it cannot read, and would then wait forever for the
      // end.
      if (!Number.isSafeInteger(size)) throw input.fault;
      const path = withoutDot(name);
      names.add(path);
      const content = input.guard(entry as AsyncIterable<Uint8Array>);
      // An iterator without return(): a reader that stops early must not end the stream, whose rest
      // is skipped below.
      yield { path, chunks: { [Symbol.asyncIterator]: () => ({ next: () => content.next() }) } };
      for (let step = await content.next(); step.done !== true;) step = await content.next();
      end = entry.offset + BLOCK + Math.ceil(size / BLOCK) * BLOCK;
    }
    // Two blocks of zeros end an archive; zeros at the end of its last file do not count.
    if (input.bytes - end < 2 * BLOCK || input.tail.some((byte) => byte !== 0)) throw input.fault;
  } finally {
    await fed;
  }
}

/** Counts the library's input, and turns its faults into ours. */
class Input {
  bytes = 0;
  tail = Buffer.alloc(0);
  /**
   * The source's own fault. The library's faults share one message: which of them comes first
   * depends on how the bytes are cut.
   */
  fault: unknown = new ArchiveError("it is not an uncompressed tar, or it is damaged or cut off");

  async *tap(chunks: Chunks): AsyncGenerator<Uint8Array, void> {
    try {
      for await (const chunk of chunks) {
        this.bytes += chunk.length;
        this.tail = Buffer.concat([this.tail, chunk.subarray(-2 * BLOCK)]).subarray(-2 * BLOCK);
        yield chunk;
      }
    } catch (error) {
      this.fault = error;
      throw error;
    }
  }

  async *guard<T>(items: AsyncIterable<T>): AsyncGenerator<T, void> {
    try {
      yield* items;
    } catch {
      throw this.fault;
    }
  }
}

/** Some programs write `./` before each name. */
export function withoutDot(name: string): string {
  return name.replace(/^\.\//, "");
}

/**
 * The names of one archive: each leads below its root and occurs once, and no file is in the place
 * of a folder.
 */
export class Names {
  readonly folders = new Set<string>();
  readonly #files = new Set<string>();

  add(path: string): void {
    const foreign = path.length > PATH_MAX || /[\\\p{Cc}\p{Cs}]|^[A-Za-z]:/u.test(path);
    const unsafe = foreign || path.split("/").some((part) => ["", ".", ".."].includes(part));
    if (unsafe) throw new ArchiveError(`${quote(path)} is not a plain name below the root of an archive`);
    const parents = [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index));
    if (this.#files.has(path)) throw new ArchiveError(`${quote(path)} occurs twice`);
    if (this.folders.has(path) || parents.some((parent) => this.#files.has(parent)))
      throw new ArchiveError(`${quote(path)} is where the archive has another file or folder`);
    this.#files.add(path);
    for (const parent of parents) this.folders.add(parent);
  }
}
