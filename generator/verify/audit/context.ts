/**
 * Checks the context that makes the JSON of a concept JSON-LD (O-70). There is exactly one, for
 * this version; in it each member of a concept means what the release's linked data says with it.
 * It leaves out a meaning that does not hold for every concept.
 */
import { contextPath } from "../../../runtime/contract/added-resources.ts";
import { MATCHES } from "../../../runtime/contract/concept.ts";
import { formatJson } from "./json.ts";
import type { Common, Dist, Faults } from "./parts.ts";

/** The standard vocabularies of the linked data, and our own terms. */
export const NAMESPACES = {
  dcterms: "http://purl.org/dc/terms/",
  owl: "http://www.w3.org/2002/07/owl#",
  rdf: "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
  rdfs: "http://www.w3.org/2000/01/rdf-schema#",
  skos: "http://www.w3.org/2004/02/skos/core#",
  srs: "urn:service-semantics:terms:v1:",
  xsd: "http://www.w3.org/2001/XMLSchema#",
} as const;

/** For a registry of this version that has concepts. */
export function checkContext(dist: Dist, registryVersion: string, common: Common): Faults {
  const own = contextPath(registryVersion).slice(1);
  const others = dist.names.filter((name) => name.startsWith(FOLDER) && name !== own);
  const faults = others.map((name) => `${name}: not of the version of this release`);
  if (!dist.names.includes(own)) faults.push(`${own}: missing`);
  else if (dist.text(own) !== formatJson({ "@context": contextOf(registryVersion, common) }))
    faults.push(`${own}: does not say what the members of a concept mean`);
  return faults;
}

const FOLDER = contextPath("").slice(1, -".jsonld".length);

function contextOf(registryVersion: string, { haveProvenance, areByIri, areExact }: Common): object {
  const { dcterms, rdfs, skos, srs } = NAMESPACES;
  return {
    "@version": 1.1,
    dcterms,
    rdfs,
    skos,
    srs,
    canonicalUrl: "@id",
    registryVersion: "@type",
    [registryVersion]: "skos:Concept",
    code: { "@id": "skos:notation", "@type": "srs:ConceptCode" },
    name: "skos:prefLabel",
    definition: "skos:definition",
    domain: "srs:domain",
    provenance: haveProvenance ? "@nest" : null,
    ...(areByIri && { sourceId: iri("dcterms:source") }),
    ...(areByIri && Object.fromEntries(MATCHES.map((match) => [match, iri(`skos:${match}`)]))),
    expressions: {
      "@id": areExact ? "rdfs:label" : "srs:label",
      "@context": { expression: "@value", language: "@language", provenance: null },
    },
  };
}

function iri(id: string): object {
  return { "@id": id, "@type": "@id" };
}
