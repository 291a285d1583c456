/** The concepts as linked data: JSON-LD context, SKOS files and their description (O-70). */
import {
  contextPath,
  DATASET_PATH,
  SKOS_JSONLD_PATH,
  SKOS_TURTLE_PATH,
} from "../../runtime/contract/added-resources.ts";
import { MATCHES } from "../../runtime/contract/concept.ts";
import { formatDocument } from "../../runtime/text/json.ts";
import type { View } from "../view/view.ts";
import { PREFIXES } from "../skos/terms.ts";
import { printDataset } from "./dataset.ts";
import { printSkos } from "./skos-files.ts";

/**
 * By path. Empty without concepts; only the context if the SKOS files are turned off or too long.
 */
export function linkedData(view: View): [path: string, body: string | Uint8Array][] {
  const { registryVersion, concepts } = view.registry;
  if (concepts.length === 0) return [];
  const context: [string, string] = [contextPath(registryVersion), formatDocument(conceptContext(view))];
  const files = view.rdf ? printSkos(view) : undefined;
  if (files === undefined) return [context];
  return [
    context,
    [SKOS_TURTLE_PATH, files.turtle],
    [SKOS_JSONLD_PATH, files.jsonld],
    [DATASET_PATH, printDataset(view, files)],
  ];
}

/**
 * The context that makes the JSON of a concept JSON-LD (JSON-LD 1.1 §6.1), for the version whose
 * concepts refer to it. A context cannot depend on values, so it cannot say that an expression is
 * preferred: each is an rdfs:label, of which skos:prefLabel and skos:altLabel are subproperties. It
 * omits statements that hold only for some concepts. All of them are in concepts.ttl.
 */
export function conceptContext({ registry: { registryVersion }, facts }: View): object {
  const { areAll, areByIri } = facts.provenances;
  const { dcterms, rdfs, skos, srs } = PREFIXES;
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
      // Every concept of the release has this value.
      registryVersion: "@type",
      [registryVersion]: "skos:Concept",
      code: { "@id": "skos:notation", "@type": "srs:ConceptCode" },
      name: "skos:prefLabel",
      definition: "skos:definition",
      domain: "srs:domain",
      // With @nest, its members belong to the concept. It must then be an object: null would be an
      // error.
      provenance: areAll ? "@nest" : null,
      ...elsewhere,
      expressions: {
        "@id": facts.areAllExact ? "rdfs:label" : "srs:label",
        "@context": { expression: "@value", language: "@language", provenance: null },
      },
    },
  };
}

function iri(term: string): object {
  return { "@id": term, "@type": "@id" };
}
