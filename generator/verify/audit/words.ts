/**
 * Checks the section `words` against the concepts: each word leads to exactly the concepts that
 * have it, each gram to the concepts of the words that have it, and there is nothing else. The
 * lists of words are consumed while the concepts are read, so that they are never expanded.
 */
import { isUtf8 } from "node:buffer";
import { addList } from "../../../runtime/registry/word-blocks.ts";
import { compareBytes, gramBlockCount, pageOf, wordHash } from "../../../runtime/registry/index-format.ts";
import type { RegistryIndex } from "../../../runtime/registry/index.ts";
import { viewOf } from "../../../runtime/text/bytes.ts";
import { gramsOf, searchWords } from "../../../runtime/text/search-text.ts";
import { isAscending } from "../../text/order.ts";

/**
 * The rest of a list that was not seen yet: bits that are left, or distances from the last concept.
 */
interface Rest {
  readonly isBits: boolean;
  bytes: Uint8Array;
  last: number;
}

export class WordAudit {
  readonly #rests = new Map<string, Rest>();
  /** Where blocks begin, as `meta` must say. */
  readonly starts: { readonly words: number[]; readonly grams: number[] } = { words: [], grams: [] };
  #isSound = true;

  constructor({ source, sections, meta, conceptCount }: RegistryIndex) {
    // A copy, because bits are cleared.
    const section = Uint8Array.from(source.read(sections.words.offset, sections.words.length));
    const [words, grams]: [Listed[], Listed[]] = [[], []];
    const blocks = gramBlockCount(conceptCount);
    for (let at = 0; at < section.length && this.#isSound;) {
      const isOfWords = this.starts.words.length < (meta.words?.length ?? 0);
      const block = readBlock(section.subarray(at));
      const number = isOfWords ? 0 : this.starts.grams.length;
      this.#isSound = isOfWords
        ? block.listed.length > 0
        : block.listed.every(({ text }) => pageOf(wordHash(text), blocks) === number);
      this.starts[isOfWords ? "words" : "grams"].push(at);
      this.#isSound &&= isAscending(block.listed, (a, b) => b.list.length - a.list.length || compareTexts(a, b));
      for (const one of block.listed.toSorted(compareTexts)) (isOfWords ? words : grams).push(one);
      at += block.length;
      this.#isSound &&= block.isWhole && at <= section.length;
    }
    this.#isSound &&=
      this.starts.grams.length === blocks && [words, grams].every((listed) => isAscending(listed, compareTexts));
    this.#isSound &&= areGramsOf(words, grams, conceptCount);
    const bitsLength = Math.ceil(conceptCount / 8);
    for (const { text, list } of words)
      this.#rests.set(decoder.decode(text), { isBits: list.length === bitsLength, bytes: list, last: -1 });
  }

  concept(id: number, name: string, definition: string): void {
    for (const word of searchWords(name, definition)) {
      const rest = this.#rests.get(word);
      if (rest === undefined || !take(rest, id)) this.#isSound = false;
    }
  }

  /** Call it after the last concept. */
  isSound(): boolean {
    return this.#isSound && [...this.#rests.values()].every(isTaken);
  }
}

/** A word or a gram, and the list of its concepts. */
interface Listed {
  readonly text: Uint8Array;
  readonly list: Uint8Array;
}

/** The entries of a block and its length; hostile lengths end with the available bytes. */
function readBlock(bytes: Uint8Array): { listed: Listed[]; length: number; isWhole: boolean } {
  const view = viewOf(bytes);
  const [size, count] = [view.getUint32(0, true), view.getUint32(4, true)];
  const ends = 8 + size;
  const lists = ends + 8 * count;
  const listed = [];
  let isWhole = true;
  let [start, from] = [0, 0];
  for (let i = 0; i < count; i++) {
    const [end, to] = [view.getUint32(ends + 8 * i, true), view.getUint32(ends + 8 * i + 4, true)];
    const line = bytes.subarray(8 + start, 8 + end);
    isWhole &&= line.indexOf(LF) === line.length - 1 && isUtf8(line) && to > from;
    listed.push({ text: line.subarray(0, -1), list: bytes.subarray(lists + from, lists + to) });
    [start, from] = [end, to];
  }
  return { listed, length: lists + from, isWhole: isWhole && start === size };
}

/**
 * Whether the grams are exactly those of the words, and the list of each is the union of the lists
 * of its words.
 */
function areGramsOf(words: readonly Listed[], grams: readonly Listed[], conceptCount: number): boolean {
  const holders = new Map(grams.map(({ text }): [string, Uint8Array[]] => [decoder.decode(text), []]));
  for (const { text, list } of words) {
    for (const gram of gramsOf(decoder.decode(text))) {
      const lists = holders.get(gram);
      if (lists === undefined) return false;
      lists.push(list);
    }
  }
  const bits = new Uint8Array(Math.ceil(conceptCount / 8));
  const listsOf = [...holders.values()];
  return grams.every(({ list }, number) => {
    bits.fill(0);
    for (const one of listsOf[number] ?? []) addList(bits, one);
    return compareBytes(list, listOf(bits)) === 0;
  });
}

/** The list in its shorter form. */
function listOf(bits: Uint8Array): Uint8Array {
  const distances: number[] = [];
  let last = -1;
  for (let id = 0; id < bits.length * 8 && distances.length < bits.length; id++) {
    if (((bits[id >>> 3] ?? 0) & (1 << (id & 7))) === 0) continue;
    let rest = id - last;
    for (; rest > 127; rest = Math.floor(rest / 128)) distances.push((rest % 128) + 128);
    distances.push(rest);
    last = id;
  }
  return distances.length < bits.length ? Uint8Array.from(distances) : bits;
}

function compareTexts({ text: a }: Listed, { text: b }: Listed): number {
  return wordHash(a) - wordHash(b) || compareBytes(a, b);
}

function isTaken({ isBits, bytes, last }: Rest): boolean {
  return last >= 0 && (isBits ? bytes.every((byte) => byte === 0) : bytes.length === 0);
}

/** Whether a list continues with this concept, which is then removed from it. */
function take(rest: Rest, id: number): boolean {
  const { isBits, bytes, last } = rest;
  if (id === last) return true;
  rest.last = id;
  if (isBits) {
    const byte = bytes[id >>> 3] ?? 0;
    bytes[id >>> 3] = byte & ~(1 << (id & 7));
    return bytes[id >>> 3] !== byte;
  }
  let expected = id - last;
  let length = 0;
  for (; expected > 127; expected = Math.floor(expected / 128))
    if (bytes[length++] !== (expected % 128) + 128) return false;
  rest.bytes = bytes.subarray(length + 1);
  return bytes[length] === expected;
}

const LF = 0x0a;
/** Different words stay different: a byte order mark is not removed. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
