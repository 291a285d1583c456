/**
 * The section `words` of the index: every word of names and definitions, with the concepts that have it. Words are dealt out
 * to parts by their hash, and one part at a time is in memory; the parts do not show in the bytes.
 */
import { setBit } from "../../runtime/registry/filter.ts";
import { hashKey } from "../../runtime/registry/index-format.ts";
import { viewOf } from "../../runtime/text/bytes.ts";
import { searchWords } from "../../runtime/text/search-text.ts";
import type { Room } from "../effects/effects.ts";
import { Growing } from "../effects/growing.ts";
import { Partitions } from "../effects/partitions.ts";
import { byGroup } from "../registry/by-group.ts";

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
  const block = new WordBlock(described.length);
  const finish = function* (): Generator<Uint8Array, void> {
    starts.push(at);
    const bytes = block.take();
    at += bytes.length;
    yield bytes;
  };
  const count = Math.max(1, Math.ceil((described.length * CONCEPT_COST) / described.room.memoryBytes));
  const { parts, frequent } = deal(described, count);
  for (let part = 0; part < count; part++) {
    for (const word of wordsOf(parts.read(part), frequent)) {
      block.add(word);
      if (block.isFull) yield* finish();
    }
  }
  if (!block.isEmpty) yield* finish();
  return starts;
}

/** Concept, and length of the word: each a u32. */
const HEAD_BYTES = 8;

/** What is remembered of a word. */
interface Known {
  readonly bytes: Uint8Array;
  readonly part: number;
  /** The concept that had it last. */
  last: number;
  concepts: number;
  bits?: Uint8Array;
}

interface Dealt {
  readonly parts: Partitions;
  /** By name, the concepts that are not in the parts, of words that very many have: a bit for each concept. */
  readonly frequent: ReadonlyMap<string, Uint8Array>;
}

function deal(described: Described, count: number): Dealt {
  const parts = new Partitions(described.room, count);
  // Of the words that come again and again, most come early.
  const known = new Map<string, Known>();
  const meet = (word: string): Known => {
    const bytes = encoder.encode(word);
    const made = { bytes, part: Math.floor((hashOf(bytes) / HASHES) * count), last: -1, concepts: 0 };
    if (known.size < KNOWN_MOST) known.set(word, made);
    return made;
  };
  const most = Math.max(1, described.length / 8);
  let id = 0;
  for (const { name, definition } of described) {
    for (const word of searchWords(name, definition)) {
      const one = known.get(word) ?? meet(word);
      if (one.last === id) continue;
      one.last = id;
      if (++one.concepts > most) {
        // Its list has bits in any case.
        setBit((one.bits ??= new Uint8Array(Math.ceil(most))), id);
        continue;
      }
      const record = parts.claim(one.part, HEAD_BYTES + one.bytes.length);
      const head = viewOf(record);
      head.setUint32(0, id, true);
      head.setUint32(4, one.bytes.length, true);
      record.set(one.bytes, HEAD_BYTES);
    }
    id++;
  }
  const frequent = new Map<string, Uint8Array>();
  for (const { bytes, bits } of known.values()) if (bits !== undefined) frequent.set(nameOf(bytes), bits);
  return { parts, frequent };
}

interface Word {
  readonly text: Uint8Array;
  /** The concepts that have it, in ascending order; some may come again. */
  readonly ids: Uint32Array;
  /** More of them. */
  readonly bits: Uint8Array | undefined;
}

/** Where the text of a word lies: a view of each would take as much room as all else. */
interface Place {
  readonly number: number;
  readonly hash: number;
  readonly start: number;
  readonly end: number;
}

/** The words of a part, by hash and text. */
function* wordsOf(part: Uint8Array, frequent: Dealt["frequent"]): Generator<Word, void> {
  const bytes = Buffer.from(part.buffer, part.byteOffset, part.length);
  const words = new Map<string, Place>();
  const most = Math.ceil(part.length / HEAD_BYTES);
  // Of each record the number of its word, and its concept.
  const [owners, concepts] = [new Uint32Array(most), new Uint32Array(most)];
  let count = 0;
  for (let at = 0; at < bytes.length; count++) {
    const [start, end] = [at + HEAD_BYTES, at + HEAD_BYTES + bytes.readUInt32LE(at + 4)];
    const name = bytes.toString("latin1", start, end);
    let word = words.get(name);
    if (word === undefined) {
      word = { number: words.size, hash: hashOf(bytes.subarray(start, end)), start, end };
      words.set(name, word);
    }
    owners[count] = word.number;
    concepts[count] = bytes.readUInt32LE(at);
    at = end;
  }
  const grouped = byGroup(owners.subarray(0, count), words.size);
  const [ids, { starts }] = [grouped.numbers.map((record) => concepts[record] ?? 0), grouped];
  const textOf = ({ start, end }: Place): Buffer => bytes.subarray(start, end);
  const ordered = [...words.values()].sort((a, b) => a.hash - b.hash || Buffer.compare(textOf(a), textOf(b)));
  for (const word of ordered) {
    const text = textOf(word);
    yield { text, ids: ids.subarray(starts[word.number], starts[word.number + 1]), bits: frequent.get(nameOf(text)) };
  }
}

function hashOf(word: Uint8Array): number {
  return hashKey(word, 0, { page: 0, fingerprint: 0 }).page;
}

/** Bytes as what a map can find again. */
function nameOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
}

/** Of each id, how far it is from the one before. */
function* distancesOf(ids: Uint32Array): Generator<number, void> {
  let last = -1;
  for (const id of ids) {
    if (id !== last) yield id - last;
    last = id;
  }
}

/** Of the list as LEB128, in bytes. */
function lengthOf(ids: Uint32Array): number {
  let length = 0;
  for (const distance of distancesOf(ids)) length += Math.ceil((32 - Math.clz32(distance)) / 7);
  return length;
}

function writeDistances(list: Uint8Array, ids: Uint32Array): void {
  let at = 0;
  for (const distance of distancesOf(ids)) {
    let rest = distance;
    for (; rest > 127; rest >>>= 7) list[at++] = (rest & 127) | 128;
    list[at++] = rest;
  }
}

/** A block in the making (layout: index-format.ts), then the next one. */
class WordBlock {
  readonly #text = new Growing();
  readonly #ends: number[] = [];
  readonly #lists = new Growing();
  readonly #conceptCount: number;

  constructor(conceptCount: number) {
    this.#conceptCount = conceptCount;
  }

  get isEmpty(): boolean {
    return this.#ends.length === 0;
  }

  get isFull(): boolean {
    return this.#text.length >= TEXT_BYTES || this.#lists.length >= LISTS_BYTES;
  }

  add(word: Word): void {
    const { text } = word;
    const line = this.#text.claim(text.length + 1);
    line.set(text);
    line[text.length] = LINE_FEED;
    this.#addList(word);
    this.#ends.push(this.#lists.length);
  }

  /** In the shorter form. */
  #addList({ ids, bits }: Word): void {
    const most = Math.ceil(this.#conceptCount / 8);
    const length = bits === undefined ? lengthOf(ids) : most;
    const list = this.#lists.claim(Math.min(length, most));
    if (length < most) return writeDistances(list, ids);
    list.fill(0);
    if (bits !== undefined) list.set(bits);
    for (const id of ids) setBit(list, id);
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
