/**
 * The context that makes the JSON of a concept JSON-LD (JSON-LD 1.1 §6.1), for the version whose concepts name it. A context
 * cannot look into values: that an expression is preferred it cannot say, so each is an rdfs:label, of which skos:prefLabel
 * and skos:altLabel are kinds; and what holds of some concepts only, it leaves out. All of it is in concepts.ttl (O-70).
 */
import { EXACT_STRENGTH, MATCHES } from "../../runtime/contract/concept.ts";
import { PREFIXES } from "../vocabulary/formats/terms.ts";
import type { View } from "../view/view.ts";

export function conceptContext({ registry: { registryVersion, concepts } }: View): object {
  const { areAll, areByIri } = concepts.provenances;
  const { dcterms, rdfs, skos, srs } = PREFIXES;
  const isExact = concepts.kinds.values.every(({ strength }) => strength === EXACT_STRENGTH);
  const elsewhere = areByIri
    ? { sourceId: iri("dcterms:source"), ...Object.fromEntries(MATCHES.map((match) => [match, iri(`skos:${match}`)])) }
    : {};
  return {
    "@context": {
      "@version": 1.1,
      dcterms,
      rdfs,
      skos,
      srs,
      canonicalUrl: "@id",
      // The one value that every concept of the release has.
      registryVersion: "@type",
      [registryVersion]: "skos:Concept",
      code: { "@id": "skos:notation", "@type": "srs:ConceptCode" },
      name: "skos:prefLabel",
      definition: "skos:definition",
      domain: "srs:domain",
      // Its members are the concept's own. It must be an object then, so that null would be an error.
      provenance: areAll ? "@nest" : null,
      ...elsewhere,
      expressions: {
        "@id": isExact ? "rdfs:label" : "srs:label",
        "@context": { expression: "@value", language: "@language", provenance: null },
      },
    },
  };
}

function iri(term: string): object {
  return { "@id": term, "@type": "@id" };
}
