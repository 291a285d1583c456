/**
 * The characters that an expression may contain. Matching is exact, so the rules reject differences
 * that a reader cannot see: nobody could type an expression with a stray space or an invisible
 * character.
 * Source: UAX #15 (NFC), UAX #9 (bidi controls), UAX #44 (Default_Ignorable_Code_Point), UTS #51
 * (emoji sequences).
 */
import { countCodePoints } from "../../runtime/text/expression.ts";
import { EXPRESSION_MAX_LENGTH } from "../../runtime/contract/limits.ts";
import type { Fault } from "../text/finding.ts";
import { quote } from "../text/printable.ts";
import { hasVariant, JOINED_EMOJI } from "./sequences.ts";

/** Faults of an expression; a text can have several. */
export function checkExpressionText(expression: string): Fault[] {
  if (expression === "") {
    return [{ rule: "expression-empty", text: "The expression is empty", remedy: "Write it or remove the entry" }];
  }
  if (
    expression.length <= EXPRESSION_MAX_LENGTH &&
    USUAL.test(expression) &&
    expression.normalize("NFC") === expression
  )
    return [];
  const faults = checkPlainText(expression, "expression");
  const length = countCodePoints(expression);
  if (length > EXPRESSION_MAX_LENGTH) {
    const text = `The expression has ${length} characters; a request can hold ${EXPRESSION_MAX_LENGTH}`;
    faults.push({ rule: "expression-too-long", text, remedy: "Shorten it" });
  }
  const others = [...new Set(expression.match(OTHER_SPACE))].map(formatCodePoint);
  if (others.length > 0 || STRAY_SPACE.test(expression)) {
    const found = others.length > 0 ? `${others.join(", ")} as a space` : "a leading, trailing or double space";
    const text = `${quote(expression)} has ${found}`;
    const remedy = "Use single plain spaces between words, none around them";
    faults.push({ rule: "expression-spaces", text, remedy });
  }
  faults.push(...unassigned(expression, "expression", NO_CHARACTER));
  const hidden = hiddenCharacters(expression);
  if (hidden.length > 0) {
    const text = `${quote(expression)} has ${hidden.join(", ")}, which no reader can see`;
    const remedy = "Remove it; joiners are only allowed in emoji and in scripts that need them";
    faults.push({ rule: "expression-invisible-character", text, remedy });
  }
  return faults;
}

/** Faults of any published text: expressions, names, definitions. `subject` begins the rule ids. */
export function checkPlainText(text: string, subject: string): Fault[] {
  if (PRINTABLE_ASCII.test(text)) return [];
  if (!text.isWellFormed()) {
    const remedy = "Write the character itself instead of half of its escape";
    return [{ rule: `${subject}-lone-surrogate`, text: `${quote(text)} has half of a surrogate pair`, remedy }];
  }
  const faults: Fault[] = [];
  const report = (rule: string, what: string, remedy: string): void =>
    void faults.push({ rule: `${subject}-${rule}`, text: `${quote(text)} ${what}`, remedy });
  const composed = text.normalize("NFC");
  if (composed !== text)
    report("not-nfc", "is not in Unicode Normalization Form C", `Write it composed: ${quote(composed)}`);
  const direction = "Remove it: direction follows from the letters and from the page's markup";
  if (BIDI_CONTROL.test(text)) report("bidi-control", "has a bidirectional control character", direction);
  if (CONTROL.test(text)) report("control-character", "has a control character or line break", "Remove it");
  return [...faults, ...unassigned(text, subject, NONCHARACTER)];
}

/** The same for a text of several lines. */
export function checkParagraphs(text: string, subject: string): Fault[] {
  return checkPlainText(text.replaceAll("\n", " "), subject);
}

/** Faults of a text that machine documents quote: it must not name another host. */
export function checkLine(text: string, subject: string): Fault[] {
  const isLine = text === text.trim() && !text.includes("://");
  const shape = {
    rule: subject,
    text: `${quote(text)} has a space around it, or an address in it`,
    remedy: "Write plain words, without addresses",
  };
  return [...(isLine ? [] : [shape]), ...checkPlainText(text, subject)];
}

function unassigned(text: string, subject: string, pattern: RegExp): Fault[] {
  const found = text.match(pattern) ?? [];
  if (found.length === 0) return [];
  const what = `${quote(text)} has ${found.map(formatCodePoint).join(", ")}, which is not an assigned character`;
  return [{ rule: `${subject}-not-a-character`, text: what, remedy: "Write the character that was meant" }];
}

/**
 * Letters, marks and symbols whose glyph is blank: a null notehead, a filler of Khitan, and the
 * blanks of Egyptian.
 */
const BLANK = "\\u{1D159}\\u{16FE4}\\u{13441}\\u{13442}";

/**
 * Words of visible characters with single plain spaces between them. Nearly every expression is of
 * this form, and no rule of characters or spaces finds a fault in it. It must not match anything
 * that one of the patterns below finds.
 */
const USUAL = ((): RegExp => {
  const word = `[[\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}]--[\\p{Default_Ignorable_Code_Point}${BLANK}\\u2800\\uFFFC\\uFFFD]]+`;
  return new RegExp(`^${word}(?: ${word})*$`, "v");
})();
const PRINTABLE_ASCII = /^[ -~]*$/;

const BIDI_CONTROL = /\p{Bidi_Control}/u;
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u;
/** They have no meaning, and XML cannot contain some of them. */
const NONCHARACTER = /\p{Noncharacter_Code_Point}/gu;
/** Unassigned code points have no stable NFC; the last two stand in for lost characters. */
const NO_CHARACTER = /(?!\p{Noncharacter_Code_Point})[\p{Cn}\uFFFC\uFFFD]/gu;

const EAST_ASIAN = "[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Bopomofo}]";

/**
 * A space that looks like the plain one. U+2800, the blank of Braille, is a space to the reader;
 * U+3000 is the space that people type between characters as wide as itself.
 */
export const OTHER_SPACE = new RegExp(`(?! |(?<=${EAST_ASIAN})\\u3000(?=${EAST_ASIAN}))[\\p{Zs}\\u2800]`, "gu");

const STRAY_SPACE = /^ | $| {2}/;

/**
 * Blank, format and default-ignorable characters, but not the visible Arabic and Syriac number
 * signs.
 */
const HIDDEN = new RegExp(
  "(?![\\u0600-\\u0605\\u06DD\\u070F\\u0890\\u0891\\u08E2\\u{110BD}\\u{110CD}])" +
    `[\\p{Cf}\\p{Default_Ignorable_Code_Point}${BLANK}]`,
  "gu",
);
const SELECTOR = /\p{Variation_Selector}/u;

/** Letters and marks of some scripts, as a class for the `v` flag. */
function letters(scripts: string): string {
  const classes = scripts.split(" ").map((name) => `\\p{Script_Extensions=${name}}`);
  return `[[${classes.join("")}]&&[\\p{L}\\p{M}]]`;
}

const JOINING = letters(
  "Arabic Syriac Mongolian Nko Mandaic Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam " +
    "Sinhala Khmer Myanmar Tibetan Balinese Javanese",
);

/**
 * Places where an invisible character is part of the writing; each pattern matches only that
 * character.
 */
const NEEDED: readonly RegExp[] = [
  // Joiners shape letters; Persian also sets a non-joiner between a foreign word or number and its
  // ending.
  `(?<=${JOINING})[\\u200C\\u200D]`,
  `(?<=[\\p{L}\\p{Nd}])\\u200C(?=${letters("Arabic")})`,
  // UTS #51: keycaps.
  "(?<=[0-9#*])[\\uFE0E\\uFE0F](?=\\u20E3)",
  // Word breaks where words have no spaces between them.
  `(?<=${letters("Khmer Thai Lao Myanmar Tibetan")})\\u200B(?!$)`,
  // The separator of a Mongolian vowel.
  "(?<=[\\p{Script=Mongolian}&&\\p{L}])\\u180E",
].map((pattern) => new RegExp(pattern, "gv"));

/** Sequences of emoji (UTS #51, ED-27): joined ones, and the flags of three regions of Britain. */
const EMOJI: readonly RegExp[] = [
  JOINED_EMOJI,
  /\u{1F3F4}\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F}/gu,
];

/** The invisible characters in places that do not need them, as `U+XXXX`. */
function hiddenCharacters(text: string): string[] {
  const hidden = [...text.matchAll(HIDDEN)];
  if (hidden.length === 0) return [];
  const needed = new Set(NEEDED.flatMap((pattern) => [...text.matchAll(pattern)].map(({ index }) => index)));
  const emoji = EMOJI.flatMap((pattern) => [...text.matchAll(pattern)]);
  const isInEmoji = (at: number): boolean => emoji.some(({ index, 0: one }) => at >= index && at < index + one.length);
  return hidden
    .filter(({ index, 0: character }) => !needed.has(index) && !BIDI_CONTROL.test(character))
    .filter(({ index, 0: character }) => !isInEmoji(index) && !isVariant(text, index, character))
    .map(({ 0: character }) => formatCodePoint(character));
}

/** Whether the character at an index selects a registered variant of the one before it. */
function isVariant(text: string, index: number, character: string): boolean {
  const before = /.$/su.exec(text.slice(0, index))?.[0].codePointAt(0);
  return SELECTOR.test(character) && before !== undefined && hasVariant(before, character.codePointAt(0) ?? 0);
}

function formatCodePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
