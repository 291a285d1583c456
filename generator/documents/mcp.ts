/**
 * `dist/mcp.json`: the parts of the answers of `POST /mcp` that do not depend on the request, from
 * the same sources as the other documents. The runtime reads it; no path serves it. Source:
 * contract §4.7; rulings O-52, O-53.
 */
import { policyAt } from "../../runtime/contract/added-resources.ts";
import type { MCPDefinition } from "../../runtime/contract/mcp.ts";
import { ResolveEnvelope } from "../../runtime/contract/resolution.ts";
import { essenceOf } from "../../runtime/http/media-type.ts";
import { paths, policies } from "../../runtime/contract/policy.ts";
import { product } from "../../runtime/contract/product.ts";
import { JSON_SCHEMA } from "../contract/published.ts";
import { agentTool } from "./agent-tool.ts";
import { listed, type Printing } from "./document.ts";
import { prompts } from "./prompts.ts";
import { ACCEPTANCE_RULE, IDENTITY_IS_NO_PERMISSION, inShort, MCP_ACCEPTANCE } from "../view/rules.ts";
import type { Examples } from "../view/examples.ts";
import { urlOf, type View, withScope } from "../view/view.ts";

export function mcpDefinition({ book: { view, examples }, table, texts }: Printing): MCPDefinition {
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
    resources: listed(table, "resource").map((row) => resourceOf(view, row, texts)),
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

/** A document that a client may read, at its address (O-53). Throws if there is none. */
function resourceOf(view: View, { path, resource }: Quoted, texts: Printing["texts"]) {
  const text = texts.get(path);
  if (text === undefined) throw new Error(`There is no document at ${path}`);
  const { name, title, description } = resource;
  const mimeType = essenceOf(policies[policyAt(path)].mediaType);
  return { uri: urlOf(view, path), name, title, description, mimeType, size: Buffer.byteLength(text) };
}

type Quoted = Pick<ReturnType<typeof listed<"resource">>[number], "path" | "resource">;
