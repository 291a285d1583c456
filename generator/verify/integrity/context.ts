/**
 * The context that makes the JSON of a concept JSON-LD (O-70): one, of this version, in which each member of a concept means
 * what the release's linked data says with it. Only what holds of some concepts alone may be left out.
 */
import { isDeepStrictEqual } from "node:util";
import { contextPath } from "../../../runtime/contract/added-resources.ts";
import { type ConceptDetail, MATCHES, type Provenance } from "../../../runtime/contract/concept.ts";
import { asObject, formatJson, memberAt, readJson } from "./json.ts";
import type { Dist, Faults } from "./parts.ts";

/** The standards that linked data is written in, and the words of our own. */
export const NAMESPACES = {
  dcterms: "http://purl.org/dc/terms/",
  owl: "http://www.w3.org/2002/07/owl#",
  rdf: "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
  rdfs: "http://www.w3.org/2000/01/rdf-schema#",
  skos: "http://www.w3.org/2004/02/skos/core#",
  srs: "urn:service-semantics:terms:v1:",
  xsd: "http://www.w3.org/2001/XMLSchema#",
} as const;

/** Of the registry of this version, which has concepts. */
export function checkContext(dist: Dist, registryVersion: string): Faults {
  const own = contextPath(registryVersion).slice(1);
  const others = dist.names.filter((name) => name.startsWith(FOLDER) && name !== own);
  const faults = others.map((name) => `${name}: not of the version of this release`);
  const bytes = dist.read(own);
  if (bytes === undefined) return [...faults, `${own}: missing`];
  const json = readJson(bytes);
  if (!json.ok) return [...faults, `${own}: ${json.fault}`];
  if (Buffer.from(bytes).toString() !== formatJson(json.value)) faults.push(`${own}: not in the form of a release`);
  const context = asObject(memberAt(json.value, "@context"));
  if (context === undefined || Object.keys(json.value as object).length > 1)
    return [...faults, `${own}: not a JSON-LD context alone`];
  const { dcterms, rdfs, skos, srs } = NAMESPACES;
  const due = {
    "@version": [1.1],
    dcterms: [dcterms],
    rdfs: [rdfs],
    skos: [skos],
    srs: [srs],
    [registryVersion]: ["skos:Concept"],
    ...MEMBERS,
  };
  for (const name of new Set([...Object.keys(due), ...Object.keys(context)])) {
    const meanings = (memberAt(due, name) ?? [undefined]) as readonly unknown[];
    if (!meanings.some((meaning) => isDeepStrictEqual(meaning, memberAt(context, name))))
      faults.push(`${own}: ${JSON.stringify(name)} does not mean what it is in a concept`);
  }
  return faults;
}

const FOLDER = contextPath("").slice(1, -".jsonld".length);

const byIri = (id: string): object => ({ "@id": id, "@type": "@id" });
const labels = (id: string): object => ({
  "@id": id,
  "@context": { expression: "@value", language: "@language", provenance: null },
});

/** What a member of a concept, or of its provenance, can mean; undefined: nothing. */
const MEMBERS: Readonly<Partial<Record<keyof ConceptDetail | keyof Provenance, readonly unknown[]>>> = {
  canonicalUrl: ["@id"],
  registryVersion: ["@type"],
  code: [{ "@id": "skos:notation", "@type": "srs:ConceptCode" }],
  name: ["skos:prefLabel"],
  definition: ["skos:definition"],
  domain: ["srs:domain"],
  provenance: ["@nest", null],
  sourceId: [byIri("dcterms:source"), undefined],
  ...Object.fromEntries(MATCHES.map((match) => [match, [byIri(`skos:${match}`), undefined]])),
  expressions: [labels("rdfs:label"), labels("srs:label")],
};
