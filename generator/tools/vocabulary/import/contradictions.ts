/**
 * Finds where imported concepts contradict each other: labels that several concepts have, and
 * relations.
 */
import type { MemoryBudget } from "../../../effects/effects.ts";
import { EXACT_STRENGTH } from "../../../../runtime/contract/concept.ts";
import { keyOf } from "../../../../runtime/text/expression.ts";
import { SortedRecords, textsByKey } from "../../../scratch/sorted-records.ts";
import { type AmbiguousKey, ambiguousTags, type Label, meaningsOf } from "../../../registry/ambiguity.ts";
import { tagOf } from "../../../registry/concept.ts";
import { isCurrent } from "../../../registry/check-concept.ts";
import { relationFindings } from "../../../registry/check-relations.ts";
import type { Located } from "../../../registry/read.ts";
import type { ConceptRecord } from "../../../registry/record.ts";
import { compareCodePoints } from "../../../text/order.ts";
import { quote } from "../../../text/printable.ts";
import type { ImportFinding } from "./import-finding.ts";

/** `all` includes `imported`. */
export function contradictions(
  imported: readonly Located<ConceptRecord>[],
  all: readonly Located<ConceptRecord>[],
  budget: MemoryBudget,
): ImportFinding[] {
  return [...ambiguityFindings(imported, all, budget), ...hierarchyFindings(all, budget)];
}

/**
 * Labels that an imported concept shares with another one, whether they are reviewed yet or not.
 */
function ambiguityFindings(
  imported: readonly Located<ConceptRecord>[],
  all: readonly Located<ConceptRecord>[],
  budget: MemoryBudget,
): ImportFinding[] {
  const file = imported[0]?.file ?? "";
  const codes = new Set(imported.map(({ record }) => record.code));
  return Array.from(ambiguousLabels(all, budget)).flatMap((ambiguous) => {
    const { key, meanings } = ambiguous;
    if (!meanings.some(({ code }) => codes.has(code))) return [];
    const listed = meanings.map(({ code, tags }) => `${code} (${tags.join(", ")})`).join(", ");
    const finding = (rule: string, language: string | null): ImportFinding => ({
      rule,
      outcome: "kept",
      file,
      concept: null,
      language,
      text: `${quote(key)} is the label of ${listed}`,
      remedy: "Nothing needs to be done: the resolver abstains; reject what is not meant",
    });
    const within = ambiguousTags(ambiguous).map((tag) => finding("ambiguous-within-language", tag));
    return within.length > 0 ? within : [finding("ambiguous-across-languages", null)];
  });
}

/** In the order of the keys. */
function* ambiguousLabels(
  concepts: readonly Located<ConceptRecord>[],
  budget: MemoryBudget,
): Generator<AmbiguousKey, void> {
  const labels = new SortedRecords(budget);
  for (const { record } of concepts) {
    for (const one of record.expressions) {
      if (!isCurrent(one) || one.equivalenceStrength !== EXACT_STRENGTH) continue;
      const label: Label = { code: record.code, tag: tagOf(one) };
      labels.addText(keyOf(one.expression), JSON.stringify(label));
    }
  }
  for (const { key, texts } of textsByKey(labels)) {
    if (texts.length < 2) continue;
    const meanings = meaningsOf(texts.map((text) => JSON.parse(text) as Label));
    if (meanings.length > 1) yield { key, meanings: meanings.sort((a, b) => compareCodePoints(a.code, b.code)) };
  }
}

/**
 * Contradictions within the vocabulary; each text begins with the code of its concept. They have no
 * line: the file is not written yet.
 */
function hierarchyFindings(concepts: readonly Located<ConceptRecord>[], budget: MemoryBudget): ImportFinding[] {
  const findings = relationFindings(concepts, budget).map(
    ({ severity: _notice, pointer: _field, line: _none, ...finding }) => ({
      ...finding,
      code: /^\S+/.exec(finding.text)?.[0] ?? "",
    }),
  );
  const codes = new Set(findings.map(({ code }) => code));
  const named = concepts.filter(({ record }) => codes.has(record.code));
  const ids = new Map(named.map(({ record }) => [record.code, record.provenance?.sourceId]));
  return findings.map(({ code, ...finding }) => ({
    ...finding,
    outcome: "kept",
    concept: ids.get(code) ?? code,
    language: null,
  }));
}
