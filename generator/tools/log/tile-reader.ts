/**
 * Reads a tree from its tiles: their names, the entries, and the roots of parts of the tree. No
 * Node API and no files: it runs wherever c2sp.ts does.
 * Source: c2sp.org/tlog-tiles, Merkle Tree and Log entries.
 */
import { type Cryptography, joinBytes, ProofError, webCrypto } from "./c2sp.ts";
import { type Range, splitOf } from "./paths.ts";
import { splitRecords } from "./verifier.ts";

export const WIDTH = 256;
export const HASH_BYTES = 32;

/** A tile of hashes at a level, or a bundle of entries. `width` is below 256 for a partial one. */
interface Tile {
  readonly level: number | "entries";
  readonly index: number;
  readonly width: number;
}

/** `tile/0/x001/x234/067.p/12` */
export function tilePath({ level, index, width }: Tile): string {
  const digits = String(index);
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, "0").match(/.{3}/g) ?? [];
  const name = groups.map((group, i) => (i < groups.length - 1 ? `x${group}` : group)).join("/");
  return `tile/${level}/${name}${width === WIDTH ? "" : `.p/${width}`}`;
}

/** How many hashes the tile has in a tree of a size; 0 if it is not part of it. */
function widthIn(size: number, level: number, index: number): number {
  return Math.max(0, Math.min(WIDTH, Math.floor(size / WIDTH ** level) - index * WIDTH));
}

/** Gives the bytes of a file of the tree; throws if there is none. */
export type ReadFile = (name: string) => Uint8Array | Promise<Uint8Array>;

/** The tiles of a tree as far as they are needed, each read once and checked for its length. */
export class TileReader {
  readonly #read: ReadFile;
  readonly #size: number;
  readonly #cryptography: Cryptography;
  readonly #tiles = new Map<string, Promise<Uint8Array>>();

  constructor(read: ReadFile, size: number, cryptography: Cryptography = webCrypto) {
    this.#read = read;
    this.#size = size;
    this.#cryptography = cryptography;
  }

  /** The entries of a bundle. Throws ProofError if they are not as many as the tree has. */
  async entries(index: number): Promise<Uint8Array[]> {
    const width = widthIn(this.#size, 0, index);
    const name = tilePath({ level: "entries", index, width });
    const entries = splitRecords(await this.#read(name), name);
    if (entries.length === width) return entries;
    throw new ProofError(`${name} holds ${entries.length} entries, not ${width}`);
  }

  async entry(index: number): Promise<Uint8Array> {
    const entries = await this.entries(Math.floor(index / WIDTH));
    const entry = entries[index % WIDTH];
    if (entry === undefined) throw new ProofError(`Entry ${index} is not in a tree of size ${this.#size}`);
    return entry;
  }

  /** MTH(D[start:end]) for each part of a path (RFC 6962 §2.1). */
  async roots(path: readonly Range[]): Promise<Uint8Array[]> {
    const roots: Uint8Array[] = [];
    for (const { start, end } of path) roots.push(await this.#root(start, end));
    return roots;
  }

  async #root(start: number, end: number): Promise<Uint8Array> {
    const count = end - start;
    const half = splitOf(count);
    if (half === 0 || half * 2 === count) return this.#subtree(Math.log2(count), start / count);
    return this.#node(await this.#root(start, start + half), await this.#root(start + half, end));
  }

  /** Of the complete subtree over the leaves from `index * 2**height`. */
  async #subtree(height: number, index: number): Promise<Uint8Array> {
    const level = Math.floor(height / 8);
    const count = 2 ** (height % 8);
    const tile = Math.floor((index * count) / WIDTH);
    const bytes = await this.#tile(level, tile);
    return this.#reduce(bytes, index * count - tile * WIDTH, count);
  }

  /** The root of a number of hashes in a tile that is a power of two. */
  async #reduce(tile: Uint8Array, at: number, count: number): Promise<Uint8Array> {
    if (count === 1) return tile.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES);
    const half = count / 2;
    return this.#node(await this.#reduce(tile, at, half), await this.#reduce(tile, at + half, half));
  }

  async #node(left: Uint8Array, right: Uint8Array): Promise<Uint8Array> {
    return this.#cryptography.sha256(joinBytes([Uint8Array.of(1), left, right]));
  }

  #tile(level: number, index: number): Promise<Uint8Array> {
    const key = `${level}/${index}`;
    const known = this.#tiles.get(key) ?? this.#load(level, index);
    this.#tiles.set(key, known);
    return known;
  }

  async #load(level: number, index: number): Promise<Uint8Array> {
    const width = widthIn(this.#size, level, index);
    const name = tilePath({ level, index, width });
    const bytes = await this.#read(name);
    if (bytes.length === width * HASH_BYTES) return bytes;
    throw new ProofError(`${name} has ${bytes.length} bytes, not ${width * HASH_BYTES}`);
  }
}
