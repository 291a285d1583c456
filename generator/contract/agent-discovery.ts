/**
 * The documents by which agents find a service before they connect, as far as we use their formats:
 * the MCP Server Card (SEP-2127, schema v1), the AI Catalog (0.9) and the index of Agent Skills
 * (0.2.0). Their own schemas and texts decide what is valid; decision 027 has the versions.
 */
import { Sha256, Text, Url } from "../../runtime/contract/document.ts";
import { MCP_PROTOCOL_VERSION, TOOL_NAME } from "../../runtime/contract/mcp.ts";
import { closed } from "../../runtime/contract/schema.ts";
import * as Type from "../../runtime/contract/type.ts";

/** The limit of the description in a server card. */
export const SUMMARY_MAX = 100;

/**
 * The keys of what we add to a card. Their prefix is the same for every service, so that a host
 * reads all of them alike.
 */
export const VOCABULARY_KEY = "service-semantics/vocabulary";
export const TOOLS_KEY = "service-semantics/tools";

/**
 * The digest of a tool: SHA-256 over the RFC 8785 (JCS) form of its name, description and
 * inputSchema.
 */
const ToolDigest = closed({ name: Type.Literal(TOOL_NAME), sha256: Sha256 });

export const ServerCard = closed({
  $schema: Type.Literal("https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json"),
  name: Type.String({ minLength: 3, maxLength: 200, pattern: "^[a-z0-9.-]+/[a-z0-9-]+$" }),
  version: Text,
  title: Type.String({ minLength: 1, maxLength: 100 }),
  description: Type.String({ minLength: 1, maxLength: SUMMARY_MAX }),
  websiteUrl: Url,
  remotes: Type.Array(
    closed({
      type: Type.Literal("streamable-http"),
      url: Url,
      supportedProtocolVersions: Type.Array(Type.Literal(MCP_PROTOCOL_VERSION)),
    }),
    { minItems: 1, maxItems: 1 },
  ),
  _meta: closed({
    [VOCABULARY_KEY]: closed({
      description: Text,
      registryVersion: Text,
      publishedConcepts: Type.Integer({ minimum: 0 }),
      languages: Type.Array(Text),
      domains: Type.Array(Text),
    }),
    [TOOLS_KEY]: Type.Array(ToolDigest, { minItems: 1, maxItems: 1 }),
  }),
});
export type ServerCard = Type.Static<typeof ServerCard>;

export const AiCatalog = closed({
  specVersion: Type.Literal("0.9"),
  host: closed({ displayName: Text, identifier: Text, documentationUrl: Url }),
  entries: Type.Array(
    closed({
      identifier: Type.String({ pattern: "^urn:air:[a-z0-9.-]+:[a-z0-9-]+:(?:mcp|skill)$" }),
      type: Text,
      displayName: Type.Optional(Text),
      description: Type.Optional(Text),
      url: Url,
    }),
  ),
});
export type AiCatalog = Type.Static<typeof AiCatalog>;

export const SkillsIndex = closed({
  $schema: Type.Literal("https://schemas.agentskills.io/discovery/0.2.0/schema.json"),
  skills: Type.Array(
    closed({
      name: Type.String({ maxLength: 64, pattern: "^[a-z0-9]+(?:-[a-z0-9]+)*$" }),
      type: Type.Literal("skill-md"),
      description: Type.String({ minLength: 1, maxLength: 1024 }),
      url: Type.String({ pattern: "^/" }),
      digest: Type.String({ pattern: "^sha256:[0-9a-f]{64}$" }),
    }),
  ),
});
export type SkillsIndex = Type.Static<typeof SkillsIndex>;
