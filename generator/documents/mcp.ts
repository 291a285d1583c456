/**
 * `dist/mcp.json`: the parts of the answers of `POST /mcp` that do not depend on the request, from
 * the same sources as the other documents. The runtime reads it; no path serves it. Source:
 * contract §4.7; rulings O-52, O-53.
 */
import { policyAt } from "../../runtime/contract/added-resources.ts";
import { type MCPDefinition, TOOL_NAME } from "../../runtime/contract/mcp.ts";
import { ResolveEnvelope } from "../../runtime/contract/resolution.ts";
import { essenceOf } from "../../runtime/http/media-type.ts";
import { paths } from "../../runtime/contract/paths.ts";
import { policies } from "../../runtime/contract/policy.ts";
import { product } from "../../runtime/contract/product.ts";
import { JSON_SCHEMA } from "../contract/published.ts";
import { reversedDomain } from "../text/domain.ts";
import { agentTool } from "./agent-tool.ts";
import { canonicalSha256 } from "./canonical-digest.ts";
import { listed, type Printing } from "./document.ts";
import { prompts } from "./prompts.ts";
import { ACCEPTANCE_RULE, IDENTITY_IS_NO_PERMISSION, inShort, MCP_ACCEPTANCE } from "../view/rules.ts";
import type { Examples } from "../view/examples.ts";
import { urlOf, type View } from "../view/view.ts";

export function mcpDefinition({ book: { view, examples }, table, texts }: Printing): MCPDefinition {
  return {
    schema: "service-semantics.mcp.v1",
    serverInfo: serverInfo(view),
    instructions: instructions(view, TOOL_NAME, examples),
    tools: mcpTools(view),
    resources: listed(table, "resource").map((row) => resourceOf(view, row, texts)),
    prompts: [...prompts(TOOL_NAME)],
  };
}

/** The server card says the same of the server. */
export function serverInfo({ about, origin }: View): MCPDefinition["serverInfo"] {
  return {
    name: `${reversedDomain(about.domain)}/${about.serverName}`,
    title: about.name,
    version: product.packageVersion,
    websiteUrl: origin,
  };
}

export function mcpTools(view: View): MCPDefinition["tools"] {
  const { title, description, inputSchema } = agentTool(view);
  return [
    {
      name: TOOL_NAME,
      title,
      description,
      inputSchema,
      outputSchema: { $schema: JSON_SCHEMA, ...ResolveEnvelope },
      // The default of the protocol is the opposite for each.
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
  ];
}

/** Hosts that pin tools compare these three members of a tool. */
export function toolDigests(view: View): { readonly name: typeof TOOL_NAME; readonly sha256: string }[] {
  return mcpTools(view).map(({ name, description, inputSchema }) => ({
    name,
    sha256: canonicalSha256({ name, description, inputSchema }),
  }));
}

function instructions(view: View, tool: string, examples: Examples): string {
  return [
    `This server is ${view.about.name}. ${view.about.vocabulary}`,
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

/** A document that a client may read, at its address (O-53). Throws if there is none. */
function resourceOf(view: View, { path, resource }: Quoted, texts: Printing["texts"]) {
  const text = texts.get(path);
  if (text === undefined) throw new Error(`There is no document at ${path}`);
  const { name, title, description } = resource;
  const mimeType = essenceOf(policies[policyAt(path)].mediaType);
  return { uri: urlOf(view, path), name, title, description, mimeType, size: Buffer.byteLength(text) };
}

type Quoted = Pick<ReturnType<typeof listed<"resource">>[number], "path" | "resource">;
