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
  if (hasStraySpace(expression)) {
    const text = `${quote(expression)} has a leading, trailing, double or no-break space`;
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
 * Words of visible characters with single plain spaces between them. Nearly every expression is of
 * this form, and no rule of characters or spaces finds a fault in it. It must not match anything
 * that one of the patterns below finds.
 */
const USUAL = ((): RegExp => {
  const word = "[[\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}]--[\\p{Default_Ignorable_Code_Point}\\u2800\\uFFFC\\uFFFD]]+";
  return new RegExp(`^${word}(?: ${word})*$`, "v");
})();
const PRINTABLE_ASCII = /^[ -~]*$/;

const BIDI_CONTROL = /\p{Bidi_Control}/u;
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u;
/** They have no meaning, and XML cannot contain some of them. */
const NONCHARACTER = /\p{Noncharacter_Code_Point}/gu;
/** Unassigned code points have no stable NFC; the last two stand in for lost characters. */
const NO_CHARACTER = /(?!\p{Noncharacter_Code_Point})[\p{Cn}\uFFFC\uFFFD]/gu;
const NO_BREAK_SPACES = /[\u00A0\u2007\u202F]/u;

/** U+2800 is the blank of Braille: a space to the reader. */
function hasStraySpace(text: string): boolean {
  return NO_BREAK_SPACES.test(text) || /^[\p{Zs}\u2800]|[\p{Zs}\u2800]$|[\p{Zs}\u2800]{2}/u.test(text);
}

/** Format and default-ignorable characters, but not the visible Arabic and Syriac number signs. */
const HIDDEN =
  /(?![\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}])[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

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
  // UTS #51: emoji joined to emoji, presentation selectors, keycaps, flags of regions.
  "(?<=\\p{Extended_Pictographic}[\\uFE0F\\p{Emoji_Modifier}]?)\\u200D(?=\\p{Extended_Pictographic})",
  "(?<=\\p{Extended_Pictographic})[\\uFE0E\\uFE0F]",
  "(?<=[0-9#*])[\\uFE0E\\uFE0F](?=\\u20E3)",
  "(?<=\\u{1F3F4}[\\u{E0030}-\\u{E0039}\\u{E0061}-\\u{E007A}]{0,5})[\\u{E0030}-\\u{E0039}\\u{E0061}-\\u{E007A}](?=[\\u{E0030}-\\u{E0039}\\u{E0061}-\\u{E007A}]{0,5}\\u{E007F})",
  "(?<=\\u{1F3F4}[\\u{E0030}-\\u{E0039}\\u{E0061}-\\u{E007A}]{1,6})\\u{E007F}",
  // Word breaks where words have no spaces between them.
  `(?<=${letters("Khmer Thai Lao Myanmar Tibetan")})\\u200B(?!$)`,
  // Variants of letters.
  "(?<=[\\p{Script=Mongolian}&&\\p{L}])[\\u180B-\\u180F]",
  "(?<=[\\p{Script=Han}[\\p{Script=Myanmar}&&\\p{L}][\\p{Script=Phags_Pa}&&\\p{L}]])[\\uFE00-\\uFE0D\\u{E0100}-\\u{E01EF}]",
  "(?<=\\p{Script=Khmer})[\\u17B4\\u17B5]",
].map((pattern) => new RegExp(pattern, "gv"));

/** The invisible characters in places that do not need them, as `U+XXXX`. */
function hiddenCharacters(text: string): string[] {
  const hidden = [...text.matchAll(HIDDEN)];
  if (hidden.length === 0) return [];
  const needed = new Set(NEEDED.flatMap((pattern) => [...text.matchAll(pattern)].map(({ index }) => index)));
  return hidden
    .filter(({ index, 0: character }) => !needed.has(index) && !BIDI_CONTROL.test(character))
    .map(({ 0: character }) => formatCodePoint(character));
}

function formatCodePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
