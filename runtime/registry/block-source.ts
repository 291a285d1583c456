/**
 * A byte source whose blocks come from a store that is slow and need not be trusted. Reads stay
 * synchronous: a read of a block that is not held throws BytesMissing, `untilHeld` gets the block,
 * and the same pure function runs again. Invariant: a block is held only if it matches its digest.
 * The caller supplies the store.
 */
import { concat } from "../text/bytes.ts";
import { type ByteSource, type Span, split } from "./byte-source.ts";
import { IndexError } from "./index.ts";
import { compareBytes, DIGEST_BYTES, digestAt } from "./index-format.ts";

/** A store cannot be read, or its bytes differ from the release's: then there is no answer. */
export class StorageError extends IndexError {
  override name = "StorageError";

  constructor(place: string, reason: string) {
    super(`${place} cannot be read: ${reason}`);
  }
}

/** A store does not answer at all. */
export class SilentError extends StorageError {
  override name = "SilentError";
}

/** A read lacks bytes: the caller awaits `get` and retries. The message is for too many retries. */
export class BytesMissing extends StorageError {
  readonly get: () => Promise<void>;

  constructor(place: string, get: () => Promise<void>) {
    super(place, "one answer needs too much of it");
    this.get = get;
  }
}

/** The most retries of one computation; more mean that something is wrong. */
const ROUNDS_MAX = 32;

/** Returns the result of `ask` once all its bytes are held; synchronously if none is missing. */
export function untilHeld<T>(ask: () => T, rounds = ROUNDS_MAX): T | Promise<Awaited<T>> {
  try {
    return ask();
  } catch (error) {
    if (!(error instanceof BytesMissing) || rounds === 0) throw error;
    return error.get().then(() => untilHeld(ask, rounds - 1)) as Promise<Awaited<T>>;
  }
}

/** The same in steps: the caller gets the yielded bytes before the next step. */
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

/** Reads a span in pieces, in the same steps. */
export function* heldPieces(source: ByteSource, span: Span): Generator<Uint8Array | BytesMissing> {
  for (const { offset, length } of split(span, source.pieceBytes))
    yield yield* stepsUntilHeld(() => source.read(offset, length));
}

/** Yields only the pieces; gets missing bytes before the next one. */
export async function* eachHeld(pieces: Iterable<Uint8Array | BytesMissing>): AsyncGenerator<Uint8Array, void> {
  for (const piece of pieces) {
    if (piece instanceof BytesMissing) await piece.get();
    else yield piece;
  }
}

/** Runs such steps, and those of a long computation, and lets other requests run in between. */
export async function runInSteps<T>(steps: Generator<BytesMissing | void, T>): Promise<T> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    if (step.value === undefined) await new Promise<void>((resolve) => void pause(resolve));
    else await step.value.get();
  }
}

/** Not every host has setImmediate, which is faster. */
const pause: (then: () => void) => unknown = globalThis.setImmediate ?? setTimeout;

/** A value that is loaded on demand and then held; until then, reading it throws BytesMissing. */
export function onceHeld<T>(place: string, get: () => Promise<T>): () => T {
  let held: { readonly value: T } | undefined;
  return () => {
    if (held !== undefined) return held.value;
    throw new BytesMissing(place, async () => {
      held = { value: await get() };
    });
  };
}

/** The store of the blocks. */
export interface BlockStore {
  /** For messages. */
  readonly name: string;
  /** Sizes in bytes of the whole and of a block; the last block may be shorter. */
  readonly length: number;
  readonly blockBytes: number;
  /** The most bytes that are held. */
  readonly maxBytes: number;
  read(start: number, end: number): Promise<Uint8Array>;
  /** Reads from the file of digests, which has the SHA-256 of each block in order. */
  digests(offset: number, length: number): Uint8Array | Promise<Uint8Array>;
}

export interface BlockSource extends ByteSource {
  /** Throws BytesMissing: call it inside `untilHeld`. */
  read(offset: number, length: number): Uint8Array;
  /** Holds the blocks that are entirely in `[start, end)`; their bytes may still be loading. */
  hold(start: number, end: number, coming: Uint8Array | Promise<Uint8Array>): Promise<void>;
}

export function blockSource(store: BlockStore): BlockSource {
  const { length, blockBytes, maxBytes } = store;
  /** In order of arrival; the oldest block is dropped first. */
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

/** The byte ranges of blocks; consecutive blocks are one range. */
function runsOf(store: BlockStore, blocks: readonly number[]): [start: number, end: number][] {
  const lasts = blocks.filter((block) => !blocks.includes(block + 1));
  const firsts = blocks.filter((block) => !blocks.includes(block - 1));
  return firsts.map((first, i) => [first * store.blockBytes, endOf(store, lasts[i] ?? first)]);
}

/** SHA-256 by the Web Crypto API, which browsers and Node share. */
export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  if (globalThis.crypto.subtle === undefined)
    throw new StorageError("The registry", "digests can be checked only on pages loaded over https");
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}
