/**
 * Reads the blocks of words and grams of an index, and adds the concepts that they list to a set of bits, in small steps.
 * Layout: index-format.ts.
 */
import { viewOf } from "../text/bytes.ts";
import { type BytesMissing, stepsUntilHeld } from "./block-source.ts";
import type { ByteSource, Span } from "./byte-source.ts";
import { BLOCK_BYTES, pageOf, wordHash, WORDS_TEXT_BYTES } from "./index-format.ts";
import type { RegistryIndex } from "./index.ts";

/** What is done in one step at most, in bytes of lists; a word costs as much as so many more. */
const STEP_COST = 1 << 16;
const WORD_COST = 256;
/** Lists that are no further from each other are read at once: a reading of its own takes as long, and a store gives whole blocks. */
const NEAR_BYTES = BLOCK_BYTES;

/** Size of the text, and count of words. */
const HEAD_BYTES = 8;
/** The ends of a word and of its list. */
const ENDS_BYTES = 8;
/** What the last word of a block mostly has room in. */
const LINE_BYTES = 256;

/** A block of words or grams: its text, a line each, and where what else it has begins. */
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

  /** The block that has the gram, if any has; without concepts there is none. */
  *gramBlock(gram: Uint8Array): Generator<BytesMissing, Block> {
    const { grams = [] } = this.#index.meta;
    const start = grams[pageOf(wordHash(gram), grams.length)];
    return start === undefined ? EMPTY : yield* this.#block(start, LINE_BYTES);
  }

  /** `likely` is how long its text is, probably, so that one reading does. */
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

  /** Adds the concepts of the words or grams that have `term` in them. */
  *add(bits: Uint8Array, block: Block, term: Uint8Array): Generator<BytesMissing | void, void> {
    yield* this.#addLists(bits, block, yield* this.#listsWith(block, term));
  }

  /** The lists of the lines that have `needle` in them, in their order. */
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

  /** Adds the concepts of some lists, which are in the order of the block. */
  *#addLists(bits: Uint8Array, block: Block, lists: readonly Span[]): Generator<BytesMissing | void, void> {
    let done = block.text.length;
    for (const run of runsOf(lists)) {
      const bytes = yield* stepsUntilHeld(() => this.#readLists(block.listsAt + run.offset, run.length));
      for (const { offset, length } of run.lists) {
        const at = offset - run.offset;
        addList(bits, bytes.subarray(at, at + length));
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

/** Lists that are read at once. */
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

/** Reads into room of its own, so that the bytes are there until the next reading. */
export function readerOf(source: ByteSource): Read {
  let room = new Uint8Array(1 << 16);
  return (offset, length) => {
    if (length > room.length) room = new Uint8Array(2 * length);
    return source.read(offset, length, room);
  };
}

/** The first line from `line` on that ends behind `at`. */
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

/** Where `needle` begins in `bytes`, from a position on, or -1. */
const indexOf: IndexOf = (bytes, needle, from) => {
  const [first = 0] = needle;
  for (let at = bytes.indexOf(first, from); at >= 0; at = bytes.indexOf(first, at + 1))
    if (needle.every((byte, i) => bytes[at + i] === byte)) return at;
  return -1;
};

/** Adds the concepts of a list, in either of its forms. */
export function addList(bits: Uint8Array, list: Uint8Array): void {
  if (list.length !== bits.length) return addDistances(bits, list, -1);
  for (let i = 0; i < bits.length; i++) bits[i] = (bits[i] ?? 0) | (list[i] ?? 0);
}

/** Adds the concepts at such distances (LEB128) from each other, the first from `before`. */
export function addDistances(bits: Uint8Array, distances: Uint8Array, before: number): void {
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
}

export function setBit(bits: Uint8Array, id: number): void {
  bits[id >>> 3] = (bits[id >>> 3] ?? 0) | (1 << (id & 7));
}
