/**
 * The section `words` of the index: every word of names and definitions, with the concepts that have it. Words are
 * gathered by ranges of their hash, so that memory holds a bounded number of them however many there are; the ranges do not
 * show in the bytes.
 */
import { idsIn, setBit } from "../../runtime/registry/filter.ts";
import { hashKey } from "../../runtime/registry/index-format.ts";
import { viewOf } from "../../runtime/text/bytes.ts";
import { searchWords } from "../../runtime/text/search-text.ts";
import { compareCodePoints } from "../text/order.ts";

/** What names and definitions are taken from, in the order of concept ids. It is read once for each range. */
export interface Described {
  readonly count: number;
  readonly concepts: () => Iterable<{ readonly name: string; readonly definition: string }>;
}

/** A block ends behind the word that makes its text or its lists this long. */
const TEXT_BYTES = 32 * 1024;
const LISTS_BYTES = 128 * 1024;
/** Words that are held at once. */
const WORDS_HELD = 1_000_000;
const HASHES = 2 ** 32;

/** Makes the section; returns where its blocks begin. */
export function* wordBlocks(described: Described, wordsHeld = WORDS_HELD): Generator<Uint8Array, number[]> {
  const starts: number[] = [];
  let at = 0;
  let block = new WordBlock();
  const finish = function* (): Generator<Uint8Array, void> {
    starts.push(at);
    const bytes = block.format();
    at += bytes.length;
    yield bytes;
    block = new WordBlock();
  };
  for (let from = 0; from < HASHES;) {
    const range = gatherWords(described, from, wordsHeld);
    for (const { text, ids } of range.words) {
      block.add(text, ids.format());
      if (block.isFull) yield* finish();
    }
    from = range.end;
  }
  if (!block.isEmpty) yield* finish();
  return starts;
}

interface Word {
  readonly text: string;
  readonly hash: number;
  readonly ids: Ids;
}

/** The words whose hash is at least `from`, up to the end that leaves no more than `most` of them; in order. */
function gatherWords({ count, concepts }: Described, from: number, most: number): { words: Word[]; end: number } {
  const held = new Map<string, Word>();
  let end = HASHES;
  let id = 0;
  for (const { name, definition } of concepts()) {
    for (const text of searchWords(name, definition)) {
      let word = held.get(text);
      if (word === undefined) {
        const hash = hashOf(text);
        if (hash < from || hash >= end) continue;
        word = { text, hash, ids: new Ids(count) };
        held.set(text, word);
      }
      word.ids.add(id);
    }
    id++;
    while (held.size > most && end - from > 1) {
      end = from + Math.ceil((end - from) / 2);
      for (const [text, { hash }] of held) if (hash >= end) held.delete(text);
    }
  }
  const words = [...held.values()].sort((a, b) => a.hash - b.hash || compareCodePoints(a.text, b.text));
  return { words, end };
}

function hashOf(word: string): number {
  return hashKey(encoder.encode(word), 0, { page: 0, fingerprint: 0 }).page;
}

/** The concepts of a word, added in ascending order, be it repeatedly: as numbers while they are few, then as bits. */
class Ids {
  readonly #conceptCount: number;
  #few: number[] = [];
  #last = -1;
  #bits: Uint8Array | undefined;

  constructor(conceptCount: number) {
    this.#conceptCount = conceptCount;
  }

  add(id: number): void {
    if (id === this.#last) return;
    this.#last = id;
    if (this.#bits !== undefined) setBit(this.#bits, id);
    else if (this.#few.push(id) * NUMBER_BITS > this.#conceptCount) {
      this.#bits = this.#toBits();
      this.#few = [];
    }
  }

  /** The list as it is stored. */
  format(): Uint8Array {
    const distances: number[] = [];
    let last = -1;
    for (const id of this.#bits === undefined ? this.#few : idsIn(this.#bits, 0)) {
      let rest = id - last;
      for (; rest > 127; rest = Math.floor(rest / 128)) distances.push((rest % 128) + 128);
      distances.push(rest);
      last = id;
    }
    const isShorter = distances.length < Math.ceil(this.#conceptCount / 8);
    return isShorter ? Uint8Array.from(distances) : (this.#bits ?? this.#toBits());
  }

  #toBits(): Uint8Array {
    const bits = new Uint8Array(Math.ceil(this.#conceptCount / 8));
    for (const id of this.#few) setBit(bits, id);
    return bits;
  }
}

/** What a number in an array takes; more of them than this are shorter as bits. */
const NUMBER_BITS = 64;

/** A block in the making (layout: index-format.ts). */
class WordBlock {
  readonly #text: Uint8Array[] = [];
  readonly #lists: Uint8Array[] = [];
  #textBytes = 0;
  #listsBytes = 0;

  get isEmpty(): boolean {
    return this.#text.length === 0;
  }

  get isFull(): boolean {
    return this.#textBytes >= TEXT_BYTES || this.#listsBytes >= LISTS_BYTES;
  }

  add(text: string, list: Uint8Array): void {
    const bytes = encoder.encode(`${text}\n`);
    this.#text.push(bytes);
    this.#textBytes += bytes.length;
    this.#lists.push(list);
    this.#listsBytes += list.length;
  }

  format(): Uint8Array {
    const head = new Uint8Array(8);
    viewOf(head).setUint32(0, this.#textBytes, true);
    viewOf(head).setUint32(4, this.#text.length, true);
    const ends = new Uint8Array(4 * this.#lists.length);
    let end = 0;
    this.#lists.forEach((list, i) => viewOf(ends).setUint32(4 * i, (end += list.length), true));
    return Buffer.concat([head, ...this.#text, ends, ...this.#lists]);
  }
}

const encoder = new TextEncoder();
