/**
 * The records of a registry as SKOS subjects: in SKOS terms where there are any, for every tool,
 * and otherwise in our own terms (skos-own.ts), which import reads. A value that is not well-formed
 * as a plain one is only in our own terms.
 */
import { MATCHES } from "../../runtime/contract/concept.ts";
import { NOTES, RELATIONS } from "../../runtime/contract/concept-notes.ts";
import type { ConceptRecord, RegistryRecord, RetiredRecord } from "../registry/record.ts";
import { LANGUAGE_TEXTS } from "../registry/source-line.ts";
import type { Property } from "./rdf-write.ts";
import { isIri } from "./rdf-line.ts";
import { expressionProperties, hiddenProperties, isPlainText } from "./labels.ts";
import { spdxAddress } from "./spdx.ts";
import { vocabularyOf } from "../registry/vocabulary-fields.ts";
import { conceptIri } from "./iris.ts";

export function schemeProperties(registry: RegistryRecord | undefined): Property[] {
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
  return [["rdf:type", { iri: "skos:ConceptScheme" }], ...about];
}

export function conceptProperties(record: ConceptRecord, scheme: string): Property[] {
  const { code, name, definition = null, domain, provenance, expressions, renderings, hiddenLabels } = record;
  const { sourceId = null } = provenance ?? {};
  const labels = expressionProperties(expressions);
  return [
    ["rdf:type", { iri: "skos:Concept" }],
    ["skos:inScheme", { iri: scheme }],
    ["skos:notation", { text: code, datatype: "srs:ConceptCode" }],
    ["srs:name", textOrJson(name)],
    ["srs:domain", textOrJson(domain)],
    ...labels,
    ...hiddenProperties(hiddenLabels, labels),
    ...(definition === null ? [] : [["skos:definition", textOrJson(definition)] satisfies Property]),
    ...iris("dcterms:source", sourceId === null ? [] : [sourceId]),
    ...MATCHES.flatMap((match) => iris(`skos:${match}`, provenance?.[match] ?? [])),
    ...vocabularyProperties(record, scheme),
    ...(provenance === null ? [] : [["srs:provenance", { json: provenance }] satisfies Property]),
    ...(renderings === undefined ? [] : [["srs:renderings", { json: renderings }] satisfies Property]),
  ];
}

/**
 * Notations, notes and relations in plain SKOS, and all vocabulary fields as one record of ours.
 */
function vocabularyProperties(record: ConceptRecord, scheme: string): Property[] {
  const fields = vocabularyOf(record);
  if (fields === undefined) return [];
  const { notations = [], notes = {} } = fields;
  const plain: Property[] = notations.flatMap(({ notation: text, datatype }): Property[] => {
    if (!text.isWellFormed() || (datatype !== undefined && !isDatatype(datatype))) return [];
    return [["skos:notation", datatype === undefined ? { text } : { text, datatype }]];
  });
  for (const name of NOTES) {
    const term = name === "title" ? "dcterms:title" : `skos:${name}`;
    for (const { language, text } of notes[name] ?? []) {
      // A definition without a language is the one that is published.
      const isPlain =
        language === undefined ? name !== "definition" && text.isWellFormed() : isPlainText({ tag: language, text });
      if (isPlain) plain.push([term, { text, ...(language === undefined ? {} : { language }) }]);
    }
  }
  for (const name of RELATIONS)
    for (const code of fields[name] ?? []) plain.push([`skos:${name}`, { iri: conceptIri(scheme, code) }]);
  return [...plain, ["srs:fields", { json: fields }]];
}

function isDatatype(iri: string): boolean {
  return isIri(iri) && !LANGUAGE_TEXTS.includes(iri);
}

function iris(predicate: string, texts: readonly string[]): Property[] {
  return [...new Set(texts)].filter(isIri).map((iri) => [predicate, { iri }]);
}

/** UTF-8 cannot encode half of a surrogate pair; JSON escapes it. */
function textOrJson(text: string): Property[1] {
  return text.isWellFormed() ? { text } : { json: text };
}

export function retiredProperties(record: RetiredRecord[number], scheme: string): Property[] {
  const { code, name, replacedBy } = record;
  return [
    ["rdf:type", { iri: "skos:Concept" }],
    ["skos:inScheme", { iri: scheme }],
    ["skos:notation", { text: code, datatype: "srs:ConceptCode" }],
    ["owl:deprecated", { text: "true", datatype: "xsd:boolean" }],
    ...(name === undefined ? [] : [["rdfs:label", textOrJson(name)] satisfies Property]),
    ...(replacedBy === null
      ? []
      : [["dcterms:isReplacedBy", { iri: conceptIri(scheme, replacedBy) }] satisfies Property]),
    ["srs:retired", { json: record }],
  ];
}
