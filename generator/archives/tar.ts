/**
 * A tar whose bytes depend on names, modes, contents and one given time alone, and the regular files of any tar.
 * Source: POSIX.1-2024 pax, "ustar Interchange Format". The library writes and reads the format. Here is decided which
 * names and types are let through, and that an archive has its end: the library takes one that ends between two files
 * for whole. Not decided here is what another reader makes of headers that contradict each other.
 */
import { pipeline } from "node:stream/promises";
import { extract, type Header, pack, type Pack } from "tar-stream";
import { compareCodePoints } from "../text/order.ts";
import { quote } from "../text/printable.ts";

export interface TarEntry {
  /** Below the archive's root, with `/`. */
  readonly path: string;
  readonly size: number;
  /** Each chunk has memory of its own: it is not copied before it is written. */
  chunks(): Iterable<Uint8Array>;
  readonly executable?: boolean;
}

/** An archive that cannot be written or must not be read; the message is one line. */
export class ArchiveError extends Error {
  override name = "ArchiveError";
}

const BLOCK = 512;
/** As long as a path can be on Linux. */
const PATH_MAX = 4096;
/** The library writes a time of 32 bits. */
const TIME_MAX = 0x7fff_ffff;

/** The files and the folders they are in, by the bytes of their names; files are passed through as they are asked for. */
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
    // Whoever stops reading ends the archive with it.
    yield* tar as AsyncIterable<Uint8Array>;
  } finally {
    await written;
  }
}

/** Names as the archive has them: those of folders end with `/`, and there is no more to say of one. */
type Listed = Map<string, TarEntry | undefined>;

/** Never rejects: a fault destroys the archive, and its reader gets it. */
async function writeEntries(tar: Pack, listed: Listed, mtimeSeconds: number): Promise<void> {
  // The library takes a time only as an object of the clock's.
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

/** The header has told the size already, so content of another one would be read as headers. */
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
  /** To be read before the next entry is asked for; what is not read is passed over. */
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
      // The library reads no content of a directory, and its stream need not end.
      if (type === "directory") continue;
      if (type !== "file") throw new ArchiveError(`${quote(name)} is not a regular file`);
      // A size that the library cannot read is null, and it would wait for the end of that.
      if (!Number.isSafeInteger(size)) throw input.fault;
      const path = name.replace(/^\.\//, "");
      names.add(path);
      const content = input.guard(entry as AsyncIterable<Uint8Array>);
      // An iterator without return(): who stops early does not end what must be passed over.
      yield { path, chunks: { [Symbol.asyncIterator]: () => ({ next: () => content.next() }) } };
      for (let step = await content.next(); step.done !== true;) step = await content.next();
      end = entry.offset + BLOCK + Math.ceil(size / BLOCK) * BLOCK;
    }
    // Two blocks of zeros end an archive, and they are not those of its last file.
    if (input.bytes - end < 2 * BLOCK || input.tail.some((byte) => byte !== 0)) throw input.fault;
  } finally {
    await fed;
  }
}

/** What the library is given, and what is told of its faults. */
class Input {
  bytes = 0;
  tail = Buffer.alloc(0);
  /** The source's own. The library's are one: which of them comes first depends on how the bytes are cut. */
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

/** The names of one archive: each leads below its root and is there once, and no file is where a folder must be. */
class Names {
  readonly folders = new Set<string>();
  readonly #files = new Set<string>();

  add(path: string): void {
    const foreign = path.length > PATH_MAX || /[\\\p{Cc}\p{Cs}]|^[A-Za-z]:/u.test(path);
    const unsafe = foreign || path.split("/").some((part) => ["", ".", ".."].includes(part));
    if (unsafe) throw new ArchiveError(`${quote(path)} is not a plain name below the root of an archive`);
    const parents = [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index));
    if (this.#files.has(path)) throw new ArchiveError(`${quote(path)} is there twice`);
    if (this.folders.has(path) || parents.some((parent) => this.#files.has(parent)))
      throw new ArchiveError(`${quote(path)} is where the archive has another file or folder`);
    this.#files.add(path);
    for (const parent of parents) this.folders.add(parent);
  }
}
