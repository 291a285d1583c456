/**
 * Checks texts and tags of a source by the registry's own rules, and repairs them if the person
 * asked for it and no meaning can change. Every fault is returned, whether or not it was repaired.
 */
import { checkLanguage, checkLanguageTag, checkLocale, repairLanguageTag } from "../../../registry/check-language.ts";
import { checkExpressionText, checkParagraphs, OTHER_SPACE } from "../../../registry/check-text.ts";
import type { Fault } from "../../../text/finding.ts";
import type { Parted } from "../formats/source.ts";
import { formatLanguageTag, isWellFormedLanguageTag, parseLanguageTag } from "../../../../runtime/text/language.ts";
import type { ImportFault } from "./import-finding.ts";
import { type Repair, REPAIRS } from "./settings.ts";

type Repairs = ReadonlySet<Repair>;

/** A value after the requested repairs. */
export interface Checked<T> {
  readonly value: T;
  readonly repaired: readonly Fault[];
  /** The faults that remain. */
  readonly faults: readonly ImportFault[];
}

/** The text of a label. */
export function checkLabel(text: string, repairs: Repairs): Checked<string> {
  return checkAll(text, repairs, { repair, check: checkExpressionText });
}

/** A definition. Line feeds may separate its paragraphs. */
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
  if (parted !== undefined) return checkParted(parted, repairs);
  if (tag === "") return { value: { language: NO_LANGUAGE, locale: undefined }, repaired: [], faults: [untagged] };
  // RFC 5646 §2.1.1: case has no meaning, so another one is no fault.
  const written = isWellFormedLanguageTag(tag) ? formatLanguageTag(tag) : tag;
  const { value, repaired, faults } = checkAll(written, repairs, { repair: repairTag, check: checkLanguageTag });
  return { value: partTag(value), repaired, faults };
}

/** The tag of a file that says how it is split, as our own exports do: it stays as it is. */
function checkParted(parted: Parted, repairs: Repairs): Checked<Parted> {
  const faults = checkParts(parted);
  const { language, locale } = parted;
  const fixed = { language: repairLanguageTag(language), locale: locale && repairLanguageTag(locale) };
  const isBetter = faults.length > 0 && checkParts(fixed).length === 0;
  if (isBetter && repairs.has("tags")) return { value: fixed, repaired: faults, faults: [] };
  return {
    value: parted,
    repaired: [],
    faults: faults.map((one) => (isBetter ? { ...one, repairedBy: "tags" } : one)),
  };
}

function checkParts({ language, locale }: Parted): Fault[] {
  return [...checkLanguage(language, true), ...(typeof locale === "string" ? checkLocale(locale, language) : [])];
}

/**
 * Splits a tag into the language with its script, and the whole tag as locale if it says more
 * (O-21).
 */
export function partTag(tag: string): Parted {
  const parsed = parseLanguageTag(tag);
  if (parsed === undefined || parsed.language === "") return { language: tag, locale: undefined };
  const language = [parsed.language, parsed.script].filter((subtag) => subtag !== undefined).join("-");
  return { language, locale: language === tag ? undefined : tag };
}

/** The ISO 639 code for an undetermined language: it names none, so review does not accept it. */
const NO_LANGUAGE = "und";

const untagged: Fault = {
  rule: "label-without-language",
  text: "The label names no language",
  remedy: "Name the language in the source, or that of all such labels by --language",
};

/** A check of a text, and the repair of its faults. */
interface Rules {
  readonly repair: (text: string, repairs: Repairs) => string;
  readonly check: (text: string) => Fault[];
}

function checkAll(text: string, repairs: Repairs, rules: Rules): Checked<string> {
  const before = rules.check(text);
  const fixed = rules.repair(text, repairs);
  const after = fixed === text ? before : rules.check(fixed);
  const repaired = before.filter(({ rule }) => !after.some((fault) => fault.rule === rule));
  // A repair is kept only if it removes a fault.
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

/**
 * Turns spaces of every kind and tabs into plain ones, reduces runs to one, and trims the text.
 * A line break inside stays: it may mean a space, or none.
 */
function withPlainSpaces(text: string): string {
  return text.replaceAll(AROUND, "").replaceAll("\t", " ").replaceAll(OTHER_SPACE, " ").replaceAll(/ {2,}/g, " ");
}

/**
 * Makes a text for people, which nothing is matched with: composed, on one line, without characters
 * that a registry refuses.
 */
export function onOneLine(text: string): string {
  return text
    .toWellFormed()
    .normalize("NFC")
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Noncharacter_Code_Point}\s]+/gu, " ")
    .trim();
}
