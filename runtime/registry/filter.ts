/**
 * The lexical filter `q` over names and definitions. It searches the words of the registry for each
 * term and collects the concepts that have such a word; for terms of one or two characters, the
 * index already lists them. It works in small steps, so that even a large registry never blocks
 * other requests for long.
 * Source: contract §4.2; rulings O-13, O-14.
 */
import { concat, getUint64, viewOf } from "../text/bytes.ts";
import { isGram } from "../text/search-text.ts";
import { BytesMissing, heldPieces, stepsUntilHeld } from "./block-source.ts";
import type { Span } from "./byte-source.ts";
import { CONCEPT_RECORD as R } from "./index-format.ts";
import type { RegistryIndex } from "./index.ts";
import { BlockReader, readerOf, STEP_BYTES } from "./word-blocks.ts";

/** The concepts that match a filter. */
export interface Matches {
  readonly count: number;
  /** One bit per concept; the lowest bit of the first byte is concept 0. */
  readonly bits: Uint8Array;
}

/** Filters the list by terms that must all occur; other requests can run at each `yield`. */
export function* filterConcepts(
  index: RegistryIndex,
  terms: readonly string[],
): Generator<BytesMissing | void, Matches> {
  // A term that another one contains adds nothing.
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

function keepCommon(bits: Uint8Array, other: Uint8Array): void {
  for (let i = 0; i < bits.length; i++) bits[i] = (bits[i] ?? 0) & (other[i] ?? 0);
}

/** For each term, the concepts with a word that contains it, as bits. */
function* conceptsWith(index: RegistryIndex, terms: readonly string[]): Generator<BytesMissing | void, Uint8Array[]> {
  const found = terms.map((term) => ({
    isShort: isGram(term),
    term: encoder.encode(term),
    bits: new Uint8Array(Math.ceil(index.conceptCount / 8)),
  }));
  const reader = new BlockReader(index);
  const sought = found.filter((one) => !one.isShort);
  for (const { isShort, term, bits } of found) {
    if (!isShort) continue;
    const block = yield* reader.gramBlock(term);
    yield;
    yield* reader.add(bits, block, term);
  }
  for (const start of sought.length === 0 ? [] : (index.meta.words ?? [])) {
    const block = yield* reader.wordBlock(start);
    for (const { term, bits } of sought) yield* reader.add(bits, block, term);
  }
  return found.map(({ bits }) => bits);
}

const encoder = new TextEncoder();

/** The ids of the first `most` matches. */
export function firstOf({ bits }: Matches, most: number): number[] {
  const first: number[] = [];
  for (let from = 0; from < bits.length && first.length < most; from += WINDOW / 8)
    first.push(...idsIn(bits, from).slice(0, most - first.length));
  return first;
}

/** Number of concepts whose records are read at once; a multiple of 8. */
const WINDOW = 2048;

/** The spans of the matches in the list document; neighbours form one span, with their commas. */
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
      // One comma separates neighbours in the list.
      if (next !== end + 1) {
        yield { offset: start, length: end - start };
        start = next;
      }
      end = endOf(records, at);
    }
    // A span ends with its window, so that the first one is soon known.
    yield { offset: start, length: end - start };
  }
}

/**
 * Bytes of one piece: about a hundred reads of scattered matches. More would delay other requests.
 */
const GATHERED = 32_768;

/**
 * The list document of matches. Short spans are joined, because each of thousands would otherwise
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

/**
 * The number of set bits by byte: counting bit by bit takes 1 ms for a third of a million matches.
 */
const ONES = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll("0", "").length);

function countBits(bits: Uint8Array): number {
  let count = 0;
  for (let i = 0; i < bits.length; i++) count += ONES[bits[i] ?? 0] ?? 0;
  return count;
}

/** The ids of the set bits in the window that begins at byte `from`. */
function idsIn(bits: Uint8Array, from: number): number[] {
  const ids: number[] = [];
  for (let i = from; i < Math.min(bits.length, from + WINDOW / 8); i++) {
    const byte = bits[i] ?? 0;
    for (let bit = 0; byte >> bit > 0; bit++) if (((byte >> bit) & 1) === 1) ids.push(i * 8 + bit);
  }
  return ids;
}

const COMMA = encoder.encode(",");
