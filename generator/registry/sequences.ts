/**
 * The registered sequences in which an invisible character changes what a reader sees: variants of
 * a character, and emoji that are joined. The tables are part of the program, so every Node finds
 * the same.
 * Source: The Unicode Standard §23.4 (variation selectors), UTS #37, UTS #51.
 */
import { EMOJI_SEQUENCES } from "./emoji-sequences.ts";
import { IDEOGRAPHIC_VARIANTS } from "./ideographic-variants.ts";
import { STANDARD_VARIANTS } from "./standard-variants.ts";

/** The first of the selectors for ideographs. */
const IDEOGRAPHIC = 0xe0100;

let ideographs: ReadonlyMap<number, number> | undefined;
let standard: ReadonlyMap<number, ReadonlySet<number>> | undefined;

/** Whether a character has a registered variant with this selector. */
export function hasVariant(character: number, selector: number): boolean {
  if (selector >= IDEOGRAPHIC) {
    ideographs ??= readIdeographs();
    return selector - IDEOGRAPHIC < (ideographs.get(character) ?? 0);
  }
  standard ??= readStandard();
  return standard.get(selector)?.has(character) === true;
}

function readIdeographs(): Map<number, number> {
  const counts = IDEOGRAPHIC_VARIANTS.split(" ").flatMap((run) => {
    const [first = "", digits = ""] = run.split(":");
    return Array.from(digits, (digit, i) => [Number.parseInt(first, 16) + i, Number.parseInt(digit, 36)] as const);
  });
  return new Map(counts);
}

function readStandard(): Map<number, ReadonlySet<number>> {
  return new Map(
    Object.entries(STANDARD_VARIANTS).map(([selector, ranges]) => [
      Number.parseInt(selector, 16),
      new Set(ranges.split(" ").flatMap(codePointsIn)),
    ]),
  );
}

function codePointsIn(range: string): number[] {
  const [first = 0, last = first] = range.split("-").map((one) => Number.parseInt(one, 16));
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

/** Emoji of several, the longest first, for the `g` flag. */
export const JOINED_EMOJI = new RegExp(
  EMOJI_SEQUENCES.split(" ")
    .sort((a, b) => b.length - a.length)
    .map((sequence) => sequence.replaceAll(/([^\uFE0F\u200D])(\uFE0F?)/gu, elementOf))
    .join("|"),
  "gu",
);

/**
 * An element with any skin tone. A tone takes the place of the selector (UTS #51, ED-13), which may
 * also be left out (emoji-test.txt: minimally qualified).
 */
function elementOf(_element: string, emoji: string, selector: string): string {
  return `${emoji}(?:${selector === "" ? "" : `${selector}|`}[\u{1F3FB}-\u{1F3FF}])?`;
}
