/**
 * Derives the linked data of a release again from what the registry publishes (O-70): a JSON-LD
 * node for the scheme, for each concept and for each retired code. Text that RDF cannot express,
 * such as half of a surrogate pair, is left out.
 */
import { type ConceptDetail, EXACT_STRENGTH, MATCHES } from "../../../runtime/contract/concept.ts";
import { type ConceptNotes, type Note, NOTES } from "../../../runtime/contract/concept-notes.ts";
import type { Manifest } from "../../../runtime/contract/inputs.ts";
import { groupBy } from "../../../runtime/text/group-by.ts";
import { formatLanguageTag, parseLanguageTag } from "../../../runtime/text/language.ts";
import type { RetiredCodes } from "../../contract/history.ts";
import { NAMESPACES } from "./context.ts";

export type Node = Readonly<Record<string, unknown>>;
type Statement = readonly [predicate: string, object: object];

/** `license` is taken as given: nothing else in a release says which one it is. */
export function schemeNode(scheme: string, { registry }: Manifest, license: unknown): Node {
  return {
    "@type": ["skos:ConceptScheme"],
    "@id": scheme,
    "dcterms:title": [{ "@value": registry.name }],
    "dcterms:license": license,
    "owl:versionInfo": [{ "@value": registry.registryVersion }],
  };
}

/** What a release says about a concept. */
interface Published {
  readonly detail: ConceptDetail;
  readonly notes: ConceptNotes;
  /**
   * Taken as given: the rest of a release says which relations exist, but not which of two concepts
   * states one.
   */
  readonly relations: Node;
}

export function conceptNode(scheme: string, { detail, notes, relations }: Published): Node {
  const { code, name, definition, domain, provenance } = detail;
  const said: Statement[] = [
    ...head(scheme, code),
    ...text("srs:name", name),
    ...text("srs:domain", domain),
    ...labels(detail),
    ...text("skos:definition", definition),
    ...iris("dcterms:source", provenance?.sourceId ?? []),
    ...MATCHES.flatMap((match) => iris(`skos:${match}`, provenance?.[match] ?? [])),
    ...(notes.notations ?? []).flatMap(({ notation, datatype }) =>
      datatype === undefined || isIri(datatype) ? text("skos:notation", notation, { "@type": datatype }) : [],
    ),
    ...NOTES.flatMap((kind) =>
      (notes.notes?.[kind] ?? [])
        // A definition without a language is the published one.
        .filter(({ language }) => language !== undefined || kind !== "definition")
        .flatMap((note) => noteOf(kind === "title" ? "dcterms:title" : `skos:${kind}`, note)),
    ),
  ];
  return { ...node(conceptIri(scheme, code), said), ...relations };
}

export function retiredNode(scheme: string, { code, name, replacedBy }: RetiredCodes["retired"][number]): Node {
  return node(conceptIri(scheme, code), [
    ...head(scheme, code),
    ["owl:deprecated", { "@type": "xsd:boolean", "@value": "true" }],
    ...(name === null ? [] : text("rdfs:label", name)),
    ...(replacedBy === null ? [] : [["dcterms:isReplacedBy", { "@id": conceptIri(scheme, replacedBy) }] as const]),
  ]);
}

/**
 * Half of a surrogate pair, which no code of a registry has, would make encodeURIComponent throw.
 */
export function conceptIri(scheme: string, code: string): string {
  return `${scheme}/${encodeURIComponent(code.toWellFormed())}`;
}

function node(iri: string, said: readonly Statement[]): Node {
  const byPredicate = groupBy(said, ([predicate]) => predicate);
  const members = Array.from(byPredicate, ([predicate, all]) => [predicate, all.map(([, object]) => object)]);
  return { "@type": ["skos:Concept"], "@id": iri, ...Object.fromEntries(members) };
}

function head(scheme: string, code: string): Statement[] {
  return [
    ["skos:inScheme", { "@id": scheme }],
    ["skos:notation", { "@type": "srs:ConceptCode", "@value": code }],
  ];
}

/**
 * The first preferred expression of a tag is its preferred label; expressions of other types are
 * alternative labels.
 */
function labels({ expressions }: ConceptDetail): Statement[] {
  const preferred = new Map<string, string>();
  const labelled = expressions
    .filter(({ equivalenceStrength }) => equivalenceStrength === EXACT_STRENGTH)
    .map(({ language, locale, expression, type }) => ({ language: locale ?? language, text: expression, type }));
  for (const one of labelled)
    if (one.type === "preferred" && !preferred.has(one.language)) preferred.set(one.language, one.text);
  const others = labelled.filter((one) => one.type !== "preferred" && preferred.get(one.language) !== one.text);
  return [
    ...Array.from(preferred, ([language, label]) => noteOf("skos:prefLabel", { language, text: label })),
    // RDF compares tags without case.
    ...new Map(
      others.map((one) => [`${one.language.toLowerCase()} ${one.text}`, noteOf("skos:altLabel", one)]),
    ).values(),
  ].flat();
}

/** A text with its language; none if its tag is not a formatted language tag. */
function noteOf(predicate: string, { language, text: value }: Note): Statement[] {
  const tag = language === undefined ? undefined : parseLanguageTag(language);
  if (language !== undefined && (tag === undefined || formatLanguageTag(language) !== language)) return [];
  return text(predicate, value, { "@language": language });
}

function text(predicate: string, value: string, kind: object = {}): Statement[] {
  return value.isWellFormed() ? [[predicate, { ...kind, "@value": value }]] : [];
}

function iris(predicate: string, texts: string | readonly string[]): Statement[] {
  return [...new Set([texts].flat())].filter(isIri).map((one) => [predicate, { "@id": one }]);
}

/**
 * Whether Turtle can write it as an IRI (RDF 1.1 Turtle §6.5) that no reader takes for a prefixed
 * name.
 */
function isIri(value: string): boolean {
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):[^\s\p{C}<>"{}|\\^`]*$/u.exec(value)?.[1];
  return scheme !== undefined && !Object.hasOwn(NAMESPACES, scheme.toLowerCase());
}
