/**
 * Suggestions for a prefix: a listing from which people choose. It is never an assignment, and it
 * says so. Concepts are listed by their code, then by an exact expression, then by the beginning of
 * their name in any case, in code order.
 */
import type { RegistryIndex } from "../../../runtime/registry/index.ts";
import { keyOf } from "../../../runtime/text/expression.ts";
import { type Entity, entityAt } from "./entities.ts";

export interface Listing {
  readonly prefix: string;
  readonly skip: number;
  readonly limit: number;
}

/** What every listing says about itself. */
export const LISTED = { listing: "by prefix", semanticAssignment: false } as const;

/** Lists entities; other requests can run at each `yield`. */
export function* suggestEntities(index: RegistryIndex, listing: Listing): Generator<void, readonly Entity[]> {
  const { prefix, skip, limit } = listing;
  const listed = new Set<number>();
  for (const id of idsOf(index, prefix)) {
    if (id === undefined) yield;
    else listed.add(id);
    if (listed.size >= skip + limit) break;
  }
  return [...listed].slice(skip, skip + limit).map((id) => entityAt(index, id));
}

/** Lists types or properties, whose names are in memory. */
export function suggestNamed<T extends { readonly id: string; readonly name: string }>(
  named: Iterable<T>,
  { prefix, skip, limit }: Listing,
): readonly T[] {
  const folded = fold(prefix);
  return [...named]
    .filter(({ id, name }) => [id, name].some((text) => fold(text).startsWith(folded)))
    .slice(skip, skip + limit);
}

/** Concept ids, some twice; undefined is a pause for other requests. */
function* idsOf(index: RegistryIndex, prefix: string): Generator<number | undefined, void> {
  yield index.conceptId(prefix);
  for (const { conceptId } of index.postings(keyOf(prefix))) yield conceptId;
  const folded = fold(prefix);
  for (let id = 0; id < index.conceptCount; id++) {
    if (fold(entityAt(index, id).name).startsWith(folded)) yield id;
    if (id % AT_ONCE === 0) yield undefined;
  }
}

/** How many names are read before other requests get a turn. */
const AT_ONCE = 500;

function fold(text: string): string {
  return text.normalize("NFC").toLowerCase();
}
