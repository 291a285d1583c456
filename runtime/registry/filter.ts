/**
 * Reads the registry: one concept by its exact code, the whole list, and the lexical filter `q`
 * over names and definitions. The filter scans in small steps, so that a large registry never
 * blocks other requests for long.
 * Source: contract §4.2; rulings O-13, O-14.
 */
import { type BytesMissing, stepsUntilHeld } from "./block-source.ts";
import type { Span } from "./byte-source.ts";
import { countCodePoints } from "../text/expression.ts";
import { CONCEPT_RECORD } from "./index-format.ts";
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
  /** Ids of the first matches, as many as one page shows. */
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

/** Concepts and bytes of text read at once, and searches made before other requests get a turn. */
const BLOCK = 2048;
const BLOCK_BYTES = 256 * 1024;
const SEARCHES_PER_STEP = 20_000;

/** Filters the list by terms that must all occur; at each `yield` other requests can run. */
export function* filterConcepts(
  index: RegistryIndex,
  terms: readonly string[],
): Generator<BytesMissing | void, FilteredList> {
  // The longest term is usually the rarest; a term contained in another adds nothing.
  const needles = [...new Set(terms)]
    .sort((a, b) => b.length - a.length)
    .filter((term, i, all) => !all.slice(0, i).some((longer) => longer.includes(term)))
    .map((term) => latin1.decode(new TextEncoder().encode(term)));
  const runs: { offset: number; length: number }[] = [];
  const first: number[] = [];
  let count = 0;
  let searches = 0;
  for (let start = 0, end = 0; start < index.conceptCount; start = end) {
    const block = yield* stepsUntilHeld(() => readBlock(index, start));
    end = start + block.size;
    const cursors = needles.map(() => -1);
    const next = (from: number): number => nextMatch(block, { needles, cursors }, from);
    for (let i = next(0); i < block.size; i = next(i + 1)) {
      count++;
      if (first.length < PAGE_CONCEPTS) first.push(start + i);
      const { offset, length } = block.summary(i);
      const last = runs.at(-1);
      // Neighbours in the list have one comma between them.
      if (last !== undefined && last.offset + last.length + 1 === offset) last.length += 1 + length;
      else runs.push({ offset, length });
      searches += needles.length;
      if (searches > SEARCHES_PER_STEP) {
        searches = 0;
        yield;
      }
    }
    yield;
  }
  return { count, runs, first };
}

/** Neighbouring concepts with their search text, one character per byte so that offsets agree. */
interface Block {
  readonly size: number;
  readonly text: string;
  /** The start of each concept's text, and finally the end of the text. */
  readonly starts: Float64Array;
  summary(i: number): Span;
}

/**
 * The first concept at or after `from` that contains every needle, or `size` if none does. Each
 * cursor only moves forward.
 */
function nextMatch(
  { size, text, starts }: Block,
  { needles, cursors }: { readonly needles: readonly string[]; readonly cursors: number[] },
  from: number,
): number {
  let wanted = from;
  for (let n = 0; n < needles.length && wanted < size;) {
    const start = starts[wanted] ?? 0;
    let cursor = cursors[n] ?? -1;
    if (cursor < start) {
      cursor = text.indexOf(needles[n] ?? "", start);
      if (cursor < 0) return size;
      cursors[n] = cursor;
    }
    if (cursor < (starts[wanted + 1] ?? 0)) n++;
    else {
      wanted = conceptAt(starts, cursor, wanted);
      n = 0;
    }
  }
  return wanted;
}

/** The concept whose text contains a position, by binary search from `low` on. */
function conceptAt(starts: Float64Array, position: number, low: number): number {
  let [from, to] = [low, starts.length - 1];
  while (from + 1 < to) {
    const middle = (from + to) >>> 1;
    if ((starts[middle] ?? 0) <= position) from = middle;
    else to = middle;
  }
  return from;
}

function readBlock(index: RegistryIndex, first: number): Block {
  const R = CONCEPT_RECORD;
  const { concepts, search, list } = index.sections;
  const most = Math.min(BLOCK, index.conceptCount - first);
  const bytes = index.source.read(concepts.offset + first * R.bytes, most * R.bytes);
  const records = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const at = (i: number, field: number): number => {
    const position = i * R.bytes + field;
    return records.getUint32(position + 4, true) * 4_294_967_296 + records.getUint32(position, true);
  };
  const base = at(0, R.searchOffset);
  const starts = new Float64Array(most + 1);
  let size = 0;
  let end = 0;
  // Long definitions make blocks shorter; a block has at least one concept.
  while (size < most && end < BLOCK_BYTES) {
    starts[size] = end;
    end = at(size, R.searchOffset) - base + records.getUint32(size * R.bytes + R.searchLength, true);
    size++;
  }
  starts[size] = end;
  return {
    size,
    text: latin1.decode(index.source.read(search.offset + base, end)),
    starts: starts.subarray(0, size + 1),
    summary: (i) => ({
      offset: list.offset + at(i, R.summaryOffset),
      length: records.getUint32(i * R.bytes + R.summaryLength, true),
    }),
  };
}

/** One character for each byte, so that offsets agree; which character does not matter. */
const latin1 = new TextDecoder("latin1");
