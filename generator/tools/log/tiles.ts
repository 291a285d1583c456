/**
 * A tree as tiles: the names of its files, a writer that makes them in one pass, and the subtrees
 * that a reader finds in them.
 * Source: c2sp.org/tlog-tiles, Merkle Tree and Log entries.
 */
import { joinBytes, ProofError } from "./c2sp.ts";
import { leafHash, nodeHash, rangeRoot, type Subtrees } from "./merkle.ts";
import { splitRecords } from "./verifier.ts";

const WIDTH = 256;
const HASH_BYTES = 32;
/** The length of an entry is a big-endian u16. */
export const ENTRY_MOST = 0xffff;

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

export type WriteFile = (name: string, bytes: Uint8Array) => void;

export interface Tree {
  readonly size: number;
  /** 32 bytes. */
  readonly root: Uint8Array;
}

/** Makes a tree of entries as they come, and gives every file of it to `write`. */
export class TreeWriter {
  readonly #write: WriteFile;
  readonly #levels: Level[] = [];
  readonly #bundle: Bundle;
  #size = 0;

  constructor(write: WriteFile) {
    this.#write = write;
    this.#bundle = new Bundle(write);
  }

  add(entry: Uint8Array): void {
    this.#bundle.add(entry);
    append(this.#levels, leafHash(entry), this.#write);
    this.#size++;
  }

  /** Writes the partial tiles. */
  finish(): Tree {
    this.#bundle.finish();
    for (const [level, { index, width, bytes }] of this.#levels.entries())
      if (width > 0) this.#write(tilePath({ level, index, width }), bytes.subarray(0, width * HASH_BYTES));
    return { size: this.#size, root: rangeRoot(lastSubtrees(this.#levels), 0, this.#size) };
  }
}

/** The last tile of a level, and the roots of the full ones that no level above has kept. */
interface Level {
  index: number;
  width: number;
  bytes: Buffer;
}

function append(levels: Level[], hash: Uint8Array, write: WriteFile): void {
  for (let level = 0, next: Uint8Array | undefined = hash; next !== undefined; level++) {
    const own = (levels[level] ??= { index: 0, width: 0, bytes: Buffer.allocUnsafe(WIDTH * HASH_BYTES) });
    own.bytes.set(next, own.width * HASH_BYTES);
    next = undefined;
    if (++own.width < WIDTH) continue;
    write(tilePath({ level, index: own.index, width: WIDTH }), own.bytes);
    next = reduce(own.bytes, 0, WIDTH);
    levels[level] = { index: own.index + 1, width: 0, bytes: Buffer.allocUnsafe(WIDTH * HASH_BYTES) };
  }
}

/** The root of a number of hashes in a tile that is a power of two. */
function reduce(tile: Uint8Array, at: number, count: number): Uint8Array {
  if (count === 1) return tile.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES);
  const half = count / 2;
  return nodeHash(reduce(tile, at, half), reduce(tile, at + half, half));
}

/** The subtrees at the right edge: all that the root of the whole tree needs. */
function lastSubtrees(levels: readonly Level[]): Subtrees {
  const above: Level[] = [...levels];
  return (height, index) => {
    const level = Math.floor(height / 8);
    const own = above[level];
    const count = 2 ** (height % 8);
    if (own === undefined) throw new RangeError(`There is no level ${level}`);
    return reduce(own.bytes, index * count - own.index * WIDTH, count);
  };
}

/** Entries with their lengths, 256 to a file. */
class Bundle {
  readonly #write: WriteFile;
  #parts: Uint8Array[] = [];
  #index = 0;
  #width = 0;

  constructor(write: WriteFile) {
    this.#write = write;
  }

  add(entry: Uint8Array): void {
    if (entry.length > ENTRY_MOST)
      throw new ProofError(`An entry has ${entry.length} bytes: at most ${ENTRY_MOST} fit`);
    this.#parts.push(Uint8Array.of(entry.length >> 8, entry.length & 0xff), entry);
    if (++this.#width === WIDTH) this.finish();
  }

  finish(): void {
    if (this.#width === 0) return;
    const name = tilePath({ level: "entries", index: this.#index++, width: this.#width });
    this.#write(name, joinBytes(this.#parts));
    [this.#parts, this.#width] = [[], 0];
  }
}

/** Gives the bytes of a file of the tree; throws if there is none. */
export type ReadFile = (name: string) => Uint8Array | Promise<Uint8Array>;

/** The tiles of a tree as far as they are needed, each read once and checked for its length. */
export class TileReader {
  readonly #read: ReadFile;
  readonly #size: number;
  readonly #tiles = new Map<string, Uint8Array>();

  constructor(read: ReadFile, size: number) {
    this.#read = read;
    this.#size = size;
  }

  /** The entries of a bundle. Throws ProofError if they are not as many as the tree has. */
  async entries(index: number): Promise<Uint8Array[]> {
    const width = widthIn(this.#size, 0, index);
    const name = tilePath({ level: "entries", index, width });
    const bytes = await this.#read(name);
    const entries = splitRecords(bytes, name);
    if (entries.length === width) return entries;
    throw new ProofError(`${name} holds ${entries.length} entries, not ${width}`);
  }

  async entry(index: number): Promise<Uint8Array> {
    const entries = await this.entries(Math.floor(index / WIDTH));
    const entry = entries[index % WIDTH];
    if (entry === undefined) throw new ProofError(`Entry ${index} is not in a tree of size ${this.#size}`);
    return entry;
  }

  /** What a path needs: `take` may be called twice, since tiles are read between the calls. */
  async path(take: (subtrees: Subtrees) => Uint8Array[]): Promise<Uint8Array[]> {
    for (;;) {
      try {
        return take((height, index) => this.#subtree(height, index));
      } catch (error) {
        if (!(error instanceof MissingTile)) throw error;
        await this.#load(error.level, error.index);
      }
    }
  }

  #subtree(height: number, index: number): Uint8Array {
    const level = Math.floor(height / 8);
    const count = 2 ** (height % 8);
    const tile = Math.floor((index * count) / WIDTH);
    const bytes = this.#tiles.get(`${level}/${tile}`);
    if (bytes === undefined) throw new MissingTile(level, tile);
    return reduce(bytes, index * count - tile * WIDTH, count);
  }

  async #load(level: number, index: number): Promise<void> {
    const width = widthIn(this.#size, level, index);
    const name = tilePath({ level, index, width });
    const bytes = await this.#read(name);
    if (bytes.length !== width * HASH_BYTES)
      throw new ProofError(`${name} has ${bytes.length} bytes, not ${width * HASH_BYTES}`);
    this.#tiles.set(`${level}/${index}`, bytes);
  }
}

/** A tile that has to be read first. */
class MissingTile extends Error {
  readonly level: number;
  readonly index: number;

  constructor(level: number, index: number) {
    super();
    this.level = level;
    this.index = index;
  }
}
