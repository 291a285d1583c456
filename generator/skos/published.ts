/**
 * The published part of a registry as plain SKOS for any tool: without expressions that wait for
 * review, hidden labels (O-17), or our records that only an import needs. The scheme comes first.
 */
import type { ConceptExpression } from "../../runtime/contract/concept.ts";
import { RELATIONS } from "../../runtime/contract/concept-notes.ts";
import type { Concept, VocabularyStatements } from "../registry/concept.ts";
import type { ConceptRecord } from "../registry/record.ts";
import { isPublished, type View } from "../view/view.ts";
import type { Node, Property } from "./rdf-write.ts";
import { conceptProperties, retiredProperties, schemeProperties } from "./nodes.ts";
import { conceptIri, schemeIri } from "./iris.ts";

export function* publishedNodes({
  registry,
  origin,
  index,
}: Pick<View, "registry" | "origin" | "index">): Generator<Node, void> {
  const { concepts, retired } = registry;
  const scheme = schemeIri(origin);
  const { name, registryVersion, license = "NOASSERTION" } = registry;
  yield plain(scheme, schemeProperties({ name, registryVersion, license, languages: [] }));
  for (const [concept, said] of concepts.withSaid()) {
    const record = publishedRecord(concept, said, (code) => isPublished({ index }, code));
    yield plain(conceptIri(scheme, concept.code), conceptProperties(record, scheme));
  }
  for (const record of retired) yield plain(conceptIri(scheme, record.code), retiredProperties(record, scheme));
}

function plain(iri: string, properties: readonly Property[]): Node {
  return { iri, properties: properties.filter(([, object]) => !("json" in object)) };
}

/** Has only relations to published concepts. */
function publishedRecord(concept: Concept, said: VocabularyStatements | undefined, has: (code: string) => boolean) {
  const { code, name, definition, domain, provenance, expressions } = concept;
  const relations = RELATIONS.map((relation) => [relation, said?.[relation]?.filter(has)] as const);
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

/**
 * The fields that labels are made of: with these alone, a plain expression needs no record of ours.
 */
function bare({ language, locale, expression, type, equivalenceStrength, reviewStatus }: ConceptExpression) {
  const own = { language, expression, type, equivalenceStrength, reviewStatus };
  return locale === null ? own : { ...own, locale };
}
