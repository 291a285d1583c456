/**
 * The lexical filter `q` over names and definitions. It seeks each term in the words of the
 * registry, and joins the concepts that have such a word, in small steps, so that a large registry
 * never blocks other requests for long.
 * Source: contract §4.2; rulings O-13, O-14.
 */
import { getUint64, viewOf } from "../text/bytes.ts";
import { type BytesMissing, stepsUntilHeld } from "./block-source.ts";
import type { ByteSource, Span } from "./byte-source.ts";
import { countCodePoints } from "../text/expression.ts";
import { CONCEPT_RECORD as R } from "./index-format.ts";
import { PAGE_CONCEPTS, QUERY_MAX_LENGTH } from "../contract/limits.ts";
import { readParameter } from "../http/parameter.ts";
import { type Problem, problem } from "../contract/problem.ts";
import type { RegistryIndex } from "./index.ts";
import { searchTerms } from "../text/search-text.ts";

/** A ConceptList body as spans of the index between fixed bytes: it is never in memory whole. */
export interface FilteredList {
  readonly count: number;
  /** Runs of neighbouring summaries in the list document, commas included: spansOf reads them. */
  readonly runs: Float64Array;
  /** Ids of the first matches, as many as were asked for. */
  readonly first: readonly number[];
}

/**
 * Reads the parameter `q` of a raw query string: the terms to filter by, none without it, or a
 * problem.
 */
export function readQuery(query: string): readonly string[] | Problem {
  const text = readParameter(query, "q") ?? "";
  if (typeof text !== "string") {
    const reasons = { repeated: "may be given once", not_utf8: "is not valid percent-encoded UTF-8" };
    return problem("invalid_query", `The query parameter q ${reasons[text.refusal]}`);
  }
  if (countCodePoints(text) > QUERY_MAX_LENGTH) {
    return problem("invalid_query", `The query parameter q may have at most ${QUERY_MAX_LENGTH} characters`);
  }
  return searchTerms(text);
}

/** Filters the list by terms that must all occur; at each `yield` other requests can run. */
export function* filterConcepts(
  index: RegistryIndex,
  terms: readonly string[],
  most = PAGE_CONCEPTS,
): Generator<BytesMissing | void, FilteredList> {
  // A term contained in another adds nothing.
  const needles = [...new Set(terms)]
    .filter((term, _i, all) => !all.some((longer) => longer !== term && longer.includes(term)))
    .map((term) => latin1.decode(new TextEncoder().encode(term)));
  const [matched = new Uint8Array(), ...others] = yield* conceptsWith(index, needles);
  for (const found of others) {
    for (let i = 0; i < matched.length; i++) matched[i] = (matched[i] ?? 0) & (found[i] ?? 0);
    yield;
  }
  return yield* listConcepts(index, matched, most);
}

/** For each needle the concepts with a word that has it, as one bit for each. */
function* conceptsWith(
  { source, sections, meta, conceptCount }: RegistryIndex,
  needles: readonly string[],
): Generator<BytesMissing | void, Uint8Array[]> {
  const found = needles.map(() => new Uint8Array(Math.ceil(conceptCount / 8)));
  const readText = readerOf(source);
  const readLists = readerOf(source);
  for (const start of meta.words ?? []) {
    const at = sections.words.offset + start;
    const head = viewOf(yield* stepsUntilHeld(() => readText(at, 8)));
    const [size, count] = [head.getUint32(0, true), head.getUint32(4, true)];
    const text = latin1.decode(yield* stepsUntilHeld(() => readText(at + 8, size)));
    let lists: WordLists | undefined;
    for (const [i, bits] of found.entries()) {
      const words = wordsWith(text, needles[i] ?? "");
      let done = text.length;
      for (const word of words) {
        lists ??= yield* stepsUntilHeld(() => readWordLists(readLists, at + 8 + size, count));
        done += WORD_COST + addList(bits, lists, word);
        if (done > STEP_COST) {
          done = 0;
          yield;
        }
      }
      yield;
    }
  }
  return found;
}

/** What is done in one step at most, in bytes of lists; a word costs as much as so many more. */
const STEP_COST = 1 << 17;
const WORD_COST = 256;

type Read = (offset: number, length: number) => Uint8Array;

/** Reads into room of its own, so that the bytes are there until the next reading. */
function readerOf(source: ByteSource): Read {
  let room = new Uint8Array(1 << 16);
  return (offset, length) => {
    if (length > room.length) room = new Uint8Array(2 * length);
    return source.read(offset, length, room);
  };
}

/** The numbers of the words, a line each, that have `needle` in them. */
function wordsWith(text: string, needle: string): number[] {
  const found: number[] = [];
  let word = 0;
  let end = text.indexOf("\n");
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, end)) {
    for (; end < at; end = text.indexOf("\n", end + 1)) word++;
    found.push(word);
  }
  return found;
}

/** The lists of a block of words: where each ends, and their bytes. */
interface WordLists {
  readonly ends: DataView;
  readonly bytes: Uint8Array;
}

function readWordLists(read: Read, offset: number, count: number): WordLists {
  const last = viewOf(read(offset + 4 * (count - 1), 4)).getUint32(0, true);
  const all = read(offset, 4 * count + last);
  return { ends: viewOf(all), bytes: all.subarray(4 * count) };
}

/** Returns the length of the list. */
function addList(bits: Uint8Array, { ends, bytes }: WordLists, word: number): number {
  const start = word === 0 ? 0 : ends.getUint32(4 * (word - 1), true);
  const end = ends.getUint32(4 * word, true);
  if (end - start === bits.length) {
    for (let i = 0; i < bits.length; i++) bits[i] = (bits[i] ?? 0) | (bytes[start + i] ?? 0);
    return bits.length;
  }
  for (let at = start, id = -1; at < end;) {
    let distance = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++] ?? 0;
      distance += (byte & 127) * scale;
      if (byte < 128) break;
    }
    id += distance;
    setBit(bits, id);
  }
  return end - start;
}

/** Concepts whose records are read at once; a multiple of 8. */
const WINDOW = 2048;

function* listConcepts(
  { source, sections }: RegistryIndex,
  matched: Uint8Array,
  most: number,
): Generator<BytesMissing | void, FilteredList> {
  // Numbers outside the heap: as many objects would hold up everything while they are collected.
  let runs = new Float64Array(1 << 10);
  const first: number[] = [];
  const read = readerOf(source);
  let [count, used, end] = [0, 0, -1];
  const add = (start: number, stop: number): void => {
    // Neighbours in the list have one comma between them.
    if (start !== end + 1) {
      if (used === runs.length) runs = grown(runs);
      runs[used] = start;
      used += 2;
    }
    end = stop;
    runs[used - 1] = end - (runs[used - 2] ?? 0);
  };
  const recordsOf = (low: number, high: number): Generator<BytesMissing, DataView> => {
    const [offset, length] = [low * R.bytes, (high + 1 - low) * R.bytes];
    return stepsUntilHeld(() => viewOf(read(sections.concepts.offset + offset, length)));
  };
  const startOf = (records: DataView, at: number): number =>
    sections.list.offset + getUint64(records, at + R.summaryOffset);
  const endOf = (records: DataView, at: number): number =>
    startOf(records, at) + records.getUint32(at + R.summaryLength, true);
  for (let from = 0; from < matched.length; from += WINDOW / 8) {
    const ids = idsIn(matched.subarray(from, from + WINDOW / 8), from * 8);
    const [low, high] = [ids[0], ids.at(-1)];
    if (low === undefined || high === undefined) continue;
    if (ids.length === WINDOW) {
      // One run: where it begins and ends is all that is to be known.
      const start = startOf(yield* recordsOf(low, low), 0);
      add(start, endOf(yield* recordsOf(high, high), 0));
    } else {
      const records = yield* recordsOf(low, high);
      for (const id of ids) add(startOf(records, (id - low) * R.bytes), endOf(records, (id - low) * R.bytes));
    }
    count += ids.length;
    first.push(...ids.slice(0, most - first.length));
    yield;
  }
  return { count, runs: runs.subarray(0, used), first };
}

/** The spans that runs are, as pairs of offset and length. */
export function* spansOf({ runs }: Pick<FilteredList, "runs">): Generator<Span, void> {
  for (let i = 0; i < runs.length; i += 2) yield { offset: runs[i] ?? 0, length: runs[i + 1] ?? 0 };
}

function grown(numbers: Float64Array): Float64Array<ArrayBuffer> {
  const room = new Float64Array(2 * numbers.length);
  room.set(numbers);
  return room;
}

/** A bit for each concept: the lowest of the first byte is that of concept 0. */
export function setBit(bits: Uint8Array, id: number): void {
  bits[id >>> 3] = (bits[id >>> 3] ?? 0) | (1 << (id & 7));
}

/** The ids that bits stand for, from `base` on. */
function idsIn(bits: Uint8Array, base: number): number[] {
  const ids: number[] = [];
  for (let i = 0; i < bits.length; i++) {
    const byte = bits[i] ?? 0;
    for (let bit = 0; byte >> bit > 0; bit++) if (((byte >> bit) & 1) === 1) ids.push(base + i * 8 + bit);
  }
  return ids;
}

/** One character for each byte, so that offsets agree; which character does not matter. */
const latin1 = new TextDecoder("latin1");
