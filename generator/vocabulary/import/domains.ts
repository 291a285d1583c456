/** Which domains an import is of, and what follows for the concepts in them: a domain is what one vocabulary covers. */
import { groupBy } from "../../../runtime/text/group-by.ts";
import { REVIEWED } from "../../../runtime/contract/concept.ts";
import { keyOf } from "../../../runtime/text/expression.ts";
import { tagOf } from "../../registry/checked.ts";
import type { Located, RegistrySource } from "../../registry/read.ts";
import type { ConceptRecord, ExpressionRecord } from "../../registry/record.ts";
import { compareCodePoints, largestFirst } from "../../text/order.ts";
import { quote } from "../../text/printable.ts";
import { chooseLanguages } from "../formats/chosen-languages.ts";
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

interface Known {
  readonly recordOf: (concept: SourceConcept) => ConceptRecord | undefined;
  readonly all: readonly Located<ConceptRecord>[];
}

/**
 * The domain that is named; else the one of whose concepts half or more are in the source: then this is a newer dump of it,
 * whatever its file is called. What has fewer of them is a part, or only mentions them: no other may be taken for gone.
 */
export function domainOf(
  concepts: readonly SourceConcept[],
  { recordOf, all }: Known,
  { domain: named, fallbackName, untagged }: ImportSettings,
): OwnDomain {
  if (named !== undefined) return { domain: named, isApart: true };
  const found = concepts.flatMap((concept) => {
    const record = recordOf(concept);
    return record === undefined || isUnlike(concept, record, untagged) ? [] : [record];
  });
  const newer = largestFirst(groupBy(found, (record) => record.domain)).find(([domain, shared]) => {
    const there = all.flatMap(({ record }) => (record.domain === domain && isFromSource(record) ? [record] : []));
    const sources = new Set(shared.map(({ provenance }) => provenance?.source));
    // A domain that is another source's in the main is that one's, whatever people moved there.
    const kin = there.filter(({ provenance }) => sources.has(provenance?.source));
    return 2 * Math.min(shared.length, kin.length) >= there.length;
  });
  return newer === undefined ? { domain: fallbackName, isApart: true } : { domain: newer[0], isApart: false };
}

/** Whether two have an id such as `1` in common, and a language, but no label: many tables count their concepts. */
function isUnlike(
  { sourceId, code, expressions }: SourceConcept,
  record: ConceptRecord,
  untagged: string | undefined,
): boolean {
  if (code !== undefined || isIri(sourceId ?? "")) return false;
  const tags = new Set(record.expressions.map(tagOf));
  const keys = new Set(record.expressions.map(({ expression }) => keyOf(expression)));
  const comparable = expressions.filter(({ tag }) => tags.has(tag === "" ? (untagged ?? "") : tag));
  return comparable.length > 0 && !comparable.some(({ text }) => keys.has(keyOf(text)));
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

interface Covered {
  readonly domains: readonly string[];
  /** Of the concepts that are in the source. */
  readonly codes: ReadonlySet<string>;
  /** What each of its concepts is said to come from; undefined where that may differ. */
  readonly from: string | undefined;
  /** Whether the source has nothing that waits for review. */
  readonly isPublished: boolean;
  /** The languages of an export of ours that has no concept without a label in them. */
  readonly only: readonly string[] | undefined;
  readonly settings: ImportSettings;
}

/**
 * Concepts of these domains that came from a source and are not in this one. What people moved here from another source is
 * not: nobody can tell from this one whether it is gone.
 */
export function missingConcepts(
  before: RegistrySource,
  { domains, codes, from, isPublished, only, settings }: Covered,
): Located<ConceptRecord>[] {
  const covered = before.concepts.filter(({ record }) => domains.includes(record.domain) && isFromSource(record));
  const found = covered.filter(({ record }) => codes.has(record.code));
  const missing = covered.filter(({ record }) => !codes.has(record.code));
  // That is another vocabulary, which is refused.
  if (found.length === 0) return missing;
  const speaksOf = chooseLanguages(settings.languages);
  const isSaid = ({ reviewStatus }: ExpressionRecord): boolean => !isPublished || reviewStatus === REVIEWED;
  // A file of some languages may have no concept without a label in them, and one of what is published none that waits.
  const isTold = ({ expressions }: ConceptRecord): boolean => {
    const spoken = expressions.filter(isSaid).map((one) => speaksOf(tagOf(one)));
    if (only !== undefined && spoken.includes(false)) return false;
    return (expressions.length === 0 && !isPublished) || spoken.includes(true);
  };
  // The source may have had another name.
  const sources = new Set([from, ...found.map(({ record }) => record.provenance?.source)]);
  const isOfSource = ({ provenance }: ConceptRecord): boolean => from === undefined || sources.has(provenance?.source);
  return missing.filter(({ record }) => isTold(record) && isOfSource(record));
}

/** What every concept of an import comes from: known where it has a name, and no concept names another one itself. */
export function commonSource(concepts: readonly SourceConcept[], { source }: ImportSettings): string | undefined {
  return concepts.every(({ provenance }) => provenance === undefined) ? source : undefined;
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
  const [usual] = largestFirst(groupBy(here, String));
  const sources = new Set<unknown>([source, usual?.[0] ?? source]);
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
  const same = `Import it with --domain ${quote(domain)} if this is the same vocabulary; if not,`;
  if (!isKept) {
    const remedy = `${same} give its concepts IRIs of their own as ids`;
    return { rule: "source-id-of-another", text: called, remedy };
  }
  const text = `${called}, which stays as it is; what this source says of it is kept as statements alone`;
  return { rule: "concept-of-another", text, remedy: `${same} nothing needs to be done` };
}
