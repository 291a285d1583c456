/**
 * `dist/mcp.json`: everything `POST /mcp` answers that no request changes, from the same sources as the other documents.
 * The runtime reads it; it is served at no path. Source: contract §4.7; rulings O-52, O-53.
 */
import type { MCPDefinition } from "../../runtime/contract/mcp.ts";
import { ResolveEnvelope } from "../../runtime/contract/resolution.ts";
import { essenceOf } from "../../runtime/http/media-type.ts";
import { paths, policies, resources } from "../../runtime/contract/policy.ts";
import { product } from "../../runtime/contract/product.ts";
import { recipes } from "../integration/recipes/recipes.ts";
import { agentTool } from "./agent-tool.ts";
import { prompts } from "./prompts.ts";
import {
  ACCEPTANCE_RULE,
  callAt,
  doNotCallFor,
  EXACTNESS,
  IDENTITY_IS_NO_PERMISSION,
  LANGUAGE_MATCHING,
  MCP_ACCEPTANCE,
  minimumData,
} from "../view/rules.ts";
import { bullets } from "../view/text.ts";
import { urlOf, type View, withScope } from "../view/view.ts";

/** `documents` holds the texts of the resources by their paths. */
export function mcpDefinition(view: View, documents: ReadonlyMap<string, string>): MCPDefinition {
  const { name, title, description, inputSchema } = agentTool(view);
  return {
    schema: "service-semantics.mcp.v1",
    serverInfo: {
      name: view.about.serverName,
      title: view.about.name,
      version: product.packageVersion,
      websiteUrl: view.origin,
    },
    instructions: instructions(view, name),
    tools: [
      {
        name,
        title,
        description,
        inputSchema,
        outputSchema: { $schema: "https://json-schema.org/draft/2020-12/schema", ...ResolveEnvelope },
        // The defaults of the protocol say the opposite of each.
        annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      },
    ],
    resources: SOURCES.map((source) => resourceOf(view, source, documents)),
    prompts: [...prompts(name)],
  };
}

function instructions(view: View, tool: string): string {
  return [
    `This server is ${view.about.name}. ${withScope(view, "")}`.trim(),
    `It has one tool, ${tool}: it gives the ConceptCode of an exact expression from a reviewed registry, or it abstains.`,
    "Call it at durable boundaries:",
    ...bullets(callAt),
    "Do not call it for:",
    ...bullets(doNotCallFor),
    "What to send:",
    ...bullets(minimumData),
    `${EXACTNESS} ${LANGUAGE_MATCHING}`,
    `${ACCEPTANCE_RULE} ${MCP_ACCEPTANCE}`,
    "An abstention is a valid answer: no code is assigned, and a candidate is evidence, never a code.",
    `${IDENTITY_IS_NO_PERMISSION}.`,
    `Who builds an integration finds five recipes, each with fixtures, a report and a kit, at ${urlOf(view, paths.studio)}:`,
    ...bullets(recipes.map(({ id, purpose }) => `${id}: ${purpose}`)),
  ].join("\n");
}

interface Source {
  readonly path: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
}

/** What a client may read as a resource (O-53). */
const SOURCES: readonly Source[] = [
  {
    path: paths.capabilities,
    name: "capabilities",
    title: "Capabilities",
    description: "The agent contract: when to call, what to send, how to read an answer, every endpoint",
  },
  {
    path: paths.answersMarkdown,
    name: "answers",
    title: "Answers",
    description: "Questions about the service with their canonical answers and evidence",
  },
  {
    path: paths.apiReferenceMarkdown,
    name: "api-reference",
    title: "API reference",
    description: "Every operation, rule, error and limit of the interface",
  },
  {
    path: paths.agentInstructions,
    name: "agent-instructions",
    title: "Operating rules for agents",
    description: "The rules of use as plain text, with the readiness of this release",
  },
  {
    path: paths.agentTool,
    name: "agent-tool",
    title: "Tool descriptor",
    description: "The descriptor of the one tool, with its schemas, policy and data handling",
  },
];

/** The document under its canonical address. Throws where there is none at the path. */
function resourceOf(view: View, { path, ...named }: Source, documents: ReadonlyMap<string, string>) {
  const text = documents.get(path);
  const variant = resources.find((resource) => resource.path === path)?.variants[0];
  if (text === undefined || variant === undefined) throw new Error(`There is no document at ${path}`);
  const mimeType = essenceOf(policies[variant.policy].mediaType);
  return { uri: urlOf(view, path), ...named, mimeType, size: Buffer.byteLength(text) };
}
