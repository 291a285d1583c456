/**
 * Reads an index's blocks of words and grams (layout: index-format.ts), and adds the concepts that
 * they list to a set of bits, in small steps.
 */
import { viewOf } from "../text/bytes.ts";
import { type BytesMissing, stepsUntilHeld } from "./block-source.ts";
import type { ByteSource, Span } from "./byte-source.ts";
import { BLOCK_BYTES, pageOf, wordHash, WORDS_TEXT_BYTES } from "./index-format.ts";
import type { RegistryIndex } from "./index.ts";

/** The most work of one step, in bytes of lists; each word costs WORD_COST more bytes. */
const STEP_COST = 1 << 16;
const WORD_COST = 256;
/**
 * Lists that are at most this far apart are read together: a separate read takes as long, and a
 * store returns whole blocks.
 */
const NEAR_BYTES = BLOCK_BYTES;

/** The size of the text and the number of words. */
const HEAD_BYTES = 8;
/** The end of a word and the end of its list. */
const ENDS_BYTES = 8;
/** Mostly enough for the last word of a block. */
const LINE_BYTES = 256;

/** A block of words or grams: its text, one per line, and the positions of its other parts. */
interface Block {
  /** Valid until the next block is read. */
  readonly text: Uint8Array;
  readonly count: number;
  readonly endsAt: number;
  readonly listsAt: number;
}

const EMPTY: Block = { text: new Uint8Array(), count: 0, endsAt: 0, listsAt: 0 };

export class BlockReader {
  readonly #index: RegistryIndex;
  readonly #indexOf: IndexOf;
  readonly #readBlock: Read;
  readonly #readEnds: Read;
  readonly #readLists: Read;

  constructor(index: RegistryIndex) {
    const { source } = index;
    this.#index = index;
    this.#indexOf = source.indexOf ?? indexOf;
    this.#readBlock = readerOf(source);
    this.#readEnds = readerOf(source);
    this.#readLists = readerOf(source);
  }

  wordBlock(start: number): Generator<BytesMissing, Block> {
    return this.#block(start, WORDS_TEXT_BYTES + LINE_BYTES);
  }

  /** The only block that can have the gram; empty if the registry has no concepts. */
  *gramBlock(gram: Uint8Array): Generator<BytesMissing, Block> {
    const { grams = [] } = this.#index.meta;
    const start = grams[pageOf(wordHash(gram), grams.length)];
    return start === undefined ? EMPTY : yield* this.#block(start, LINE_BYTES);
  }

  /** `likely` is the probable size of its text, so that one read is mostly enough. */
  *#block(start: number, likely: number): Generator<BytesMissing, Block> {
    const { offset, length } = this.#index.sections.words;
    const at = offset + start;
    const first = Math.min(HEAD_BYTES + likely, length - start);
    let bytes = yield* stepsUntilHeld(() => this.#readBlock(at, first));
    const [size, count] = [viewOf(bytes).getUint32(0, true), viewOf(bytes).getUint32(4, true)];
    const ends = HEAD_BYTES + size;
    if (ends > first) bytes = yield* stepsUntilHeld(() => this.#readBlock(at, ends));
    const endsAt = at + ends;
    return { text: bytes.subarray(HEAD_BYTES, ends), count, endsAt, listsAt: endsAt + count * ENDS_BYTES };
  }

  /** Adds the concepts of the words or grams that contain `term`. */
  *add(bits: Uint8Array, block: Block, term: Uint8Array): Generator<BytesMissing | void, void> {
    yield* this.#addLists(bits, block, yield* this.#listsWith(block, term));
  }

  /** The lists of the lines that contain `needle`, in the order of the block. */
  *#listsWith(block: Block, needle: Uint8Array): Generator<BytesMissing, Span[]> {
    const { text, count, endsAt } = block;
    const found: Span[] = [];
    let at = this.#indexOf(text, needle, 0);
    if (at < 0) return found;
    const bytes = yield* stepsUntilHeld(() => this.#readEnds(endsAt, count * ENDS_BYTES));
    const ends = viewOf(bytes);
    for (let line = 0; at >= 0; line++) {
      line = lineAt(ends, at, line);
      found.push(listOf(ends, line));
      at = this.#indexOf(text, needle, ends.getUint32(line * ENDS_BYTES, true));
    }
    return found;
  }

  /** Adds the concepts of lists, which are in the order of the block. */
  *#addLists(bits: Uint8Array, block: Block, lists: readonly Span[]): Generator<BytesMissing | void, void> {
    let done = block.text.length;
    for (const run of runsOf(lists)) {
      const bytes = yield* stepsUntilHeld(() => this.#readLists(block.listsAt + run.offset, run.length));
      for (const { offset, length } of run.lists) {
        const at = offset - run.offset;
        yield* addInSteps(bits, bytes.subarray(at, at + length));
      }
      done += run.length + run.lists.length * WORD_COST;
      if (done > STEP_COST) {
        done = 0;
        yield;
      }
    }
    yield;
  }
}

/** Lists that are read together. */
interface Run extends Span {
  readonly lists: readonly Span[];
}

function* runsOf(lists: readonly Span[]): Generator<Run, void> {
  let run: Span[] = [];
  let [start, end] = [0, 0];
  for (const list of lists) {
    const listEnd = list.offset + list.length;
    if (run.length > 0 && (list.offset - end > NEAR_BYTES || listEnd - start > STEP_COST)) {
      yield { offset: start, length: end - start, lists: run };
      run = [];
    }
    if (run.length === 0) start = list.offset;
    run.push(list);
    end = listEnd;
  }
  if (run.length > 0) yield { offset: start, length: end - start, lists: run };
}

type Read = (offset: number, length: number) => Uint8Array;

/** Reads into its own buffer, so the bytes are valid until its next read. */
export function readerOf(source: ByteSource): Read {
  let room = new Uint8Array(1 << 16);
  return (offset, length) => {
    if (length > room.length) room = new Uint8Array(2 * length);
    return source.read(offset, length, room);
  };
}

/** The first line, at or after `line`, that ends after `at`. */
function lineAt(ends: DataView, at: number, line: number): number {
  let [low, high] = [line, ends.byteLength / ENDS_BYTES - 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ends.getUint32(middle * ENDS_BYTES, true) > at) high = middle;
    else low = middle + 1;
  }
  return low;
}

function listOf(ends: DataView, line: number): Span {
  const offset = line === 0 ? 0 : ends.getUint32(line * ENDS_BYTES - 4, true);
  return { offset, length: ends.getUint32(line * ENDS_BYTES + 4, true) - offset };
}

type IndexOf = NonNullable<ByteSource["indexOf"]>;

/** The first position of `needle` in `bytes`, at or after `from`, or -1. */
const indexOf: IndexOf = (bytes, needle, from) => {
  const [first = 0] = needle;
  for (let at = bytes.indexOf(first, from); at >= 0; at = bytes.indexOf(first, at + 1))
    if (needle.every((byte, i) => bytes[at + i] === byte)) return at;
  return -1;
};

/**
 * Bytes of bits, or of a list, in one step: few enough that other requests do not wait long, even
 * before Node has compiled the loops.
 */
export const STEP_BYTES = 4096;

/** Adds the concepts of a list in either of its two forms. */
function* addInSteps(bits: Uint8Array, list: Uint8Array): Generator<void, void> {
  const isBits = list.length === bits.length;
  let id = -1;
  for (let from = 0; from < list.length;) {
    let to = Math.min(from + STEP_BYTES, list.length);
    if (isBits) addBits(bits.subarray(from, to), list.subarray(from, to));
    else {
      // A distance of several bytes stays whole.
      while ((list[to - 1] ?? 0) > 127) to++;
      id = addDistances(bits, list.subarray(from, to), id);
    }
    from = to;
    if (from < list.length) yield;
  }
}

/** The same at once. */
export function addList(bits: Uint8Array, list: Uint8Array): void {
  if (list.length === bits.length) addBits(bits, list);
  else addDistances(bits, list, -1);
}

function addBits(bits: Uint8Array, other: Uint8Array): void {
  for (let i = 0; i < bits.length; i++) bits[i] = (bits[i] ?? 0) | (other[i] ?? 0);
}

/**
 * Adds the concepts at these distances (LEB128) from each other, the first counted from `before`.
 * Returns the last one.
 */
export function addDistances(bits: Uint8Array, distances: Uint8Array, before: number): number {
  let id = before;
  for (let at = 0; at < distances.length;) {
    let byte = distances[at++] ?? 0;
    let distance = byte & 127;
    for (let scale = 128; byte > 127; scale *= 128) {
      byte = distances[at++] ?? 0;
      distance += (byte & 127) * scale;
    }
    id += distance;
    setBit(bits, id);
  }
  return id;
}

export function setBit(bits: Uint8Array, id: number): void {
  bits[id >>> 3] = (bits[id >>> 3] ?? 0) | (1 << (id & 7));
}
