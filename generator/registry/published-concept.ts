/** A concept as its published documents. Property order is byte order: it is part of the format. */
import type { ConceptDetail, ConceptSummary, ResolvedConcept } from "../../runtime/contract/concept.ts";
import { paths } from "../../runtime/contract/policy.ts";
import type { CheckedRegistry, Concept } from "./checked.ts";

/** A checked registry and the origin it is published at: absolute http(s), without a trailing slash. */
export interface PublishedRegistry {
  readonly registry: CheckedRegistry;
  readonly origin: string;
}

export function resolvedConcept({ registry }: PublishedRegistry, concept: Concept): ResolvedConcept {
  const { code, name, definition, domain } = concept;
  return { code, name, definition, domain, registryVersion: registry.registryVersion };
}

export function conceptSummary(published: PublishedRegistry, concept: Concept): ConceptSummary {
  return { ...resolvedConcept(published, concept), url: conceptUrl(published, concept.code) };
}

export function conceptDetail(published: PublishedRegistry, concept: Concept): ConceptDetail {
  return {
    ...resolvedConcept(published, concept),
    provenance: concept.provenance,
    expressions: [...concept.expressions],
    renderings: [...concept.renderings],
    canonicalUrl: conceptUrl(published, concept.code),
  };
}

function conceptUrl({ origin }: PublishedRegistry, code: string): string {
  return `${origin}${paths.concepts}/${code}`;
}
