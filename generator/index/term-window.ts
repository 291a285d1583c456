/** Collects the words and grams of some concepts, and which concept has which. */
import type { MemoryBudget } from "../effects/effects.ts";
import { byGroup, membersOf } from "../registry/by-group.ts";

/** The estimated memory of a gram of a concept, including its share of the words, in bytes. */
const GRAM_COST = 64;

interface Word {
  readonly number: number;
  readonly grams: readonly number[];
}

interface Character {
  readonly number: number;
  /** The grams of this character and the one after it. */
  readonly pairs: Map<string, number>;
}

/** The words and grams of a run of concepts. */
export class TermWindow {
  readonly words = new Met();
  readonly grams = new Met();
  readonly #budget: MemoryBudget;
  readonly #words = new Map<string, Word>();
  readonly #characters = new Map<string, Character>();

  constructor(budget: MemoryBudget) {
    this.#budget = budget;
  }

  get isFull(): boolean {
    return this.grams.count * GRAM_COST > this.#budget.memoryBytes;
  }

  /** Call it in the order of concepts. */
  add(text: string, concept: number): void {
    let word = this.#words.get(text);
    if (word === undefined) {
      word = { number: this.words.begin(text), grams: this.#gramsOf(text) };
      this.#words.set(text, word);
    }
    if (!this.words.add(word.number, concept)) return;
    for (const gram of word.grams) this.grams.add(gram, concept);
  }

  clear(): void {
    this.#words.clear();
    this.#characters.clear();
  }

  /**
   * The numbers of the grams that `gramsOf` of search-text.ts gives, found by character: making
   * every gram of every word a string would take most of the time.
   */
  #gramsOf(word: string): number[] {
    const found: number[] = [];
    let before = "";
    let pairs: Map<string, number> | undefined;
    for (const text of word) {
      let character = this.#characters.get(text);
      if (character === undefined) {
        character = { number: this.grams.begin(text), pairs: new Map() };
        this.#characters.set(text, character);
      }
      found.push(character.number);
      if (pairs !== undefined) {
        let pair = pairs.get(text);
        if (pair === undefined) pairs.set(text, (pair = this.grams.begin(before + text)));
        found.push(pair);
      }
      before = text;
      pairs = character.pairs;
    }
    return found;
  }
}

/** Which concept has which term. */
class Met {
  readonly #texts: string[] = [];
  /** For each term, the concept that had it last. */
  readonly #last: number[] = [];
  #terms = new Uint32Array(1 << 10);
  #concepts = new Uint32Array(1 << 10);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Returns the number of the new term. */
  begin(text: string): number {
    this.#texts.push(text);
    return this.#last.push(-1) - 1;
  }

  /** Returns false if the pair is already known. */
  add(term: number, concept: number): boolean {
    if (this.#last[term] === concept) return false;
    this.#last[term] = concept;
    if (this.#count === this.#terms.length) {
      this.#terms = grown(this.#terms);
      this.#concepts = grown(this.#concepts);
    }
    this.#terms[this.#count] = term;
    this.#concepts[this.#count++] = concept;
    return true;
  }

  /**
   * Yields each term with the concepts that have it, in ascending order, and then empties the
   * collection.
   */
  *take(): Generator<[term: string, concepts: Uint32Array], void> {
    const grouped = byGroup(this.#terms.subarray(0, this.#count), this.#texts.length);
    const numbers = grouped.numbers.map((place) => this.#concepts[place] ?? 0);
    for (const [term, text] of this.#texts.entries()) yield [text, membersOf({ ...grouped, numbers }, term)];
    this.#texts.length = 0;
    this.#last.length = 0;
    this.#count = 0;
  }
}

function grown(list: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * list.length);
  larger.set(list);
  return larger;
}
