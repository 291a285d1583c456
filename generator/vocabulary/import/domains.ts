/** Which domains an import is of, and what follows for the concepts in them: a domain is what one vocabulary covers. */
import type { Located, RegistrySource } from "../../registry/read.ts";
import type { ConceptRecord } from "../../registry/record.ts";
import { compareCodePoints } from "../../text/order.ts";
import { quote } from "../../text/printable.ts";
import { isIri } from "../formats/rdf-line.ts";
import type { SourceConcept } from "../formats/source.ts";
import type { ImportFault } from "./import-finding.ts";
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

/** Two vocabularies may call their concepts alike, unless they call them by IRIs; without --domain they are one. */
export function foreignFault(
  { sourceId, code, domain }: SourceConcept,
  record: ConceptRecord,
  settings: ImportSettings,
): ImportFault | undefined {
  if (isOfDomain(record, settings.domain) || domain !== undefined || code !== undefined || isIri(sourceId ?? ""))
    return undefined;
  const text = `${quote(sourceId ?? "")} is what the domain ${quote(record.domain)} calls its ${record.code}`;
  const remedy = "Leave out --domain if this is the same vocabulary; if not, give its concepts IRIs as ids";
  return { rule: "source-id-of-another", text, remedy };
}
