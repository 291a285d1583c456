/**
 * The common parts of exports: the records they are made of, and their order.
 */
import { NOTES } from "../../../../runtime/contract/concept-notes.ts";
import { tagOf } from "../../../registry/concept.ts";
import type { Located, RegistrySource } from "../../../registry/read.ts";
import type { CodeMapLine, ConceptRecord } from "../../../registry/record.ts";
import type { DomainLine } from "../../../registry/vocabulary-file.ts";
import { compareCodePoints } from "../../../text/order.ts";

/** All records of a registry. */
export interface RegistryRecords extends Pick<RegistrySource, "registry" | "concepts" | "retired"> {
  readonly vocabularies?: readonly DomainLine[] | undefined;
  readonly codeMap?: RegistrySource["codeMap"] | undefined;
}

/** The IRIs of an export, and its languages. */
export interface ExportOptions {
  /** The service that the concepts' IRIs point to, such as `https://example.org`. */
  readonly origin: string;
  /** Only these languages, in canonical form, and narrower ones; none: all. */
  readonly languages?: readonly string[] | undefined;
}

/**
 * The lines of the code map that no record says: a source's identifier for a concept that has
 * another sourceId here, or none.
 */
export function unsaidCodes({ codeMap = [], concepts, retired }: RegistryRecords): CodeMapLine[] {
  const said = new Map([
    ...retired.map(({ code, sourceId }) => [code, sourceId] as const),
    ...concepts.map(({ record }) => [record.code, record.provenance?.sourceId] as const),
  ]);
  return codeMap.filter(({ code, sourceId }) => said.get(code) !== sourceId);
}

export function inCodeOrder(concepts: RegistryRecords["concepts"]): Located<ConceptRecord>[] {
  return concepts.toSorted((a, b) => compareCodePoints(a.record.code, b.record.code));
}

/**
 * A record with only the labels and notes whose tags are taken; a note without a tag is in no
 * language and stays.
 */
export function inLanguages(record: ConceptRecord, takes: (tag: string) => boolean): ConceptRecord {
  const { expressions, hiddenLabels = [], notes } = record;
  const labels = hiddenLabels.filter(({ language }) => takes(language));
  const chosenNotes = NOTES.flatMap((name) => {
    const all = notes?.[name] ?? [];
    const chosen = all.filter(({ language }) => language === undefined || takes(language));
    return chosen.length > 0 || notes?.[name]?.length === 0 ? [[name, chosen]] : [];
  });
  return {
    ...record,
    expressions: expressions.filter((one) => takes(tagOf(one))),
    // An empty list in the record stays; a list that becomes empty is removed.
    ...(hiddenLabels.length > 0 && { hiddenLabels: labels.length > 0 ? labels : undefined }),
    ...(notes !== undefined && { notes: Object.fromEntries(chosenNotes) }),
  } as ConceptRecord;
}
