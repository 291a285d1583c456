/**
 * Writes a tree as tiles, in one pass over its entries.
 * Source: c2sp.org/tlog-tiles, Merkle Tree and Log entries.
 */
import { ProofError } from "./c2sp.ts";
import { putLeafHash, putNodeHash, rangeRoot, type Subtrees } from "./merkle.ts";
import { HASH_BYTES, tilePath, WIDTH } from "./tile-reader.ts";

/** The length of an entry is a big-endian u16. */
export const ENTRY_MOST = 0xffff;

/** The bytes are valid until it returns. */
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
    this.#append(0, (tile, at) => putLeafHash(tile, at, entry));
    this.#size++;
  }

  /** Writes the partial tiles. */
  finish(): Tree {
    this.#bundle.finish();
    for (const [level, { index, width, bytes }] of this.#levels.entries())
      if (width > 0) this.#write(tilePath({ level, index, width }), bytes.subarray(0, width * HASH_BYTES));
    return { size: this.#size, root: rangeRoot(lastSubtrees(this.#levels), 0, this.#size) };
  }

  /** A hash goes where it stays: there are millions. */
  #append(level: number, put: (tile: Buffer, at: number) => void): void {
    const own = (this.#levels[level] ??= { index: 0, width: 0, bytes: Buffer.alloc(WIDTH * HASH_BYTES) });
    put(own.bytes, own.width * HASH_BYTES);
    if (++own.width < WIDTH) return;
    this.#write(tilePath({ level, index: own.index++, width: WIDTH }), own.bytes);
    own.width = 0;
    const root = reduce(own.bytes);
    this.#append(level + 1, (tile, at) => tile.set(root, at));
  }
}

/** The last tile of a level, and the roots of the full ones that no level above has kept. */
interface Level {
  index: number;
  width: number;
  readonly bytes: Buffer;
}

/** The root of hashes whose number is a power of two. */
function reduce(hashes: Uint8Array): Uint8Array {
  const nodes = Buffer.from(hashes);
  for (let width = nodes.length; width > HASH_BYTES; width /= 2)
    for (let at = 0; at < width; at += 2 * HASH_BYTES) putNodeHash(nodes, at / 2, at);
  return nodes.subarray(0, HASH_BYTES);
}

/** The subtrees at the right edge: all that the root of the whole tree needs. */
function lastSubtrees(levels: readonly Level[]): Subtrees {
  const above: Level[] = [...levels];
  return (height, index) => {
    const level = Math.floor(height / 8);
    const own = above[level];
    const count = 2 ** (height % 8);
    if (own === undefined) throw new RangeError(`There is no level ${level}`);
    const first = index * count - own.index * WIDTH;
    return reduce(own.bytes.subarray(first * HASH_BYTES, (first + count) * HASH_BYTES));
  };
}

/** Entries with their lengths, 256 to a file. */
class Bundle {
  readonly #write: WriteFile;
  #bytes = Buffer.allocUnsafe(1 << 16);
  #length = 0;
  #index = 0;
  #width = 0;

  constructor(write: WriteFile) {
    this.#write = write;
  }

  add(entry: Uint8Array): void {
    if (entry.length > ENTRY_MOST)
      throw new ProofError(`An entry has ${entry.length} bytes: at most ${ENTRY_MOST} fit`);
    const end = this.#length + 2 + entry.length;
    if (end > this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes], 2 * end);
    this.#bytes.writeUInt16BE(entry.length, this.#length);
    this.#bytes.set(entry, this.#length + 2);
    this.#length = end;
    if (++this.#width === WIDTH) this.finish();
  }

  finish(): void {
    if (this.#width === 0) return;
    const name = tilePath({ level: "entries", index: this.#index++, width: this.#width });
    this.#write(name, this.#bytes.subarray(0, this.#length));
    [this.#length, this.#width] = [0, 0];
  }
}
