/**
 * Reading the registry: one concept by its exact code, the whole list, and the lexical filter `q` over names and
 * definitions. The filter is a scan in small steps, so that a large registry never holds other requests for long.
 * Source: contract §4.2; rulings O-13, O-14.
 */
import type { ByteSource, Span } from "./byte-source.ts";
import { countCodePoints } from "./expression.ts";
import { CONCEPT_RECORD } from "./index-format.ts";
import { QUERY_MAX_LENGTH } from "./limits.ts";
import { type Problem, problem } from "./problem.ts";
import type { RegistryIndex } from "./registry-index.ts";
import { searchTerms } from "./search-text.ts";

/** A ConceptList body as spans of the index between fixed bytes, so that it is never held whole. */
export interface FilteredList {
  readonly count: number;
  /** Runs of neighbouring summaries in the list document, commas included. */
  readonly runs: readonly Span[];
}

/** Reads the parameter `q` of a raw query string: the terms to filter by (none: no filter), or a refusal. */
export function readQuery(query: string): readonly string[] | Problem {
  const values: string[] = [];
  for (const pair of query.split("&")) {
    const [name = "", ...rest] = pair.split("=");
    if (decode(name) === "q") values.push(rest.join("="));
  }
  const [raw, ...others] = values;
  if (others.length > 0) return problem("invalid_query", "The query parameter q may be given once");
  const text = decode(raw ?? "");
  if (text === undefined) return problem("invalid_query", "The query parameter q is not valid percent-encoded UTF-8");
  if (countCodePoints(text) > QUERY_MAX_LENGTH) {
    return problem("invalid_query", `The query parameter q may have at most ${QUERY_MAX_LENGTH} characters`);
  }
  return searchTerms(text);
}

/** `application/x-www-form-urlencoded`, strictly: undefined where the escapes are no UTF-8. */
function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}

/** Concepts read at once, and text searches made, before the scan gives way to other requests. */
const BLOCK = 2048;
const SEARCHES_PER_STEP = 10_000;

/** Filters the list by terms that must all occur; every `yield` is a place to let others run. */
export function* filterConcepts(index: RegistryIndex, terms: readonly string[]): Generator<void, FilteredList> {
  // The longest term is usually the rarest; a term inside another one asks nothing new.
  const needles = [...new Set(terms)]
    .sort((a, b) => b.length - a.length)
    .filter((term, i, all) => !all.slice(0, i).some((longer) => longer.includes(term)))
    .map((term) => Buffer.from(term));
  const runs: { offset: number; length: number }[] = [];
  let count = 0;
  let searches = 0;
  for (let first = 0; first < index.conceptCount; first += BLOCK) {
    const block = readBlock(index, first, Math.min(BLOCK, index.conceptCount - first));
    for (let i = block.next(needles[0], 0); i < block.size; i = block.next(needles[0], i + 1)) {
      searches += needles.length;
      if (searches > SEARCHES_PER_STEP) {
        searches = 0;
        yield;
      }
      if (!needles.every((needle, n) => n === 0 || block.has(needle, i))) continue;
      count++;
      const { offset, length } = block.summary(i);
      const last = runs.at(-1);
      if (last !== undefined && last.offset + last.length + 1 === offset) last.length += 1 + length;
      else runs.push({ offset, length });
    }
    yield;
  }
  return { count, runs };
}

/** Some neighbouring concepts with their search text. */
interface Block {
  readonly size: number;
  /** Number in the block of the first concept from `from` on that has the needle; `size` where none has. */
  next(needle: Buffer | undefined, from: number): number;
  has(needle: Buffer, i: number): boolean;
  summary(i: number): Span;
}

function readBlock(index: RegistryIndex, first: number, size: number): Block {
  const R = CONCEPT_RECORD;
  const { concepts, search, list } = index.sections;
  const records = buffer(index.source, concepts.offset + first * R.bytes, size * R.bytes);
  const at = (i: number, field: number): number => Number(records.readBigUInt64LE(i * R.bytes + field));
  const base = at(0, R.searchOffset);
  const start = (i: number): number => at(i, R.searchOffset) - base;
  const end = (i: number): number => start(i) + records.readUInt32LE(i * R.bytes + R.searchLength);
  const text = buffer(index.source, search.offset + base, end(size - 1));
  return {
    size,
    next(needle, from) {
      if (needle === undefined || from >= size) return from;
      const found = text.indexOf(needle, start(from));
      if (found < 0) return size;
      let low = from;
      for (let high = size; low < high;) {
        const middle = (low + high) >>> 1;
        if (end(middle) <= found) low = middle + 1;
        else high = middle;
      }
      return low;
    },
    has: (needle, i) => text.subarray(start(i), end(i)).includes(needle),
    summary: (i) => ({
      offset: list.offset + at(i, R.summaryOffset),
      length: records.readUInt32LE(i * R.bytes + R.summaryLength),
    }),
  };
}

function buffer(source: ByteSource, offset: number, length: number): Buffer {
  const bytes = source.read(offset, length);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
