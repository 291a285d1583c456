/** What imported concepts say against each other: labels that several have, and relations that contradict themselves. */
import type { Room } from "../../effects/effects.ts";
import { ambiguousKeys, ambiguousTags } from "../../registry/ambiguity.ts";
import { isCurrent } from "../../registry/check-concept.ts";
import { relationFindings } from "../../registry/check-relations.ts";
import { Concepts } from "../../registry/concepts.ts";
import type { Located } from "../../registry/read.ts";
import type { ConceptRecord } from "../../registry/record.ts";
import { quote } from "../../text/printable.ts";
import type { ImportFinding } from "./import-finding.ts";

const NAMELESS = { name: "", definition: "", domain: "", provenance: null, renderings: [] };

/** Labels that several of the imported concepts have, whether they are reviewed yet or not. */
export function ambiguityFindings(concepts: readonly Located<ConceptRecord>[], room: Room): ImportFinding[] {
  const file = concepts[0]?.file ?? "";
  const labelled = new Concepts(room);
  for (const { record } of concepts) {
    const expressions = record.expressions
      .filter(isCurrent)
      .map((one) => ({ ...one, locale: one.locale ?? null, provenance: null }));
    labelled.add({ ...NAMELESS, code: record.code, expressions });
  }
  return Array.from(ambiguousKeys(labelled)).flatMap((ambiguous) => {
    const { key, meanings } = ambiguous;
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

/** What the vocabulary says against itself; each text begins with the code of its concept. */
export function hierarchyFindings(concepts: readonly Located<ConceptRecord>[]): ImportFinding[] {
  return relationFindings(concepts).map(({ severity: _notice, pointer: _field, ...finding }) => ({
    ...finding,
    outcome: "kept",
    concept: /^\S+/.exec(finding.text)?.[0] ?? null,
    language: null,
  }));
}
