/** Every prerendered document but the status, by its file in dist: JSON from typed values, text, pages from content. */
import { MCP_FILE, paths, schemaNames, schemaPath } from "../../runtime/policy.ts";
import { product } from "../../runtime/product.ts";
import type { Content } from "../content/content.ts";
import { renderMarkdown } from "../content/markdown.ts";
import { openApi } from "../openapi/openapi.ts";
import { renderPages } from "../pages.ts";
import { adoptionGuide } from "./adoption-guide.ts";
import { agentConnect } from "./agent-connect.ts";
import { agentInstructions } from "./agent-instructions.ts";
import { agentTool } from "./agent-tool.ts";
import { answers } from "./answers.ts";
import { apiCatalog } from "./api-catalog.ts";
import { apiReference } from "./api-reference.ts";
import { capabilities } from "./capabilities.ts";
import { discovery } from "./discovery.ts";
import { type Examples, findExamples } from "./examples.ts";
import { mcpDefinition } from "./mcp.ts";
import { mcpServer } from "./mcp-server.ts";
import { ACCEPTANCE_RULE } from "./rules.ts";
import { schemaDocument } from "./schemas.ts";
import { llmsText, robotsText, securityText, sitemap } from "./site-files.ts";
import { formatDocument, urlOf, type View, withOrigin } from "./view.ts";

/** Texts by their place in dist, with a leading `/`. */
export type Documents = ReadonlyMap<string, string>;

/** Prints the documents. Throws TemplateError where a page cannot be rendered. */
export async function printDocuments(view: View, authored: Content): Promise<Documents> {
  const content = withAddress(authored, view.origin);
  const examples = findExamples(view);
  const description = openApi(view, examples);
  const reference = apiReference(view, description, content.sections);
  const contract = formatDocument(capabilities(view));
  const documents = new Map([
    [paths.connect, formatDocument(agentConnect(view, examples))],
    [paths.capabilities, contract],
    [paths.wellKnownCapabilities, contract],
    [paths.agentTool, formatDocument(agentTool(view))],
    [paths.agentInstructions, agentInstructions(view, examples)],
    [paths.adoptionGuide, formatDocument(adoptionGuide(view))],
    [paths.apiCatalog, formatDocument(apiCatalog(view))],
    [paths.discovery, formatDocument(discovery(view))],
    [paths.answersJson, formatDocument(answers(view, content.answers))],
    [paths.apiReferenceJson, formatDocument(reference)],
    [paths.openapi, formatDocument(description)],
    ...schemaNames.map((name) => [schemaPath(name), formatDocument(schemaDocument(view, name))] as const),
    [paths.llms, llmsText(view)],
    [paths.robots, robotsText(view)],
    [paths.sitemap, [...sitemap(view)].join("")],
    [paths.securityText, securityText(view, content.site)],
    ...(await renderPages(content.templates, pageGlobals(view, content, { examples, reference }))),
  ]);
  const definition = mcpDefinition(view, documents);
  return documents
    .set(MCP_FILE, formatDocument(definition))
    .set(paths.mcpServer, formatDocument(mcpServer(view, definition)));
}

/** Commands in the prose name the service as `$ORIGIN`; here it gets its address, so that they run as they are printed. */
function withAddress(content: Content, origin: string): Content {
  const address = <P extends { readonly markdown: string }>(prose: P): P => ({
    ...prose,
    markdown: prose.markdown.replaceAll(/\$ORIGIN\b/g, () => origin),
  });
  const { answers: authored, sections, guide } = content;
  return { ...content, answers: authored.map(address), sections: sections.map(address), guide: address(guide) };
}

interface Printed {
  readonly examples: Examples;
  readonly reference: ReturnType<typeof apiReference>;
}

/** What the templates may print. content/README.md lists it. */
function pageGlobals(view: View, content: Content, { examples, reference }: Printed): Record<string, unknown> {
  const { registry, origin, summary, readiness } = view;
  const { resolved } = examples;
  const { sections: _printed, ...tables } = reference;
  return {
    origin,
    site: { name: content.site.name },
    product,
    registry: { name: registry.name, registryVersion: registry.registryVersion, ...summary },
    readiness,
    acceptanceRule: ACCEPTANCE_RULE,
    assets: Object.fromEntries(
      Object.entries(content.assets).map(([kind, { name }]) => [kind, `${paths.assets}/${name}`]),
    ),
    example: resolved === undefined ? null : { ...resolved.request, ...resolved.answer.data.concept },
    answers: content.answers.map(({ evidence, ...answer }) => ({
      ...answer,
      markdown: withOrigin(view, answer.markdown),
      html: renderMarkdown(answer.markdown),
      evidence: evidence.map(({ title, path }) => ({ title, path, href: urlOf(view, path) })),
    })),
    reference: {
      ...tables,
      sections: content.sections.map(({ id, title, markdown }) => ({
        id,
        title,
        markdown: withOrigin(view, markdown),
        html: renderMarkdown(markdown),
      })),
    },
    guide: { ...content.guide, html: renderMarkdown(content.guide.markdown) },
  };
}
