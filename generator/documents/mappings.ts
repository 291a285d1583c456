/**
 * `/registry/mappings.ndjson`: which code has an external identifier. One JSON value a line in order of key, each with all
 * who claim it: where these are two concepts, the identifier is ambiguous. A registry without identifiers has no such
 * document (O-69).
 */
import type { Mapping } from "../../runtime/contract/mapping.ts";

/** A release holds its documents in memory, so a registry with more than this has none of these. */
const MAPPINGS_MAX_LENGTH = 32 * 2 ** 20;

/** Undefined where there is nothing to list, or too much. */
export function printMappings(identifiers: Iterable<Mapping>): string | undefined {
  const lines: string[] = [];
  let length = 0;
  for (const mapping of identifiers) {
    const line = `${JSON.stringify(mapping)}\n`;
    length += line.length;
    if (length > MAPPINGS_MAX_LENGTH) return undefined;
    lines.push(line);
  }
  return lines.length === 0 ? undefined : lines.join("");
}
