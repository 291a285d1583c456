/**
 * `/registry/mappings.ndjson`: which code has an external identifier. One JSON value a line in order of key, each with all
 * who claim it: where these are two concepts, the identifier is ambiguous. A registry without identifiers has no such
 * document (O-69).
 */
import type { Mapping } from "../contract/mapping.ts";

/** A release holds its documents in memory, so a registry with more than this has none of these. */
const MAPPINGS_MAX_LENGTH = 32 * 2 ** 20;

/** Undefined where there is nothing to list, or too much. */
export function printMappings(identifiers: Iterable<Mapping>): string | undefined {
  let length = 0;
  for (const mapping of identifiers) {
    length += lineOf(mapping).length;
    if (length > MAPPINGS_MAX_LENGTH) return undefined;
  }
  return length === 0 ? undefined : Array.from(identifiers, lineOf).join("");
}

function lineOf(mapping: Mapping): string {
  return `${JSON.stringify(mapping)}\n`;
}
