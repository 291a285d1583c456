/**
 * A byte source whose blocks come from a store that is slow and need not be trusted. Reads stay
 * synchronous: a read of a block that is not held throws BytesMissing, `untilHeld` gets the block,
 * and the same pure function runs again. Invariant: a block is held only if it has its digest. What
 * the store is and how it is asked is the caller's.
 */
import { concat } from "../text/bytes.ts";
import { type ByteSource, type Span, split } from "./byte-source.ts";
import { IndexError } from "./index.ts";
import { compareBytes, DIGEST_BYTES, digestAt } from "./index-format.ts";

/** A store that cannot be read, or has other bytes than the release. It is never an answer. */
export class StorageError extends IndexError {
  override name = "StorageError";

  constructor(place: string, reason: string) {
    super(`${place} cannot be read: ${reason}`);
  }
}

/** A read lacks bytes: whoever asked calls `get`, then asks again. Its message is for who asks too often. */
export class BytesMissing extends StorageError {
  readonly get: () => Promise<void>;

  constructor(place: string, get: () => Promise<void>) {
    super(place, "one answer needs too much of it");
    this.get = get;
  }
}

/** Reads that end with missing bytes: more of them mean that something is wrong. */
const ROUNDS_MAX = 32;

/** What `ask` returns once all that it reads is held; at once where nothing is missing. */
export function untilHeld<T>(ask: () => T, rounds = ROUNDS_MAX): T | Promise<Awaited<T>> {
  try {
    return ask();
  } catch (error) {
    if (!(error instanceof BytesMissing) || rounds === 0) throw error;
    return error.get().then(() => untilHeld(ask, rounds - 1)) as Promise<Awaited<T>>;
  }
}

/** The same in steps: whoever runs them gets what is yielded before the next one. */
export function* stepsUntilHeld<T>(ask: () => T): Generator<BytesMissing, T> {
  for (;;) {
    try {
      return ask();
    } catch (error) {
      if (!(error instanceof BytesMissing)) throw error;
      yield error;
    }
  }
}

/** A span in pieces, in the same steps. */
export function* heldPieces(source: ByteSource, span: Span): Generator<Uint8Array | BytesMissing> {
  for (const { offset, length } of split(span, source.pieceBytes))
    yield yield* stepsUntilHeld(() => source.read(offset, length));
}

/** Pieces alone: what is missing is got before the next one. */
export async function* eachHeld(pieces: Iterable<Uint8Array | BytesMissing>): AsyncGenerator<Uint8Array, void> {
  for (const piece of pieces) {
    if (piece instanceof BytesMissing) await piece.get();
    else yield piece;
  }
}

/** Runs such steps, and those of a long computation, so that other requests can run in between. */
export async function runInSteps<T>(steps: Generator<BytesMissing | void, T>): Promise<T> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    if (step.value === undefined) await new Promise<void>((resolve) => void pause(resolve));
    else await step.value.get();
  }
}

/** Not every host has the faster one. */
const pause: (then: () => void) => unknown = globalThis.setImmediate ?? setTimeout;

/** A value that is got when it is first asked for, and then held; asked before, it throws BytesMissing. */
export function onceHeld<T>(place: string, get: () => Promise<T>): () => T {
  let held: { readonly value: T } | undefined;
  return () => {
    if (held !== undefined) return held.value;
    throw new BytesMissing(place, async () => {
      held = { value: await get() };
    });
  };
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
  /** Reads the file with the SHA-256 of each block, one behind the other. */
  digests(offset: number, length: number): Uint8Array | Promise<Uint8Array>;
}

export interface BlockSource extends ByteSource {
  /** Throws BytesMissing: call it inside `untilHeld`. */
  read(offset: number, length: number): Uint8Array;
  /** Holds the blocks that lie whole in `[start, end)`, whose bytes may be on their way. */
  hold(start: number, end: number, coming: Uint8Array | Promise<Uint8Array>): Promise<void>;
}

export function blockSource(store: BlockStore): BlockSource {
  const { length, blockBytes, maxBytes } = store;
  /** The first one is forgotten first. */
  const held = new Map<number, Uint8Array>();

  const missing = (spans: readonly Span[]): number[] => {
    const blocks = spans.flatMap((span) => blocksOf(store, span)).filter((block) => !held.has(block));
    return [...new Set(blocks)].sort((a, b) => a - b);
  };
  const need: NonNullable<ByteSource["need"]> = (spans, ahead = []) => {
    if (missing(spans).length > 0) throw new BytesMissing(store.name, () => get(missing([...spans, ...ahead])));
  };

  const hold: BlockSource["hold"] = async (start, end, coming) => {
    const blocks = blocksOf(store, { offset: start, length: end - start }).filter(
      (block) => block * blockBytes >= start && endOf(store, block) <= end,
    );
    const [first = 0] = blocks;
    const listed = store.digests(first * DIGEST_BYTES, blocks.length * DIGEST_BYTES);
    const [bytes, digests] = await Promise.all([coming, listed]);
    const check = async (block: number, i: number): Promise<void> => {
      const own = bytes.slice(block * blockBytes - start, endOf(store, block) - start);
      if (compareBytes(await sha256(own), digestAt(digests, i)) !== 0)
        throw new StorageError(store.name, "a block differs from its digest; it is damaged or of another release");
      held.set(block, own);
    };
    await Promise.all(blocks.map(check));
  };

  const get = async (blocks: readonly number[]): Promise<void> => {
    if (blocks.length * blockBytes > maxBytes) throw new StorageError(store.name, "one answer needs too much of it");
    for (const block of held.keys()) if ((held.size + blocks.length) * blockBytes > maxBytes) held.delete(block);
    await Promise.all(runsOf(store, blocks).map(([start, end]) => hold(start, end, store.read(start, end))));
  };

  return {
    length,
    need,
    hold,
    read(offset, count) {
      const span = { offset, length: count };
      need([span]);
      const parts = blocksOf(store, span).map((block) => {
        const start = block * blockBytes;
        return held.get(block)?.subarray(Math.max(0, offset - start), offset + count - start) ?? new Uint8Array();
      });
      return concat(parts, count);
    },
  };
}

function blocksOf(store: BlockStore, { offset, length }: Span): number[] {
  if (!(offset >= 0 && length >= 0 && offset + length <= store.length))
    throw new StorageError(store.name, "it is cut short");
  const first = Math.floor(offset / store.blockBytes);
  return Array.from({ length: Math.ceil((offset + length) / store.blockBytes) - first }, (_, i) => first + i);
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
