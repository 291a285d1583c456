/**
 * A byte source whose blocks come from a store that is slow and need not be trusted. Reads stay
 * synchronous: a read of a block that is not held throws BlockMissing, `run` gets the block, and the
 * same pure function runs again. Invariant: a block is held only if it has its digest. What the
 * store is and how it is asked is the caller's.
 */
import { concat } from "../text/bytes.ts";
import type { ByteSource, Span } from "./byte-source.ts";
import { compareBytes } from "./index-format.ts";

/** A store that cannot be read, or has other bytes than the release. It is never an answer. */
export class StorageError extends Error {
  override name = "StorageError";

  constructor(place: string, reason: string) {
    super(`${place} cannot be read: ${reason}`);
  }
}

/** Does not leave `run`. */
class BlockMissing extends Error {
  readonly blocks: readonly number[];

  constructor(blocks: readonly number[]) {
    super();
    this.blocks = blocks;
  }
}

/** Where the blocks come from. */
export interface BlockStore {
  /** For messages. */
  readonly name: string;
  /** Size of the whole in bytes, and of a block; the last one may be shorter. */
  readonly length: number;
  readonly blockBytes: number;
  /** What is held at most, in bytes. */
  readonly maxBytes: number;
  read(start: number, end: number): Promise<Uint8Array>;
  /** The SHA-256 of each of some following blocks. */
  digests(blocks: readonly number[]): Promise<readonly Uint8Array[]>;
}

export interface BlockSource extends ByteSource {
  /** Throws BlockMissing: call it inside `run`. */
  read(offset: number, length: number): Uint8Array;
  /** Makes `run` get what is not held of `spans`, and together with it what is not held of `ahead`. */
  need(spans: readonly Span[], ahead?: readonly Span[]): void;
  /** What `ask` returns once all that it reads is held. Throws StorageError, and what `ask` throws. */
  run<T>(ask: () => T): Promise<T>;
  /** Holds the blocks that lie whole in `[start, end)`, whose bytes may be on their way. */
  hold(start: number, end: number, coming: Uint8Array | Promise<Uint8Array>): Promise<void>;
}

/** Reads that end with missing blocks: more of them mean that something is wrong. */
const ROUNDS_MAX = 32;

export function blockSource(store: BlockStore): BlockSource {
  const { length, blockBytes, maxBytes } = store;
  /** The first one is forgotten first. */
  const held = new Map<number, Uint8Array>();
  const tooMuch = (): StorageError => new StorageError(store.name, "one answer needs too much of it");

  const missing = (spans: readonly Span[]): number[] => {
    const blocks = spans.flatMap((span) => blocksOf(store, span)).filter((block) => !held.has(block));
    return [...new Set(blocks)].sort((a, b) => a - b);
  };
  const need: BlockSource["need"] = (spans, ahead = []) => {
    if (missing(spans).length > 0) throw new BlockMissing(missing([...spans, ...ahead]));
  };

  const hold: BlockSource["hold"] = async (start, end, coming) => {
    const blocks = blocksOf(store, { offset: start, length: end - start }).filter(
      (block) => block * blockBytes >= start && endOf(store, block) <= end,
    );
    const [bytes, digests] = await Promise.all([coming, store.digests(blocks)]);
    const check = async (block: number, i: number): Promise<void> => {
      const own = bytes.slice(block * blockBytes - start, endOf(store, block) - start);
      if (compareBytes(await sha256(own), digests[i] ?? own) !== 0)
        throw new StorageError(store.name, "a block differs from its digest; it is damaged or of another release");
      held.set(block, own);
    };
    await Promise.all(blocks.map(check));
  };

  const get = async (blocks: readonly number[]): Promise<void> => {
    if (blocks.length * blockBytes > maxBytes) throw tooMuch();
    await Promise.all(runsOf(store, blocks).map(([start, end]) => hold(start, end, store.read(start, end))));
  };

  return {
    length,
    need,
    hold,
    read(offset, count) {
      need([{ offset, length: count }]);
      const parts = blocksOf(store, { offset, length: count }).map((block) => {
        const start = block * blockBytes;
        return held.get(block)?.subarray(Math.max(0, offset - start), offset + count - start) ?? new Uint8Array();
      });
      return concat(parts, count);
    },
    async run(ask) {
      for (let round = 0; round < ROUNDS_MAX; round++) {
        try {
          const answer = ask();
          for (const block of held.keys()) if (held.size * blockBytes > maxBytes) held.delete(block);
          return answer;
        } catch (error) {
          if (!(error instanceof BlockMissing)) throw error;
          await get(error.blocks);
        }
      }
      throw tooMuch();
    },
  };
}

function blocksOf(store: BlockStore, { offset, length }: Span): number[] {
  if (!(offset >= 0 && length >= 0 && offset + length <= store.length))
    throw new StorageError(store.name, "it is cut short");
  const first = Math.floor(offset / store.blockBytes);
  return Array.from({ length: Math.ceil((offset + length) / store.blockBytes) - first }, (_none, i) => first + i);
}

function endOf({ blockBytes, length }: BlockStore, block: number): number {
  return Math.min((block + 1) * blockBytes, length);
}

/** Where blocks lie; those behind each other are one reading. */
function runsOf(store: BlockStore, blocks: readonly number[]): [start: number, end: number][] {
  const lasts = blocks.filter((block) => !blocks.includes(block + 1));
  const firsts = blocks.filter((block) => !blocks.includes(block - 1));
  return firsts.map((first, i) => [first * store.blockBytes, endOf(store, lasts[i] ?? first)]);
}

/** By the API that browsers and Node share. */
export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  if (globalThis.crypto.subtle === undefined)
    throw new StorageError("The registry", "digests are checked only on pages that came by https");
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}
