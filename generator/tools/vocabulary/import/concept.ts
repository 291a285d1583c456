/**
 * Turns one concept of a source into a record of the registry: its name, definition, provenance and
 * expressions. Reports its faults.
 */
import { type Match, MATCHES, type Provenance } from "../../../../runtime/contract/concept.ts";
import { NOTES, RELATIONS } from "../../../../runtime/contract/concept-notes.ts";
import { chooseLanguages } from "../formats/chosen-languages.ts";
import type { SourceConcept, SourceText } from "../formats/source.ts";
import { compareCodePoints } from "../../../text/order.ts";
import type { Fault } from "../../../text/finding.ts";
import { quote } from "../../../text/printable.ts";
import { checkLabel } from "../../../registry/check-concept.ts";
import { checkPlainText } from "../../../registry/check-text.ts";
import type { ConceptRecord } from "../../../registry/record.ts";
import { importExpressions, withOwnReviews } from "./expressions.ts";
import { importHiddenLabels } from "./hidden-labels.ts";
import { changedFault, goneFault, type Report } from "./import-finding.ts";
import { type ImportSettings, NO_LICENSE } from "./settings.ts";
import { checkDefinition, onOneLine } from "./text.ts";
import { importVocabulary, type Links } from "./vocabulary.ts";

export interface ConceptPlan {
  readonly code: string;
  /** The domain of a new concept that names none. */
  readonly domain: string;
  readonly settings: ImportSettings;
  /** The record before this import. */
  readonly existing: ConceptRecord | undefined;
  readonly links: Links;
  /**
   * Whether the source is a complete registry, as our own exports are: anything it does not have is
   * gone.
   */
  readonly isWhole: boolean;
  /** Whether the source has only published content. */
  readonly isPublished: boolean;
}

export function importConcept(concept: SourceConcept, plan: ConceptPlan, report: Report): ConceptRecord {
  const { code, domain, settings, existing, isWhole, isPublished } = plan;
  const expressions = importExpressions(concept, { ...plan, existing: existing?.expressions ?? [] }, report);
  if (concept.expressions.length === 0) {
    const named = concept.name === undefined ? "" : `; ${quote(concept.name)} is only its name`;
    const text = `The concept has no label, so nothing can resolve to it${named}`;
    report({ rule: "concept-without-label", text, remedy: "Give it a preferred label in the source" }, "kept");
  }
  const name = nameOf(concept, { expressions, code, existing }, report);
  const hiddenLabels = importHiddenLabels(concept, plan, report);
  const provenance = provenanceOf(concept, plan, report);
  const said = concept.renderings ?? (isWhole ? undefined : existing?.renderings);
  // Published content has an empty list even if the record has none.
  const hadNone = existing !== undefined && existing.renderings === undefined;
  const renderings = isPublished && hadNone && said?.length === 0 ? undefined : said;
  const record = {
    code,
    name,
    definition: definitionOf(concept, { name, settings, existing }, report),
    domain: concept.domain ?? existing?.domain ?? domain,
    provenance,
    expressions:
      concept.provenance === undefined ? withOwnReviews(expressions, { before: existing, provenance }) : expressions,
    ...(renderings === undefined ? {} : { renderings }),
    ...(hiddenLabels.length === 0 && concept.blank?.hiddenLabels === undefined ? {} : { hiddenLabels }),
  };
  // A spread followed by more would give each record its own hidden class (Node 20).
  Object.assign(record, importVocabulary(concept.vocabulary, { ...plan, record }, report));
  if (existing !== undefined) {
    reportGone(existing, record, report);
    reportWritten(existing, record, { settings, report });
  }
  return record;
}

/**
 * Reports statements that the old record has and the new one does not. Expressions and hidden
 * labels have already been reported.
 */
function reportGone(before: ConceptRecord, after: ConceptRecord, report: Report): void {
  const kept = new Set(statementsOf(after).map(([what, said]) => `${what} ${said}`));
  // Whoever reviewed an expression that is gone goes with it.
  const present = new Set(after.expressions.map(({ expression }) => expression));
  const expressions = before.expressions.filter(({ expression }) => present.has(expression));
  for (const [what, said] of statementsOf({ ...before, expressions }))
    if (!kept.has(`${what} ${said}`)) report(goneFault(what, said, "removed"), "changed");
  const { license: was = NO_LICENSE } = before.provenance ?? {};
  const { license: is } = after.provenance ?? {};
  if (was === NO_LICENSE || is === was) return;
  const text = `The licence was ${quote(was)} and is ${is === undefined ? "no longer given" : `${quote(is)} now`}`;
  const remedy = "Write it with the concept, or by --license, if it is still the same";
  report({ rule: "license-changed", text, remedy }, "changed");
}

/**
 * Reports a name and a definition that become others, because people may have written them; not
 * those that an import made of labels, which have their own findings, or of notes, which are among
 * the statements.
 */
function reportWritten(
  before: ConceptRecord,
  after: ConceptRecord,
  { settings, report }: { readonly settings: ImportSettings; readonly report: Report },
): void {
  const { name, definition } = before;
  if (name !== after.name && name !== nameByLabels(before)) report(changedFault("name", name, after.name), "changed");
  const isWritten = typeof definition === "string" && definition !== "" && definition !== nameByLabels(before);
  if (isWritten && definition !== after.definition && !isFromSource(before, { settings, hasNotes: true }))
    report(changedFault("definition", definition, after.definition ?? ""), "changed");
}

function statementsOf({ notations = [], notes = {}, provenance, ...record }: ConceptRecord): [string, string][] {
  const { expressions, renderings = [] } = record;
  const reviewers = [provenance, ...expressions.map((one) => one.provenance)].flatMap((one) => one?.reviewedBy ?? []);
  return [
    ...renderings.map(({ type, descriptor, unicodeSequence, confidence }): [string, string] => [
      "rendering",
      [type, descriptor, unicodeSequence, confidence].filter((one) => one !== null).join(" "),
    ]),
    ...Array.from(new Set(reviewers), (reviewer): [string, string] => ["reviewer", reviewer]),
    ...notations.map(({ notation }): [string, string] => ["notation", notation]),
    ...NOTES.flatMap((name) => (notes[name] ?? []).map(({ text }): [string, string] => ["note", text])),
    ...RELATIONS.flatMap((name) =>
      (record[name] ?? []).map((code): [string, string] => ["relation", `${name} ${code}`]),
    ),
    ...MATCHES.flatMap((name) =>
      (provenance?.[name] ?? []).map((iri): [string, string] => ["match", `${name} ${iri}`]),
    ),
  ];
}

interface Naming extends Pick<ConceptRecord, "expressions" | "code"> {
  readonly existing: ConceptRecord | undefined;
}

/**
 * A short name, English if possible: a text for people, which is never matched. A name that people
 * wrote stays.
 */
function nameOf(concept: SourceConcept, { existing, ...made }: Naming, report: Report): string {
  const { name = "" } = concept;
  const faults = checkLabel(name, "name");
  if (faults.length === 0 && name !== "") return name;
  for (const fault of faults) report(fault, "changed");
  if (onOneLine(name) !== "") return onOneLine(name);
  return existing === undefined || existing.name === nameByLabels(existing) ? nameByLabels(made) : existing.name;
}

function nameByLabels({ expressions, code }: Pick<ConceptRecord, "expressions" | "code">): string {
  const labels = expressions
    .map(({ language, locale, expression, type }) => ({ tag: locale ?? language, text: onOneLine(expression), type }))
    .filter(({ text }) => text !== "");
  const [best] = labels.sort(
    (a, b) => rankTag(a.tag) - rankTag(b.tag) || Number(a.type !== "preferred") - Number(b.type !== "preferred"),
  );
  return best?.text ?? code;
}

/**
 * Texts without a tag first, as in our own exports; then English, since names are for whoever
 * maintains the registry.
 */
function rankTag(tag: string): number {
  if (tag === "") return 0;
  if (tag === "en") return 1;
  return tag.startsWith("en-") ? 2 : 3;
}

interface Defining {
  readonly name: string;
  readonly settings: ImportSettings;
  readonly existing: ConceptRecord | undefined;
}

/**
 * Chooses the definition: the source's, or one kept in another language; else what people wrote,
 * then a scope note, then the name.
 */
function definitionOf(
  { definitions, scopeNotes, vocabulary }: SourceConcept,
  { name, settings, existing }: Defining,
  report: Report,
): string {
  // A source that cannot hold notes, such as a table, leaves existing ones and what is made of
  // them.
  const isGone = existing === undefined || isFromSource(existing, { settings, hasNotes: vocabulary !== undefined });
  const own = isGone ? undefined : existing.definition;
  const before = isGone || vocabulary !== undefined ? existing : undefined;
  const [kept, keptNotes] = [keptTexts("definition", before, settings), keptTexts("scopeNote", before, settings)];
  const notes = [...scopeNotes, ...keptNotes];
  // The first definition that `--fix` repairs; the next import looks no further.
  let repairable: SourceText | undefined;
  for (const texts of [[...definitions, ...kept], notes]) {
    if (texts === notes && typeof own === "string" && own.trim() !== "") return own;
    for (const one of inOrder(texts)) {
      const { value, repaired, faults } = checkDefinition(one.text, settings.repairs);
      if (one.text.trim() !== "" && faults.every(({ repairedBy }) => repairedBy !== undefined)) repairable ??= one;
      for (const fault of faults)
        report(one === repairable ? fault : { ...fault, repairedBy: undefined }, "left out", one);
      if (faults.length > 0 || value.trim() === "") continue;
      for (const fault of repaired) report(fault, "repaired", one);
      if (texts === notes) {
        const fault = "The concept has no definition; its scope note stands in for it";
        report({ rule: "definition-missing", text: fault, remedy: "Write a definition in the source" }, "changed", one);
      }
      return value;
    }
  }
  const refused = settings.missingDefinition === "error";
  const text = `The concept has no definition${refused ? "" : "; its name stands in for it"}`;
  const remedy = refused
    ? "Write one in the source, or let names stand in by --missing-definition label"
    : "Write a definition in the source";
  report({ rule: "definition-missing", text, remedy }, refused ? "refused" : "changed");
  return name;
}

/**
 * Texts that an earlier import took in languages that this one is not asked about. One with a fault
 * was reported then.
 */
function keptTexts(
  name: "definition" | "scopeNote",
  existing: ConceptRecord | undefined,
  { languages, repairs }: ImportSettings,
): SourceText[] {
  const speaksOf = chooseLanguages(languages);
  return (existing?.notes?.[name] ?? []).flatMap(({ language: tag = "", text }) =>
    tag === "" || speaksOf(tag) || checkDefinition(text, repairs).faults.length > 0 ? [] : { tag, text },
  );
}

/**
 * Whether an import made the definition: of the name, or of a note that the source would repeat.
 */
function isFromSource(
  { name, definition, notes = {} }: ConceptRecord,
  { settings, hasNotes }: { readonly settings: ImportSettings; readonly hasNotes: boolean },
): boolean {
  const { definition: definitions = [], scopeNote = [] } = hasNotes ? notes : {};
  return (
    definition === name ||
    [...definitions, ...scopeNote].some(({ text }) => checkDefinition(text, settings.repairs).value === definition)
  );
}

/** The order of the file decides nothing. */
function inOrder(texts: readonly SourceText[]): SourceText[] {
  return texts.toSorted(
    (a, b) => rankTag(a.tag) - rankTag(b.tag) || compareCodePoints(a.tag, b.tag) || compareCodePoints(a.text, b.text),
  );
}

function provenanceOf(concept: SourceConcept, plan: ConceptPlan, report: Report): Provenance | null {
  const { settings, existing, isWhole } = plan;
  if (concept.provenance === null) return null;
  const known = existing?.provenance;
  const own = concept.provenance ?? {
    source: settings.source ?? known?.source ?? settings.fallbackName,
    license: settings.license ?? known?.license ?? NO_LICENSE,
    sourceId: concept.sourceId,
    reviewedBy: known?.reviewedBy ?? null,
    reviewedAt: known?.reviewedAt ?? null,
  };
  // A table cannot hold matches.
  const said = MATCHES.map((name) => concept[name] ?? (isWhole ? [] : (known?.[name] ?? [])));
  // A file of statements keeps those that are not matches.
  const outcome = concept.vocabulary?.kind === "statements" ? "kept" : "left out";
  const tell = (fault: Fault): void => report(fault, outcome);
  return Object.assign({ ...own }, ...MATCHES.map((name, i) => matches(name, said[i] ?? [], tell))) as Provenance;
}

function matches(name: Match, iris: readonly string[], tell: (fault: Fault) => void): Partial<Record<Match, string[]>> {
  const clean = [...new Set(iris)].filter((iri) => {
    const faults = checkPlainText(iri, "provenance");
    faults.forEach(tell);
    return faults.length === 0 && iri !== "";
  });
  return clean.length === 0 ? {} : { [name]: clean };
}
