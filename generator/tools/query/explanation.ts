/**
 * Explains why an expression resolves or abstains, step by step. It uses the resolver's index and
 * functions, so the explanation cannot differ from the answer. With a registry source, it also
 * names the entries that exist but are not published.
 */
import { EXACT_STRENGTH, type ResolvedConcept, REVIEWED } from "../../../runtime/contract/concept.ts";
import type { AbstentionReason } from "../../../runtime/contract/resolution.ts";
import { countCodePoints, keyOf } from "../../../runtime/text/expression.ts";
import { formatLanguageTag, lookupLevels } from "../../../runtime/text/language.ts";
import type { Posting, RegistryIndex } from "../../../runtime/registry/index.ts";
import { atFirstLevel, type Resolution, resolve } from "../../../runtime/registry/resolver.ts";
import { CANDIDATES_MAX } from "../../../runtime/contract/limits.ts";
import { countOf } from "../../effects/print.ts";
import { printable, quote, shortened } from "../../text/printable.ts";
import { tagOf } from "../../registry/concept.ts";
import type { Past, Retired } from "../../promise/past.ts";
import { type FindFormer, type Former, formerMeanings } from "../../../runtime/registry/former.ts";
import type { NearRule } from "../../../runtime/registry/near-form.ts";
import { nearExpressions } from "../../../runtime/registry/near-expressions.ts";
import type { ConceptRecord } from "../../registry/record.ts";

export interface Explanation {
  readonly form: { readonly codePoints: number; readonly key: string; readonly changedByNfc: boolean };
  /** Every published entry of the expression, in any language. */
  readonly published: readonly Entry[];
  /**
   * Levels of the requested tag in the order tried, up to the first that has the expression; empty
   * without a tag.
   */
  readonly levels: readonly { readonly tag: string; readonly known: boolean; readonly entries: readonly Entry[] }[];
  /** The entries that decide. */
  readonly considered: readonly Entry[];
  /** Entries of the source that are not published; undefined if no source was read. */
  readonly unpublished: readonly UnpublishedEntry[] | undefined;
  /** What it meant in an earlier release, if it has no entry now. */
  readonly former: (Former & { readonly retired: Retired | null }) | undefined;
  /** The expressions that made each candidate near. They are evidence and decide nothing. */
  readonly near: readonly NearEntry[];
  readonly outcome:
    | { readonly status: "resolved"; readonly code: string; readonly name: string }
    | { readonly status: "abstained"; readonly reason: AbstentionReason };
}

export interface Entry {
  readonly tag: string;
  readonly code: string;
  readonly name: string;
  readonly equivalenceStrength: number;
}

interface NearEntry extends Entry {
  readonly expression: string;
  /** The last of the rules that make the two texts the same. */
  readonly rule: NearRule["name"];
  readonly score: number;
}

export interface UnpublishedEntry extends Entry {
  readonly reviewStatus: string;
}

/**
 * Explains the resolution of an expression with a well-formed language tag, or with none. `source`
 * has the records that the index was built from, for unpublished entries; `past` reads the changes
 * of the release, and is called only if no entry decides.
 */
export function explain(
  index: RegistryIndex,
  { expression, language }: { expression: string; language: string | undefined },
  { source, past }: { readonly source: readonly ConceptRecord[] | undefined; readonly past: () => Past },
): Explanation {
  const key = keyOf(expression);
  const postings = index.postings(key);
  const considered = language === undefined ? postings : atFirstLevel(index, postings, language);
  const resolution = resolve(index, expression, language);
  const published = entriesOf(index, postings);
  return {
    form: { codePoints: countCodePoints(expression), key, changedByNfc: key !== expression },
    published,
    levels: language === undefined ? [] : levelsTried(index, postings, language),
    considered: entriesOf(index, considered),
    unpublished: source?.flatMap((record) => unpublishedEntries(record, key, published)),
    former: considered.length > 0 ? undefined : formerOf(past(), { expression, language }),
    near: postings.length === 0 ? nearEntries(index, expression, resolution) : [],
    outcome:
      resolution.status === "resolved"
        ? { status: "resolved", ...conceptOf(index, resolution.conceptId) }
        : { status: "abstained", reason: resolution.reason },
  };
}

function formerOf({ changes, retired }: Past, request: Parameters<FindFormer>[0]): Explanation["former"] {
  const former = formerMeanings(changes)(request);
  return former && { ...former, retired: retired.get(former.code) ?? null };
}

function levelsTried(index: RegistryIndex, postings: readonly Posting[], language: string): Explanation["levels"] {
  const levels = lookupLevels(language).map((tag) => {
    const id = index.languageId(tag);
    const entries = entriesOf(
      index,
      postings.filter(({ languageId }) => languageId === id),
    );
    return { tag: formatLanguageTag(tag), known: id !== undefined, entries };
  });
  const stop = levels.findIndex((level) => level.entries.length > 0);
  return stop < 0 ? levels : levels.slice(0, stop + 1);
}

function entriesOf(index: RegistryIndex, postings: readonly Posting[]): Entry[] {
  return postings.map(({ languageId, conceptId, strength }) => ({
    tag: formatLanguageTag(index.meta.languages[languageId] ?? ""),
    ...conceptOf(index, conceptId),
    equivalenceStrength: strength,
  }));
}

function nearEntries(index: RegistryIndex, asked: string, resolution: Resolution): NearEntry[] {
  if (resolution.status === "resolved") return [];
  const candidates = resolution.candidates.slice(0, CANDIDATES_MAX);
  return nearExpressions(index, asked, candidates).map(({ entry, ...found }) => ({
    ...found,
    expression: entry.expression,
    tag: formatLanguageTag(tagOf(entry)),
    equivalenceStrength: entry.equivalenceStrength,
  }));
}

function conceptOf(index: RegistryIndex, conceptId: number): { code: string; name: string } {
  const json = new TextDecoder().decode(index.read(index.concept(conceptId).resolved));
  const { code, name } = JSON.parse(json) as ResolvedConcept;
  return { code, name };
}

function unpublishedEntries(record: ConceptRecord, key: string, published: readonly Entry[]): UnpublishedEntry[] {
  const isPublished = ({ code, tag }: Entry): boolean =>
    published.some((entry) => entry.code === code && entry.tag === formatLanguageTag(tag));
  return record.expressions
    .filter(({ expression }) => keyOf(expression) === key)
    .map((expression) => ({
      tag: tagOf({ language: expression.language, locale: expression.locale ?? null }),
      code: record.code,
      name: record.name,
      equivalenceStrength: expression.equivalenceStrength,
      reviewStatus: expression.reviewStatus,
    }))
    .filter((entry) => entry.reviewStatus !== REVIEWED || !isPublished(entry));
}

/** The explanation in plain words, one step a line. */
export function formatExplanation(explanation: Explanation, language: string | undefined): string {
  const { form, published, levels, considered, unpublished, former, near, outcome } = explanation;
  const lines = [
    `Form: ${countOf(form.codePoints, "character")}; compared as ${quote(form.key)}${form.changedByNfc ? " (NFC of what was given)" : ""}, nothing else changed`,
    `Published: ${published.length === 0 ? "no reviewed entry has this expression in any language" : formatEntries(published)}`,
    ...(language === undefined ? ["Language: none given, so every language is searched"] : []),
    ...levels.map(({ tag, known, entries }) => {
      if (entries.length > 0) return `Language ${tag}: ${formatEntries(entries)}; the lookup stops here`;
      return `Language ${tag}: ${known ? "does not have the expression" : "no published expression has this tag"}`;
    }),
    ...(considered.length === 0 ? [] : [`Equivalence: ${formatStrengths(considered)}`]),
    ...(unpublished ?? []).map(
      ({ tag, code, reviewStatus }) =>
        `Review status: ${reviewStatus} for ${printable(code)} (${shortened(tag)}) in the source, ${reviewStatus === REVIEWED ? "but this release was built without it: build again" : "so it is not published"}`,
    ),
  ];
  lines.push(...formatFormer(former), ...formatNear(near, outcome, published));
  lines.push(
    outcome.status === "resolved"
      ? `Outcome: resolved to ${outcome.code} ${outcome.name}, because exactly one concept has this expression at strength 1`
      : `Outcome: abstained (${outcome.reason}): ${REASONS[outcome.reason]}`,
  );
  return lines.join("\n");
}

function formatFormer(former: Explanation["former"]): string[] {
  if (former === undefined) return [];
  const { code, until, retired } = former;
  if (retired === null) return [`Until ${until}: it led to ${code}, which is published without it`];
  const { retiredIn, replacedBy } = retired;
  const successor = replacedBy === null ? "the registry names no successor" : `its successor is ${replacedBy}`;
  return [`Until ${until}: it led to ${code}, retired in ${retiredIn}; ${successor}`];
}

/** Evidence for a person; the last line says that it is not an answer. */
function formatNear(near: Explanation["near"], outcome: Explanation["outcome"], published: readonly Entry[]): string[] {
  const otherLanguage = outcome.status === "abstained" && outcome.reason === "language_not_matched";
  return [
    ...near.map(
      ({ expression, rule, score, ...entry }) =>
        `Near, not the same: ${quote(expression)}, ${RULES[rule]}, score ${score}: ${formatEntries([entry])}`,
    ),
    ...(otherLanguage ? [`Near, not the same: in another language: ${formatEntries(published)}`] : []),
    ...(near.length > 0 || otherLanguage ? ["Near expressions are evidence for you, never an answer"] : []),
  ];
}

function formatEntries(entries: readonly Entry[]): string {
  return entries
    .map(
      ({ code, name, tag, equivalenceStrength }) =>
        `${printable(code)} ${printable(name)} (${shortened(tag)}, strength ${equivalenceStrength})`,
    )
    .join(", ");
}

function formatStrengths(considered: readonly Entry[]): string {
  const exact = new Set(
    considered.filter(({ equivalenceStrength }) => equivalenceStrength === EXACT_STRENGTH).map(({ code }) => code),
  );
  const below = new Set(considered.map(({ code }) => code).filter((code) => !exact.has(code)));
  return `at strength 1: ${formatCodes(exact)}; only below it: ${formatCodes(below)}`;
}

function formatCodes(codes: ReadonlySet<string>): string {
  return codes.size === 0 ? "none" : [...codes].join(", ");
}

/** What two texts have in common once a rule and those before it are applied. */
const RULES: Readonly<Record<NearRule["name"], string>> = {
  invisible: "the same without invisible characters",
  spaces: "the same with single plain spaces",
  punctuation: "the same with the quotation marks and dashes of a keyboard",
  compatibility: "the same in compatibility form",
  case: "the same in lower case",
  diacritics: "the same without diacritics",
};

const REASONS: Record<AbstentionReason, string> = {
  no_reviewed_exact_match: "no reviewed expression is exactly this text",
  language_not_matched: "the expression is published, but not for the requested language or a wider form of it",
  ambiguous_expression: "several concepts have exactly this expression, and the order never decides",
  equivalence_not_exact: "the expression is reviewed as near, not equal, to the concept",
  registry_empty: "the registry publishes no expression",
};
