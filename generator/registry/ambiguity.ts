/**
 * Expressions that several concepts have. Those of strength 1 are ambiguous: legal, and the resolver abstains (O-04). The
 * one place that finds them, for the findings of a registry and for the documents of it.
 */
import { EXACT_STRENGTH } from "../../runtime/contract/concept.ts";
import { compareCodePoints } from "../text/order.ts";
import type { Concepts, Kind } from "./concepts.ts";
import { CODE_KIND, keysOf } from "./keys.ts";

export interface AmbiguousKey {
  /** The comparison form. */
  readonly key: string;
  /** In the order of the concepts. */
  readonly meanings: readonly Meaning[];
}

interface Meaning {
  readonly code: string;
  /** Each once, in the order of the expressions. */
  readonly tags: readonly string[];
}

/** A key that several concepts have, at any strength. */
export interface SharedKey {
  readonly key: string;
  /** In the order of the concepts; one that has it twice is there twice. */
  readonly holders: readonly { readonly code: string; readonly kind: Kind }[];
}

/** In the order of the keys. The same concepts are looked through once, whoever asks. */
export function findShared(concepts: Concepts): readonly SharedKey[] {
  const known = found.get(concepts);
  if (known !== undefined) return known;
  const shared = collectShared(concepts);
  const codes = codesOf(concepts, new Set(shared.flatMap(({ holders }) => holders.map(({ id }) => id))));
  const named = shared
    .map(({ key, holders }) => ({
      key,
      holders: holders.map(({ id, kindId }) => ({ code: codes.get(id) ?? "", kind: kindOf(concepts, kindId) })),
    }))
    .sort((a, b) => compareCodePoints(a.key, b.key));
  found.set(concepts, named);
  return named;
}

const found = new WeakMap<Concepts, readonly SharedKey[]>();

export function findAmbiguous(concepts: Concepts): AmbiguousKey[] {
  return findShared(concepts).flatMap(({ key, holders }) => {
    const meanings = new Map<string, Set<string>>();
    for (const { code, kind } of holders) {
      if (kind.strength !== EXACT_STRENGTH) continue;
      meanings.set(code, (meanings.get(code) ?? new Set()).add(kind.tag));
    }
    if (meanings.size < 2) return [];
    return [{ key, meanings: Array.from(meanings, ([code, tags]) => ({ code, tags: [...tags] })) }];
  });
}

/** The tags under which several concepts have it, so that naming the language does not part them. */
export function ambiguousTags({ meanings }: AmbiguousKey): string[] {
  const holders = new Map<string, number>();
  for (const tag of meanings.flatMap(({ tags }) => tags)) holders.set(tag, (holders.get(tag) ?? 0) + 1);
  return [...holders].filter(([, count]) => count > 1).map(([tag]) => tag);
}

/** With the concepts by number: of a million keys, only the few that are shared are worth a structure each. */
interface Numbered {
  readonly key: string;
  readonly holders: readonly { readonly id: number; readonly kindId: number }[];
}

function collectShared(concepts: Concepts): Numbered[] {
  const shared: Numbered[] = [];
  for (const page of keysOf(concepts).pages()) {
    if (!page.mayShare()) continue;
    const { postings } = page;
    const { numbers, ends } = page.inOrder();
    for (const [i, end] of ends.entries()) {
      const entry = numbers.subarray(ends[i - 1] ?? 0, end);
      const [first = 0] = entry;
      const id = postings.concept(first);
      if (entry.every((n) => postings.concept(n) === id) || postings.kind(first) === CODE_KIND) continue;
      const key = decoder.decode(postings.key(first));
      shared.push({ key, holders: Array.from(entry, (n) => ({ id: postings.concept(n), kindId: postings.kind(n) })) });
    }
  }
  return shared;
}

function codesOf(concepts: Concepts, ids: ReadonlySet<number>): ReadonlyMap<number, string> {
  const codes = new Map<number, string>();
  if (ids.size === 0) return codes;
  let id = 0;
  for (const { code } of concepts) {
    if (ids.has(id)) codes.set(id, code);
    id++;
  }
  return codes;
}

function kindOf({ kinds }: Concepts, kindId: number): Kind {
  const kind = kinds.values[kindId];
  if (kind === undefined) throw new Error("A posting is of no kind");
  return kind;
}

const decoder = new TextDecoder();
