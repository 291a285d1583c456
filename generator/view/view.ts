/**
 * The view that every document is printed from: the checked registry, its compiled index, the
 * origin it is published at, and the facts that several documents state in the same words, computed
 * once.
 */
import { type Readiness, schemaConstant } from "../../runtime/contract/document.ts";
import { type SchemaName, schemaPath } from "../../runtime/contract/policy.ts";
import { product } from "../../runtime/contract/product.ts";
import type { RegistryIndex } from "../../runtime/registry/index.ts";
import type { Facts } from "../facts/facts.ts";
import type { CheckedRegistry } from "../registry/checked.ts";
import type { PublishedRegistry } from "../registry/published-concept.ts";
import { type About, aboutOf, type SiteTexts, UNNAMED } from "./about.ts";
import type { Vocabulary } from "./vocabulary.ts";

export interface View extends Compiled {
  readonly summary: RegistrySummary;
  readonly readiness: Readiness;
  readonly about: About;
  /** Whether all concepts are also published as SKOS. */
  readonly rdf: boolean;
}

/** A checked registry with its compiled index, opened as the service opens it. */
export interface Compiled extends PublishedRegistry {
  readonly registry: CheckedRegistry;
  readonly index: RegistryIndex;
  readonly facts: Facts;
}

/**
 * Counts and lists over the published registry; the lists are unique and in code-point order
 * (O-20).
 */
export interface RegistrySummary extends Vocabulary {
  /** Those of strength 1: the ones that can resolve. */
  readonly reviewedExactExpressions: number;
}

export function makeView(compiled: Compiled, site: SiteTexts = { name: UNNAMED }): View {
  const { registry, facts } = compiled;
  const summary = summarize(facts);
  const { publishedConcepts, reviewedExactExpressions } = summary;
  const exactResolutionReady = reviewedExactExpressions > 0;
  const readiness: Readiness = {
    status: exactResolutionReady ? "ready" : "not_ready_empty_registry",
    exactResolutionReady,
    registryVersion: registry.registryVersion,
    publishedConcepts,
    reviewedExactExpressions,
  };
  const { rdf = true } = site;
  const { origin } = compiled;
  const about = aboutOf({ origin, registryDescription: registry.description, vocabulary: summary }, site);
  return { ...compiled, summary, readiness, about, rdf };
}

/** The address of the transparency log, which no release has itself; no slash at its end. */
export function logAddress(view: View): string | undefined {
  const { log } = view.about;
  return log?.startsWith("/") === true ? urlOf(view, log) : log;
}

/** The address of the log's checkpoint (c2sp.org/tlog-tiles). */
export function checkpointOf(view: View): string | undefined {
  const log = logAddress(view);
  return log === undefined ? undefined : `${log}/checkpoint`;
}

/** Puts the scope in front of a text. */
export function withScope({ about: { scope } }: View, text: string): string {
  return scope === "" ? text : `${scope} ${text}`;
}

function summarize({ concepts, exactExpressions, languages, domains }: Facts): RegistrySummary {
  return {
    publishedConcepts: concepts,
    reviewedExactExpressions: exactExpressions,
    languages,
    domains: domains.map(({ domain }) => domain),
  };
}

export function isPublished({ index }: Pick<View, "index">, code: string): boolean {
  return index.conceptId(code) !== undefined;
}

/** The address of a path of this service. */
export function urlOf(view: View, path: string): string {
  return view.origin + path;
}

export function schemaUrl(view: View, name: SchemaName): string {
  return view.origin + schemaPath(name);
}

/** The beginning of every discovery document. */
export function documentHead<N extends SchemaName>(
  view: View,
  name: N,
  about: { readonly title: string; readonly description: string },
) {
  return {
    $schema: schemaUrl(view, name),
    schema: schemaConstant(name),
    ...about,
    canonicalOrigin: view.origin,
    release: product,
    readiness: view.readiness,
  };
}

/** The end of every discovery document: it does nothing and grants nothing (contract §1 rule 6). */
export const documentEnd = { sideEffects: "none", authorizationGranted: "none" } as const;

/** Markdown whose links lead to this service, wherever the text is copied to. */
export function withOrigin(view: View, markdown: string): string {
  return markdown.replaceAll("](/", `](${view.origin}/`);
}
