/** One concept of a source as a record of the registry: its name, definition, provenance and expressions, and what was wrong. */
import { type Match, MATCHES, type Provenance } from "../../../runtime/contract/concept.ts";
import type { SourceConcept, SourceText } from "../formats/source.ts";
import { compareCodePoints } from "../../text/order.ts";
import { checkLabel } from "../../registry/check-concept.ts";
import { checkPlainText } from "../../registry/check-text.ts";
import type { ConceptRecord, ExpressionRecord } from "../../registry/record.ts";
import { importExpressions } from "./expressions.ts";
import type { Report } from "./import-finding.ts";
import { type ImportSettings, NO_LICENSE } from "./settings.ts";
import { checkDefinition, onOneLine } from "./text.ts";
import { importVocabulary, type Links } from "./vocabulary.ts";

export interface ConceptPlan {
  readonly code: string;
  /** Of a new concept that names none. */
  readonly domain: string;
  readonly settings: ImportSettings;
  /** The record before this import. */
  readonly existing: ConceptRecord | undefined;
  readonly links: Links;
}

export function importConcept(concept: SourceConcept, plan: ConceptPlan, report: Report): ConceptRecord {
  const { code, domain, settings, existing } = plan;
  const expressions = importExpressions(concept, { settings, existing: existing?.expressions ?? [] }, report);
  if (concept.expressions.length === 0) {
    const text = "The concept has no label, so nothing can resolve to it";
    report({ rule: "concept-without-label", text, remedy: "Give it a preferred label in the source" }, "kept");
  }
  const name = nameOf(concept, { expressions, code }, report);
  const hiddenLabels = concept.hiddenLabels.map(({ tag, text }) => ({
    language: tag === "" ? "und" : tag,
    label: text,
  }));
  const record = {
    code,
    name,
    definition: definitionOf(concept, { name, settings }, report),
    domain: concept.domain ?? existing?.domain ?? domain,
    provenance: provenanceOf(concept, plan, report),
    expressions,
    ...(concept.renderings === undefined ? {} : { renderings: concept.renderings }),
    ...(hiddenLabels.length === 0 ? {} : { hiddenLabels }),
  };
  // A spread with more behind it would give each record a hidden class of its own (Node 20).
  return Object.assign(record, importVocabulary(concept.vocabulary, { ...plan, record }, report));
}

/** A short English name where there is one: a text for people, which is never matched. */
function nameOf(
  concept: SourceConcept,
  { expressions, code }: { readonly expressions: readonly ExpressionRecord[]; readonly code: string },
  report: Report,
): string {
  const { name = "" } = concept;
  const faults = checkLabel(name, "name");
  if (faults.length === 0 && name !== "") return name;
  for (const fault of faults) report(fault, "changed");
  if (onOneLine(name) !== "") return onOneLine(name);
  const labels = expressions
    .map(({ language, locale, expression, type }) => ({ tag: locale ?? language, text: onOneLine(expression), type }))
    .filter(({ text }) => text !== "");
  const [best] = labels.sort(
    (a, b) => rankTag(a.tag) - rankTag(b.tag) || Number(a.type !== "preferred") - Number(b.type !== "preferred"),
  );
  return best?.text ?? code;
}

/** What has no tag first, as in our own exports; then English, since names are for whoever maintains the registry. */
function rankTag(tag: string): number {
  if (tag === "") return 0;
  if (tag === "en") return 1;
  return tag.startsWith("en-") ? 2 : 3;
}

/** The definition; a scope note stands in for it, then the name. */
function definitionOf(
  { definitions, scopeNotes }: SourceConcept,
  { name, settings }: { readonly name: string; readonly settings: ImportSettings },
  report: Report,
): string {
  for (const texts of [definitions, scopeNotes]) {
    for (const own of inOrder(texts)) {
      const { value, repaired, faults } = checkDefinition(own.text, settings.repairs);
      for (const fault of faults) report(fault, "left out", own);
      if (faults.length > 0 || value.trim() === "") continue;
      for (const fault of repaired) report(fault, "repaired", own);
      if (texts === scopeNotes) {
        const fault = "The concept has no definition; its scope note stands in for it";
        report({ rule: "definition-missing", text: fault, remedy: "Write a definition in the source" }, "changed", own);
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

/** The order of the file decides nothing. */
function inOrder(texts: readonly SourceText[]): SourceText[] {
  return texts.toSorted(
    (a, b) => rankTag(a.tag) - rankTag(b.tag) || compareCodePoints(a.tag, b.tag) || compareCodePoints(a.text, b.text),
  );
}

function provenanceOf(concept: SourceConcept, { settings, existing }: ConceptPlan, report: Report): Provenance | null {
  if (concept.provenance === null) return null;
  const known = existing?.provenance;
  const own = concept.provenance ?? {
    source: settings.source ?? known?.source ?? settings.fileName,
    license: settings.license ?? known?.license ?? NO_LICENSE,
    sourceId: concept.sourceId,
    reviewedBy: known?.reviewedBy ?? null,
    reviewedAt: known?.reviewedAt ?? null,
  };
  return Object.assign({ ...own }, ...MATCHES.map((name) => matches(name, concept[name] ?? [], report))) as Provenance;
}

function matches(name: Match, iris: readonly string[], report: Report): Partial<Record<Match, string[]>> {
  const clean = [...new Set(iris)].sort(compareCodePoints).filter((iri) => {
    const faults = checkPlainText(iri, "provenance");
    for (const fault of faults) report(fault, "left out");
    return faults.length === 0 && iri !== "";
  });
  return clean.length === 0 ? {} : { [name]: clean };
}
