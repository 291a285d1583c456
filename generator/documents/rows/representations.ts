/** The ten routes of the discovery inventory (contract §4.5), and the files that tools look for. */
import { SEARCH_PATH } from "../../../runtime/contract/added-resources.ts";
import { paths } from "../../../runtime/contract/paths.ts";
import { MCP_FILE, schemaNames, schemaPath } from "../../../runtime/contract/policy.ts";
import { formatDocument } from "../../../runtime/text/json.ts";
import { apiCatalog, discovery } from "../discovery.ts";
import type { Document } from "../document.ts";
import { mcpDefinition } from "../mcp.ts";
import { mcpServer } from "../mcp-server.ts";
import { schemaDocument } from "../schemas.ts";
import { llmsText, robotsText } from "../site-files.ts";

export const representationDocuments: readonly Document[] = [
  {
    path: paths.apiCatalog,
    endpoint: "apiCatalog",
    llms: { section: "Optional", title: "API catalog", note: "RFC 9727 linkset" },
    operation: {
      tag: "Representations",
      id: "getApiCatalog",
      summary: "RFC 9727 API catalog",
      description: "Links both APIs to their descriptions, directions and metadata.",
      schema: "Linkset",
    },
    print: (printing) => formatDocument(apiCatalog(printing)),
  },
  {
    path: paths.discovery,
    endpoint: "discoveryReceipt",
    catalog: { relation: "service-meta", of: ["direct", "mcp"], title: "Discovery receipt", order: -3 },
    llms: { section: "Optional", title: "Discovery receipt", note: "the ten routes and their digest, JSON" },
    operation: {
      tag: "Representations",
      id: "getDiscovery",
      summary: "Inventory of the ten routes, with its receipt",
      description: "Media types, locations and cache policy of each route. The receipt detects only drift.",
      schema: "Discovery",
    },
    print: ({ book }) => formatDocument(discovery(book.view)),
  },
  {
    path: paths.deployment,
    endpoint: "deploymentIdentity",
    catalog: { relation: "service-meta", of: ["direct", "mcp"], title: "Deployment identity", order: -2 },
  },
  {
    path: paths.answers,
    judged: "prose",
    endpoint: "answers",
    catalog: { relation: "service-doc", title: "Answers", order: -1 },
    operation: {
      tag: "Representations",
      id: "getAnswers",
      summary: "Canonical answers",
      description: "Questions about the service with answers and evidence, in three forms.",
      schema: "Answers",
    },
  },
  {
    path: paths.answersJson,
    judged: "prose",
    operation: {
      tag: "Representations",
      id: "getAnswersJson",
      summary: "Canonical answers as JSON",
      description: `The JSON form of ${paths.answers}.`,
      schema: "Answers",
    },
  },
  {
    path: paths.answersMarkdown,
    judged: "prose",
    llms: { section: "Documentation", title: "Answers", note: "questions with evidence, Markdown" },
    resource: {
      name: "answers",
      title: "Answers",
      description: "Questions about the service with their canonical answers and evidence",
    },
    operation: {
      tag: "Representations",
      id: "getAnswersMarkdown",
      summary: "Canonical answers as Markdown",
      description: `The Markdown form of ${paths.answers}.`,
    },
  },
  {
    path: paths.apiReference,
    judged: "prose",
    endpoint: "apiReference",
    catalog: { relation: "service-doc", title: "API reference", order: -2 },
    operation: {
      tag: "Representations",
      id: "getApiReference",
      summary: "API reference",
      description: "Every operation, field, error, limit and rule, in three forms.",
      schema: "ApiReference",
    },
  },
  {
    path: paths.apiReferenceJson,
    judged: "prose",
    operation: {
      tag: "Representations",
      id: "getApiReferenceJson",
      summary: "API reference as JSON",
      description: `The JSON form of ${paths.apiReference}.`,
      schema: "ApiReference",
    },
  },
  {
    path: paths.apiReferenceMarkdown,
    judged: "prose",
    catalog: { relation: "service-doc", title: "API reference as Markdown", order: -1 },
    llms: {
      section: "Documentation",
      title: "API reference",
      note: "operations, fields, errors, limits, digests, Markdown",
    },
    resource: {
      name: "api-reference",
      title: "API reference",
      description: "Every operation, rule, error and limit of the interface",
    },
    operation: {
      tag: "Representations",
      id: "getApiReferenceMarkdown",
      summary: "API reference as Markdown",
      description: `The Markdown form of ${paths.apiReference}.`,
    },
  },
  {
    path: paths.openapi,
    endpoint: "openapi",
    catalog: { relation: "service-desc", title: "OpenAPI description" },
    llms: { section: "Documentation", title: "OpenAPI", note: "OpenAPI 3.1.0, JSON" },
    operation: {
      tag: "Representations",
      id: "getOpenapi",
      summary: "This description",
      description: "OpenAPI 3.1.0 of every operation.",
      schema: "OpenApiDescription",
    },
    print: ({ book }) => formatDocument(book.description),
  },
  {
    path: paths.mcpServer,
    needs: "rest",
    endpoint: "mcpManifest",
    catalog: { relation: "service-desc", of: ["mcp"], title: "MCP connection manifest" },
    llms: { section: "For agents", title: "MCP manifest", note: "JSON; the endpoint is POST /mcp" },
    operation: {
      tag: "Representations",
      id: "getMcpServer",
      summary: "The MCP connection manifest",
      description: "Endpoint, protocol, methods and settings of known MCP clients.",
      schema: "MCPConnectionManifest",
    },
    print: (printing) => formatDocument(mcpServer(printing.book.view, mcpDefinition(printing))),
  },
  {
    path: paths.mcpGuide,
    judged: "prose",
    endpoint: "mcpGuide",
    catalog: { relation: "service-doc", of: ["mcp"], title: "MCP guide" },
    llms: { section: "Documentation", title: "MCP guide", note: "for people, HTML" },
    operation: {
      tag: "Representations",
      id: "getMcpGuide",
      summary: "The MCP guide for people",
      description: "How to connect an agent, what an answer allows, and how to recover the deployment identity.",
      answer: "The guide; its bytes carry a nonce and are never stored",
    },
  },
  { path: MCP_FILE, needs: "rest", print: (printing) => formatDocument(mcpDefinition(printing)) },
  {
    path: paths.schemas,
    printAll: ({ book }) =>
      schemaNames.map((name) => [schemaPath(name), formatDocument(schemaDocument(book.view, name))] as const),
  },
];

export const siteDocuments: readonly Document[] = [
  { path: paths.securityText, judged: "prose", endpoint: "securityText" },
  { path: paths.sitemap, judged: "prose" },
  { path: SEARCH_PATH, judged: "prose" },
  { path: paths.llms, print: llmsText },
  { path: paths.robots, print: ({ book }) => robotsText(book.view) },
];
