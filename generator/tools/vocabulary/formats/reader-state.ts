/**
 * The state that every vocabulary reader keeps: which languages it takes, its faults, and counts of
 * what it left out.
 */
import { chooseLanguages } from "./chosen-languages.ts";
import type { SourceFault } from "./source.ts";

export interface ReadOptions {
  /** Only these languages and narrower ones; none: all. */
  readonly languages?: readonly string[] | undefined;
  /** The language of texts without a tag, if the person gives it. */
  readonly language?: string | undefined;
  /** Called for every concept, or row of a table, with the number so far. */
  readonly progress?: ((done: number) => void) | undefined;
}

export class ReaderState {
  readonly takes: (tag: string) => boolean;
  readonly faults: SourceFault[] = [];
  readonly #leftOut = new Map<string, number>();

  constructor({ languages, language = "" }: ReadOptions) {
    const takes = chooseLanguages(languages);
    this.takes = (tag) => takes(tag === "" ? language : tag);
  }

  /** Whether a text with this tag is taken; if not, it is counted. */
  admits(tag: string, what: string): boolean {
    const isTaken = this.takes(tag);
    if (!isTaken) this.leaveOut(`${what} in other languages`);
    return isTaken;
  }

  /** Counts what is left out on purpose. */
  leaveOut(what: string, count = 1): void {
    if (count > 0) this.#leftOut.set(what, (this.#leftOut.get(what) ?? 0) + count);
  }

  /** In the order of first omission. */
  get leftOut(): Record<string, number> {
    return Object.fromEntries(this.#leftOut);
  }
}
