/**
 * Defines "the same expression": equal after Unicode Normalization Form C, and nothing else. No
 * case folding, trimming, space collapsing, NFKC or diacritic folding. An answer echoes the text
 * exactly as it was sent.
 * Source: UAX #15; ruling O-03.
 */

/** The key of an expression: the NFC form that is compared. Text below U+0300 is in it. */
export function keyOf(expression: string): string {
  return /[^ -\u02ff]/.test(expression) ? expression.normalize("NFC") : expression;
}

/** Length in Unicode code points, the unit of every length limit of the contract. */
export function countCodePoints(text: string): number {
  let count = text.length;
  for (let i = 0; i + 1 < text.length; i++) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      count--;
      i++;
    }
  }
  return count;
}
