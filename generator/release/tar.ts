/**
 * A tar whose bytes depend on names, modes, contents and one given time alone, and a reader that takes no other tar's word.
 * Source: POSIX.1-2024 pax, "ustar Interchange Format" and "pax Header Block"; GNU tar's long names. The library writes.
 * It does not read: it takes an archive that ends between two files for a whole one, and where it and other readers
 * disagree it guesses. The reader here refuses all that could be read in two ways.
 */
import { pipeline } from "node:stream/promises";
import { type Header, pack, type Pack } from "tar-stream";
import { compareCodePoints } from "../order.ts";

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
/** Extended headers are held in memory. */
const EXTENDED_MAX_BYTES = 1 << 20;
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
    names.add(entry.path, "file");
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

/** The regular files of a tar, in its order. */
export async function* readTar(
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): AsyncGenerator<ReadEntry, void> {
  const input = new Input(chunks);
  const names = new Names();
  try {
    let extended: Extended = {};
    for (let block = await input.whole(BLOCK); !isZero(block); block = await input.whole(BLOCK)) {
      const header = readHeader(block);
      const { path, size } = { ...header, ...extended };
      if (EXTENDED.includes(header.type)) {
        extended = { ...extended, ...(await readExtended(header, input)) };
        continue;
      }
      extended = {};
      if (header.type === "5") {
        names.add(path.replace(/\/$/, ""), "folder");
        if (size !== 0) throw new ArchiveError(`${quote(path)} is a directory with content`);
        continue;
      }
      if (header.type !== "0")
        throw new ArchiveError(`${quote(path)} is of type ${quote(header.type)}: only files and directories are read`);
      names.add(path, "file");
      const content = input.pieces(size);
      // An iterator without return(): who stops early does not end what must be passed over.
      yield { path, chunks: { [Symbol.asyncIterator]: () => ({ next: () => content.next() }) } };
      for (let step = await content.next(); step.done !== true;) step = await content.next();
      await input.whole(padded(size) - size);
    }
    await readEnd(input);
  } finally {
    await input.close();
  }
}

/** Two blocks of zeros end an archive; writers add more of them up to a size of their liking. */
async function readEnd(input: Input): Promise<void> {
  if (!isZero(await input.whole(BLOCK))) throw new ArchiveError("The archive has one block of zeros where two end it");
  for (let piece = await input.take(BLOCK); piece !== undefined; piece = await input.take(BLOCK)) {
    if (!isZero(piece)) throw new ArchiveError("The archive goes on behind its end");
  }
}

interface FileHeader {
  /** `0` is a regular file, for which old writers say NUL. */
  readonly type: string;
  readonly path: string;
  readonly size: number;
}

function readHeader(block: Uint8Array): FileHeader {
  const sum = block.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 0x20 : byte), 0);
  const magic = decode(block.subarray(257, 265), "latin1");
  if (!["ustar\u000000", "ustar  \u0000"].includes(magic) || readNumber(block.subarray(148, 156)) !== sum)
    throw new ArchiveError("The archive is no tar, or it is damaged");
  const name = readText(block.subarray(0, 100));
  // GNU has other things at the place of the prefix.
  const prefix = magic.startsWith("ustar\u0000") ? readText(block.subarray(345, 500)) : "";
  const type = String.fromCharCode(block[156] || 0x30);
  return { type, path: prefix === "" ? name : `${prefix}/${name}`, size: readNumber(block.subarray(124, 136)) };
}

/** Octal, or where that is too small, GNU's base 256. */
function readNumber(field: Uint8Array): number {
  const [first = 0, ...rest] = field;
  const value =
    first === 0x80
      ? rest.reduce((total, byte) => total * 256 + byte, 0)
      : Number.parseInt(/^ *([0-7]+)[ \0]*$/.exec(decode(field, "latin1"))?.[1] ?? "", 8);
  if (!Number.isSafeInteger(value)) throw new ArchiveError("The archive is no tar, or it is damaged");
  return value;
}

interface Extended {
  readonly path?: string;
  readonly size?: number;
}

/** pax for the next entry and for all, GNU's long name and long link. */
const EXTENDED = ["x", "g", "L", "K"];

/** What an extended header says of the next entry. */
async function readExtended({ type, size: length }: FileHeader, input: Input): Promise<Extended> {
  if (length > EXTENDED_MAX_BYTES) throw new ArchiveError("The archive has a header that is too long");
  const body = (await input.whole(padded(length))).subarray(0, length);
  // A link is refused whatever it leads to.
  if (type === "K") return {};
  if (type === "L") return { path: readText(body) };
  const records = readPax(body);
  const meaning = [...records.keys()].filter((key) => /^(?:path|size|GNU\.sparse\..*)$/.test(key));
  const foreign = meaning.find((key) => type === "g" || key.startsWith("GNU"));
  if (foreign !== undefined)
    throw new ArchiveError(`The archive has a pax header with ${quote(foreign)}, which is not read`);
  const [path, size] = [records.get("path"), records.get("size")];
  if (size !== undefined && !/^\d{1,15}$/.test(size)) throw new ArchiveError("The archive has a damaged pax header");
  return { ...(path !== undefined && { path }), ...(size !== undefined && { size: Number(size) }) };
}

/** Records of `length key=value` and a line feed, where the length is that of the whole record in bytes. */
function readPax(body: Uint8Array): Map<string, string> {
  const records = new Map<string, string>();
  for (let at = 0; at < body.length;) {
    const [digits = ""] = /^[1-9]\d{0,6}(?= )/.exec(decode(body.subarray(at, at + 8), "latin1")) ?? [];
    const record = body.subarray(at + digits.length + 1, at + Number(digits));
    const [, key, value] = /^([^=]+)=([\s\S]*)\n$/.exec(decode(record, "utf-8")) ?? [];
    if (key === undefined || value === undefined || record.length + digits.length + 1 !== Number(digits))
      throw new ArchiveError("The archive has a damaged pax header");
    records.set(key, value);
    at += Number(digits);
  }
  return records;
}

/** Up to the first NUL. */
function readText(field: Uint8Array): string {
  const end = field.indexOf(0);
  return decode(end < 0 ? field : field.subarray(0, end), "utf-8");
}

function decode(bytes: Uint8Array, encoding: "latin1" | "utf-8"): string {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new ArchiveError("The archive has a header that is not UTF-8");
  }
}

function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}

/** An archive's bytes as they are asked for, however they come. */
class Input {
  readonly #source: AsyncGenerator<Uint8Array, void>;
  #rest: Uint8Array = new Uint8Array();

  constructor(chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>) {
    this.#source = (async function* () {
      yield* chunks;
    })();
  }

  /** From one byte to `limit`; undefined at the end. */
  async take(limit: number): Promise<Uint8Array | undefined> {
    while (this.#rest.length === 0) {
      const { value, done } = await this.#source.next();
      if (done === true) return undefined;
      this.#rest = value;
    }
    const piece = this.#rest.subarray(0, limit);
    this.#rest = this.#rest.subarray(limit);
    return piece;
  }

  /** Exactly so many bytes. */
  async *pieces(size: number): AsyncGenerator<Uint8Array, void> {
    for (let left = size; left > 0;) {
      const piece = await this.take(left);
      if (piece === undefined) throw new ArchiveError("The archive is cut off");
      left -= piece.length;
      yield piece;
    }
  }

  async whole(size: number): Promise<Uint8Array> {
    const pieces: Uint8Array[] = [];
    for await (const piece of this.pieces(size)) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  async close(): Promise<void> {
    await this.#source.return();
  }
}

/** Whatever there is fills whole blocks. */
function padded(size: number): number {
  return Math.ceil(size / BLOCK) * BLOCK;
}

/** The names of one archive: each leads below its root and is there once, and no file is where a folder must be. */
class Names {
  readonly folders = new Set<string>();
  readonly #kinds = new Map<string, "file" | "folder">();

  add(path: string, kind: "file" | "folder"): void {
    const foreign = path.length > PATH_MAX || /[\\\p{Cc}\p{Cs}]|^[A-Za-z]:/u.test(path);
    const unsafe = foreign || path.split("/").some((part) => ["", ".", ".."].includes(part));
    if (unsafe) throw new ArchiveError(`${quote(path)} is no plain name below the root of an archive`);
    const parents = [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index));
    if (this.#kinds.has(path)) throw new ArchiveError(`${quote(path)} is there twice`);
    if ((kind === "file" && this.folders.has(path)) || parents.some((parent) => this.#kinds.get(parent) === "file"))
      throw new ArchiveError(`${quote(path)} is where the archive has another file or folder`);
    this.#kinds.set(path, kind);
    for (const parent of parents) this.folders.add(parent);
  }
}

/** A name from anywhere, in one line. */
function quote(name: string): string {
  return JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name);
}
