/**
 * Prints every prerendered document except the status, by its file in dist: JSON from typed values,
 * text, pages from content.
 */
import { SEARCH_PATH } from "../../runtime/contract/added-resources.ts";
import { MCP_FILE, paths } from "../../runtime/contract/policy.ts";
import { formatDocument } from "../../runtime/text/json.ts";
import { type Asset, type Content, makeAsset } from "../content/content.ts";
import type { Effects } from "../effects/effects.ts";
import { classifierAsset, type Handoffs, readHandoffs } from "../integration/handoffs.ts";
import { makeSamplePool } from "../view/samples.ts";
import type { View } from "../view/view.ts";
import { answers } from "./answers.ts";
import { apiReference } from "./api-reference.ts";
import { withChangesPage } from "./changes.ts";
import { coverageView } from "./coverage.ts";
import { linkedData } from "./linked-data.ts";
import { checkAnchors, checkLinks } from "./links.ts";
import { printMachineDocuments } from "./machine.ts";
import { mcpDefinition } from "./mcp.ts";
import { mcpServer } from "./mcp-server.ts";
import { readResolverModule, readSearchLibrary } from "./modules.ts";
import { printPages } from "./pages.ts";
import { withValues } from "./prose.ts";
import { referenceAreas } from "./reference-areas.ts";
import { searchDocument } from "./search.ts";
import { securityText, sitemap } from "./site-files.ts";

/** Texts or bytes by their path in dist, with a leading `/`. */
export type Documents = ReadonlyMap<string, string | Uint8Array>;

/**
 * Sources that are published: the prose and pages of an operator, and this project's programs for
 * others.
 */
export interface Authored {
  readonly content: Content;
  readonly handoffs: Handoffs;
  /** The module that resolves on a host that only serves files. */
  readonly resolver: string;
  /** The module that ranks pages. */
  readonly minisearch: string;
}

/** Adds this project's programs to the content. */
export function readAuthored(effects: Effects, content: Content): Authored {
  return {
    content,
    handoffs: readHandoffs(effects),
    resolver: readResolverModule(effects),
    minisearch: readSearchLibrary(effects),
  };
}

/**
 * Prints the documents. Throws TemplateError if a page cannot be rendered, ProofError if a fixture
 * is not as declared.
 */
export async function printDocuments(view: View, authored: Authored): Promise<Documents> {
  const pool = makeSamplePool(view);
  const content = withChangesPage(withValues(authored.content, view, pool), view);
  const linked = new Map(linkedData(view));
  const parts = { pool, handoffs: authored.handoffs, linked: [...linked.keys()] };
  const { texts: own, integration, examples, description, covered } = await printMachineDocuments(view, parts);
  const reference = apiReference(view, description, content.sections);
  const machine = new Map([
    ...own,
    [paths.answersJson, formatDocument(answers(view, content.answers))],
    [paths.apiReferenceJson, formatDocument(reference)],
    [paths.sitemap, [...sitemap(view, content)].join("")],
    [paths.securityText, securityText(view, content)],
  ]);
  const { sections } = content;
  const areas = referenceAreas(view, { reference, description, examples, sections, texts: machine });
  machine.set(SEARCH_PATH, formatDocument(searchDocument(view, { content, reference, areas, texts: machine })));
  const { studio } = integration;
  const assets = assetsOf(authored);
  const coverage = coverageView(view, covered);
  const pages = await printPages(view, content, { assets, examples, reference, areas, studio, coverage });
  const texts = new Map([...machine, ...pages]);
  checkAnchors(texts, content);
  checkLinks(new Map([...Array.from(linked.keys(), (file) => [file, ""] as const), ...texts]), content, view);
  const definition = mcpDefinition(view, examples, texts);
  return new Map<string, string | Uint8Array>([
    ...texts,
    ...linked,
    ...integration.kits,
    [MCP_FILE, formatDocument(definition)],
    [paths.mcpServer, formatDocument(mcpServer(view, definition))],
  ]);
}

/** Every asset of a release: those of the content, and the programs that pages run. */
export function assetsOf({ content, handoffs, resolver, minisearch }: Authored): Readonly<Record<string, Asset>> {
  return {
    ...content.assets,
    classifier: classifierAsset(handoffs),
    resolver: makeAsset("resolver.js", encoder.encode(resolver)),
    minisearch: makeAsset("minisearch.js", encoder.encode(minisearch)),
  };
}

const encoder = new TextEncoder();
