/**
 * Decides which domains an import covers, and what follows for the concepts in them: a domain is
 * the part of a registry that one vocabulary covers.
 */
import { groupBy } from "../../../../runtime/text/group-by.ts";
import { REVIEWED } from "../../../../runtime/contract/concept.ts";
import { keyOf } from "../../../../runtime/text/expression.ts";
import { tagOf } from "../../../registry/concept.ts";
import type { Located, RegistrySource } from "../../../registry/read.ts";
import type { ConceptRecord, ExpressionRecord } from "../../../registry/record.ts";
import { compareCodePoints, largestFirst } from "../../../text/order.ts";
import { quote } from "../../../text/printable.ts";
import { chooseLanguages } from "../formats/chosen-languages.ts";
import { asWritten, isIri } from "../../../skos/rdf-line.ts";
import type { Source, SourceConcept } from "../formats/source.ts";
import type { ImportFault, ReportTo } from "./import-finding.ts";
import type { ImportSettings } from "./settings.ts";

/** The domain of an import's concepts that name none. */
export interface OwnDomain {
  readonly domain: string;
  /**
   * Whether a person named it, or the source is not a newer dump of any domain: then an id that is
   * not an IRI does not identify a concept of another domain.
   */
  readonly isApart: boolean;
}

interface Known {
  readonly recordOf: (concept: SourceConcept) => ConceptRecord | undefined;
  readonly all: readonly Located<ConceptRecord>[];
}

/**
 * Returns the named domain, else a domain of which the source has at least half the concepts: the
 * source is then a newer dump of it, whatever the file is called. A source with fewer is a part of
 * the domain or only mentions it, so the others must not be treated as gone.
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
    // A domain that mostly comes from another source belongs to that source, whatever people moved
    // there.
    const kin = there.filter(({ provenance }) => sources.has(provenance?.source));
    // Nor is a domain that people wrote themselves any file's, unless they name it.
    return there.length > 0 && 2 * Math.min(shared.length, kin.length) >= there.length;
  });
  return newer === undefined ? { domain: fallbackName, isApart: true } : { domain: newer[0], isApart: false };
}

/**
 * Whether two concepts share an id such as `1`, and a language, but no label: many tables number
 * their concepts.
 */
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

/**
 * The import's own domain, and those that its files name, with the earlier domains of such
 * concepts. A domain to which people moved other concepts is not covered.
 */
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
  /** The codes of the concepts that are in the source. */
  readonly codes: ReadonlySet<string>;
  /** The common source of its concepts; undefined if they may differ. */
  readonly from: string | undefined;
  /** Whether the source has nothing that waits for review. */
  readonly isPublished: boolean;
  /** The languages of our own partial export, which omits concepts without a label in them. */
  readonly only: readonly string[] | undefined;
  readonly settings: ImportSettings;
}

/**
 * Concepts of these domains that came from a source and are not in this one. Concepts that people
 * moved here from another source are excluded: this source cannot show whether they are gone.
 */
export function missingConcepts(
  before: RegistrySource,
  { domains, codes, from, isPublished, only, settings }: Covered,
): Located<ConceptRecord>[] {
  const covered = before.concepts.filter(({ record }) => domains.includes(record.domain) && isFromSource(record));
  const found = covered.filter(({ record }) => codes.has(record.code));
  const missing = covered.filter(({ record }) => !codes.has(record.code));
  // Then it is another vocabulary, which is refused.
  if (found.length === 0) return missing;
  const speaksOf = chooseLanguages(settings.languages);
  const isSaid = ({ reviewStatus }: ExpressionRecord): boolean => !isPublished || reviewStatus === REVIEWED;
  // A file of some languages may omit concepts without a label in them, and a published one omits
  // concepts that only wait for review.
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

/**
 * The source of every concept of an import: known if it has a name, and no concept names another
 * source itself.
 */
export function commonSource(concepts: readonly SourceConcept[], { source }: ImportSettings): string | undefined {
  return concepts.every(({ provenance }) => provenance === undefined) ? source : undefined;
}

/** Whether a concept belongs to the domain; without a domain all are one vocabulary. */
export function isOfDomain(record: ConceptRecord | undefined, domain: string | undefined): boolean {
  return domain === undefined || record?.domain === domain;
}

/**
 * The concepts of a file that belong to another domain and came from another source: a vocabulary
 * never changes those, whatever it says about them. Those that came from its own source are not
 * foreign: people moved them. Its own source is the one named now, or the one that most concepts of
 * its domain name. A file that names a code or a domain means ours.
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
  // Two vocabularies may use the same ids, unless these are IRIs.
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
 * Refuses to take over a concept of another domain: a row that names its code, but not its domain,
 * or that moves it and says none of its words. An export of ours means what it says.
 */
export function refuseTaken(
  { concepts, registry }: Pick<Source, "concepts" | "registry">,
  { recordOf, domain: own }: { readonly recordOf: Known["recordOf"]; readonly domain: string },
  reportTo: ReportTo,
): void {
  for (const concept of registry === undefined ? concepts : []) {
    const record = recordOf(concept);
    if (record === undefined || record.code !== concept.code || (concept.domain ?? own) === record.domain) continue;
    if (concept.domain === undefined || !areKin(concept, record)) reportTo(concept)(takenFault(record), "refused");
  }
}

/** Whether they have a sourceId or a label in common, or one of them has no label at all. */
function areKin({ sourceId, expressions }: SourceConcept, record: ConceptRecord): boolean {
  if (sourceId !== null && sourceId === record.provenance?.sourceId) return true;
  if (expressions.length === 0 || record.expressions.length === 0) return true;
  const keys = new Set(record.expressions.map(({ expression }) => keyOf(expression)));
  return expressions.some(({ text }) => keys.has(keyOf(text)));
}

function takenFault({ code, domain }: ConceptRecord): ImportFault {
  const text = `${code} is the code of a concept in the domain ${quote(domain)}, which this import would take over`;
  const remedy = `Name --domain ${quote(domain)} if that concept is meant; if not, leave the code out, so that it gets its own`;
  return { rule: "code-of-another", text, remedy };
}

/**
 * The statements of a vocabulary about everything except its own concepts, in order, including
 * those about another domain's concepts. If the file cannot hold such statements, or has only
 * another domain's concepts, these are refused: the file was meant differently.
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
  // Statements about a deprecated concept are already there.
  const said = [...foreign.keys()].flatMap(({ vocabulary: own, sourceId, file, line }) =>
    own?.kind === "statements" ? [{ file, line, subject: asWritten(sourceId ?? ""), source: [...own.lines] }] : [],
  );
  return [...vocabulary, ...said].sort((a, b) => compareCodePoints(a.subject, b.subject));
}

function foreignFault({ sourceId }: SourceConcept, { code, domain }: ConceptRecord, isKept: boolean): ImportFault {
  const called = `${quote(sourceId ?? "")} is what the domain ${quote(domain)} calls its ${code}`;
  const same = `Import it with --domain ${quote(domain)} if this is the same vocabulary; if not,`;
  if (!isKept) {
    const remedy = `${same} give its concepts their own IRIs as ids`;
    return { rule: "source-id-of-another", text: called, remedy };
  }
  const text = `${called}, which stays as it is; what this source says of it is kept only as statements`;
  return { rule: "concept-of-another", text, remedy: `${same} nothing needs to be done` };
}
