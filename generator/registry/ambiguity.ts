/**
 * Finds the expressions that several concepts have. One that several have at strength 1 is
 * ambiguous: this is legal, and the resolver abstains (O-04).
 */
import { EXACT_STRENGTH } from "../../runtime/contract/concept.ts";
import { groupBy } from "../../runtime/text/group-by.ts";
import { type Finding, noticeAt } from "../text/finding.ts";
import { compareCodePoints } from "../text/order.ts";
import { quote } from "../text/printable.ts";
import type { Concepts } from "./concepts.ts";
import type { Kind } from "./stored-concept.ts";
import { CODE_KIND, type Keys, keysOf } from "./keys.ts";

export interface AmbiguousKey {
  /** The NFC form that is compared. */
  readonly key: string;
  /** In the order of the concepts. */
  readonly meanings: readonly Meaning[];
}

interface Meaning {
  readonly code: string;
  /** Each tag once, in the order of the expressions. */
  readonly tags: readonly string[];
}

/** A key that several concepts have, at any strength. */
export interface SharedKey {
  readonly key: string;
  /** In the order of the concepts; a concept that has the key twice is listed twice. */
  readonly holders: readonly Holder[];
}

interface Holder {
  /** The number of the concept in code order. */
  readonly id: number;
  readonly kind: Kind;
}

export interface Shared {
  /** In the order of the keys. */
  readonly byKey: ReadonlyMap<string, SharedKey>;
  /** All concepts that share a key. */
  readonly ids: ReadonlySet<number>;
}

/** Of a million keys, only the few that several concepts share. */
export function sharedKeys(concepts: Concepts, keys: Keys): Shared {
  const found: SharedKey[] = [];
  const ids = new Set<number>();
  for (const page of keys.pages()) {
    if (!page.mayShare()) continue;
    const { postings } = page;
    const { numbers, ends } = page.inOrder();
    for (const [i, end] of ends.entries()) {
      const entry = numbers.subarray(ends[i - 1] ?? 0, end);
      const [first = 0] = entry;
      const id = postings.concept(first);
      if (entry.every((n) => postings.concept(n) === id) || postings.kind(first) === CODE_KIND) continue;
      const holders = Array.from(entry, (n) => ({ id: postings.concept(n), kind: kindOf(concepts, postings.kind(n)) }));
      for (const holder of holders) ids.add(holder.id);
      found.push({ key: decoder.decode(postings.key(first)), holders });
    }
  }
  found.sort((a, b) => compareCodePoints(a.key, b.key));
  return { byKey: new Map(found.map((shared) => [shared.key, shared])), ids };
}

/** Whether several concepts have the key at strength 1. */
export function isAmbiguous(shared: SharedKey): boolean {
  return new Set(exactHolders(shared).map(({ id }) => id)).size > 1;
}

function exactHolders({ holders }: SharedKey): readonly Holder[] {
  return holders.filter(({ kind }) => kind.strength === EXACT_STRENGTH);
}

/** The concept that has a label, and the tag it has it under. */
export interface Label {
  readonly code: string;
  readonly tag: string;
}

/** For equal labels: each concept once, in the order of the labels. */
export function meaningsOf(labels: readonly Label[]): Meaning[] {
  return Array.from(
    groupBy(labels, ({ code }) => code),
    ([code, own]) => ({ code, tags: [...new Set(own.map(({ tag }) => tag))] }),
  );
}

/** In the order of the keys; `codes` has the codes of the concepts that share one, by number. */
export function* ambiguousKeys({ byKey }: Shared, codes: ReadonlyMap<number, string>): Generator<AmbiguousKey, void> {
  for (const shared of byKey.values()) {
    if (!isAmbiguous(shared)) continue;
    const labels = exactHolders(shared).map(({ id, kind: { tag } }) => ({ code: codes.get(id) ?? "", tag }));
    yield { key: shared.key, meanings: meaningsOf(labels) };
  }
}

/**
 * Notices of expressions that several concepts have, all at one place; none if the registry breaks
 * a rule.
 */
export function checkAmbiguity({
  registry,
}: {
  readonly registry: { readonly concepts: Concepts } | undefined;
}): Finding[] {
  const keys = registry === undefined ? [] : ambiguousIn(registry.concepts);
  return Array.from(keys, ({ key, meanings }) => {
    const listed = meanings.map(({ code, tags }) => `${code} (${tags.join(", ")})`).join(", ");
    return noticeAt({ file: "concepts" }, "", {
      rule: "ambiguous-expression",
      text: `${quote(key)} means ${listed}`,
      remedy: "Nothing needs to be done: the resolver abstains if several concepts remain",
    });
  }).sort((a, b) => compareCodePoints(a.text, b.text));
}

/**
 * The tags under which several concepts have the key: naming the language does not tell them apart.
 */
export function ambiguousTags({ meanings }: AmbiguousKey): string[] {
  const holders = new Map<string, number>();
  for (const tag of meanings.flatMap(({ tags }) => tags)) holders.set(tag, (holders.get(tag) ?? 0) + 1);
  return [...holders].filter(([, count]) => count > 1).map(([tag]) => tag);
}

function ambiguousIn(concepts: Concepts): Iterable<AmbiguousKey> {
  const shared = sharedKeys(concepts, keysOf(concepts));
  return ambiguousKeys(shared, codesOf(concepts, shared.ids));
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
  if (kind === undefined) throw new Error("A posting has an unknown kind");
  return kind;
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
