/**
 * The terms that vocabularies use: the namespaces of SKOS and related ones, and our own for what
 * SKOS cannot say. Our own never change under `v1`: files that people keep depend on them.
 * Source: SKOS Reference, SKOS-XL (its appendix B), DCMI Metadata Terms, OWL 2.
 */
import type { Match } from "../../runtime/contract/concept.ts";
import type { NoteName, Relation } from "../../runtime/contract/concept-notes.ts";

export const PREFIXES = {
  dcterms: "http://purl.org/dc/terms/",
  owl: "http://www.w3.org/2002/07/owl#",
  rdf: "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
  rdfs: "http://www.w3.org/2000/01/rdf-schema#",
  skos: "http://www.w3.org/2004/02/skos/core#",
  srs: "urn:service-semantics:terms:v1:",
  xsd: "http://www.w3.org/2001/XMLSchema#",
} as const;

const { dcterms, owl, rdf, rdfs, skos, srs, xsd } = PREFIXES;
const SKOSXL = "http://www.w3.org/2008/05/skos-xl#";

export const TYPE = `${rdf}type`;
export const VALUE = `${rdf}value`;
export const JSON_LITERAL = `${rdf}JSON`;
export const LABEL = `${rdfs}label`;
export const STRING = `${xsd}string`;
export const BOOLEAN = `${xsd}boolean`;
export const DOUBLE = `${xsd}double`;
export const LANGUAGE_TEXT = `${rdf}langString`;

export const CONCEPT = `${skos}Concept`;
export const CONCEPT_SCHEME = `${skos}ConceptScheme`;
export const COLLECTIONS: readonly string[] = [`${skos}Collection`, `${skos}OrderedCollection`];
export const MEMBER = `${skos}member`;
export const MEMBER_LIST = `${skos}memberList`;
export const IN_SCHEME = `${skos}inScheme`;
export const PREF_LABEL = `${skos}prefLabel`;
export const ALT_LABEL = `${skos}altLabel`;
export const HIDDEN_LABEL = `${skos}hiddenLabel`;
export const DEFINITION = `${skos}definition`;
export const SCOPE_NOTE = `${skos}scopeNote`;
export const HISTORY_NOTE = `${skos}historyNote`;
export const CHANGE_NOTE = `${skos}changeNote`;
export const NOTATION = `${skos}notation`;

/** Returns the RDF property for a record field of this name. */
export function termOf(name: NoteName | Relation | Match): string {
  return name === "title" ? `${dcterms}title` : `${skos}${name}`;
}

export const XL_LABEL = `${SKOSXL}Label`;
export const XL_PREF_LABEL = `${SKOSXL}prefLabel`;
export const XL_ALT_LABEL = `${SKOSXL}altLabel`;
export const XL_HIDDEN_LABEL = `${SKOSXL}hiddenLabel`;
export const LITERAL_FORM = `${SKOSXL}literalForm`;

export const DEPRECATED = `${owl}deprecated`;
export const IS_REPLACED_BY = `${dcterms}isReplacedBy`;
export const SOURCE = `${dcterms}source`;
export const VERSION = `${owl}versionInfo`;
export const TITLE = `${dcterms}title`;
export const DC_TITLE = "http://purl.org/dc/elements/1.1/title";
export const LICENSE = `${dcterms}license`;
export const CC_LICENSE = "http://creativecommons.org/ns#license";

/** The datatype of a notation that is a ConceptCode. */
export const CONCEPT_CODE = `${srs}ConceptCode`;
/** The name of a concept; every live concept of our exports has one, and other files never do. */
export const NAME = `${srs}name`;
export const DOMAIN = `${srs}domain`;
/** The predicate of a record of registry/record.ts as JSON; skos-own.ts lists them. */
export function ownTerm(kind: string): string {
  return `${srs}${kind}`;
}

/** The beginning of relative IRIs if the file names no base; RFC 2606 reserves the name. */
export const NO_BASE = "https://no-base.invalid/";
