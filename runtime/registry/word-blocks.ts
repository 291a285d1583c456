/**
 * Reads the blocks of words and grams of an index, and adds the concepts that they list to a set of bits, in small steps.
 * Layout: index-format.ts.
 */
import { viewOf } from "../text/bytes.ts";
import { type BytesMissing, stepsUntilHeld } from "./block-source.ts";
import type { ByteSource } from "./byte-source.ts";
import { pageOf, WORD_TEXT_BYTES, wordHash } from "./index-format.ts";
import type { RegistryIndex } from "./index.ts";

/** What is done in one step at most, in bytes of lists; a word costs as much as so many more. */
const STEP_COST = 1 << 17;
const WORD_COST = 256;
/** Lists that are no further from each other are read at once: a reading of its own takes as long as so many bytes. */
const NEAR_BYTES = 1 << 15;

/** Size of the text, and count of lines. */
const HEAD_BYTES = 8;
/** What the last word of a block mostly has room in. */
const LINE_BYTES = 256;

/** A block of words or grams: its text, a line each, and where the ends of their lists and the lists begin. */
interface Block {
  readonly text: string;
  readonly count: number;
  readonly endsAt: number;
  readonly listsAt: number;
}

export class BlockReader {
  readonly #index: RegistryIndex;
  readonly #toText: (bytes: Uint8Array) => string;
  readonly #readText: Read;
  readonly #readEnds: Read;
  readonly #readLists: Read;

  constructor(index: RegistryIndex) {
    const { source } = index;
    this.#index = index;
    this.#toText = source.textOf ?? decodeBytes;
    this.#readText = readerOf(source);
    this.#readEnds = readerOf(source);
    this.#readLists = readerOf(source);
  }

  /** As the text of a block has it: a character for each byte. */
  textOf(term: string): string {
    return this.#toText(encoder.encode(term));
  }

  wordBlock(start: number): Generator<BytesMissing, Block> {
    return this.#block(start, WORD_TEXT_BYTES);
  }

  /** `textBytes` is how long its text probably is, so that one reading does. */
  *#block(start: number, textBytes: number): Generator<BytesMissing, Block> {
    const { offset, length } = this.#index.sections.words;
    const at = offset + start;
    const likely = Math.min(HEAD_BYTES + textBytes + LINE_BYTES, length - start);
    let bytes = yield* stepsUntilHeld(() => this.#readText(at, likely));
    const [size, count] = [viewOf(bytes).getUint32(0, true), viewOf(bytes).getUint32(4, true)];
    const endsAt = HEAD_BYTES + size;
    if (endsAt > likely) bytes = yield* stepsUntilHeld(() => this.#readText(at, endsAt));
    const text = this.#toText(bytes.subarray(HEAD_BYTES, endsAt));
    return { text, count, endsAt: at + endsAt, listsAt: at + endsAt + 4 * count };
  }

  *addGram(bits: Uint8Array, gram: string): Generator<BytesMissing | void, void> {
    const { grams = [] } = this.#index.meta;
    const start = grams[pageOf(wordHash(encoder.encode(gram)), grams.length)];
    if (start === undefined) return;
    const block = yield* this.#block(start, 0);
    const line = block.text.split("\n").indexOf(this.textOf(gram));
    if (line >= 0) yield* this.addLists(bits, block, [line]);
  }

  /** Adds the concepts of some lines, which are in ascending order. */
  *addLists(bits: Uint8Array, block: Block, lines: readonly number[]): Generator<BytesMissing | void, void> {
    let done = block.text.length;
    if (lines.length > 0) {
      const ends = viewOf(yield* stepsUntilHeld(() => this.#readEnds(block.endsAt, 4 * block.count)));
      for (const run of runsOf(lines, ends)) {
        const [{ start = 0 } = {}, { end = 0 } = {}] = [run[0], run.at(-1)];
        const bytes = yield* stepsUntilHeld(() => this.#readLists(block.listsAt + start, end - start));
        for (const list of run) addList(bits, bytes.subarray(list.start - start, list.end - start));
        done += end - start + run.length * WORD_COST;
        if (done > STEP_COST) {
          done = 0;
          yield;
        }
      }
    }
    yield;
  }
}

/** Where a list lies among those of its block. */
interface ListSpan {
  readonly start: number;
  readonly end: number;
}

/** The lists of lines, in runs that are read at once. */
function* runsOf(lines: readonly number[], ends: DataView): Generator<readonly ListSpan[], void> {
  let run: ListSpan[] = [];
  for (const line of lines) {
    const start = line === 0 ? 0 : ends.getUint32(4 * (line - 1), true);
    const end = ends.getUint32(4 * line, true);
    const [first, last] = [run[0], run.at(-1)];
    if (first !== undefined && last !== undefined && (start - last.end > NEAR_BYTES || end - first.start > STEP_COST)) {
      yield run;
      run = [];
    }
    run.push({ start, end });
  }
  if (run.length > 0) yield run;
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

/** The numbers of the lines that have `needle` in them. */
export function linesWith(text: string, needle: string): number[] {
  const found: number[] = [];
  let line = 0;
  let end = text.indexOf("\n");
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, end)) {
    for (; end < at; end = text.indexOf("\n", end + 1)) line++;
    found.push(line);
  }
  return found;
}

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

const latin1 = new TextDecoder("latin1");
const decodeBytes = (bytes: Uint8Array): string => latin1.decode(bytes);
const encoder = new TextEncoder();
