/**
 * Texts and tags of a source: judged by the registry's own rules, and fixed where the person asked for it and no
 * meaning can change. Every fault is given back, with whether it is gone.
 */
import { checkLanguage, checkLanguageTag, checkLocale, repairLanguageTag } from "../../registry/check-language.ts";
import { checkExpressionText, checkParagraphs } from "../../registry/check-text.ts";
import type { Fault } from "../../text/finding.ts";
import type { Parted } from "../formats/source.ts";
import { parseLanguageTag } from "../../../runtime/text/language.ts";
import type { ImportFault } from "./import-finding.ts";
import { type Repair, REPAIRS } from "./settings.ts";

type Repairs = ReadonlySet<Repair>;

/** A value after the repairs that were asked for. */
export interface Checked<T> {
  readonly value: T;
  readonly repaired: readonly Fault[];
  /** What is still wrong. */
  readonly faults: readonly ImportFault[];
}

/** The text of a label. */
export function checkLabel(text: string, repairs: Repairs): Checked<string> {
  return checkAll(text, repairs, { repair, check: checkExpressionText });
}

/** A definition. Line feeds may part its paragraphs. */
export function checkDefinition(text: string, repairs: Repairs): Checked<string> {
  return checkAll(text, repairs, { repair: repairParagraphs, check: (one) => checkParagraphs(one, "definition") });
}

function repairParagraphs(text: string, repairs: Repairs): string {
  const lines = repairs.has("spaces") ? text.split(/\r\n?|\n/) : text.split("\n");
  return lines.map((line) => repair(line, repairs)).join("\n");
}

function repairTag(tag: string, repairs: Repairs): string {
  return repairs.has("tags") ? repairLanguageTag(tag) : tag;
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
  const { value, repaired, faults } = checkAll(tag, repairs, { repair: repairTag, check: checkLanguageTag });
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

/** What is wrong with a text, and what makes it right. */
interface Rules {
  readonly repair: (text: string, repairs: Repairs) => string;
  readonly check: (text: string) => Fault[];
}

function checkAll(text: string, repairs: Repairs, rules: Rules): Checked<string> {
  const before = rules.check(text);
  const fixed = rules.repair(text, repairs);
  const after = fixed === text ? before : rules.check(fixed);
  const repaired = before.filter(({ rule }) => !after.some((fault) => fault.rule === rule));
  // A repair that repairs no fault is not made.
  const isBetter = repaired.length > 0;
  const isRepairedBy = (kind: Repair, { rule }: Fault): boolean =>
    rules.check(rules.repair(text, new Set([...repairs, kind]))).every((fault) => fault.rule !== rule);
  const faults = (isBetter ? after : before).map((fault) => ({
    ...fault,
    repairedBy: REPAIRS.find((kind) => !repairs.has(kind) && isRepairedBy(kind, fault)),
  }));
  return { value: isBetter ? fixed : text, repaired, faults };
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

/** A text for people that nothing is matched with: composed, on one line, without what a registry refuses. */
export function onOneLine(text: string): string {
  return text
    .toWellFormed()
    .normalize("NFC")
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Noncharacter_Code_Point}\s]+/gu, " ")
    .trim();
}
