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
  /** Runs of neighbouring summaries in the list document, commas included. */
  readonly runs: readonly Span[];
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
  // The longest term is usually the rarest; a term contained in another adds nothing.
  const needles = [...new Set(terms)]
    .sort((a, b) => b.length - a.length)
    .filter((term, i, all) => !all.slice(0, i).some((longer) => longer.includes(term)))
    .map((term) => latin1.decode(new TextEncoder().encode(term)));
  let matched: Uint8Array | undefined;
  for (const needle of needles) {
    const found = yield* conceptsWith(index, needle);
    if (matched !== undefined) for (let i = 0; i < found.length; i++) found[i] = (found[i] ?? 0) & (matched[i] ?? 0);
    matched = found;
  }
  return yield* listConcepts(index, matched ?? new Uint8Array(), most);
}

/** The concepts with a word that has `needle` in it, as one bit for each. */
function* conceptsWith(index: RegistryIndex, needle: string): Generator<BytesMissing | void, Uint8Array> {
  const bits = new Uint8Array(Math.ceil(index.conceptCount / 8));
  for (const start of index.meta.words ?? []) {
    const block = yield* stepsUntilHeld(() => readWords(index, start));
    const words = wordsWith(block.text, needle);
    if (words.length > 0) {
      const lists = yield* stepsUntilHeld(() => new WordLists(index.source, block));
      let done = 0;
      for (const word of words) {
        const list = lists.of(word);
        addList(bits, list);
        done += WORD_COST + list.length;
        if (done > STEP_COST) {
          done = 0;
          yield;
        }
      }
    }
    yield;
  }
  return bits;
}

/** What is done in one step at most, in bytes of lists; a word costs as much as so many more. */
const STEP_COST = 1 << 17;
const WORD_COST = 256;

/** A block of words: its text, and where its lists are. */
interface WordBlock {
  readonly text: string;
  readonly count: number;
  readonly listsOffset: number;
}

function readWords({ source, sections }: RegistryIndex, start: number): WordBlock {
  const block = sections.words.offset + start;
  const head = viewOf(source.read(block, 8));
  const [size, count] = [head.getUint32(0, true), head.getUint32(4, true)];
  return { text: latin1.decode(source.read(block + 8, size)), count, listsOffset: block + 8 + size };
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

/** The lists of a block of words. */
class WordLists {
  readonly #ends: DataView;
  readonly #lists: Uint8Array;

  constructor(source: ByteSource, { listsOffset, count }: WordBlock) {
    this.#ends = viewOf(source.read(listsOffset, 4 * count));
    this.#lists = source.read(listsOffset + 4 * count, this.#end(count - 1));
  }

  of(word: number): Uint8Array {
    return this.#lists.subarray(this.#end(word - 1), this.#end(word));
  }

  #end(word: number): number {
    return word < 0 ? 0 : this.#ends.getUint32(4 * word, true);
  }
}

function addList(bits: Uint8Array, list: Uint8Array): void {
  if (list.length === bits.length) {
    for (let i = 0; i < bits.length; i++) bits[i] = (bits[i] ?? 0) | (list[i] ?? 0);
    return;
  }
  for (let at = 0, id = -1; at < list.length;) {
    let distance = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = list[at++] ?? 0;
      distance += (byte & 127) * scale;
      if (byte < 128) break;
    }
    id += distance;
    setBit(bits, id);
  }
}

/** Concepts whose records are read at once; a multiple of 8. */
const WINDOW = 2048;

function* listConcepts(
  index: RegistryIndex,
  matched: Uint8Array,
  most: number,
): Generator<BytesMissing | void, FilteredList> {
  const { sections } = index;
  const runs: { offset: number; length: number }[] = [];
  const first: number[] = [];
  let count = 0;
  for (let from = 0; from < matched.length; from += WINDOW / 8) {
    const ids = idsIn(matched.subarray(from, from + WINDOW / 8), from * 8);
    const [low] = ids;
    if (low === undefined) continue;
    const span = {
      offset: sections.concepts.offset + low * R.bytes,
      length: ((ids.at(-1) ?? low) + 1 - low) * R.bytes,
    };
    const records = yield* stepsUntilHeld(() => viewOf(index.read(span)));
    for (const id of ids) {
      const record = (id - low) * R.bytes;
      const offset = sections.list.offset + getUint64(records, record + R.summaryOffset);
      const length = records.getUint32(record + R.summaryLength, true);
      const last = runs.at(-1);
      // Neighbours in the list have one comma between them.
      if (last !== undefined && last.offset + last.length + 1 === offset) last.length += 1 + length;
      else runs.push({ offset, length });
    }
    count += ids.length;
    first.push(...ids.slice(0, most - first.length));
    yield;
  }
  return { count, runs, first };
}

/** A bit for each concept: the lowest of the first byte is that of concept 0. */
export function setBit(bits: Uint8Array, id: number): void {
  bits[id >>> 3] = (bits[id >>> 3] ?? 0) | (1 << (id & 7));
}

/** The ids that bits stand for, from `base` on. */
export function idsIn(bits: Uint8Array, base: number): number[] {
  const ids: number[] = [];
  for (let i = 0; i < bits.length; i++) {
    const byte = bits[i] ?? 0;
    for (let bit = 0; byte >> bit > 0; bit++) if (((byte >> bit) & 1) === 1) ids.push(base + i * 8 + bit);
  }
  return ids;
}

/** One character for each byte, so that offsets agree; which character does not matter. */
const latin1 = new TextDecoder("latin1");
