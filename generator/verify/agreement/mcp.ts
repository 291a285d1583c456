/**
 * Rules for `POST /mcp`: for its manifest, and for the definition that the runtime answers from.
 */
import {
  CLIENT_CAPABILITIES_KEY,
  MCP_CAPABILITIES,
  MCP_METHODS,
  MCP_PROTOCOL_VERSION,
  type MCPDefinition,
  PROTOCOL_VERSION_KEY,
  TOOL_NAME,
} from "../../../runtime/contract/mcp.ts";
import { schemaConstant } from "../../../runtime/contract/document.ts";
import { JSON_SCHEMA, publishedSchemas } from "../../contract/published.ts";
import * as limits from "../../../runtime/contract/limits.ts";
import { MCP_FILE, paths, policies, resources } from "../../../runtime/contract/policy.ts";
import { product } from "../../../runtime/contract/product.ts";
import { essenceOf } from "../../../runtime/http/media-type.ts";
import { memberAt, textAt, toJson } from "../integrity/json.ts";
import type { Dist, Documents } from "../integrity/parts.ts";
import type { Rule } from "./rule.ts";

export function mcpRules(documents: Documents, dist: Dist, origin: string): Rule[] {
  return [...protocol(origin), ...definition(documents, dist, origin)];
}

/** What the manifest says about the protocol, for any registry. */
function protocol(origin: string): Rule[] {
  const place = paths.mcpServer;
  return [
    [place, "service.origin", origin],
    [place, "service.guide", origin + paths.mcpGuide],
    [place, "service.release", product],
    [place, "protocol.version", MCP_PROTOCOL_VERSION],
    [place, "protocol.endpoint", origin + paths.mcp],
    [place, "protocol.method", "POST"],
    [place, "protocol.transport", "streamable-http"],
    [place, "protocol.stateless", true],
    [place, "protocol.discovery", "server/discover"],
    [place, "schema", schemaConstant("mcp-server")],
    [place, "requestRequirements.contentType", "application/json"],
    [place, "requestRequirements.meta", META],
    [place, "security.sessions", "none"],
    [place, "security.cors", "none"],
    [place, "subscriptions", "none"],
    [place, "requestRequirements.maximumBodyBytes", limits.MCP_BODY_MAX_BYTES],
    [place, "capabilities", MCP_CAPABILITIES],
    [place, "supportedMethods", MCP_METHODS],
    [place, "security.authentication", "none"],
    [place, "sideEffects", "none"],
    [place, "authorizationGranted", "none"],
  ];
}

/** The members of `params._meta` in a request, with the limits that the service enforces (V10). */
const META = {
  [PROTOCOL_VERSION_KEY]: MCP_PROTOCOL_VERSION,
  [CLIENT_CAPABILITIES_KEY]: "required: an object",
  "io.modelcontextprotocol/clientInfo": `optional: name and version, ${limits.CLIENT_NAME_MIN_LENGTH} to ${limits.CLIENT_NAME_MAX_LENGTH} characters each`,
};

/**
 * The definition must say what the documents say, and its resources must be files of this release.
 */
function definition(values: Documents, dist: Dist, origin: string): Rule[] {
  const found = values.get(MCP_FILE) as MCPDefinition | undefined;
  const tool = values.get(paths.agentTool);
  const request = toJson({ $schema: JSON_SCHEMA, ...publishedSchemas["resolve-request"] });
  const answer = toJson({ $schema: JSON_SCHEMA, ...publishedSchemas["resolve-response"] });
  const expected: Rule[] = [[paths.agentTool, "inputSchema", request]];
  if (found === undefined) return expected;
  const { serverInfo, tools, resources: listed, prompts } = found;
  const [title, description] = [
    memberAt(tool, "title") ?? tools[0]?.title,
    memberAt(tool, "description") ?? tools[0]?.description,
  ];
  const { annotations } = tools[0] ?? {};
  const files = listed.map((one) => ({ ...one, ...sizeOf(dist, one.uri.slice(origin.length)) }));
  const named = { name: TOOL_NAME, sideEffects: "none", authorizationGranted: "none" };
  return [
    ...expected,
    [MCP_FILE, "serverInfo", { ...serverInfo, version: product.packageVersion, websiteUrl: origin }],
    [
      MCP_FILE,
      "tools",
      [{ name: TOOL_NAME, title, description, inputSchema: request, outputSchema: answer, annotations }],
    ],
    [MCP_FILE, "resources", files],
    [paths.mcpServer, "service.name", serverInfo.name],
    [paths.mcpServer, "service.title", serverInfo.title],
    [paths.openapi, "info.title", serverInfo.title],
    [paths.capabilities, "title", `${serverInfo.title}: agent contract`],
    [paths.mcpServer, "tools", [{ ...named, descriptor: origin + paths.agentTool }]],
    [paths.mcpServer, "resources", listed.map(({ uri }) => uri)],
    [paths.mcpServer, "prompts", prompts.map(({ name }) => name)],
    [paths.mcpServer, "clients.configuration", configurations(serverInfo.name, origin + paths.mcp)],
    [paths.mcpServer, "requestRequirements.headers", headersIn(values.get(paths.openapi))],
  ];
}

/** The configuration files of MCP hosts that connect by URL. */
function configurations(name: string, url: string): unknown {
  const http = { [name]: { type: "http", url } };
  return {
    inspector: { mcpServers: { [name]: { type: "streamable-http", url, protocolEra: "modern" } } },
    mcpServers: { mcpServers: http },
    vsCode: { servers: http },
  };
}

/** The header fields of `/mcp` in the API description, with their descriptions. */
function headersIn(description: unknown): unknown {
  const parameters = memberAt(description, "paths", paths.mcp, "post", "parameters");
  if (!Array.isArray(parameters)) return undefined;
  return Object.fromEntries(parameters.map((one) => [textAt(one, "name"), textAt(one, "description")]));
}

function sizeOf(dist: Dist, path: string): { readonly mimeType?: string; readonly size?: number } {
  const variant = resources.find((resource) => resource.path === path)?.variants[0];
  const size = variant === undefined ? undefined : dist.digests.get(variant.file.slice(1))?.bytes;
  if (variant === undefined || size === undefined) return { mimeType: "", size: -1 };
  return { mimeType: essenceOf(policies[variant.policy].mediaType), size };
}
