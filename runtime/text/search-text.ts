/**
 * The text that the lexical filter `q` searches, and how a query is split into terms: NFC, lower
 * case, split at white space; every term must occur in the name or the definition (ruling O-13). It
 * is for listing, never for resolving.
 */

/** The comparison form of a text. */
export function foldSearchText(text: string): string {
  return text.normalize("NFC").toLowerCase();
}

/** The terms of a query; an empty query has none and filters nothing. */
export function searchTerms(query: string): string[] {
  return foldSearchText(query)
    .split(/\s+/u)
    .filter((term) => term !== "");
}

/**
 * The searchable text of a concept, in two lines. A term holds no line feed, so it matches one
 * line.
 */
export function formatSearchText(name: string, definition: string): string {
  return `${foldSearchText(name).replaceAll("\n", " ")}\n${foldSearchText(definition).replaceAll("\n", " ")}\n`;
}
