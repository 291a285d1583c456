/**
 * Prints every prerendered document except the status, by its file in dist: JSON from typed values,
 * text, pages from content.
 */
import { SEARCH_PATH } from "../../runtime/contract/added-resources.ts";
import { MCP_FILE, paths, schemaNames, schemaPath } from "../../runtime/contract/policy.ts";
import { formatDocument } from "../../runtime/text/json.ts";
import { type Asset, type Content, makeAsset } from "../content/content.ts";
import type { Effects } from "../effects/effects.ts";
import { printIntegration } from "../integration/documents.ts";
import { classifierAsset, type Handoffs, readHandoffs } from "../integration/handoffs.ts";
import { openApi, openApiFragment } from "../openapi/openapi.ts";
import { findExamples } from "../view/examples.ts";
import { makeSamplePool } from "../view/samples.ts";
import type { View } from "../view/view.ts";
import { adoptionGuide } from "./adoption-guide.ts";
import { agentConnect, agentInstructions, capabilities } from "./agent.ts";
import { agentTool } from "./agent-tool.ts";
import { answers } from "./answers.ts";
import { apiReference } from "./api-reference.ts";
import { changeDocuments, withChangesPage } from "./changes.ts";
import { coverage, coverageView } from "./coverage.ts";
import { apiCatalog, discovery } from "./discovery.ts";
import { keyedLines } from "./keyed-lines.ts";
import { linkedData } from "./linked-data.ts";
import { checkAnchors, checkLinks } from "./links.ts";
import { mcpDefinition } from "./mcp.ts";
import { mcpServer } from "./mcp-server.ts";
import { readResolverModule, readSearchLibrary } from "./modules.ts";
import { printNames } from "./names.ts";
import { printPages } from "./pages.ts";
import { withValues } from "./prose.ts";
import { referenceAreas } from "./reference-areas.ts";
import { registryHistory, retiredCodes } from "./registry.ts";
import { schemaDocument } from "./schemas.ts";
import { searchDocument } from "./search.ts";
import { llmsText, robotsText, securityText, sitemap } from "./site-files.ts";

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
  const covered = coverage(view);
  const pool = makeSamplePool(view);
  const content = withChangesPage(withValues(authored.content, view, pool), view);
  const examples = findExamples(view, pool);
  const description = openApi(view, examples);
  const tool = formatDocument(agentTool(view));
  const openapi = formatDocument(openApiFragment(description));
  const integration = await printIntegration(view, { pool, openapi, sources: authored.handoffs, tool });
  const reference = apiReference(view, description, content.sections);
  const linked = new Map(linkedData(view));
  const added = new Map([...changeDocuments(view), ...keyedLines(view)]);
  const contract = formatDocument(capabilities(view));
  const machine = new Map([
    [paths.connect, formatDocument(agentConnect(view, examples))],
    [paths.capabilities, contract],
    [paths.wellKnownCapabilities, contract],
    [paths.agentTool, tool],
    [paths.agentInstructions, agentInstructions(view, examples)],
    [paths.adoptionGuide, formatDocument(adoptionGuide(view))],
    ...integration.documents,
    [paths.apiCatalog, formatDocument(apiCatalog(view, [...added.keys(), ...linked.keys()]))],
    [paths.discovery, formatDocument(discovery(view))],
    [paths.answersJson, formatDocument(answers(view, content.answers))],
    [paths.apiReferenceJson, formatDocument(reference)],
    [paths.openapi, formatDocument(description)],
    ...schemaNames.map((name) => [schemaPath(name), formatDocument(schemaDocument(view, name))] as const),
    [paths.retired, formatDocument(retiredCodes(view))],
    [paths.history, formatDocument(registryHistory(view))],
    [paths.coverage, formatDocument(covered)],
    ...added,
    ...printNames(view),
    [paths.llms, llmsText(view, examples)],
    [paths.robots, robotsText(view)],
    [paths.sitemap, [...sitemap(view, content)].join("")],
    [paths.securityText, securityText(view, content)],
  ]);
  const { sections } = content;
  const areas = referenceAreas(view, { reference, description, examples, sections, texts: machine });
  machine.set(SEARCH_PATH, formatDocument(searchDocument(view, { content, reference, areas, texts: machine })));
  const { studio } = integration;
  const assets = assetsOf(authored);
  const shown = coverageView(view, covered);
  const pages = await printPages(view, content, { assets, examples, reference, areas, studio, coverage: shown });
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
