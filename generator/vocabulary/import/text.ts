/**
 * Texts and tags of a source: judged by the registry's own rules, and fixed where the person asked for it and no
 * meaning can change. Every fault is given back, with whether it is gone.
 */
import { checkLanguage, checkLanguageTag, checkLocale, repairLanguageTag } from "../../registry/check-language.ts";
import { checkExpressionText, checkPlainText } from "../../registry/check-text.ts";
import type { Fault } from "../../text/finding.ts";
import { parseLanguageTag } from "../../../runtime/text/language.ts";
import type { ImportSettings } from "./settings.ts";

type Repairs = ImportSettings["repairs"];

/** A value after the repairs that were asked for. */
export interface Checked<T> {
  readonly value: T;
  readonly repaired: readonly Fault[];
  /** What is still wrong. */
  readonly faults: readonly Fault[];
}

export interface Parted {
  readonly language: string;
  /** Not there: the expression has none. */
  readonly locale: string | null | undefined;
}

/** The text of a label. */
export function checkLabel(text: string, repairs: Repairs): Checked<string> {
  return checkAll(text, repair(text, repairs), checkExpressionText);
}

/** A definition. Line feeds may part its paragraphs. */
export function checkDefinition(text: string, repairs: Repairs): Checked<string> {
  const lines = repairs.has("spaces") ? text.split(/\r\n?|\n/) : text.split("\n");
  const fixed = lines.map((line) => repair(line, repairs)).join("\n");
  return checkAll(text, fixed, (value) => checkPlainText(value.replaceAll("\n", " "), "definition"));
}

/** The tag of a label, as language and locale. */
export function checkTag(tag: string, repairs: Repairs, parted?: Parted): Checked<Parted> {
  if (parted !== undefined) {
    const { language, locale } = parted;
    const faults = [
      ...checkLanguage(language, true),
      ...(typeof locale === "string" ? checkLocale(locale, language) : []),
    ];
    return { value: parted, repaired: [], faults };
  }
  if (tag === "") return { value: { language: NO_LANGUAGE, locale: undefined }, repaired: [], faults: [untagged] };
  const fixed = repairs.has("tags") ? repairLanguageTag(tag) : tag;
  const { value, repaired, faults } = checkAll(tag, fixed, checkLanguageTag);
  return { value: partTag(value), repaired, faults };
}

/** Language with its script, and the whole tag as locale where it says more (O-21). */
export function partTag(tag: string): Parted {
  const parsed = parseLanguageTag(tag);
  if (parsed === undefined || parsed.language === "") return { language: tag, locale: undefined };
  const language = [parsed.language, parsed.script].filter((subtag) => subtag !== undefined).join("-");
  return { language, locale: language === tag ? undefined : tag };
}

/** ISO 639's code for what is not determined: it names no language, so review does not accept it. */
const NO_LANGUAGE = "und";

const untagged: Fault = {
  rule: "label-without-language",
  text: "The label names no language",
  remedy: "Say the language in the source, or that of all such labels by --language",
};

function checkAll(text: string, fixed: string, check: (text: string) => Fault[]): Checked<string> {
  const before = check(text);
  if (fixed === text) return { value: text, repaired: [], faults: before };
  const faults = check(fixed);
  const repaired = before.filter(({ rule }) => !faults.some((fault) => fault.rule === rule));
  // A repair that mends nothing is none.
  return repaired.length === 0 ? { value: text, repaired, faults: before } : { value: fixed, repaired, faults };
}

function repair(text: string, repairs: Repairs): string {
  const composed = repairs.has("nfc") ? text.normalize("NFC") : text;
  return repairs.has("spaces") ? withPlainSpaces(composed) : composed;
}

const AROUND = /^[\s\p{Zs}\u2800\u0085]+|[\s\p{Zs}\u2800\u0085]+$/gu;
const RUN = /[\u00A0\u2007\u202F\t]|[\p{Zs}\u2800\t]{2,}/gu;

/**
 * No-break spaces and tabs become plain spaces, runs one space, none stay around the text. A line break inside stays: it
 * may stand for a space, or for none.
 */
function withPlainSpaces(text: string): string {
  return text.replaceAll(AROUND, "").replaceAll(RUN, " ").replaceAll(/ {2,}/g, " ");
}

/** A text for people that nothing is matched with: composed, on one line, without what nobody sees. */
export function onOneLine(text: string): string {
  return text
    .toWellFormed()
    .normalize("NFC")
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\s]+/gu, " ")
    .trim();
}
