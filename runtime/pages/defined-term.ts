/**
 * Concepts and the registry as schema.org terms, in a data block of their pages, for search engines
 * and agents that read pages. The IRIs are those of the SKOS files, which say everything; this has
 * a name, a definition and the preferred expressions. The context is in the block, so that a reader
 * needs no other host.
 * Source: JSON-LD 1.1 §7.1; schema.org DefinedTerm, DefinedTermSet.
 */
import type { ConceptDetail, ConceptSummary } from "../contract/concept.ts";
import type { Manifest } from "../contract/inputs.ts";
import { paths } from "../contract/paths.ts";
import { dataBlock, type Html } from "../text/html.ts";

type Release = Pick<Manifest, "origin" | "registry">;

const CONTEXT = { "@vocab": "https://schema.org/" };

export function definedTerm({ expressions, ...concept }: ConceptDetail, release: Release): Html {
  const preferred = expressions
    .filter(({ type }) => type === "preferred")
    .map(({ locale, language, expression }) => ({ "@language": locale ?? language, "@value": expression }));
  return dataBlock("application/ld+json", {
    "@context": CONTEXT,
    ...termOf(concept, release),
    ...(preferred.length > 0 && { alternateName: preferred }),
    description: concept.definition,
    inDefinedTermSet: setOf(release),
  });
}

/** The concepts are those that the page shows. */
export function definedTermSet(concepts: readonly ConceptSummary[], release: Release): Html {
  return dataBlock("application/ld+json", {
    "@context": CONTEXT,
    ...setOf(release),
    hasDefinedTerm: concepts.map((concept) => termOf(concept, release)),
  });
}

function setOf({ origin, registry }: Release) {
  return {
    "@type": "DefinedTermSet",
    "@id": origin + paths.concepts,
    name: registry.name,
    version: registry.registryVersion,
    url: origin + paths.conceptPages,
  };
}

function termOf({ code, name }: Pick<ConceptSummary, "code" | "name">, { origin }: Release) {
  return {
    "@type": "DefinedTerm",
    "@id": `${origin}${paths.concepts}/${code}`,
    termCode: code,
    name,
    url: `${origin}${paths.conceptPages}/${code}`,
  };
}
