/** The documents for agents, and those of integration (contract §4.4). */
import { paths } from "../../../runtime/contract/paths.ts";
import { folderFile } from "../../../runtime/contract/policy.ts";
import { RECIPE_IDS } from "../../../runtime/contract/recipe.ts";
import { formatDocument } from "../../../runtime/text/json.ts";
import { adoptionGuide } from "../adoption-guide.ts";
import { skill, skillPath, skillsIndex } from "../agent-skills.ts";
import { agentTool } from "../agent-tool.ts";
import { aiCatalog } from "../ai-catalog.ts";
import { agentConnect, agentInstructions, capabilities } from "../agent.ts";
import type { Document } from "../document.ts";
import { serverCard } from "../server-card.ts";

export const agentDocuments: readonly Document[] = [
  {
    path: paths.connect,
    endpoint: "agentConnect",
    catalog: { relation: "service-meta", title: "Directions for an agent's first call" },
    llms: { section: "For agents", title: "Connect", note: "directions and the canonical first request, JSON" },
    operation: {
      tag: "Discovery",
      id: "connectAgent",
      summary: "Directions for an agent's first call",
      description:
        "The canonical first request, the answer to expect and how to read any answer. Reading it registers nothing.",
      schema: "AgentConnect",
    },
    print: ({ book }) => formatDocument(agentConnect(book.view, book.examples)),
  },
  {
    path: paths.capabilities,
    llms: {
      section: "For agents",
      title: "Capabilities",
      note: "the agent contract: all rules and addresses, JSON",
      order: -1,
    },
    resource: {
      name: "capabilities",
      title: "Capabilities",
      description: "The agent contract: when to call, what to send, how to read an answer, every endpoint",
      order: -1,
    },
    operation: {
      tag: "Discovery",
      id: "getCapabilities",
      summary: "The agent contract",
      description: "When to call, what to send, how to read an answer, and the address of every endpoint.",
      schema: "Capabilities",
    },
    print: ({ book, table }) => formatDocument(capabilities(book.view, table)),
  },
  {
    path: paths.wellKnownCapabilities,
    catalog: { relation: "service-meta", title: "Agent contract", order: -1 },
    operation: {
      tag: "Discovery",
      id: "getWellKnownCapabilities",
      summary: "The agent contract at its well-known address",
      description: `The same document as ${paths.capabilities}.`,
      schema: "Capabilities",
    },
    print: ({ book, table }) => formatDocument(capabilities(book.view, table)),
  },
  {
    path: paths.agentTool,
    endpoint: "agentTool",
    catalog: { relation: "service-meta", title: "Agent tool descriptor" },
    llms: { section: "For agents", title: "Tool descriptor", note: "JSON" },
    resource: {
      name: "agent-tool",
      title: "Tool descriptor",
      description: "The descriptor of the one tool, with its schemas, policy and data handling",
      order: 2,
    },
    operation: {
      tag: "Discovery",
      id: "getAgentTool",
      summary: "The tool descriptor",
      description: "The one tool with its schemas, invocation policy and data handling. It has no side effects.",
      schema: "AgentTool",
    },
    print: ({ book }) => formatDocument(agentTool(book.view)),
  },
  {
    path: paths.agentInstructions,
    endpoint: "agentInstructions",
    catalog: { relation: "service-meta", title: "Agent instructions" },
    llms: {
      section: "For agents",
      title: "Instructions",
      note: "the operating rules in short, with an answer, plain text",
      order: -2,
    },
    resource: {
      name: "agent-instructions",
      title: "Operating rules for agents",
      description: "The rules of use as plain text, with the readiness of this release",
      order: 1,
    },
    operation: {
      tag: "Discovery",
      id: "getAgentInstructions",
      summary: "Operating rules as plain text",
      description: "The rules of use with the readiness of this release, for the instructions of an agent.",
    },
    print: ({ book }) => agentInstructions(book.view, book.examples),
  },
  {
    path: paths.serverCard,
    endpoint: "mcpServerCard",
    catalog: { relation: "service-desc", of: ["mcp"], title: "MCP Server Card" },
    llms: { section: "For agents", title: "MCP Server Card", note: "for MCP clients before they connect, JSON" },
    print: ({ book }) => formatDocument(serverCard(book.view)),
  },
  {
    path: paths.aiCatalog,
    endpoint: "aiCatalog",
    catalog: { relation: "service-meta", of: ["direct", "mcp"], title: "AI Catalog" },
    llms: { section: "For agents", title: "AI Catalog", note: "the MCP server and the skill of this service, JSON" },
    print: ({ book }) => formatDocument(aiCatalog(book.view)),
  },
  {
    path: paths.skillsIndex,
    endpoint: "agentSkills",
    catalog: { relation: "service-meta", title: "Agent skills" },
    llms: {
      section: "For agents",
      title: "Agent skills",
      note: "the operating rules as a skill, with its digest, JSON",
    },
    print: ({ book }) => formatDocument(skillsIndex(book.view, book.examples)),
  },
  { path: paths.skills, printAll: ({ book }) => [[skillPath(book.view), skill(book.view, book.examples)]] },
  {
    path: paths.adoptionGuide,
    endpoint: "adoptionGuide",
    llms: {
      section: "For agents",
      title: "Adoption guide",
      note: "value, placement, stages, safety, JSON",
      order: 1,
    },
    operation: {
      tag: "Discovery",
      id: "getAdoptionGuide",
      summary: "How to adopt the service",
      description: "Value, placement in a workflow, use cases, stages and safety boundaries.",
      schema: "AdoptionGuide",
    },
    print: ({ book }) => formatDocument(adoptionGuide(book.view)),
  },
];

const recipeId = {
  name: "recipeId",
  in: "path",
  required: true,
  description: "One of the five canonical recipes",
  schema: { type: "string", enum: [...RECIPE_IDS] },
  otherwise: "recipe_not_found: no recipe has this id",
} as const;

export const integrationDocuments: readonly Document[] = [
  {
    path: paths.readiness,
    endpoint: "integrationReadiness",
    catalog: { relation: "service-meta", title: "Integration readiness" },
    llms: {
      section: "Integration",
      title: "Readiness",
      note: "the checklist, five recipes, six fixtures each, JSON",
    },
    operation: {
      tag: "Integration",
      id: "getIntegrationReadiness",
      summary: "The provider-neutral readiness checklist",
      description: "Select one recipe, run its six fixtures, and assign an identity only to a valid resolved result.",
      schema: "IntegrationReadiness",
      answer: "The checklist",
    },
    printAll: ({ book }) => [[folderFile(paths.readiness), formatDocument(book.integration.readiness)]],
  },
  {
    path: paths.readinessReports,
    operation: {
      tag: "Integration",
      id: "getReadinessReport",
      summary: "The report of one recipe",
      description:
        "The results of the published classifier for the fixtures of one recipe. It does not prove a deployment.",
      schema: "IntegrationReport",
      answer: "The report",
      parameter: { ...recipeId, suffix: "" },
    },
    printAll: ({ book }) => book.integration.reports,
  },
  {
    path: paths.studio,
    endpoint: "integrationStudio",
    catalog: { relation: "service-meta", title: "Integration studio" },
    llms: { section: "Integration", title: "Studio", note: "the journey to a kit, with files and digests, JSON" },
    operation: {
      tag: "Integration",
      id: "getIntegrationStudio",
      summary: "The journey from understanding to download",
      description: "The steps of the studio, its recipes, and every file of every kit with its digest.",
      schema: "IntegrationStudio",
      answer: "The studio",
    },
    printAll: ({ book }) => [[folderFile(paths.studio), formatDocument(book.integration.studio)]],
  },
  {
    path: paths.kits,
    operation: {
      tag: "Integration",
      id: "getKit",
      summary: "A reproducible client handoff",
      description: "A ZIP with the programs, fixtures, report and checksums of one recipe.",
      answer: "The kit",
      parameter: { ...recipeId, suffix: ".zip" },
    },
    printAll: ({ book }) => book.integration.kits,
  },
  {
    path: paths.studioPage,
    judged: "prose",
    catalog: { relation: "service-doc", title: "Integration studio" },
    llms: { section: "Integration", title: "Studio page", note: "the same journey for people, HTML" },
  },
];
