/**
 * The text as people type it: word processors replace quotation marks, dashes and spaces by
 * typographic ones, and expressions are compared exactly. It is evidence for people; nothing is
 * matched with it.
 */

/** By the character that a keyboard has; the others look like it, or stand for it in print. */
const TYPED: readonly (readonly [typed: string, printed: RegExp])[] = [
  ["'", /[\u2018-\u201B\u2032\u2039\u203A\u02B9\u02BB\u02BC\u00B4\u0060\u05F3\uFF07]/gu],
  ['"', /[\u201C-\u201F\u2033\u00AB\u00BB\u05F4\u301D-\u301F\uFF02]/gu],
  ["-", /[\u2010-\u2015\u2212\uFE58\uFE63\uFF0D]/gu],
  [" ", /[\u00A0\u2000-\u200A\u202F\u205F\u3000]/gu],
];

/** The same text, if it has no such character. */
export function plainForm(text: string): string {
  return TYPED.reduce((plain, [typed, printed]) => plain.replaceAll(printed, typed), text);
}
