/**
 * Chooses expressions of this registry to show in documents: for each language and domain, the
 * first that only one concept has, and the first that several concepts have.
 */
import { EXACT_STRENGTH } from "../../runtime/contract/concept.ts";
import { CANDIDATES_MAX, LANGUAGE_MAX_LENGTH } from "../../runtime/contract/limits.ts";
import { isAmbiguous, type Shared } from "../registry/ambiguity.ts";
import type { Concept } from "../registry/concept.ts";
import type { Concepts } from "../registry/concepts.ts";
import { keyOfEntry } from "../registry/stored-concept.ts";
import type { Passing } from "./passing.ts";

/** The most that is shown, in UTF-16 units and concepts. */
interface Bounds {
  readonly expression: number;
  /** Applies to a concept's name, definition and domain, each. */
  readonly text: number;
  readonly concepts: number;
  /** An expression must match this. */
  readonly form?: RegExp;
  /** None of a concept's texts may match this. */
  readonly without?: RegExp;
}

export const CHOICES = {
  any: { expression: Infinity, text: Infinity, concepts: Infinity },
  /**
   * People read fixtures, a client reads an answer only up to a limit, and an expression must leave
   * room for an added character.
   */
  readable: { expression: 200, text: 2000, concepts: CANDIDATES_MAX },
  /**
   * Expressions that need no escaping in a shell command, a table or JSON text; in the texts of a
   * concept, `://` and `](` would be links of the document.
   */
  plain: {
    expression: 60,
    text: 400,
    concepts: 1,
    form: /^[\p{L}\p{N}][\p{L}\p{M}\p{N} -]*$/u,
    without: /:\/\/|\]\(/,
  },
} as const satisfies Readonly<Record<string, Bounds>>;

export type ChoiceName = keyof typeof CHOICES;

/** An expression, and where it was found first. */
export interface First {
  readonly expression: string;
  readonly tag: string;
  readonly language: string;
  readonly domain: string;
}

/** In registry order. */
export interface Firsts {
  readonly unique: readonly First[];
  readonly ambiguous: readonly First[];
}

/** An ambiguous expression; it is shown unless some concept that has it is too long. */
interface Candidate {
  readonly place: string;
  readonly key: string;
  readonly first: First;
}

export class FirstsOf {
  readonly #shared: Shared;
  readonly #bounds: Bounds;
  /** The number of languages times that of domains. */
  readonly #places: number;
  readonly #unique = new Map<string, First>();
  readonly #candidates: Candidate[] = [];
  /** Shared keys of a concept whose texts are too long. */
  readonly #tooLong = new Set<string>();

  constructor({ kinds, domains }: Concepts, shared: Shared, bounds: Bounds) {
    this.#shared = shared;
    this.#bounds = bounds;
    this.#places = new Set(kinds.values.map(({ language }) => language)).size * domains.values.length;
  }

  take({ concept, id, entries }: Passing): void {
    const isShared = this.#shared.ids.has(id);
    if (this.#unique.size === this.#places && !isShared) return;
    if (isShared && !this.#isWithin(concept))
      for (const key of entries.map(keyOfEntry)) if (this.#shared.byKey.has(key)) this.#tooLong.add(key);
    for (const [i, entry] of entries.entries()) {
      const { language, tag, strength } = entry.kind;
      // A longer tag is legal in a registry, but a request cannot have it.
      if (tag.length > LANGUAGE_MAX_LENGTH || strength !== EXACT_STRENGTH) continue;
      const place = `${language} ${concept.domain}`;
      if (this.#unique.has(place) && !isShared) continue;
      const key = keyOfEntry(entry);
      const kind = this.#kindOf(key, concept);
      if (kind === undefined || (kind === "unique" && this.#unique.has(place))) continue;
      const first = { expression: concept.expressions[i]?.expression ?? "", tag, language, domain: concept.domain };
      if (kind === "unique") this.#unique.set(place, first);
      else this.#candidates.push({ place, key, first });
    }
  }

  found(): Firsts {
    const ambiguous = new Map<string, First>();
    for (const { place, key, first } of this.#candidates)
      if (!ambiguous.has(place) && !this.#tooLong.has(key)) ambiguous.set(place, first);
    return { unique: [...this.#unique.values()], ambiguous: [...ambiguous.values()] };
  }

  /** The kind of example that a key of the concept can be, if any. */
  #kindOf(key: string, concept: Concept): keyof Firsts | undefined {
    const { expression, form, concepts } = this.#bounds;
    if (key.length > expression || form?.test(key) === false) return undefined;
    const shared = this.#shared.byKey.get(key);
    if (shared === undefined) return this.#isWithin(concept) ? "unique" : undefined;
    const holders = new Set(shared.holders.map(({ id }) => id)).size;
    return isAmbiguous(shared) && holders <= concepts ? "ambiguous" : undefined;
  }

  #isWithin({ name, definition, domain }: Concept): boolean {
    const { text, without } = this.#bounds;
    return [name, definition, domain].every((said) => said.length <= text && without?.test(said) !== true);
  }
}
