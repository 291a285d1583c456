/**
 * The lexical filter `q` over names and definitions. It seeks each term in the words of the
 * registry, and joins the concepts that have such a word; of one or two characters the index has
 * them joined. All in small steps, so that a large registry never blocks other requests for long.
 * Source: contract §4.2; rulings O-13, O-14.
 */
import { concat, getUint64, viewOf } from "../text/bytes.ts";
import { isGram } from "../text/search-text.ts";
import { BytesMissing, heldPieces, stepsUntilHeld } from "./block-source.ts";
import type { Span } from "./byte-source.ts";
import { CONCEPT_RECORD as R } from "./index-format.ts";
import type { RegistryIndex } from "./index.ts";
import { BlockReader, readerOf } from "./word-blocks.ts";

/** The concepts that a filter lets through. */
export interface Matches {
  readonly count: number;
  /** A bit for each concept: the lowest of the first byte is that of concept 0. */
  readonly bits: Uint8Array;
}

/** Filters the list by terms that must all occur; at each `yield` other requests can run. */
export function* filterConcepts(
  index: RegistryIndex,
  terms: readonly string[],
): Generator<BytesMissing | void, Matches> {
  // A term contained in another adds nothing.
  const needed = [...new Set(terms)].filter(
    (term, _i, all) => !all.some((longer) => longer !== term && longer.includes(term)),
  );
  const [bits = new Uint8Array(), ...others] = yield* conceptsWith(index, needed);
  let count = 0;
  for (let from = 0; from < bits.length; from += STEP_BYTES) {
    const part = bits.subarray(from, from + STEP_BYTES);
    for (const other of others) {
      keepCommon(part, other.subarray(from, from + STEP_BYTES));
      yield;
    }
    count += countBits(part);
    yield;
  }
  return { count, bits };
}

/** What of the bits is looked at in one step: no longer than others may wait, also before Node has compiled the loops. */
const STEP_BYTES = 16_384;

function keepCommon(bits: Uint8Array, other: Uint8Array): void {
  for (let i = 0; i < bits.length; i++) bits[i] = (bits[i] ?? 0) & (other[i] ?? 0);
}

/** For each term the concepts with a word that has it, as one bit for each. */
function* conceptsWith(index: RegistryIndex, terms: readonly string[]): Generator<BytesMissing | void, Uint8Array[]> {
  const found = terms.map((term) => ({
    isShort: isGram(term),
    term: encoder.encode(term),
    bits: new Uint8Array(Math.ceil(index.conceptCount / 8)),
  }));
  const reader = new BlockReader(index);
  const sought = found.filter((one) => !one.isShort);
  for (const { isShort, term, bits } of found)
    if (isShort) yield* reader.add(bits, yield* reader.gramBlock(term), term);
  for (const start of sought.length === 0 ? [] : (index.meta.words ?? [])) {
    const block = yield* reader.wordBlock(start);
    for (const { term, bits } of sought) yield* reader.add(bits, block, term);
  }
  return found.map(({ bits }) => bits);
}

const encoder = new TextEncoder();

/** The ids of the first matches, at most so many. */
export function firstOf({ bits }: Matches, most: number): number[] {
  const first: number[] = [];
  for (let from = 0; from < bits.length && first.length < most; from += WINDOW / 8)
    first.push(...idsIn(bits, from).slice(0, most - first.length));
  return first;
}

/** Concepts whose records are read at once; a multiple of 8. */
const WINDOW = 2048;

/** Where the summaries of matches lie in the list document: runs of neighbours, with the commas between them. */
export function* summariesOf(
  { source, sections }: RegistryIndex,
  { bits }: Matches,
): Generator<BytesMissing | Span, void> {
  const read = readerOf(source);
  const recordsOf = (low: number, high: number): Generator<BytesMissing, DataView> => {
    const [offset, length] = [low * R.bytes, (high + 1 - low) * R.bytes];
    return stepsUntilHeld(() => viewOf(read(sections.concepts.offset + offset, length)));
  };
  const startOf = (records: DataView, at: number): number =>
    sections.list.offset + getUint64(records, at + R.summaryOffset);
  const endOf = (records: DataView, at: number): number =>
    startOf(records, at) + records.getUint32(at + R.summaryLength, true);
  for (let from = 0; from < bits.length; from += WINDOW / 8) {
    const ids = idsIn(bits, from);
    const [low, high] = [ids[0], ids.at(-1)];
    if (low === undefined || high === undefined) continue;
    const records = yield* recordsOf(low, high);
    let [start, end] = [startOf(records, 0), endOf(records, 0)];
    for (const id of ids.slice(1)) {
      const at = (id - low) * R.bytes;
      const next = startOf(records, at);
      // Neighbours in the list have one comma between them.
      if (next !== end + 1) {
        yield { offset: start, length: end - start };
        start = next;
      }
      end = endOf(records, at);
    }
    // No run goes on in the next window, so that the first one is soon known.
    yield { offset: start, length: end - start };
  }
}

/** Where matches lie apart, that is a hundred readings: more would hold other requests up for too long. */
const GATHERED = 32_768;

/**
 * The list document of matches. Short runs are gathered, because each of thousands would otherwise
 * be a write. Returns the last piece.
 */
export function* listPieces(index: RegistryIndex, matches: Matches): Generator<Uint8Array | BytesMissing, Uint8Array> {
  let parts: Uint8Array[] = [];
  let size = 0;
  const add = (part: Uint8Array): void => {
    parts.push(part);
    size += part.length;
  };
  const take = (): Uint8Array => {
    const bytes = concat(parts, size);
    [parts, size] = [[], 0];
    return bytes;
  };
  add(encoder.encode('{"data":['));
  let isFirst = true;
  for (const run of summariesOf(index, matches)) {
    if (run instanceof BytesMissing) {
      yield run;
      continue;
    }
    if (!isFirst) add(COMMA);
    isFirst = false;
    for (const piece of heldPieces(index.source, run)) {
      if (piece instanceof BytesMissing) yield piece;
      else add(piece);
      if (size > GATHERED) yield take();
    }
  }
  add(encoder.encode(`],"count":${matches.count}}\n`));
  return take();
}

/** By byte, how many bits are set: counted one by one, a third of a million matches take a millisecond. */
const ONES = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll("0", "").length);

function countBits(bits: Uint8Array): number {
  let count = 0;
  for (let i = 0; i < bits.length; i++) count += ONES[bits[i] ?? 0] ?? 0;
  return count;
}

/** The ids that a window of bits stands for, from its first byte on. */
function idsIn(bits: Uint8Array, from: number): number[] {
  const ids: number[] = [];
  for (let i = from; i < Math.min(bits.length, from + WINDOW / 8); i++) {
    const byte = bits[i] ?? 0;
    for (let bit = 0; byte >> bit > 0; bit++) if (((byte >> bit) & 1) === 1) ids.push(i * 8 + bit);
  }
  return ids;
}

const COMMA = encoder.encode(",");
