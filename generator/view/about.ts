/**
 * The owner's description of the service, so that people and agents can choose between services:
 * its name, its subject, and what distinguishes its vocabulary from others.
 */
import { hyphenated } from "../text/hyphenated.ts";
import { isDomain } from "../text/domain.ts";
import { SUMMARY_MAX } from "../contract/agent-discovery.ts";
import type { SiteSource } from "../content/site.ts";
import { countsOf, factsOf, sentenceOf, type Vocabulary } from "./vocabulary.ts";

export interface About {
  readonly name: string;
  /** A sentence on what its words are about; empty if the owner gives none. */
  readonly scope: string;
  /** The same text without an added full stop. */
  readonly description: string;
  /** Scope, size, languages and domains of the vocabulary, in one sentence. */
  readonly vocabulary: string;
  /** The same in at most SUMMARY_MAX characters, or the owner's own words. */
  readonly summary: string;
  /** A name for configuration files, of at most 64 characters. */
  readonly serverName: string;
  /** The domain of the publisher; `localhost` if there is none. */
  readonly domain: string;
  readonly publisher: string | undefined;
  readonly contact: string | undefined;
  /** The address of the transparency log, without a slash at its end. */
  readonly log: string | undefined;
}

export type SiteTexts = Pick<SiteSource, "name" | "description" | "summary" | "publisher" | "contact"> &
  Partial<Pick<SiteSource, "security" | "rdf" | "log">>;

export const UNNAMED = "Semantic Resolution Service";

/** If the site has no description, that of the registry is used. */
export function aboutOf(
  { origin, registryDescription = "", vocabulary }: Described,
  { name, publisher, security, ...site }: SiteTexts,
): About {
  const { description = registryDescription, contact = security?.contact } = site;
  const scope = description === "" || /[.!?。؟]$/.test(description) ? description : `${description}.`;
  const facts = factsOf(vocabulary);
  const counts = countsOf(vocabulary);
  return {
    name,
    description,
    scope,
    vocabulary: sentenceOf(description, facts),
    summary:
      site.summary ??
      firstShort([sentenceOf(description, facts), sentenceOf(description, counts), scope, sentenceOf(name, counts)]) ??
      name,
    serverName: serverNameOf(name) || serverNameOf(UNNAMED),
    domain: publisher?.domain ?? hostDomain(origin),
    publisher: publisher?.name,
    contact,
    log: site.log?.replace(/\/+$/, ""),
  };
}

interface Described {
  readonly origin: string;
  readonly registryDescription: string | undefined;
  readonly vocabulary: Vocabulary;
}

function firstShort(texts: readonly string[]): string | undefined {
  return texts.find((text) => text !== "" && Array.from(text).length <= SUMMARY_MAX);
}

function serverNameOf(name: string): string {
  return hyphenated(name).slice(0, 64).replace(/-$/, "");
}

function hostDomain(origin: string): string {
  const { hostname } = new URL(origin);
  return isDomain(hostname) ? hostname : "localhost";
}
