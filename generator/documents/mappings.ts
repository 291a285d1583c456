/**
 * `/registry/mappings.ndjson`: which code has an external identifier. A key is what a source calls a published concept, an
 * exact match of it, or a notation; nothing that is only close. One JSON value a line in order of key, each with all who
 * claim it: where these are two concepts, the identifier is ambiguous. A registry without identifiers has no such document.
 */
import type { Claim, Mapping } from "../../runtime/contract/mapping.ts";
import type { Concept } from "../registry/checked.ts";
import { compareCodePoints } from "../text/order.ts";

/** A release holds its documents in memory, so a registry with more than this has none of these. */
const MAPPINGS_MAX_LENGTH = 32 * 2 ** 20;

/** Undefined where there is nothing to list, or too much. */
export function printMappings(concepts: Iterable<Concept>): string | undefined {
  const claims = new Map<string, Claim[]>();
  let length = 0;
  for (const concept of concepts) {
    for (const [key, by] of identifiersOf(concept)) {
      const known = claims.get(key);
      const claim: Claim = { code: concept.code, by };
      if (known === undefined) claims.set(key, [claim]);
      else known.push(claim);
      length += key.length + concept.code.length + 40;
      if (length > MAPPINGS_MAX_LENGTH) return undefined;
    }
  }
  if (claims.size === 0) return undefined;
  return [...claims]
    .sort(([a], [b]) => compareCodePoints(a, b))
    .map(([key, all]): Mapping => ({ key, claims: all.sort(byCode) }))
    .map((mapping) => `${JSON.stringify(mapping)}\n`)
    .join("");
}

function byCode(a: Claim, b: Claim): number {
  return compareCodePoints(a.code, b.code) || compareCodePoints(a.by, b.by);
}

/** Each once. */
function* identifiersOf({ provenance, notations = [] }: Concept): Generator<[key: string, by: Claim["by"]], void> {
  const sourceId = provenance?.sourceId ?? null;
  if (sourceId !== null) yield [sourceId, "sourceId"];
  for (const iri of new Set(provenance?.exactMatch)) yield [iri, "exactMatch"];
  for (const notation of new Set(notations)) yield [notation, "notation"];
}
