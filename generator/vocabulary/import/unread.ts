/** What is in a source but cannot be read is not gone from it. */
import { formatLanguageTag } from "../../../runtime/text/language.ts";
import type { Located } from "../../registry/read.ts";
import type { ConceptRecord } from "../../registry/record.ts";
import type { SourceFault } from "../formats/source.ts";
import type { ImportFinding } from "./import-finding.ts";

/**
 * The faults of reading. One for which a concept or an expression of the registry would be taken for gone, and be retired
 * for good, stops the import: such as a table whose days a spreadsheet has written anew. A row that names a language and no
 * concept may be of any of them.
 */
export function refuseLosses(
  faults: readonly SourceFault[],
  planned: readonly ImportFinding[],
  existing: ReadonlyMap<string, Located<ConceptRecord>>,
): ImportFinding[] {
  const gone = new Set(
    planned.flatMap(({ rule, concept, language }) => {
      if (rule === "concept-gone") return [keyOf(concept), keyOf(null)];
      return rule === "expression-gone" ? [keyOf(concept, language), keyOf(null, language)] : [];
    }),
  );
  return faults.map((fault) => {
    const { concept, language, outcome } = fault;
    if (outcome !== "left out" || (concept ?? language) === null) return fault;
    // A row may name the concept by its code.
    const id = existing.get(concept ?? "")?.record.provenance?.sourceId ?? concept;
    return gone.has(keyOf(id)) || gone.has(keyOf(id, language)) ? { ...fault, outcome: "refused" } : fault;
  });
}

function keyOf(concept: string | null, language: string | null = null): string {
  return JSON.stringify([concept, language === null ? null : formatLanguageTag(language)]);
}
