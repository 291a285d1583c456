/**
 * `dist/mcp.json`: everything `POST /mcp` answers that no request changes, from the same sources as the other documents.
 * The runtime reads it; it is served at no path. Source: contract §4.7; rulings O-52, O-53.
 */
import { MCP_PROTOCOL_VERSION, type MCPDefinition } from "../../runtime/contract/mcp.ts";
import { ResolveEnvelope } from "../../runtime/contract/resolution.ts";
import { essenceOf } from "../../runtime/media-type.ts";
import { paths, policies, type PolicyName } from "../../runtime/policy.ts";
import { product } from "../../runtime/product.ts";
import { agentTool } from "./agent-tool.ts";
import { prompts } from "./prompts.ts";
import { ACCEPTANCE_RULE, authority, callAt, doNotCallFor, minimumData } from "./rules.ts";
import { urlOf, type View } from "./view.ts";

export const SERVER_NAME = "semantic-resolution-service";
export const SERVER_TITLE = "Semantic Resolution Service";

/** `documents` holds the texts of the resources by their paths. */
export function mcpDefinition(view: View, documents: ReadonlyMap<string, string>): MCPDefinition {
  const { name, title, description, inputSchema } = agentTool(view);
  return {
    schema: "service-semantics.mcp.v1",
    serverInfo: {
      name: SERVER_NAME,
      title: SERVER_TITLE,
      version: product.packageVersion,
      websiteUrl: view.origin,
    },
    instructions: instructions(name),
    tools: [
      {
        name,
        title,
        description: `${description} ${ACCEPTANCE_RULE} An abstention is a valid answer and assigns nothing.`,
        inputSchema,
        outputSchema: { $schema: "https://json-schema.org/draft/2020-12/schema", ...ResolveEnvelope },
        // The defaults of the protocol say the opposite of each.
        annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      },
    ],
    resources: RESOURCES.map(({ path, policy, ...named }) => ({
      uri: urlOf(view, path),
      ...named,
      mimeType: essenceOf(policies[policy].mediaType),
      size: Buffer.byteLength(documents.get(path) ?? ""),
    })),
    prompts: [...prompts(name)],
  };
}

function instructions(tool: string): string {
  return [
    `This server has one tool, ${tool}: it gives the ConceptCode of an exact expression from a reviewed registry, or it abstains.`,
    `Call it at durable boundaries. ${callAt.join(". ")}.`,
    `Do not call it for: ${doNotCallFor.join("; ")}.`,
    `${minimumData.join(". ")}.`,
    `${ACCEPTANCE_RULE} An abstention is a valid answer: no code is assigned, and a candidate is evidence, never a code.`,
    `${authority.slice(3).join(". ")}.`,
    `Protocol revision ${MCP_PROTOCOL_VERSION} only; every request stands alone.`,
  ].join("\n");
}

interface Source {
  readonly path: string;
  readonly policy: PolicyName;
  readonly name: string;
  readonly title: string;
  readonly description: string;
}

/** What a client may read as a resource, by the canonical address of the document (O-53). */
const RESOURCES: readonly Source[] = [
  {
    path: paths.capabilities,
    policy: "json",
    name: "capabilities",
    title: "Capabilities",
    description: "The agent contract: when to call, what to send, how to read an answer, every endpoint",
  },
  {
    path: paths.answersMarkdown,
    policy: "markdown",
    name: "answers",
    title: "Answers",
    description: "Questions about the service with their canonical answers and evidence",
  },
  {
    path: paths.apiReferenceMarkdown,
    policy: "markdown",
    name: "api-reference",
    title: "API reference",
    description: "Every operation, rule, error and limit of the interface",
  },
  {
    path: paths.agentInstructions,
    policy: "text",
    name: "agent-instructions",
    title: "Operating rules for agents",
    description: "The rules of use as plain text, with the readiness of this release",
  },
  {
    path: paths.agentTool,
    policy: "json",
    name: "agent-tool",
    title: "Tool descriptor",
    description: "The descriptor of the one tool, with its schemas, policy and data handling",
  },
];
