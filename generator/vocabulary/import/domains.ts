/** Which domains an import is of, and what follows for the concepts in them: a domain is what one vocabulary covers. */
import type { Located, RegistrySource } from "../../registry/read.ts";
import type { ConceptRecord } from "../../registry/record.ts";
import { compareCodePoints } from "../../text/order.ts";
import { quote } from "../../text/printable.ts";
import { asWritten, isIri } from "../formats/rdf-line.ts";
import type { Source, SourceConcept } from "../formats/source.ts";
import type { ImportFault, ReportTo } from "./import-finding.ts";
import type { ImportSettings } from "./settings.ts";

/** Where most of these concepts are already: a newer dump may have another name. */
export function usualDomain(
  codes: readonly string[],
  existing: ReadonlyMap<string, Located<ConceptRecord>>,
): string | undefined {
  const counts = new Map<string, number>();
  for (const domain of codes.flatMap((code) => existing.get(code)?.record.domain ?? []))
    counts.set(domain, (counts.get(domain) ?? 0) + 1);
  const [usual] = [...counts].sort(([a, x], [b, y]) => y - x || compareCodePoints(a, b));
  return usual?.[0];
}

/** That of the import, and those that its files name, with where such concepts were before; not where people moved one. */
export function coveredDomains(
  concepts: readonly SourceConcept[],
  recordOf: (concept: SourceConcept) => ConceptRecord | undefined,
  own: string,
): readonly string[] {
  const named = concepts.flatMap((concept) =>
    concept.domain === undefined ? [] : [concept.domain, recordOf(concept)?.domain ?? concept.domain],
  );
  return [...new Set([own, ...named])];
}

/** Concepts of these domains that came from a source and are not in this one. */
export function missingConcepts(
  before: RegistrySource,
  { domains, codes }: { readonly domains: readonly string[]; readonly codes: ReadonlySet<string> },
): Located<ConceptRecord>[] {
  return before.concepts.filter(
    ({ record: { code, domain, provenance } }) =>
      !codes.has(code) && domains.includes(domain) && typeof provenance?.sourceId === "string",
  );
}

/** Whether a concept is one of the domain; without a domain all are one vocabulary. */
export function isOfDomain(record: ConceptRecord | undefined, domain: string | undefined): boolean {
  return domain === undefined || record?.domain === domain;
}

/**
 * The concepts of a file that are another domain's and came from another source: a vocabulary never changes those, whatever
 * it says of them. Those of its own source were moved there by people. A file that names a code or a domain speaks of ours.
 */
export function foreignConcepts(
  concepts: readonly SourceConcept[],
  recordOf: (concept: SourceConcept) => ConceptRecord | undefined,
  { domain, source, fileName }: ImportSettings,
): ReadonlyMap<SourceConcept, ConceptRecord> {
  const foreign = new Map<SourceConcept, ConceptRecord>();
  for (const concept of concepts) {
    const record = recordOf(concept);
    if (record === undefined || isOfDomain(record, domain)) continue;
    if (concept.code !== undefined || concept.domain !== undefined) continue;
    const isMoved = record.provenance?.source === (source ?? fileName);
    // Two vocabularies may call their concepts alike, unless they call them by IRIs.
    if (!isMoved || !isIri(concept.sourceId ?? "")) foreign.set(concept, record);
  }
  return foreign;
}

/**
 * What a vocabulary says of everything but its own concepts, in order: also what it says of another domain's. A file that
 * has no place for that, or speaks of nothing else, is refused: it was meant otherwise.
 */
export function withForeign(
  { vocabulary, concepts }: Pick<Source, "vocabulary" | "concepts">,
  foreign: ReadonlyMap<SourceConcept, ConceptRecord>,
  reportTo: ReportTo,
): Source["vocabulary"] {
  const isKept = vocabulary !== undefined && foreign.size < concepts.length;
  for (const [concept, record] of foreign)
    reportTo(concept)(foreignFault(concept, record, isKept), isKept ? "kept" : "refused");
  if (!isKept || foreign.size === 0) return vocabulary;
  // What is said of a deprecated one is there already.
  const said = [...foreign.keys()].flatMap(({ vocabulary: own, sourceId, file, line }) =>
    own?.kind === "statements" ? [{ file, line, subject: asWritten(sourceId ?? ""), source: [...own.lines] }] : [],
  );
  return [...vocabulary, ...said].sort((a, b) => compareCodePoints(a.subject, b.subject));
}

function foreignFault({ sourceId }: SourceConcept, { code, domain }: ConceptRecord, isKept: boolean): ImportFault {
  const called = `${quote(sourceId ?? "")} is what the domain ${quote(domain)} calls its ${code}`;
  const same = "Leave out --domain if this is the same vocabulary";
  if (!isKept)
    return {
      rule: "source-id-of-another",
      text: called,
      remedy: `${same}; if not, give its concepts IRIs of their own as ids`,
    };
  const text = `${called}, which stays as it is; what this source says of it is kept as statements alone`;
  return { rule: "concept-of-another", text, remedy: `${same}; if not, nothing needs to be done` };
}
