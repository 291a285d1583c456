/**
 * The external identifiers of published concepts, as many as there are: what a source calls a concept, an exact match of
 * it, or a notation; nothing that is only close. Where two concepts claim one, it is ambiguous.
 */
import type { Claim, Mapping } from "../../runtime/contract/mapping.ts";
import type { Room } from "../effects/effects.ts";
import { SortedRecords } from "../effects/sorted-records.ts";
import { compareCodePoints } from "../text/order.ts";
import type { Concept } from "./checked.ts";

export class Identifiers implements Iterable<Mapping> {
  readonly #claims: SortedRecords;

  constructor(room: Room) {
    this.#claims = new SortedRecords(room);
  }

  add(concept: Pick<Concept, "code" | "provenance" | "said">): void {
    for (const [key, by] of identifiersOf(concept))
      this.#claims.add(key, encoder.encode(JSON.stringify({ code: concept.code, by } satisfies Claim)));
  }

  /** In order of key, each with its claims in order of code. */
  *[Symbol.iterator](): Generator<Mapping, void> {
    let mapping: { readonly key: string; readonly claims: Claim[] } | undefined;
    for (const { key, head } of this.#claims) {
      if (mapping !== undefined && mapping.key !== key) yield inOrder(mapping);
      if (mapping?.key !== key) mapping = { key, claims: [] };
      mapping.claims.push(JSON.parse(decoder.decode(head)) as Claim);
    }
    if (mapping !== undefined) yield inOrder(mapping);
  }
}

function inOrder({ key, claims }: Mapping): Mapping {
  return { key, claims: claims.toSorted((a, b) => compareCodePoints(a.code, b.code) || compareCodePoints(a.by, b.by)) };
}

/** Each once. */
function* identifiersOf({
  provenance,
  said,
}: Pick<Concept, "provenance" | "said">): Generator<[key: string, by: Claim["by"]], void> {
  const sourceId = provenance?.sourceId ?? null;
  if (sourceId !== null) yield [sourceId, "sourceId"];
  for (const iri of new Set(provenance?.exactMatch)) yield [iri, "exactMatch"];
  for (const notation of new Set(said?.notations?.map((one) => one.notation))) yield [notation, "notation"];
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
