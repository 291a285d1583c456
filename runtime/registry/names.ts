/**
 * The names of concepts in an order for people. Pages search them, and the concept list shows all
 * of them, those of a domain, or the matches of a filter. A filter finds words in names and
 * definitions of the registry and in the listed names; it does not resolve. The files of names
 * belong to the pages; the API has the same concepts in code order.
 */

/** The registry's own names, or those of a language: its preferred expressions. */
export interface Names {
  /** Null for the registry's own names. */
  readonly language: string | null;
  readonly domains: readonly string[];
  /** First letters of names, each with the position of its first name; `#` for other characters. */
  readonly letters: readonly (readonly [letter: string, first: number])[];
  readonly names: readonly Name[];
}

/** `domain` is a position in `domains`; `id` is the concept's position in code order. */
export type Name = readonly [name: string, code: string, domain: number, id: number];

/** The concepts to list; all of them without a domain, terms and a collection. */
export interface Selection {
  readonly domain: string | undefined;
  /** The terms of the filter, and the ids of the concepts that have them all in the index. */
  readonly terms: readonly string[];
  readonly found: ReadonlySet<number>;
  /** The codes of a collection. */
  readonly members?: readonly string[] | undefined;
}

/** The positions in `names` of the selected concepts. */
export function selectNames({ domains, names }: Names, { domain, terms, found, members }: Selection): number[] {
  const wanted = domain === undefined ? undefined : domains.indexOf(domain);
  const isFound = ([name, , , id]: Name): boolean =>
    terms.length === 0 || found.has(id) || terms.every((term) => name.toLowerCase().includes(term));
  const inside = members && new Set(members);
  const isIn = ([, code, of]: Name): boolean => (wanted === undefined || of === wanted) && inside?.has(code) !== false;
  return names.flatMap((name, place) => (isIn(name) && isFound(name) ? [place] : []));
}

/** The first letters of the names at these places, each with the position of its first place. */
export function lettersOf({ letters }: Names, places: readonly number[]): [letter: string, first: number][] {
  const found: [string, number][] = [];
  let next = 0;
  for (const [i, place] of places.entries()) {
    const before = next;
    while ((letters[next]?.[1] ?? Infinity) <= place) next++;
    if (next > before) found.push([letters[next - 1]?.[0] ?? "", i]);
  }
  return found;
}

/** The number of names in each domain, without empty domains. */
export function countDomains({ domains, names }: Names): { readonly name: string; readonly count: number }[] {
  const counts = domains.map(() => 0);
  for (const [, , domain] of names) counts[domain] = (counts[domain] ?? 0) + 1;
  return domains.flatMap((name, i) => ((counts[i] ?? 0) > 0 ? [{ name, count: counts[i] ?? 0 }] : []));
}
