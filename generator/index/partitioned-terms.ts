/**
 * Collects the terms of all windows, in a scratch file if they are many, and joins the pieces of
 * each term.
 */
import { pageOf, wordHash } from "../../runtime/registry/index-format.ts";
import type { MemoryBudget } from "../effects/effects.ts";
import { Partitions } from "../scratch/partitions.ts";
import { byGroup, membersOf } from "../registry/by-group.ts";
import { setUint32s } from "../text/uint32.ts";

/**
 * A record of a term in a window: byte lengths of its text and its list, first and last concept,
 * each a u32; then the text and the list.
 */
const HEAD_BYTES = 16;
/** The estimated memory of the terms of a concept, in bytes. */
const CONCEPT_COST = 2048;

/**
 * Concepts of a term in a row: the first, the last, and the distance of each later one from the one
 * before it.
 */
export interface Piece {
  readonly first: number;
  readonly last: number;
  readonly distances: Uint8Array;
}

export interface Term {
  readonly text: Uint8Array;
  readonly hash: number;
  readonly pieces: readonly Piece[];
}

/**
 * Terms with their concepts, more than memory holds: partitioned by hash, and read one part at a
 * time.
 */
export class PartitionedTerms {
  readonly #parts: Partitions;
  readonly #count: number;

  constructor(budget: MemoryBudget, conceptCount: number) {
    this.#count = Math.max(1, Math.ceil((conceptCount * CONCEPT_COST) / budget.memoryBytes));
    this.#parts = new Partitions(budget, this.#count);
  }

  /** Call it in the order of concepts. */
  add(term: string, concepts: Uint32Array): void {
    const text = Buffer.from(term);
    const [first = 0, last = 0] = [concepts[0], concepts.at(-1)];
    let length = 0;
    for (let i = 1; i < concepts.length; i++) length += sizeOf((concepts[i] ?? 0) - (concepts[i - 1] ?? 0));
    const part = pageOf(wordHash(text), this.#count);
    const record = this.#parts.claim(part, HEAD_BYTES + text.length + length);
    setUint32s(record, 0, [text.length, length, first, last]);
    record.set(text, HEAD_BYTES);
    let at = HEAD_BYTES + text.length;
    for (let i = 1; i < concepts.length; i++)
      at = writeDistance(record, at, (concepts[i] ?? 0) - (concepts[i - 1] ?? 0));
  }

  /** In the order of hash and text. */
  *terms(): Generator<Term, void> {
    for (let part = 0; part < this.#count; part++) yield* termsOf(this.#parts.read(part));
  }
}

/** The place of a term's text: a view for each would take as much memory as everything else. */
interface TermSpan {
  readonly number: number;
  readonly hash: number;
  readonly start: number;
  readonly end: number;
}

function* termsOf(part: Uint8Array): Generator<Term, void> {
  const bytes = Buffer.from(part.buffer, part.byteOffset, part.length);
  const places = new Map<string, TermSpan>();
  const most = Math.ceil(part.length / HEAD_BYTES);
  // For each record, its offset and the number of its term.
  const [records, owners] = [new Uint32Array(most), new Uint32Array(most)];
  let count = 0;
  for (let at = 0; at < bytes.length; count++) {
    const [start, end] = [at + HEAD_BYTES, at + HEAD_BYTES + bytes.readUInt32LE(at)];
    const name = bytes.toString("latin1", start, end);
    let place = places.get(name);
    if (place === undefined) {
      place = { number: places.size, hash: wordHash(bytes.subarray(start, end)), start, end };
      places.set(name, place);
    }
    records[count] = at;
    owners[count] = place.number;
    at = end + bytes.readUInt32LE(at + 4);
  }
  const grouped = byGroup(owners.subarray(0, count), places.size);
  const textOf = ({ start, end }: TermSpan): Buffer => bytes.subarray(start, end);
  const ordered = [...places.values()].sort((a, b) => a.hash - b.hash || Buffer.compare(textOf(a), textOf(b)));
  for (const place of ordered) {
    const own = membersOf(grouped, place.number);
    const pieces = Array.from(own, (record) => pieceAt(bytes, records[record] ?? 0));
    yield { text: textOf(place), hash: place.hash, pieces };
  }
}

function pieceAt(bytes: Buffer, at: number): Piece {
  const start = at + HEAD_BYTES + bytes.readUInt32LE(at);
  const distances = bytes.subarray(start, start + bytes.readUInt32LE(at + 4));
  return { first: bytes.readUInt32LE(at + 8), last: bytes.readUInt32LE(at + 12), distances };
}

/** The number of bytes that a distance takes as LEB128. */
export function sizeOf(distance: number): number {
  return distance < 128 ? 1 : Math.ceil((32 - Math.clz32(distance)) / 7);
}

/** Returns the offset after it. */
export function writeDistance(list: Uint8Array, at: number, distance: number): number {
  let [rest, next] = [distance, at];
  for (; rest > 127; rest >>>= 7) list[next++] = (rest & 127) | 128;
  list[next++] = rest;
  return next;
}
