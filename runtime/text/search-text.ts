/**
 * The text that the lexical filter `q` compares: NFC, lower case, words separated by white space.
 * Every term of a query must occur in a word of the name or the definition (ruling O-13). No term
 * has white space, so none spans two words. It is only for listing, never for resolving.
 */

/**
 * The terms of a query, or the words of a text. An empty query has no terms and filters nothing.
 */
export function searchTerms(text: string): string[] {
  return text
    .normalize("NFC")
    .toLowerCase()
    .split(/\s+/u)
    .filter((term) => term !== "");
}

/** The words of a concept, which may repeat. */
export function searchWords(name: string, definition: string): string[] {
  return searchTerms(`${name}\n${definition}`);
}

/** Whether a term has at most two characters: then the index lists the concepts that have it. */
export function isGram(term: string): boolean {
  return Array.from(term).length <= 2;
}

/** The distinct characters and character pairs of a word. */
export function gramsOf(word: string): Set<string> {
  const grams = new Set<string>();
  let before = "";
  for (const character of word) {
    grams.add(character);
    grams.add(before + character);
    before = character;
  }
  return grams;
}
