/**
 * Writes a tree as tiles, in one pass over its entries.
 * Source: c2sp.org/tlog-tiles, Merkle Tree and Log entries.
 */
import { joinBytes, ProofError } from "./c2sp.ts";
import { leafHash, nodeHash, rangeRoot, type Subtrees } from "./merkle.ts";
import { HASH_BYTES, tilePath, WIDTH } from "./tile-reader.ts";

/** The length of an entry is a big-endian u16. */
export const ENTRY_MOST = 0xffff;

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
