/**
 * Suggestions for a prefix: a listing for people who choose, never an assignment, and it says so. Concepts are listed by their
 * code, then by an exact expression, then by the beginning of their name in any case, in code order.
 */
import type { RegistryIndex } from "../../runtime/registry/index.ts";
import { pieces } from "../../runtime/registry/byte-source.ts";
import { keyOf } from "../../runtime/text/expression.ts";
import { foldSearchText } from "../../runtime/text/search-text.ts";
import { type Entity, entityAt } from "./entities.ts";

export interface Listing {
  readonly prefix: string;
  readonly skip: number;
  readonly limit: number;
}

/** What every listing says of itself. */
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

/** Lists what has a name in memory: types and properties. */
export function suggestNamed<T extends { readonly id: string; readonly name: string }>(
  named: Iterable<T>,
  { prefix, skip, limit }: Listing,
): readonly T[] {
  const folded = foldSearchText(prefix);
  return [...named]
    .filter(({ id, name }) => [id, name].some((text) => foldSearchText(text).startsWith(folded)))
    .slice(skip, skip + limit);
}

/** Concept ids, some twice; undefined after each piece that was read. */
function* idsOf(index: RegistryIndex, prefix: string): Generator<number | undefined, void> {
  yield index.conceptId(prefix);
  for (const { conceptId } of index.postings(keyOf(prefix))) yield conceptId;
  const wanted = new TextEncoder().encode(foldSearchText(prefix));
  // The text of a concept is two lines, its name and its definition.
  let line = 0;
  let matched = 0;
  for (const piece of pieces(index.source, index.sections.search)) {
    for (const byte of piece) {
      if (line % 2 === 0 && matched === wanted.length) {
        yield line / 2;
        matched = -1;
      }
      if (byte === LINE_FEED) {
        line++;
        matched = 0;
      } else if (matched >= 0) matched = byte === wanted[matched] ? matched + 1 : -1;
    }
    yield undefined;
  }
}

const LINE_FEED = 0x0a;
