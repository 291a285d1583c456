/** Which domains an import is of, and what follows for the concepts in them: a domain is what one vocabulary covers. */
import type { Located, RegistrySource } from "../../registry/read.ts";
import type { ConceptRecord } from "../../registry/record.ts";
import { compareCodePoints } from "../../text/order.ts";
import { quote } from "../../text/printable.ts";
import { asWritten, isIri } from "../formats/rdf-line.ts";
import type { Source, SourceConcept } from "../formats/source.ts";
import type { ImportFault, ReportTo } from "./import-finding.ts";
import type { ImportSettings } from "./settings.ts";

/** The domain of an import's concepts that name none. */
export interface OwnDomain {
  readonly domain: string;
  /** Whether a person named it, or this is a newer dump of no domain: then an id that is no IRI is not that of another domain. */
  readonly isApart: boolean;
}

/**
 * The domain that is named; else the one where most of these concepts are, if half of these, or half of the domain's, are in
 * both: then this is a newer dump of it, whatever its file is called. What has fewer in common only mentions them.
 */
export function domainOf(
  codes: readonly string[],
  existing: ReadonlyMap<string, Located<ConceptRecord>>,
  { domain: named, fileName }: ImportSettings,
): OwnDomain {
  if (named !== undefined) return { domain: named, isApart: true };
  const usual = mostFrequent(codes.flatMap((code) => existing.get(code)?.record.domain ?? []));
  if (usual === undefined) return { domain: fileName, isApart: true };
  const [domain, shared] = usual;
  const all = [...existing.values()].filter(({ record }) => record.domain === domain && isFromSource(record));
  return 2 * shared < Math.min(codes.length, all.length)
    ? { domain: fileName, isApart: true }
    : { domain, isApart: false };
}

/** With how often it occurs. */
function mostFrequent(texts: readonly string[]): readonly [text: string, count: number] | undefined {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort(([a, x], [b, y]) => y - x || compareCodePoints(a, b))[0];
}

function isFromSource({ provenance }: ConceptRecord): boolean {
  return typeof provenance?.sourceId === "string";
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
    ({ record }) => !codes.has(record.code) && domains.includes(record.domain) && isFromSource(record),
  );
}

/** Whether a concept is one of the domain; without a domain all are one vocabulary. */
export function isOfDomain(record: ConceptRecord | undefined, domain: string | undefined): boolean {
  return domain === undefined || record?.domain === domain;
}

/**
 * The concepts of a file that are another domain's and came from another source: a vocabulary never changes those, whatever
 * it says of them. Those of its own source were moved there by people; that is the source as it is named now, or the one that
 * most concepts of its domain name. A file that names a code or a domain speaks of ours.
 */
export function foreignConcepts(
  concepts: readonly SourceConcept[],
  recordOf: (concept: SourceConcept) => ConceptRecord | undefined,
  { domain, isApart, source }: OwnDomain & { readonly source: string },
): ReadonlyMap<SourceConcept, ConceptRecord> {
  const known = concepts.flatMap((concept) => {
    const record = recordOf(concept);
    return record === undefined ? [] : [[concept, record] as const];
  });
  const here = known.flatMap(([, record]) => {
    const from = record.provenance?.source;
    return record.domain === domain && typeof from === "string" ? [from] : [];
  });
  const sources = new Set<unknown>([source, mostFrequent(here)?.[0] ?? source]);
  // Two vocabularies may call their concepts alike, unless they call them by IRIs.
  const isForeign = ({ sourceId }: SourceConcept, { provenance }: ConceptRecord): boolean =>
    isIri(sourceId ?? "") ? !sources.has(provenance?.source) : isApart;
  return new Map(
    known.filter(
      ([concept, record]) =>
        record.domain !== domain && (concept.code ?? concept.domain) === undefined && isForeign(concept, record),
    ),
  );
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
  const same = `Import it with --domain ${quote(domain)} if this is the same vocabulary`;
  if (!isKept)
    return {
      rule: "source-id-of-another",
      text: called,
      remedy: `${same}; if not, give its concepts IRIs of their own as ids`,
    };
  const text = `${called}, which stays as it is; what this source says of it is kept as statements alone`;
  return { rule: "concept-of-another", text, remedy: `${same}; if not, nothing needs to be done` };
}
