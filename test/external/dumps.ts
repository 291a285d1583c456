/** Dumps of a thesaurus as its publisher could have changed it. */
import { isFit, type Label, publish, type Thesaurus } from "../support/thesaurus.ts";
import type { Triple } from "../support/turtle-reader.ts";

const OWL_DEPRECATED = "http://www.w3.org/2002/07/owl#deprecated";
const RDFS_LABEL = "http://www.w3.org/2000/01/rdf-schema#label";
const RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type";
const SKOS = "http://www.w3.org/2004/02/skos/core#";
const IS_REPLACED_BY = "http://purl.org/dc/terms/isReplacedBy";

/** What has a name in the file and is no label of a living concept. */
export function labelsOfWhatIsNoConcept(triples: readonly Triple[], { concepts, deprecated }: Thesaurus): Label[] {
  return triples.flatMap(({ subject: { value }, predicate, object }): Label[] => {
    if (object.kind !== "literal" || object.language === "") return [];
    const isName =
      predicate === RDFS_LABEL || (predicate.endsWith("Label") && (!concepts.has(value) || deprecated.has(value)));
    return isName ? [{ concept: value, kind: "alternate", tag: object.language, text: object.value }] : [];
  });
}

export interface Dump {
  readonly triples: readonly Triple[];
  readonly gone: string;
  readonly relabelled: string;
  readonly deprecated: string;
  readonly successor: string;
  readonly added: string;
}

/** A newer dump: one concept is removed, one renamed, one deprecated, one added. */
export function makeDump(triples: readonly Triple[], thesaurus: Thesaurus): Dump {
  const { meanings } = publish(thesaurus);
  const own = thesaurus.labels.filter(({ concept, kind, tag, text }) => {
    const byTag = meanings.get(text);
    const isAlone =
      byTag !== undefined && [...byTag.values()].every((concepts) => concepts.size === 1 && concepts.has(concept));
    return kind === "preferred" && isAlone && isFit({ tag, text }) === true;
  });
  const concepts = [...new Set(own.map(({ concept }) => concept))].sort();
  const [gone = "", relabelled = "", deprecated = "", successor = ""] = [0.2, 0.4, 0.6, 0.8].map(
    (share) => concepts[Math.floor(share * concepts.length)] ?? "",
  );
  const added = `${gone}-added-by-the-test`;
  const renamed = own.find(({ concept }) => concept === relabelled);
  const node = (value: string) => ({ kind: "iri", value }) as const;
  const kept = triples
    .filter(({ subject, predicate, object }) => {
      if (subject.value === gone || object.value === gone) return false;
      return subject.value !== deprecated || (predicate !== OWL_DEPRECATED && predicate !== IS_REPLACED_BY);
    })
    .map((triple): Triple => {
      const { subject, predicate, object } = triple;
      const isIt = subject.value === relabelled && predicate === `${SKOS}prefLabel` && object.value === renamed?.text;
      if (!isIt || object.kind !== "literal") return triple;
      return { ...triple, object: { ...object, value: `${object.value} (renamed by the test)` } };
    });
  const label = { kind: "literal", value: "added by the test", language: "en", datatype: "" } as const;
  return {
    triples: [
      ...kept,
      { subject: node(deprecated), predicate: OWL_DEPRECATED, object: yes },
      { subject: node(deprecated), predicate: IS_REPLACED_BY, object: node(successor) },
      { subject: node(added), predicate: RDF_TYPE, object: node(`${SKOS}Concept`) },
      { subject: node(added), predicate: `${SKOS}prefLabel`, object: label },
    ],
    gone,
    relabelled,
    deprecated,
    successor,
    added,
  };
}

const yes = {
  kind: "literal",
  value: "true",
  language: "",
  datatype: "http://www.w3.org/2001/XMLSchema#boolean",
} as const;

/** The original with one concept that is no concept any more, but names its successor. */
export function withoutType(triples: readonly Triple[], { deprecated, successor }: Dump): Triple[] {
  const subject = { kind: "iri", value: deprecated } as const;
  const kept = triples.filter((triple) => {
    const isType = triple.predicate === RDF_TYPE && triple.object.value === `${SKOS}Concept`;
    return triple.subject.value !== deprecated || !(isType || triple.predicate.endsWith("Label"));
  });
  return [
    ...kept,
    { subject, predicate: RDFS_LABEL, object: { ...yes, value: "no concept any more", language: "en", datatype: "" } },
    { subject, predicate: OWL_DEPRECATED, object: yes },
    { subject, predicate: IS_REPLACED_BY, object: { kind: "iri", value: successor } },
  ];
}
