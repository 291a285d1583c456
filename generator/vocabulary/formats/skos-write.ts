/**
 * Writes a registry's source as SKOS, whole: what SKOS has words for in those words, for any tool, and the rest in words
 * of our own (skos-own.ts), so that reading it gives the same registry. The same registry gives the same bytes. Codes
 * must be unique, as the registry's own check demands; what it otherwise refuses is written as it is.
 * Source: SKOS Reference (W3C, 2009), whose integrity conditions hold for what is written.
 */
import { type ConceptExpression, MATCHES } from "../../../runtime/contract/concept.ts";
import { compareCodePoints } from "../../text/order.ts";
import type { Concept, Said } from "../../registry/checked.ts";
import type { PublishedRegistry } from "../../registry/published-concept.ts";
import type { RegistrySource } from "../../registry/read.ts";
import { RELATIONS } from "../../../runtime/contract/concept-notes.ts";
import type { ConceptRecord, RetiredRecord } from "../../registry/record.ts";
import type { DomainLine } from "../../registry/vocabulary-file.ts";
import { chooseLanguages } from "./chosen-languages.ts";
import { ExportError } from "./export-error.ts";
import type { Node, Property } from "./rdf-node.ts";
import { beginJsonLd, endJsonLd, formatJsonLd } from "./rdf-write-jsonld.ts";
import { beginTurtle, formatTurtle } from "./rdf-write-turtle.ts";
import { expressionProperties, hiddenProperties } from "./skos-labels.ts";
import { isIri } from "./skos-own.ts";
import { vocabularyProperties } from "./skos-fields.ts";
import { spdxAddress } from "./spdx.ts";

export interface SkosWriting {
  readonly format: "turtle" | "jsonld";
  /** The service that the concepts' IRIs point to, such as `https://example.org`. */
  readonly origin: string;
  /** Only labels in these languages, and narrower ones; empty: all. */
  readonly languages?: readonly string[] | undefined;
}

export interface Written extends Pick<RegistrySource, "registry" | "concepts" | "retired" | "history"> {
  readonly vocabularies?: readonly DomainLine[] | undefined;
}

/** The file in pieces: the scheme, then the concepts in code order, then the retired codes in code order. */
export function* writeSkos(source: Written, { format, origin, languages }: SkosWriting): Generator<string, void> {
  const nodes = describe(source, `${origin}/api/v1/concepts`, chooseLanguages(languages));
  switch (format) {
    case "turtle":
      yield beginTurtle();
      for (const node of nodes) yield formatTurtle(node);
      return;
    case "jsonld": {
      yield beginJsonLd();
      let isFirst = true;
      for (const node of nodes) {
        yield `${isFirst ? "" : ",\n"}${formatJsonLd(node)}`;
        isFirst = false;
      }
      yield endJsonLd();
    }
  }
}

/**
 * What is published of a registry, in words that any tool knows: without what waits for review, without hidden labels
 * (O-17), and without the records of ours that only an import needs. First the scheme.
 */
export function* publishedNodes({ registry, origin }: PublishedRegistry): Generator<Node, void> {
  const { concepts, retired, history } = registry;
  const scheme = `${origin}/api/v1/concepts`;
  const { name, registryVersion, license = "NOASSERTION" } = registry;
  yield plain(scheme, schemeProperties({ registry: { name, registryVersion, license, languages: [] }, history }));
  let codes: ReadonlySet<string> | undefined;
  const isPublished = (code: string): boolean =>
    (codes ??= new Set(Array.from(concepts, (concept) => concept.code))).has(code);
  for (const [concept, said] of concepts.withSaid()) {
    const iri = iriOf(scheme, concept.code);
    yield plain(
      iri,
      conceptProperties(publishedRecord(concept, said, isPublished), scheme, () => true),
    );
  }
  for (const record of retired) yield plain(iriOf(scheme, record.code), retiredProperties(record, scheme));
}

function plain(iri: string, properties: readonly Property[]): Node {
  return { iri, properties: properties.filter(([, object]) => !("json" in object)) };
}

/** With relations to published concepts alone. */
function publishedRecord(concept: Concept, said: Said | undefined, isPublished: (code: string) => boolean) {
  const { code, name, definition, domain, provenance, expressions } = concept;
  const relations = RELATIONS.map((relation) => [relation, said?.[relation]?.filter(isPublished)] as const);
  return {
    code,
    name,
    definition,
    domain,
    provenance,
    expressions: expressions.map(bare),
    ...(said !== undefined && { ...said, ...Object.fromEntries(relations) }),
  } as ConceptRecord;
}

/** What labels are made of: an expression that is plain needs no record of ours. */
function bare({ language, locale, expression, type, equivalenceStrength, reviewStatus }: ConceptExpression) {
  const own = { language, expression, type, equivalenceStrength, reviewStatus };
  return locale === null ? own : { ...own, locale };
}

function* describe(
  { registry, concepts, retired, history, vocabularies = [] }: Written,
  scheme: string,
  takes: (tag: string) => boolean,
): Generator<Node, void> {
  const others = vocabularies.map((json): Property => ["srs:vocabulary", { json }]);
  yield { iri: scheme, properties: [...schemeProperties({ registry, history }), ...others] };
  const codes = new Set<string>();
  const claim = ({ code }: { readonly code: string }): void => {
    if (codes.has(code))
      throw new ExportError(`The code ${code} stands twice in the registry. Lint the registry first`);
    codes.add(code);
  };
  for (const { record } of concepts.toSorted((a, b) => byCode(a.record, b.record))) {
    claim(record);
    yield { iri: iriOf(scheme, record.code), properties: conceptProperties(record, scheme, takes) };
  }
  for (const record of retired.toSorted(byCode)) {
    claim(record);
    yield { iri: iriOf(scheme, record.code), properties: retiredProperties(record, scheme) };
  }
}

function byCode(a: { readonly code: string }, b: { readonly code: string }): number {
  return compareCodePoints(a.code, b.code);
}

function schemeProperties({ registry, history }: Pick<Written, "registry" | "history">): Property[] {
  const about: Property[] = [];
  if (registry !== undefined) {
    const license = spdxAddress(registry.license);
    about.push(
      ["dcterms:title", { text: registry.name }],
      ["dcterms:license", license === undefined ? { text: registry.license } : { iri: license }],
      ["owl:versionInfo", { text: registry.registryVersion }],
      ["srs:registry", { json: registry }],
    );
  }
  return [["rdf:type", { iri: "skos:ConceptScheme" }], ...about, ["srs:history", { json: history }]];
}

/** A code that the registry admits stands as it is. */
function iriOf(scheme: string, code: string): string {
  return `${scheme}/${encodeURIComponent(code.toWellFormed())}`;
}

function conceptProperties(record: ConceptRecord, scheme: string, takes: (tag: string) => boolean): Property[] {
  const { code, name, definition = null, domain, provenance, expressions, renderings, hiddenLabels } = record;
  const { sourceId = null } = provenance ?? {};
  const labels = expressionProperties(expressions.filter((one) => takes(one.locale ?? one.language)));
  const hidden = hiddenProperties(
    hiddenLabels?.filter(({ language }) => takes(language)),
    labels,
  );
  return [
    ["rdf:type", { iri: "skos:Concept" }],
    ["skos:inScheme", { iri: scheme }],
    ["skos:notation", { text: code, datatype: "srs:ConceptCode" }],
    ["srs:name", textOrJson(name)],
    ["srs:domain", textOrJson(domain)],
    ...labels,
    ...hidden,
    ...(definition === null ? [] : [["skos:definition", textOrJson(definition)] satisfies Property]),
    ...iris("dcterms:source", sourceId === null ? [] : [sourceId]),
    ...MATCHES.flatMap((match) => iris(`skos:${match}`, provenance?.[match] ?? [])),
    ...vocabularyProperties(record, (related) => iriOf(scheme, related), takes),
    ...(provenance === null ? [] : [["srs:provenance", { json: provenance }] satisfies Property]),
    ...(renderings === undefined ? [] : [["srs:renderings", { json: renderings }] satisfies Property]),
  ];
}

function iris(predicate: string, texts: readonly string[]): Property[] {
  return [...new Set(texts)].filter(isIri).map((iri) => [predicate, { iri }]);
}

/** Half of a surrogate pair has no UTF-8; JSON escapes it. */
function textOrJson(text: string): Property[1] {
  return text.isWellFormed() ? { text } : { json: text };
}

function retiredProperties(record: RetiredRecord[number], scheme: string): Property[] {
  const { code, name, replacedBy } = record;
  return [
    ["rdf:type", { iri: "skos:Concept" }],
    ["skos:inScheme", { iri: scheme }],
    ["skos:notation", { text: code, datatype: "srs:ConceptCode" }],
    ["owl:deprecated", { text: "true", datatype: "xsd:boolean" }],
    ...(name === undefined ? [] : [["rdfs:label", textOrJson(name)] satisfies Property]),
    ...(replacedBy === null ? [] : [["dcterms:isReplacedBy", { iri: iriOf(scheme, replacedBy) }] satisfies Property]),
    ["srs:retired", { json: record }],
  ];
}
