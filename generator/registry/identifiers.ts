/**
 * The external identifiers of published concepts, in any number: a concept's sourceId, its exact
 * matches and its notations; close matches are left out. An identifier that two concepts claim is
 * ambiguous.
 */
import type { Claim, Mapping } from "../contract/mapping.ts";
import type { MemoryBudget } from "../effects/effects.ts";
import { SortedRecords, textsByKey } from "../scratch/sorted-records.ts";
import { compareCodePoints } from "../text/order.ts";
import type { Concept } from "./concept.ts";

export class Identifiers implements Iterable<Mapping> {
  readonly #claims: SortedRecords;

  constructor(budget: MemoryBudget) {
    this.#claims = new SortedRecords(budget);
  }

  add(concept: Pick<Concept, "code" | "provenance" | "said">): void {
    for (const [key, by] of identifiersOf(concept))
      this.#claims.addText(key, JSON.stringify({ code: concept.code, by } satisfies Claim));
  }

  /** In order of key; the claims of each are in order of code. */
  *[Symbol.iterator](): Generator<Mapping, void> {
    for (const { key, texts } of textsByKey(this.#claims))
      yield { key, claims: texts.map((text) => JSON.parse(text) as Claim).sort(compareClaims) };
  }
}

export function compareClaims(a: Claim, b: Claim): number {
  return compareCodePoints(a.code, b.code) || compareCodePoints(a.by, b.by);
}

/** Each identifier once per kind. */
export function* identifiersOf({
  provenance,
  said,
}: Pick<Concept, "provenance" | "said">): Generator<[key: string, by: Claim["by"]], void> {
  const sourceId = provenance?.sourceId ?? null;
  if (sourceId !== null) yield [sourceId, "sourceId"];
  for (const iri of new Set(provenance?.exactMatch)) yield [iri, "exactMatch"];
  for (const notation of new Set(said?.notations?.map((one) => one.notation))) yield [notation, "notation"];
}
