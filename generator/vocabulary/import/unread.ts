/** What is in a source but cannot be read is not gone from it. */
import { isDeepStrictEqual } from "node:util";
import { formatLanguageTag } from "../../../runtime/text/language.ts";
import type { Located } from "../../registry/read.ts";
import type { ConceptRecord } from "../../registry/record.ts";
import { quote } from "../../text/printable.ts";
import { DEPRECATED, PREF_LABEL, TYPE } from "../formats/terms.ts";
import type { Source, SourceFault, SourceSubject } from "../formats/source.ts";
import type { ImportFinding } from "./import-finding.ts";

/** What an import finds in the registry, and what it makes of that. */
interface Change {
  /** By code. */
  readonly existing: ReadonlyMap<string, Located<ConceptRecord>>;
  /** Those of the source, after it; the same where it changes nothing. */
  readonly concepts: readonly Located<ConceptRecord>[];
}

/** What an import would take for gone. */
interface Gone {
  /** As their source calls them. */
  readonly concepts: ReadonlySet<string | null>;
  /** Of which concept and language, and of which concept. */
  readonly expressions: ReadonlySet<string>;
  /** What the concepts that lose something are called. */
  readonly labels: ReadonlySet<string>;
  /** Concepts that are there and change in more than their expressions, as their source calls them. */
  readonly changed: ReadonlySet<string>;
  /** Whether the registry has any concept of the source. */
  readonly isKnown: boolean;
}

/**
 * The faults of reading. One for which a concept or an expression of the registry would be taken for gone, and be retired
 * for good, stops the import: such as a table whose days a spreadsheet has written anew. So does one of a row that tells
 * of a concept alone, such as its licence, where the concept changes, and one of a registry whose concepts are there.
 */
export function refuseLosses(
  { faults, vocabulary = [] }: Pick<Source, "faults" | "vocabulary">,
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
  const told = faults.map((fault): ImportFinding => {
    // A row may name the concept by its code.
    const concept = existing.get(fault.concept ?? "")?.record.provenance?.sourceId ?? fault.concept;
    const isLoss = fault.outcome === "left out" && loses({ ...fault, concept }, gone);
    return isLoss ? { ...fault, outcome: "refused" } : fault;
  });
  const untyped = vocabulary.filter((one) => gone.concepts.has(one.subject) && isUntyped(one));
  return [...told, ...untyped.map(untypedFinding)];
}

/** What a row may say of a concept without a label, which has findings of its own. */
function besideExpressions(record: ConceptRecord): object {
  // A name that nobody wrote is made of labels, and stands in for a definition.
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
    expressions: new Set(expressions.flatMap(({ concept, language }) => [keyOf(concept), keyOf(concept, language)])),
    labels: new Set(labels),
  };
}

function loses({ rule, concept, language, labels }: SourceFault, gone: Gone): boolean {
  if (labels !== undefined) return labels.some((label) => gone.labels.has(label));
  // A row of no concept is of a registry: its own record, or what its vocabularies say of other things.
  if (rule === "export-registry" || (rule === "csv-cell" && concept === null)) return gone.isKnown;
  if (concept === null) return false;
  if (gone.concepts.has(concept)) return true;
  // A row without a language is of the concept itself.
  if (rule.startsWith("csv-") && language === null && gone.changed.has(concept)) return true;
  // A label whose language nobody can tell may be of any.
  return gone.expressions.has(keyOf(concept, language));
}

function keyOf(concept: string | null, language: string | null = null): string {
  return JSON.stringify([concept, language === null ? null : formatLanguageTag(language)]);
}

/** Whether a subject is labelled as a concept is, and lacks no more than a type; what is deprecated needs none. */
function isUntyped({ source }: SourceSubject): boolean {
  const says = (predicate: string): boolean => source.some((line) => line.startsWith(`<${predicate}> `));
  return says(PREF_LABEL) && !says(TYPE) && !says(DEPRECATED);
}

function untypedFinding({ file, line, subject }: SourceSubject): ImportFinding {
  const text = `${quote(subject)} has a preferred label and no type, so it is not read as the concept that it was`;
  const remedy = "Give it the type skos:Concept, or say owl:deprecated true, or take its label out";
  const rule = "concept-without-type";
  return { rule, outcome: "refused", file, line, concept: subject, language: null, text, remedy };
}
