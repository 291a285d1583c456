/**
 * The section `words` of the index: every word of names and definitions, with the concepts that have it. Words are dealt out
 * to parts by their hash, and one part at a time is in memory; the parts do not show in the bytes.
 */
import { idsIn, setBit } from "../../runtime/registry/filter.ts";
import { hashKey } from "../../runtime/registry/index-format.ts";
import { viewOf } from "../../runtime/text/bytes.ts";
import { searchWords } from "../../runtime/text/search-text.ts";
import type { Room } from "../effects/effects.ts";
import { Growing } from "../effects/growing.ts";
import { Partitions } from "../effects/partitions.ts";

/** What names and definitions are taken from, in the order of concept ids. */
export interface Described extends Iterable<{ readonly name: string; readonly definition: string }> {
  readonly length: number;
  readonly room: Room;
}

/** A block ends behind the word that makes its text or its lists this long. */
const TEXT_BYTES = 32 * 1024;
const LISTS_BYTES = 128 * 1024;
/** What the words of a concept are reckoned to take in memory. */
const CONCEPT_COST = 2048;
const KNOWN_MOST = 10_000;
const HASHES = 2 ** 32;

/** Makes the section; returns where its blocks begin. */
export function* wordBlocks(described: Described): Generator<Uint8Array, number[]> {
  const starts: number[] = [];
  let at = 0;
  const block = new WordBlock();
  const finish = function* (): Generator<Uint8Array, void> {
    starts.push(at);
    const bytes = block.take();
    at += bytes.length;
    yield bytes;
  };
  const count = Math.max(1, Math.ceil((described.length * CONCEPT_COST) / described.room.memoryBytes));
  const parts = deal(described, count);
  for (let part = 0; part < count; part++) {
    for (const { text, ids } of wordsOf(parts.read(part), described.length)) {
      block.add(text, ids);
      if (block.isFull) yield* finish();
    }
  }
  if (!block.isEmpty) yield* finish();
  return starts;
}

/** Concept, and length of the word: each a u32. */
const HEAD_BYTES = 8;

function deal(described: Described, count: number): Partitions {
  const parts = new Partitions(described.room, count);
  // Most words come again soon.
  const known = new Map<string, { readonly bytes: Uint8Array; readonly part: number }>();
  const dealt = (word: string): { readonly bytes: Uint8Array; readonly part: number } => {
    const bytes = encoder.encode(word);
    const made = { bytes, part: Math.floor((hashOf(bytes) / HASHES) * count) };
    if (known.size >= KNOWN_MOST) known.clear();
    known.set(word, made);
    return made;
  };
  let id = 0;
  for (const { name, definition } of described) {
    for (const word of searchWords(name, definition)) {
      const { bytes, part } = known.get(word) ?? dealt(word);
      const record = parts.claim(part, HEAD_BYTES + bytes.length);
      const head = viewOf(record);
      head.setUint32(0, id, true);
      head.setUint32(4, bytes.length, true);
      record.set(bytes, HEAD_BYTES);
    }
    id++;
  }
  return parts;
}

interface Word {
  readonly text: Uint8Array;
  readonly hash: number;
  readonly ids: Ids;
}

/** The words of a part, by hash and text. */
function wordsOf(part: Uint8Array, conceptCount: number): Word[] {
  const words = new Map<string, Word>();
  const bytes = Buffer.from(part.buffer, part.byteOffset, part.length);
  for (let at = 0; at < bytes.length;) {
    const end = at + HEAD_BYTES + bytes.readUInt32LE(at + 4);
    const key = bytes.toString("latin1", at + HEAD_BYTES, end);
    let word = words.get(key);
    if (word === undefined) {
      const text = bytes.subarray(at + HEAD_BYTES, end);
      word = { text, hash: hashOf(text), ids: new Ids(conceptCount) };
      words.set(key, word);
    }
    word.ids.add(bytes.readUInt32LE(at));
    at = end;
  }
  return [...words.values()].sort((a, b) => a.hash - b.hash || Buffer.compare(a.text, b.text));
}

function hashOf(word: Uint8Array): number {
  return hashKey(word, 0, { page: 0, fingerprint: 0 }).page;
}

/** The concepts of a word, added in ascending order, be it repeatedly: as numbers while they are few, then as bits. */
class Ids {
  readonly #conceptCount: number;
  #few: number[] = [];
  #count = 0;
  #last = -1;
  #bits: Uint8Array | undefined;

  constructor(conceptCount: number) {
    this.#conceptCount = conceptCount;
  }

  add(id: number): void {
    if (id === this.#last) return;
    this.#last = id;
    this.#count++;
    if (this.#bits !== undefined) setBit(this.#bits, id);
    else if (this.#few.push(id) * NUMBER_BITS > this.#conceptCount) {
      this.#bits = this.#toBits();
      this.#few = [];
    }
  }

  /** Adds the list as it is stored: the shorter form. A distance takes at least a byte. */
  appendTo(lists: Growing): void {
    const most = Math.ceil(this.#conceptCount / 8);
    const isFew = this.#count < most;
    const distances = isFew ? this.#distances() : [];
    if (isFew && distances.length < most) lists.claim(distances.length).set(distances);
    else lists.claim(most).set(this.#bits ?? this.#toBits());
  }

  #distances(): number[] {
    const distances: number[] = [];
    let last = -1;
    for (const id of this.#bits === undefined ? this.#few : idsIn(this.#bits, 0)) {
      let rest = id - last;
      for (; rest > 127; rest = Math.floor(rest / 128)) distances.push((rest % 128) + 128);
      distances.push(rest);
      last = id;
    }
    return distances;
  }

  #toBits(): Uint8Array {
    const bits = new Uint8Array(Math.ceil(this.#conceptCount / 8));
    for (const id of this.#few) setBit(bits, id);
    return bits;
  }
}

/** What a number in an array takes; more of them than this are shorter as bits. */
const NUMBER_BITS = 64;

/** A block in the making (layout: index-format.ts), then the next one. */
class WordBlock {
  readonly #text = new Growing();
  readonly #ends: number[] = [];
  readonly #lists = new Growing();

  get isEmpty(): boolean {
    return this.#ends.length === 0;
  }

  get isFull(): boolean {
    return this.#text.length >= TEXT_BYTES || this.#lists.length >= LISTS_BYTES;
  }

  add(text: Uint8Array, ids: Ids): void {
    const line = this.#text.claim(text.length + 1);
    line.set(text);
    line[text.length] = LINE_FEED;
    ids.appendTo(this.#lists);
    this.#ends.push(this.#lists.length);
  }

  take(): Uint8Array {
    const [text, lists] = [this.#text.bytes(), this.#lists.bytes()];
    const endsAt = 8 + text.length;
    const listsAt = endsAt + 4 * this.#ends.length;
    const bytes = new Uint8Array(listsAt + lists.length);
    const view = viewOf(bytes);
    view.setUint32(0, text.length, true);
    view.setUint32(4, this.#ends.length, true);
    bytes.set(text, 8);
    this.#ends.forEach((end, i) => view.setUint32(endsAt + 4 * i, end, true));
    bytes.set(lists, listsAt);
    this.#text.clear();
    this.#ends.length = 0;
    this.#lists.clear();
    return bytes;
  }
}

const LINE_FEED = 0x0a;
const encoder = new TextEncoder();
