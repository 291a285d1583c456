/**
 * What an expression may be made of. The rules keep out differences that no reader can see, since matching is exact:
 * a stray space or an invisible character would make an expression that nobody can type.
 * Source: UAX #15 (NFC), UAX #9 (bidi controls), UAX #44 (Default_Ignorable_Code_Point), UTS #51 (emoji sequences).
 */
import { countCodePoints } from "../../runtime/expression.ts";
import { EXPRESSION_MAX_LENGTH } from "../../runtime/limits.ts";
import { type Fault, quote } from "../finding.ts";

/** Faults of an expression; a text can have several. */
export function checkExpressionText(expression: string): Fault[] {
  if (expression === "") {
    return [{ rule: "expression-empty", text: "The expression is empty", remedy: "Write it or remove the entry" }];
  }
  const faults = checkPlainText(expression, "expression");
  const length = countCodePoints(expression);
  if (length > EXPRESSION_MAX_LENGTH) {
    faults.push({
      rule: "expression-too-long",
      text: `The expression has ${length} characters; a request can hold ${EXPRESSION_MAX_LENGTH}`,
      remedy: "Shorten it",
    });
  }
  if (hasStraySpace(expression)) {
    faults.push({
      rule: "expression-spaces",
      text: `${quote(expression)} has a leading, trailing, double or no-break space`,
      remedy: "Use single plain spaces between words, none around them",
    });
  }
  const hidden = hiddenCharacters(expression);
  if (hidden.length > 0) {
    faults.push({
      rule: "expression-invisible-character",
      text: `${quote(expression)} has ${hidden.join(", ")}, which no reader can see`,
      remedy: "Remove it; joiners are only allowed in emoji and in scripts that need them",
    });
  }
  return faults;
}

/** Faults of any published text: expressions, names, definitions. `subject` begins the rule ids. */
export function checkPlainText(text: string, subject: string): Fault[] {
  const faults: Fault[] = [];
  if (!text.isWellFormed()) {
    const remedy = "Write the character itself instead of half of its escape";
    return [{ rule: `${subject}-lone-surrogate`, text: `${quote(text)} has half of a surrogate pair`, remedy }];
  }
  if (text.normalize("NFC") !== text) {
    faults.push({
      rule: `${subject}-not-nfc`,
      text: `${quote(text)} is not in Unicode Normalization Form C`,
      remedy: `Write it composed: ${quote(text.normalize("NFC"))}`,
    });
  }
  if (BIDI_CONTROL.test(text)) {
    faults.push({
      rule: `${subject}-bidi-control`,
      text: `${quote(text)} has a bidirectional control character`,
      remedy: "Remove it: direction follows from the letters and from the page's markup",
    });
  }
  if (CONTROL.test(text)) {
    faults.push({
      rule: `${subject}-control-character`,
      text: `${quote(text)} has a control character or line break`,
      remedy: "Remove it",
    });
  }
  return faults;
}

const BIDI_CONTROL = /\p{Bidi_Control}/u;
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u;
const NO_BREAK_SPACES = /[\u00A0\u2007\u202F]/u;

function hasStraySpace(text: string): boolean {
  return NO_BREAK_SPACES.test(text) || /^\p{Zs}|\p{Zs}$|\p{Zs}\p{Zs}/u.test(text);
}

/** Format and default-ignorable characters, but not the visible Arabic and Syriac number signs. */
const HIDDEN =
  /(?![\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}])[\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

const JOINING = scripts(
  "Arabic Syriac Mongolian Nko Mandaic Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Khmer Myanmar Tibetan Balinese Javanese",
);
const UNSPACED = scripts("Khmer Thai Lao Myanmar Tibetan");

/** Where an invisible character is part of the writing: what must stand before it, and after it. */
const NEEDED: readonly { readonly hidden: RegExp; readonly before: RegExp; readonly after?: RegExp }[] = [
  { hidden: /\u200C/u, before: JOINING, after: JOINING },
  { hidden: /\u200D/u, before: JOINING },
  { hidden: /\u200D/u, before: /[\p{Emoji}\uFE0F]/u, after: /\p{Extended_Pictographic}/u },
  { hidden: /\u200B/u, before: UNSPACED, after: UNSPACED },
  { hidden: /[\uFE0E\uFE0F]/u, before: /\p{Emoji}/u },
  { hidden: /[\u180B-\u180F]/u, before: scripts("Mongolian") },
  { hidden: /[\uFE00-\uFE0D\u{E0100}-\u{E01EF}]/u, before: scripts("Han Myanmar Phags_Pa") },
  // Flags of regions: a black flag, tag letters, a cancel tag.
  { hidden: /[\u{E0020}-\u{E007F}]/u, before: /[\u{1F3F4}\u{E0020}-\u{E007E}]/u },
  { hidden: /[\u17B4\u17B5]/u, before: scripts("Khmer") },
];

function scripts(names: string): RegExp {
  const classes = names.split(" ").map((name) => `\\p{Script_Extensions=${name}}`);
  return new RegExp(`[${classes.join("")}]`, "u");
}

/** The invisible characters that stand where nothing needs them, as `U+XXXX`. */
function hiddenCharacters(text: string): string[] {
  const characters = Array.from(text);
  return characters
    .filter((character, i) => HIDDEN.test(character) && !isNeeded(character, characters[i - 1], characters[i + 1]))
    .filter((character) => !BIDI_CONTROL.test(character))
    .map((character) => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`);
}

function isNeeded(character: string, previous = "", next = ""): boolean {
  return NEEDED.some(
    ({ hidden, before, after }) => hidden.test(character) && before.test(previous) && (after?.test(next) ?? true),
  );
}
