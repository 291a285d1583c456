/**
 * The section `words` against the concepts: each word leads to exactly the concepts that have it, and nothing else is in
 * there. Lists are followed while the concepts are read, so that they are never expanded.
 */
import { compareBytes, hashKey } from "../../../runtime/registry/index-format.ts";
import type { RegistryIndex } from "../../../runtime/registry/index.ts";
import { viewOf } from "../../../runtime/text/bytes.ts";
import { searchWords } from "../../../runtime/text/search-text.ts";

/** What of a list was not yet seen: bits that are left, or distances from the last concept. */
interface Rest {
  readonly isBits: boolean;
  bytes: Uint8Array;
  last: number;
}

export class WordAudit {
  readonly #rests = new Map<string, Rest>();
  /** Where blocks begin; what `meta` must say. */
  readonly starts: number[] = [];
  #isSound = true;

  constructor({ source, sections, conceptCount }: RegistryIndex) {
    // A copy, because bits are cleared.
    const section = Uint8Array.from(source.read(sections.words.offset, sections.words.length));
    const bitsLength = Math.ceil(conceptCount / 8);
    let before: Uint8Array | undefined;
    for (let at = 0; at < section.length && this.#isSound;) {
      this.starts.push(at);
      const block = readBlock(section.subarray(at));
      for (const { word, list } of block.words) {
        if (before !== undefined && compareWords(before, word) >= 0) this.#isSound = false;
        this.#rests.set(decoder.decode(word), { isBits: list.length === bitsLength, bytes: list, last: -1 });
        before = word;
      }
      at += block.length;
      this.#isSound &&= block.words.length > 0 && at <= section.length;
    }
  }

  concept(id: number, name: string, definition: string): void {
    for (const word of searchWords(name, definition)) {
      const rest = this.#rests.get(word);
      if (rest === undefined || !take(rest, id)) this.#isSound = false;
    }
  }

  /** After the last concept. */
  isSound(): boolean {
    return this.#isSound && [...this.#rests.values()].every(isTaken);
  }
}

/** The words of a block and how long it is; hostile lengths end at the bytes there are. */
function readBlock(bytes: Uint8Array): { words: { word: Uint8Array; list: Uint8Array }[]; length: number } {
  const view = viewOf(bytes);
  const [size, count] = [view.getUint32(0, true), view.getUint32(4, true)];
  const lists = 8 + size + 4 * count;
  const words = [];
  let [start, from] = [8, 0];
  for (let i = 0; i < count; i++) {
    const end = bytes.indexOf(LF, start);
    const to = view.getUint32(8 + size + 4 * i, true);
    words.push({ word: bytes.subarray(start, end), list: bytes.subarray(lists + from, lists + to) });
    start = end + 1;
    from = to;
  }
  return { words: start === 8 + size ? words : [], length: lists + from };
}

function compareWords(a: Uint8Array, b: Uint8Array): number {
  return hashOf(a) - hashOf(b) || compareBytes(a, b);
}

function hashOf(word: Uint8Array): number {
  return hashKey(word, 0, { page: 0, fingerprint: 0 }).page;
}

function isTaken({ isBits, bytes, last }: Rest): boolean {
  return last >= 0 && (isBits ? bytes.every((byte) => byte === 0) : bytes.length === 0);
}

/** Whether a list goes on with this concept. */
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
const decoder = new TextDecoder();
