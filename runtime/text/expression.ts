/**
 * What "the same expression" means: equal after Unicode Normalization Form C, and nothing else. No case folding,
 * trimming, space collapsing, NFKC or diacritic folding.
 * Source: UAX #15; ruling O-03. The echo in an answer stays the text that was sent.
 */

/** The form of an expression used for comparison. */
export function keyOf(expression: string): string {
  return expression.normalize("NFC");
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
