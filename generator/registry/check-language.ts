/**
 * Checks the language tags of a registry. They must be well-formed, canonical and registered (RFC
 * 5646 §2.2.9, §4.5); registry.yaml must admit `language`, which has no region and no variants;
 * `locale` must narrow its language (ruling O-21).
 */
import { createRequire } from "node:module";
import { LANGUAGE_MAX_LENGTH } from "../../runtime/contract/limits.ts";
import {
  formatLanguageTag,
  isWellFormedLanguageTag,
  type LanguageTag,
  parseLanguageTag,
} from "../../runtime/text/language.ts";
import type { Fault } from "../text/finding.ts";
import { quote } from "../text/printable.ts";
import { remembering } from "../text/remembering.ts";

type SubtagType = "language" | "extlang" | "script" | "region" | "variant" | "redundant" | "grandfathered";

interface SubtagEntry {
  readonly Type: SubtagType;
  readonly Subtag?: string;
  readonly Tag?: string;
  readonly "Preferred-Value"?: string;
  readonly Prefix?: readonly string[];
  readonly Comments?: readonly string[];
}

/** Faults of a tag by itself. */
export const checkLanguageTag = remembering(checkTag);

/**
 * Whether a registry that admits these tags admits an expression: by its language or by its whole
 * tag.
 */
export function isAdmitted(
  { language, locale }: { readonly language: string; readonly locale?: string | null | undefined },
  admitted: ReadonlySet<string>,
): boolean {
  return admitted.has(language) || admitted.has(locale ?? language);
}

/** The fault of a tag that is not well-formed; enough for a text that is never matched. */
export function checkTagForm(text: string): Fault[] {
  if (isWellFormedLanguageTag(text)) return [];
  const remedy = "Write a BCP 47 tag, such as en or pt-BR";
  return [{ rule: "language-not-well-formed", text: `${quote(text)} is not a well-formed language tag`, remedy }];
}

/** Faults of `language`, given whether its registry admits it. */
export function checkLanguage(language: string, admits: boolean): Fault[] {
  const faults = checkLanguageAlone(language);
  if (faults.length > 0 || admits) return faults;
  const text = `language ${quote(language)} is not admitted by this registry`;
  return [{ rule: "language-not-admitted", text, remedy: "Add it to languages in registry.yaml, or fix the tag" }];
}

export function checkLocale(locale: string, language: string): Fault[] {
  const faults = checkLanguageTag(locale);
  if (faults.length > 0) return faults;
  if (locale.startsWith(`${language}-`)) return [];
  const text = `locale ${quote(locale)} does not narrow its language ${quote(language)}`;
  const remedy = "Leave locale out, or begin it with the language and a hyphen";
  return [{ rule: "locale-outside-language", text, remedy }];
}

/** The fault of a tag that is legal, but that no request can name (B16). */
export function checkTagLength(tag: string): Fault[] {
  if (tag.length <= LANGUAGE_MAX_LENGTH) return [];
  const text = `${quote(tag)} has more than the ${LANGUAGE_MAX_LENGTH} characters of a request, so no request finds it by language`;
  return [{ rule: "language-too-long", text, remedy: "Add the same expression under a shorter tag" }];
}

/**
 * The canonical form of a carelessly written tag (`en_us`, `iw`), or the text itself if it has
 * none.
 */
export function repairLanguageTag(text: string): string {
  const written = text.trim().replaceAll("_", "-");
  const tag = parseLanguageTag(written);
  return tag === undefined || (tag.language !== "" && !isValid(tag)) ? text : (canonicalForm(written, tag) ?? text);
}

/** Faults of a tag that may name only a language and its script. */
const checkLanguageAlone = remembering((language) => {
  const faults = checkLanguageTag(language);
  if (faults.length > 0) return faults;
  const tag = parseLanguageTag(language);
  if (language === [tag?.language, tag?.script].filter((subtag) => subtag !== undefined).join("-")) return [];
  const text = `language ${quote(language)} holds more than a language and a script`;
  const remedy = `Write the whole tag as locale and ${quote(tag?.language ?? "")} (with its script where needed) as language`;
  return [{ rule: "language-too-narrow", text, remedy }];
});

/** ISO 639 codes for undetermined, multiple, uncoded and no language. */
const NO_ONE_LANGUAGE = new Set(["und", "mul", "mis", "zxx"]);

function checkTag(text: string): Fault[] {
  const tag = parseLanguageTag(text);
  if (tag === undefined) return checkTagForm(text);
  const canonical = canonicalForm(text, tag);
  if (canonical === undefined || NO_ONE_LANGUAGE.has(tag.language.toLowerCase())) {
    const [comment] = entries.get(`grandfathered ${text.toLowerCase()}`)?.Comments ?? [];
    const remedy = `Name the language${comment === undefined ? "" : ` (the IANA registry says: ${comment})`}`;
    return [{ rule: "language-not-registered", text: `${quote(text)} does not name one registered language`, remedy }];
  }
  const unregistered = subtagsOf(tag).filter(([type, subtag]) => !registered(type, subtag));
  if (unregistered.length > 0) {
    const named = unregistered.map(([type, subtag]) => `${type} ${quote(subtag)}`).join(", ");
    // RFC 5646 §2.2.1: of the codes of ISO 639 for a language, only the shortest is registered.
    const shorter = tag.language.length === 3 ? "; a language with a code of two letters has only that one" : "";
    const remedy = `Use subtags of the IANA Language Subtag Registry${shorter}`;
    return [{ rule: "language-not-registered", text: `${quote(text)} has unregistered ${named}`, remedy }];
  }
  if (hasRepetition(tag)) {
    const remedy = "Write each variant and each extension once";
    return [{ rule: "language-not-valid", text: `${quote(text)} repeats a variant or an extension`, remedy }];
  }
  if (!hasItsExtlang(tag)) {
    const named = `${quote(text)} has the extended language ${quote(tag.extlang.join("-"))}, which is not one of ${quote(tag.language)}`;
    return [{ rule: "language-not-valid", text: named, remedy: "Name the language by its own subtag" }];
  }
  if (canonical === text) return [];
  const remedy = `Write ${quote(canonical)}`;
  return [{ rule: "language-not-canonical", text: `${quote(text)} is not in canonical form`, remedy }];
}

/** RFC 5646 §2.2.9: a valid tag has no variant and no singleton twice. */
function hasRepetition({ variants, extensions }: LanguageTag): boolean {
  const names = [...variants, ...extensions.map((extension) => extension.charAt(0))].map((name) => name.toLowerCase());
  return new Set(names).size < names.length;
}

/**
 * RFC 5646 §2.2.2: a tag has at most one extended language, after the language that is its prefix.
 */
function hasItsExtlang({ language, extlang: [extlang, ...others] }: LanguageTag): boolean {
  if (extlang === undefined) return true;
  const prefixes = entries.get(`extlang ${extlang.toLowerCase()}`)?.Prefix ?? [];
  return others.length === 0 && prefixes.includes(language.toLowerCase());
}

/** Whether a canonical form would mean the same; subtags that are not registered stay. */
function isValid(tag: LanguageTag): boolean {
  return !hasRepetition(tag) && hasItsExtlang(tag);
}

function subtagsOf(tag: LanguageTag): [SubtagType, string][] {
  const optional = (type: SubtagType, subtag: string | undefined): [SubtagType, string][] =>
    subtag === undefined ? [] : [[type, subtag]];
  return [
    ...optional("language", tag.language === "" ? undefined : tag.language),
    ...tag.extlang.map((subtag): [SubtagType, string] => ["extlang", subtag]),
    ...optional("script", tag.script),
    ...optional("region", tag.region),
    ...tag.variants.map((subtag): [SubtagType, string] => ["variant", subtag]),
  ];
}

/**
 * RFC 5646 §4.5: preferred values, no extlang form, conventional case; undefined for a tag that
 * names no language by a subtag, nor by the preferred value of a grandfathered tag.
 */
function canonicalForm(text: string, tag: LanguageTag): string | undefined {
  if (tag.language === "") {
    const replacement = preferred("grandfathered", text);
    return replacement === text.toLowerCase() ? undefined : formatLanguageTag(replacement);
  }
  const whole = preferred("redundant", text);
  if (whole !== text.toLowerCase()) return formatLanguageTag(whole);
  const [extlang] = tag.extlang;
  const parts = [
    extlang === undefined ? preferred("language", tag.language) : preferred("extlang", extlang),
    tag.script,
    tag.region === undefined ? undefined : preferred("region", tag.region),
    ...tag.variants.map((variant) => preferred("variant", variant)),
    ...tag.extensions.map((extension) => extension.toLowerCase()).sort(),
    tag.privateUse,
  ];
  return formatLanguageTag(parts.filter((part) => part !== undefined).join("-"));
}

const require = createRequire(import.meta.url);
const entries = new Map<string, SubtagEntry>(
  (require("language-subtag-registry/data/json/registry.json") as SubtagEntry[]).flatMap((entry) => {
    const name = entry.Subtag ?? entry.Tag;
    return name === undefined ? [] : [[`${entry.Type} ${name.toLowerCase()}`, entry] as const];
  }),
);
const ranges = [...entries.keys()].filter((key) => key.includes("..")).map((key) => key.split(/\.\.| /));

function registered(type: SubtagType, subtag: string): boolean {
  const name = subtag.toLowerCase();
  return (
    entries.has(`${type} ${name}`) ||
    ranges.some(([of, from = "", to = ""]) => of === type && name.length === from.length && name >= from && name <= to)
  );
}

/** The Preferred-Value of a subtag or redundant tag, or itself, in lower case. */
function preferred(type: SubtagType, subtag: string): string {
  return (entries.get(`${type} ${subtag.toLowerCase()}`)?.["Preferred-Value"] ?? subtag).toLowerCase();
}
