/** Keeps an import from treating content as gone that is in the source but could not be read. */
import { isDeepStrictEqual } from "node:util";
import { formatLanguageTag } from "../../../../runtime/text/language.ts";
import type { Located } from "../../../registry/read.ts";
import type { ConceptRecord } from "../../../registry/record.ts";
import type { Source, SourceFault } from "../formats/source.ts";
import type { ImportFinding } from "./import-finding.ts";

/** The registry's concepts before an import, and those of the source after it. */
interface Change {
  /** By code. */
  readonly existing: ReadonlyMap<string, Located<ConceptRecord>>;
  /** The concepts of the source after the import; the same objects if it does not change them. */
  readonly concepts: readonly Located<ConceptRecord>[];
}

/** The losses that an import would cause. */
interface Gone {
  /** Concepts, by sourceId or, without one, by code. */
  readonly concepts: ReadonlySet<string | null>;
  /** Keys of concept and language, and of the concept only. */
  readonly expressions: ReadonlySet<string>;
  /** Labels of the concepts that lose something. */
  readonly labels: ReadonlySet<string>;
  /** Existing concepts that change in more than their expressions, by the same. */
  readonly changed: ReadonlySet<string>;
  /** Whether the registry has any concept of the source. */
  readonly isKnown: boolean;
}

/**
 * Returns the reading faults. A fault stops the import if because of it a concept or an expression
 * of the registry would be treated as gone and permanently retired, for example when a spreadsheet
 * has rewritten the dates of a table. So does a fault in a row about a concept itself, such as its
 * licence, if the concept changes, and a fault in a record about a registry itself, if the registry
 * has any concept of the source.
 */
export function refuseLosses(
  { faults }: Pick<Source, "faults">,
  planned: readonly ImportFinding[],
  { existing, concepts }: Change,
): ImportFinding[] {
  const changed = concepts.filter(({ record }) => {
    const there = existing.get(record.code)?.record;
    return there !== undefined && !isDeepStrictEqual(besideExpressions(there), besideExpressions(record));
  });
  const names = changed.map(({ record: { code, provenance } }) => provenance?.sourceId ?? code);
  const isKnown = concepts.some(({ record }) => existing.has(record.code));
  const gone = { ...goneOf(planned, existing), changed: new Set(names), isKnown };
  return faults.map((fault): ImportFinding => {
    // A row may name the concept by its code.
    const concept = existing.get(fault.concept ?? "")?.record.provenance?.sourceId ?? fault.concept;
    const isLoss = fault.outcome === "left out" && loses({ ...fault, concept }, gone);
    return isLoss ? { ...fault, outcome: "refused" } : fault;
  });
}

/**
 * The fields that a row may have about a concept, without labels, which have their own findings.
 */
function besideExpressions(record: ConceptRecord): object {
  // A name that nobody wrote is made of labels, and also serves as the definition.
  const definition = record.definition === record.name ? undefined : record.definition;
  return { ...record, expressions: undefined, name: undefined, definition };
}

function goneOf(planned: readonly ImportFinding[], existing: Change["existing"]): Omit<Gone, "changed" | "isKnown"> {
  const of = (rule: string): ImportFinding[] => planned.filter((finding) => finding.rule === rule);
  const [missing, expressions] = [of("concept-gone"), of("expression-gone")];
  const losing = new Set([...missing, ...expressions].map(({ concept }) => concept));
  const labels = [...existing.values()].flatMap(({ record: { code, provenance, expressions: all } }) =>
    losing.has(provenance?.sourceId ?? code) ? all.map(({ expression }) => expression) : [],
  );
  return {
    concepts: new Set(missing.map(({ concept }) => concept)),
    expressions: new Set(
      expressions.flatMap(({ concept, language }) => [unreadKey(concept), unreadKey(concept, language)]),
    ),
    labels: new Set(labels),
  };
}

function loses({ rule, concept, language, labels }: SourceFault, gone: Gone): boolean {
  if (labels !== undefined) return labels.some((label) => gone.labels.has(label));
  // A row without a concept is about a registry: its own record, or its vocabularies' statements
  // about other things.
  if (rule === "export-registry" || (rule === "csv-cell" && concept === null)) return gone.isKnown;
  if (concept === null) return false;
  if (gone.concepts.has(concept)) return true;
  // A row without a language is about the concept itself.
  if (rule.startsWith("csv-") && language === null && gone.changed.has(concept)) return true;
  // A label whose language is unknown may be in any.
  return gone.expressions.has(unreadKey(concept, language));
}

function unreadKey(concept: string | null, language: string | null = null): string {
  return JSON.stringify([concept, language === null ? null : formatLanguageTag(language)]);
}
