/**
 * What the lexical filter `q` compares: NFC, lower case, words between white space. Every term of a
 * query must occur in a word of the name or the definition (ruling O-13); no term has white space,
 * so none spans two words. It is for listing, never for resolving.
 */

/** The terms of a query, or the words of a text; an empty query has none and filters nothing. */
export function searchTerms(text: string): string[] {
  return text
    .normalize("NFC")
    .toLowerCase()
    .split(/\s+/u)
    .filter((term) => term !== "");
}

/** The words of a concept; one may come again. */
export function searchWords(name: string, definition: string): string[] {
  return searchTerms(`${name}\n${definition}`);
}

/** Whether a term is so short that the index lists the concepts that have it. */
export function isGram(term: string): boolean {
  return Array.from(term).length <= 2;
}

/** Each one and each two characters in a row of a word, once. */
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
