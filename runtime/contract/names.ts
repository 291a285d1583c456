/**
 * The names of the concepts in an order for people: what the concept list is printed from, and what
 * pages search. These files are data of the pages; the API has the same concepts in code order.
 */

/** The registry's own names, or those of a language: the preferred expressions that have it. */
export interface Names {
  /** Null for the registry's own names. */
  readonly language: string | null;
  readonly domains: readonly string[];
  /** The letters that names begin with, each with the number of its first name; `#` for other signs. */
  readonly letters: readonly (readonly [letter: string, first: number])[];
  readonly names: readonly Name[];
}

/** `domain` is a number in `domains`, `id` the number of the concept in code order. */
export type Name = readonly [name: string, code: string, domain: number, id: number];
