/**
 * Expressions of strength 1 that several concepts have: legal, and the resolver abstains (O-04). The one place that finds
 * them, for the findings of a registry and for its coverage document.
 */
import { EXACT_STRENGTH } from "../../runtime/contract/concept.ts";
import { keyOf } from "../../runtime/text/expression.ts";
import { compareCodePoints } from "../text/order.ts";
import { tagOf } from "./checked.ts";

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

/** A concept, published or not yet, with the expressions that count. */
export interface Holder {
  readonly code: string;
  readonly expressions: readonly {
    readonly language: string;
    readonly locale?: string | null;
    readonly expression: string;
    readonly equivalenceStrength: number;
  }[];
}

/** In the order of the keys. The same concepts are looked through once, whoever asks. */
export function findAmbiguous(concepts: readonly Holder[]): readonly AmbiguousKey[] {
  const known = found.get(concepts);
  if (known !== undefined) return known;
  const ambiguous = [...collectMeanings(concepts, ambiguousKeys(concepts))]
    .map(([key, meanings]) => ({ key, meanings }))
    .sort((a, b) => compareCodePoints(a.key, b.key));
  found.set(concepts, ambiguous);
  return ambiguous;
}

const found = new WeakMap<readonly Holder[], readonly AmbiguousKey[]>();

/** The tags under which several concepts have it, so that naming the language does not part them. */
export function ambiguousTags({ meanings }: AmbiguousKey): string[] {
  const holders = new Map<string, number>();
  for (const tag of meanings.flatMap(({ tags }) => tags)) holders.set(tag, (holders.get(tag) ?? 0) + 1);
  return [...holders].filter(([, count]) => count > 1).map(([tag]) => tag);
}

/** A pass of its own: of a million keys, only the few ambiguous ones are worth a structure each. */
function ambiguousKeys(concepts: readonly Holder[]): Set<string> {
  const owners = new Map<string, string>();
  const ambiguous = new Set<string>();
  for (const { key, code } of exactEntries(concepts)) {
    const owner = owners.get(key);
    if (owner === undefined) owners.set(key, code);
    else if (owner !== code) ambiguous.add(key);
  }
  return ambiguous;
}

function collectMeanings(concepts: readonly Holder[], keys: ReadonlySet<string>): ReadonlyMap<string, Meaning[]> {
  const collected = new Map<string, { code: string; tags: string[] }[]>();
  for (const { key, code, tag } of exactEntries(concepts)) {
    if (!keys.has(key)) continue;
    const meanings = collected.get(key) ?? [];
    if (meanings.length === 0) collected.set(key, meanings);
    // The expressions of a concept follow each other.
    const last = meanings.at(-1);
    if (last?.code !== code) meanings.push({ code, tags: [tag] });
    else if (!last.tags.includes(tag)) last.tags.push(tag);
  }
  return collected;
}

function* exactEntries(concepts: readonly Holder[]): Generator<{ key: string; code: string; tag: string }, void> {
  for (const { code, expressions } of concepts) {
    for (const entry of expressions) {
      if (entry.equivalenceStrength !== EXACT_STRENGTH) continue;
      yield { key: keyOf(entry.expression), code, tag: tagOf(entry) };
    }
  }
}
