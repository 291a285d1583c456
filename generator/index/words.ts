/**
 * The section `words` of the index: every word of names and definitions, and every gram of a word,
 * with the concepts that have it. They are collected in windows of concepts; each window's terms
 * are then partitioned by hash. Only one window or one part at a time is in memory, and the bytes
 * do not depend on their sizes.
 */
import { gramBlockCount, pageOf, WORDS_TEXT_BYTES } from "../../runtime/registry/index-format.ts";
import { addDistances, setBit } from "../../runtime/registry/word-blocks.ts";
import { viewOf } from "../../runtime/text/bytes.ts";
import { searchWords } from "../../runtime/text/search-text.ts";
import type { MemoryBudget } from "../effects/effects.ts";
import { Growing } from "../scratch/growing.ts";
import { PartitionedTerms, type Piece, sizeOf, type Term, writeDistance } from "./partitioned-terms.ts";
import { TermWindow } from "./term-window.ts";

/** The names and definitions, in the order of concept ids. */
export interface Described extends Iterable<{ readonly name: string; readonly definition: string }> {
  readonly length: number;
  readonly budget: MemoryBudget;
}

/** The offsets of blocks in the section. */
export interface BlockStarts {
  readonly words: readonly number[];
  readonly grams: readonly number[];
}

/** A block of words also ends after the word that makes its lists this long. */
const LISTS_BYTES = 1 << 20;

/** Makes the section; returns the offsets of its blocks. */
export function* wordBlocks(described: Described): Generator<Uint8Array, BlockStarts> {
  const { words, grams } = partition(described);
  const starts = { words: [] as number[], grams: [] as number[] };
  const block = new Block(described.length);
  let at = 0;
  const finish = function* (kind: keyof BlockStarts): Generator<Uint8Array, void> {
    starts[kind].push(at);
    const bytes = block.take();
    at += bytes.length;
    yield bytes;
  };
  for (const word of words.terms()) {
    block.add(word);
    if (block.textLength >= WORDS_TEXT_BYTES || block.listsLength >= LISTS_BYTES) yield* finish("words");
  }
  if (block.textLength > 0) yield* finish("words");
  const count = gramBlockCount(described.length);
  for (const gram of grams.terms()) {
    while (starts.grams.length < pageOf(gram.hash, count)) yield* finish("grams");
    block.add(gram);
  }
  while (starts.grams.length < count) yield* finish("grams");
  return starts;
}

function partition(described: Described): Record<keyof BlockStarts, PartitionedTerms> {
  const { budget, length } = described;
  const partitioned = { words: new PartitionedTerms(budget, length), grams: new PartitionedTerms(budget, length) };
  const window = new TermWindow(budget);
  const deliver = (): void => {
    for (const [word, concepts] of window.words.take()) partitioned.words.add(word, concepts);
    for (const [gram, concepts] of window.grams.take()) partitioned.grams.add(gram, concepts);
    window.clear();
  };
  let concept = 0;
  for (const { name, definition } of described) {
    for (const word of searchWords(name, definition)) window.add(word, concept);
    if (window.isFull) deliver();
    concept++;
  }
  deliver();
  return partitioned;
}

/** The block being made (layout: index-format.ts); `take` returns it and starts the next. */
class Block {
  readonly #text = new Growing();
  readonly #lists = new Growing();
  readonly #lines: Line[] = [];
  readonly #bitsLength: number;

  constructor(conceptCount: number) {
    this.#bitsLength = Math.ceil(conceptCount / 8);
  }

  get textLength(): number {
    return this.#text.length;
  }

  get listsLength(): number {
    return this.#lists.length;
  }

  add({ text, pieces }: Term): void {
    const [textStart, listStart] = [this.#text.length, this.#lists.length];
    const line = this.#text.claim(text.length + 1);
    line.set(text);
    line[text.length] = LINE_FEED;
    this.#addList(pieces);
    this.#lines.push({ textStart, textEnd: this.#text.length, listStart, listEnd: this.#lists.length });
  }

  /** Adds the list in its shorter form. */
  #addList(pieces: readonly Piece[]): void {
    // Each counted from the last concept of the piece before.
    const gaps = pieces.map(({ first }, i) => first - (pieces[i - 1]?.last ?? -1));
    const length = pieces.reduce((sum, { distances }, i) => sum + sizeOf(gaps[i] ?? 0) + distances.length, 0);
    const list = this.#lists.claim(Math.min(length, this.#bitsLength));
    if (length < this.#bitsLength) {
      let at = 0;
      for (const [i, { distances }] of pieces.entries()) {
        at = writeDistance(list, at, gaps[i] ?? 0);
        list.set(distances, at);
        at += distances.length;
      }
    } else {
      list.fill(0);
      for (const { first, distances } of pieces) {
        setBit(list, first);
        addDistances(list, distances, first);
      }
    }
  }

  /**
   * Long lists come first. Most words have short lists, which are then close together, so that one
   * read brings many.
   */
  take(): Uint8Array {
    const lines = this.#lines.toSorted((a, b) => b.listEnd - b.listStart - (a.listEnd - a.listStart));
    const endsAt = 8 + this.#text.length;
    const listsAt = endsAt + 8 * lines.length;
    const bytes = new Uint8Array(listsAt + this.#lists.length);
    const view = viewOf(bytes);
    view.setUint32(0, this.#text.length, true);
    view.setUint32(4, lines.length, true);
    let [text, lists] = [0, 0];
    for (const [i, { textStart, textEnd, listStart, listEnd }] of lines.entries()) {
      bytes.set(this.#text.bytes(textStart, textEnd), 8 + text);
      bytes.set(this.#lists.bytes(listStart, listEnd), listsAt + lists);
      text += textEnd - textStart;
      lists += listEnd - listStart;
      view.setUint32(endsAt + 8 * i, text, true);
      view.setUint32(endsAt + 8 * i + 4, lists, true);
    }
    this.#text.clear();
    this.#lists.clear();
    this.#lines.length = 0;
    return bytes;
  }
}

/** The places of a word and its list. */
interface Line {
  readonly textStart: number;
  readonly textEnd: number;
  readonly listStart: number;
  readonly listEnd: number;
}

const LINE_FEED = 0x0a;
