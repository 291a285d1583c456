/**
 * The names of the concepts in an order for people, which pages search and the concept list shows:
 * those of a domain, those that a filter finds, or all. A filter finds words in names and
 * definitions of the registry, and in the names that are listed. It resolves nothing. The files of
 * names are data of the pages; the API has the same concepts in code order.
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

/** What is to be listed; everything where nothing is said. */
export interface Selection {
  readonly domain: string | undefined;
  /** The terms of the filter, and the ids of the concepts that have them all in the index. */
  readonly terms: readonly string[];
  readonly found: ReadonlySet<number>;
}

/** The places in `names` of what is selected. */
export function selectNames({ domains, names }: Names, { domain, terms, found }: Selection): number[] {
  const wanted = domain === undefined ? undefined : domains.indexOf(domain);
  const isFound = ([name, , , id]: Name): boolean =>
    terms.length === 0 || found.has(id) || terms.every((term) => name.toLowerCase().includes(term));
  return names.flatMap((name, place) => ((wanted === undefined || name[2] === wanted) && isFound(name) ? [place] : []));
}

/** The letters that these places begin with, each with the number of its first one. */
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

/** How many names each domain has; a domain without any is left out. */
export function countDomains({ domains, names }: Names): { readonly name: string; readonly count: number }[] {
  const counts = domains.map(() => 0);
  for (const [, , domain] of names) counts[domain] = (counts[domain] ?? 0) + 1;
  return domains.flatMap((name, i) => ((counts[i] ?? 0) > 0 ? [{ name, count: counts[i] ?? 0 }] : []));
}
