/**
 * `dist/mcp.json`: the parts of the answers of `POST /mcp` that do not depend on the request, from
 * the same sources as the other documents. The runtime reads it; no path serves it. Source:
 * contract §4.7; rulings O-52, O-53.
 */
import type { MCPDefinition } from "../../runtime/contract/mcp.ts";
import { ResolveEnvelope } from "../../runtime/contract/resolution.ts";
import { essenceOf } from "../../runtime/http/media-type.ts";
import { paths, policies, resources } from "../../runtime/contract/policy.ts";
import { product } from "../../runtime/contract/product.ts";
import { JSON_SCHEMA } from "../contract/published.ts";
import { agentTool } from "./agent-tool.ts";
import { prompts } from "./prompts.ts";
import { ACCEPTANCE_RULE, IDENTITY_IS_NO_PERMISSION, inShort, MCP_ACCEPTANCE } from "../view/rules.ts";
import type { Examples } from "../view/examples.ts";
import { urlOf, type View, withScope } from "../view/view.ts";

/** `documents` holds the texts of the resources by their paths. */
export function mcpDefinition(view: View, examples: Examples, documents: ReadonlyMap<string, string>): MCPDefinition {
  const { name, title, description, inputSchema } = agentTool(view);
  return {
    schema: "service-semantics.mcp.v1",
    serverInfo: {
      name: view.about.serverName,
      title: view.about.name,
      version: product.packageVersion,
      websiteUrl: view.origin,
    },
    instructions: instructions(view, name, examples),
    tools: [
      {
        name,
        title,
        description,
        inputSchema,
        outputSchema: { $schema: JSON_SCHEMA, ...ResolveEnvelope },
        // The default of the protocol is the opposite for each.
        annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      },
    ],
    resources: SOURCES.map((source) => resourceOf(view, source, documents)),
    prompts: [...prompts(name)],
  };
}

function instructions(view: View, tool: string, examples: Examples): string {
  return [
    `This server is ${view.about.name}. ${withScope(view, "")}`.trim(),
    `It has one tool, ${tool}: it gives the ConceptCode of an exact expression from a reviewed registry, or it abstains.`,
    inShort.intendedUse,
    inShort.minimumData,
    inShort.comparison,
    `${ACCEPTANCE_RULE} ${MCP_ACCEPTANCE}`,
    inShort.otherwise,
    exampleLine(examples),
    `${IDENTITY_IS_NO_PERMISSION}.`,
    `All rules are in the resource ${urlOf(view, paths.capabilities)}; for integrators, recipes and kits are at ${urlOf(view, paths.studio)}.`,
  ].join("\n");
}

function exampleLine({ resolved, abstained }: Examples): string {
  const { request, answer } = resolved ?? abstained;
  const { status, concept, reason } = answer.data;
  const given =
    concept === null
      ? `data.reason ${reason}`
      : `data.concept.code ${concept.code}, of registryVersion ${concept.registryVersion}`;
  return `For example, the arguments ${JSON.stringify(request)} give data.status ${status} and ${given}.`;
}

interface Source {
  readonly path: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
}

/** The resources that a client may read (O-53). */
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

/** The document at its canonical address. Throws if there is none at the path. */
function resourceOf(view: View, { path, ...named }: Source, documents: ReadonlyMap<string, string>) {
  const text = documents.get(path);
  const variant = resources.find((resource) => resource.path === path)?.variants[0];
  if (text === undefined || variant === undefined) throw new Error(`There is no document at ${path}`);
  const mimeType = essenceOf(policies[variant.policy].mediaType);
  return { uri: urlOf(view, path), ...named, mimeType, size: Buffer.byteLength(text) };
}
