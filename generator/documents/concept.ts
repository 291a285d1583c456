/** A concept as its published documents. Property order is byte order: it is part of the format. */
import type { ConceptDetail, ConceptSummary, ResolvedConcept } from "../../runtime/contract/concept.ts";
import type { Concept } from "../registry/checked.ts";
import { conceptUrl, type View } from "./view.ts";

export function resolvedConcept({ registry }: View, concept: Concept): ResolvedConcept {
  const { code, name, definition, domain } = concept;
  return { code, name, definition, domain, registryVersion: registry.registryVersion };
}

export function conceptSummary(view: View, concept: Concept): ConceptSummary {
  return { ...resolvedConcept(view, concept), url: conceptUrl(view, concept.code) };
}

export function conceptDetail(view: View, concept: Concept): ConceptDetail {
  return {
    ...resolvedConcept(view, concept),
    provenance: concept.provenance,
    expressions: [...concept.expressions],
    renderings: [...concept.renderings],
    canonicalUrl: conceptUrl(view, concept.code),
  };
}
