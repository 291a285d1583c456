/**
 * Finds the expressions that several concepts have. One that several have at strength 1 is
 * ambiguous: this is legal, and the resolver abstains (O-04). Findings and documents both use this
 * module. There may be very many, so they are produced one at a time.
 */
import { EXACT_STRENGTH } from "../../runtime/contract/concept.ts";
import { groupBy } from "../../runtime/text/group-by.ts";
import { SortedRecords } from "../scratch/sorted-records.ts";
import { type Finding, noticeAt } from "../text/finding.ts";
import { compareCodePoints } from "../text/order.ts";
import { quote } from "../text/printable.ts";
import type { Concepts } from "./concepts.ts";
import type { Kind } from "./stored-concept.ts";
import { CODE_KIND, keysOf } from "./keys.ts";

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
  readonly holders: readonly { readonly code: string; readonly kind: Kind }[];
}

/** In the order of the keys. The result is cached for each registry. */
export function sharedKeys(concepts: Concepts): Iterable<SharedKey> {
  const known = found.get(concepts);
  if (known !== undefined) return known;
  const { keys, ids } = collectShared(concepts);
  const codes = codesOf(concepts, ids);
  const shared: Iterable<SharedKey> = {
    *[Symbol.iterator]() {
      for (const { key, head } of keys) {
        const holders = JSON.parse(decoder.decode(head)) as Holder[];
        const named = holders.map(({ id, kindId }) => ({ code: codes.get(id) ?? "", kind: kindOf(concepts, kindId) }));
        yield { key, holders: named };
      }
    },
  };
  found.set(concepts, shared);
  return shared;
}

const found = new WeakMap<Concepts, Iterable<SharedKey>>();

/** Whether several concepts have the key at strength 1. */
export function isAmbiguous(shared: SharedKey): boolean {
  return new Set(exactHolders(shared).map(({ code }) => code)).size > 1;
}

function exactHolders({ holders }: SharedKey): Label[] {
  return holders.flatMap(({ code, kind: { strength, tag } }) => (strength === EXACT_STRENGTH ? { code, tag } : []));
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

export function countAmbiguous(concepts: Concepts): number {
  let count = 0;
  for (const shared of sharedKeys(concepts)) if (isAmbiguous(shared)) count++;
  return count;
}

/** In the order of the keys. */
export function* ambiguousKeys(concepts: Concepts): Generator<AmbiguousKey, void> {
  for (const shared of sharedKeys(concepts))
    if (isAmbiguous(shared)) yield { key: shared.key, meanings: meaningsOf(exactHolders(shared)) };
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
  const keys = registry === undefined ? [] : ambiguousKeys(registry.concepts);
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

/** Of a million keys, only the few shared ones get a record: its concepts and kinds, by number. */
interface Collected {
  readonly keys: SortedRecords;
  /** All concepts that share a key. */
  readonly ids: ReadonlySet<number>;
}

function collectShared(concepts: Concepts): Collected {
  const keys = new SortedRecords(concepts.budget);
  const ids = new Set<number>();
  for (const page of keysOf(concepts).pages()) {
    if (!page.mayShare()) continue;
    const { postings } = page;
    const { numbers, ends } = page.inOrder();
    for (const [i, end] of ends.entries()) {
      const entry = numbers.subarray(ends[i - 1] ?? 0, end);
      const [first = 0] = entry;
      const id = postings.concept(first);
      if (entry.every((n) => postings.concept(n) === id) || postings.kind(first) === CODE_KIND) continue;
      const holders = Array.from(entry, (n): Holder => ({ id: postings.concept(n), kindId: postings.kind(n) }));
      for (const holder of holders) ids.add(holder.id);
      keys.addText(decoder.decode(postings.key(first)), JSON.stringify(holders));
    }
  }
  return { keys, ids };
}

interface Holder {
  readonly id: number;
  readonly kindId: number;
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
