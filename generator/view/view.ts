/**
 * The view that every document is printed from: the checked registry, its compiled index, the
 * origin it is published at, and the facts that several documents state in the same words, computed
 * once.
 */
import { hyphenated } from "../text/hyphenated.ts";
import { type Readiness, schemaConstant } from "../../runtime/contract/document.ts";
import { type SchemaName, schemaPath } from "../../runtime/contract/policy.ts";
import { product } from "../../runtime/contract/product.ts";
import type { RegistryIndex } from "../../runtime/registry/index.ts";
import type { SiteSource } from "../content/site.ts";
import type { Facts } from "../facts/facts.ts";
import type { CheckedRegistry } from "../registry/checked.ts";
import type { PublishedRegistry } from "../registry/published-concept.ts";

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
 * The owner's description of the service, so that people and agents can choose between services.
 */
export interface About {
  readonly name: string;
  /** A sentence on what its words are about; empty if the owner gives none. */
  readonly scope: string;
  /** The same text without an added full stop. */
  readonly description: string;
  /** A name for configuration files. */
  readonly serverName: string;
  readonly publisher: string | undefined;
  readonly contact: string | undefined;
  /** The address of the transparency log, without a slash at its end. */
  readonly log: string | undefined;
}

const UNNAMED = "Semantic Resolution Service";

/**
 * Counts and lists over the published registry; the lists are unique and in code-point order
 * (O-20).
 */
export interface RegistrySummary {
  readonly publishedConcepts: number;
  /** Those of strength 1: the ones that can resolve. */
  readonly reviewedExactExpressions: number;
  readonly languages: readonly string[];
  readonly domains: readonly string[];
}

type SiteTexts = Pick<SiteSource, "name" | "description" | "publisher" | "contact"> &
  Partial<Pick<SiteSource, "security" | "rdf" | "log">>;

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
  return { ...compiled, summary, readiness, about: aboutOf(registry, site), rdf };
}

/** If the site has no description, that of the registry is used. */
function aboutOf(registry: CheckedRegistry, { name, publisher, security, ...site }: SiteTexts): About {
  const { description = registry.description ?? "", contact = security?.contact } = site;
  const scope = description === "" || /[.!?。؟]$/.test(description) ? description : `${description}.`;
  const serverName = hyphenated(name) || hyphenated(UNNAMED);
  return {
    name,
    description,
    scope,
    serverName,
    publisher: publisher?.name,
    contact,
    log: site.log?.replace(/\/+$/, ""),
  };
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
