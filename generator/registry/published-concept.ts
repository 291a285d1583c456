/** The published documents of a concept. Property order is byte order: it is part of the format. */
import type { ConceptDetail, ConceptSummary, ResolvedConcept } from "../../runtime/contract/concept.ts";
import { paths } from "../../runtime/contract/paths.ts";
import type { RegistryIndex } from "../../runtime/registry/index.ts";
import { readDetail } from "../../runtime/registry/read-concept.ts";
import type { CheckedRegistry } from "./checked.ts";
import type { Concept } from "./concept.ts";
import type { StoredConcept } from "./stored-concept.ts";

/**
 * The published part of a checked registry, and its origin: absolute http(s), without a trailing
 * slash.
 */
export interface PublishedRegistry {
  readonly registry: Pick<CheckedRegistry, "registryVersion" | "concepts" | "nearForms">;
  readonly origin: string;
}

function resolvedConcept({ registry }: PublishedRegistry, concept: Concept): ResolvedConcept {
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

/** JSON in pieces, to be written one after the other. */
type Json = readonly (string | Uint8Array)[];

/**
 * A concept as ResolvedConcept, as ConceptSummary, and as ConceptDetail with a line feed, made from
 * its stored JSON.
 */
export function formatPublished(
  published: PublishedRegistry,
  concept: StoredConcept,
): Record<"resolved" | "summary" | "detail", Json> {
  const open = concept.headJson.subarray(0, -1);
  const version = `,"registryVersion":${JSON.stringify(published.registry.registryVersion)}`;
  const url = JSON.stringify(conceptUrl(published, concept.code));
  return {
    resolved: [open, `${version}}`],
    summary: [open, `${version},"url":${url}}`],
    detail: [open, `${version},`, concept.bodyJson().subarray(1, -1), `,"canonicalUrl":${url}}\n`],
  };
}

/** A concept as an index has it. */
export function conceptIn(index: RegistryIndex, id: number): Concept {
  const { registryVersion: _, canonicalUrl: __, ...concept } = readDetail(index, id);
  return concept;
}

function conceptUrl({ origin }: PublishedRegistry, code: string): string {
  return `${origin}${paths.concepts}/${code}`;
}
