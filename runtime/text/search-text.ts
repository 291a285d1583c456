/**
 * The text that the lexical filter `q` searches, and how a query is cut into terms: NFC, lower case, split at white
 * space; every term must occur in the name or the definition (ruling O-13). It lists; it never resolves.
 */

/** The comparison form of a text. */
export function foldSearchText(text: string): string {
  return text.normalize("NFC").toLowerCase();
}

/** The terms of a query; none for an empty one, which filters nothing. */
export function searchTerms(query: string): string[] {
  return foldSearchText(query)
    .split(/\s+/u)
    .filter((term) => term !== "");
}

/** The searchable line pair of a concept. A term holds no line feed, so no match spans two fields. */
export function formatSearchText(name: string, definition: string): string {
  return `${foldSearchText(name).replaceAll("\n", " ")}\n${foldSearchText(definition).replaceAll("\n", " ")}\n`;
}
