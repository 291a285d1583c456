/** What agents read: where each document says a thing is, and the rules that several documents say in the same words. */
import {
  MCP_CAPABILITIES,
  MCP_METHODS,
  MCP_PROTOCOL_VERSION,
  type MCPDefinition,
  TOOL_NAME,
} from "../../../runtime/contract/mcp.ts";
import { schemaConstant } from "../../../runtime/contract/document.ts";
import { publishedSchemas } from "../../contract/published.ts";
import { ABSTENTION_REASONS, REASON_MEANINGS } from "../../../runtime/contract/resolution.ts";
import {
  EXPRESSION_MAX_LENGTH,
  EXPRESSION_MIN_LENGTH,
  MCP_BODY_MAX_BYTES,
  RESOLVE_BODY_MAX_BYTES,
} from "../../../runtime/contract/limits.ts";
import { MCP_FILE, paths, policies, resources, schemaPath } from "../../../runtime/contract/policy.ts";
import { product } from "../../../runtime/contract/product.ts";
import type { Dist, Documents, Faults, Parts } from "../integrity/parts.ts";
import { checkRules, type Rule } from "./rule.ts";
import { JSON_SCHEMA } from "../integrity/documents.ts";
import { asObject, memberAt, textAt, toJson } from "../integrity/json.ts";

export function checkAgents({ documents, dist, known: { origin } }: Parts): Faults {
  return checkRules(documents, [
    ...addresses(origin),
    ...protocol(origin),
    ...rules(documents.get(paths.capabilities)),
    ...definition(documents, dist, origin),
  ]);
}

function under(origin: string, places: Links): Links {
  return Object.fromEntries(Object.entries(places).map(([name, path]) => [name, origin + path]));
}

function addresses(origin: string): Rule[] {
  const { connect, capabilities, agentTool, mcpServer } = paths;
  const to = (path: string): string => origin + path;
  const post = (path: string) => ({ method: "POST", url: to(path) });
  const gets = Object.entries(READ).map(([name, path]) => [name, { method: "GET", url: to(path) }]);
  const headers = { "Content-Type": "application/json" };
  const direct = { ...post(paths.resolve), contentType: "application/json", maximumBodyBytes: RESOLVE_BODY_MAX_BYTES };
  return [
    ...NEXT.map(([place, names]): Rule => [place, "next", under(origin, names)]),
    ...Object.entries(TOOL_LINKS).map(([name, path]): Rule => [agentTool, `discovery.${name}`, to(path)]),
    [capabilities, "endpoints", { resolve: post(paths.resolve), mcp: post(paths.mcp), ...Object.fromEntries(gets) }],
    [connect, "canonicalResolverRequest.url", to(paths.resolve)],
    [connect, "canonicalResolverRequest.headers", headers],
    [connect, "canonicalNextRequest.url", to(paths.resolve)],
    [connect, "canonicalNextRequest.headers", headers],
    [paths.studio + INDEX, "page", to(paths.studioPage)],
    [agentTool, "invocationPolicy.rules", to(capabilities)],
    [agentTool, "transport.direct", direct],
    [agentTool, "transport.mcp", { ...post(paths.mcp), manifest: to(mcpServer) }],
    [agentTool, "outputContract.schema", to(schemaPath("resolve-response"))],
    [agentTool, "outputContract.errorSchema", to(schemaPath("error"))],
    [mcpServer, "directApiAlternative", { ...post(paths.resolve), openapi: to(paths.openapi) }],
  ];
}

/** The documents of a folder. */
const INDEX = "/index.json";

type Links = Readonly<Record<string, string>>;

/** What the contract says is read by GET, by the names it gives. */
const READ: Links = {
  concepts: paths.concepts,
  status: paths.status,
  publicBundle: paths.bundle,
  agentConnect: paths.connect,
  agentTool: paths.agentTool,
  agentInstructions: paths.agentInstructions,
  adoptionGuide: paths.adoptionGuide,
  integrationReadiness: paths.readiness,
  integrationStudio: paths.studio,
  apiCatalog: paths.apiCatalog,
  discoveryReceipt: paths.discovery,
  deploymentIdentity: paths.deployment,
  answers: paths.answers,
  apiReference: paths.apiReference,
  openapi: paths.openapi,
  mcpManifest: paths.mcpServer,
  mcpGuide: paths.mcpGuide,
  securityText: paths.securityText,
};

const { openapi, connect, capabilities, adoptionGuide, apiCatalog, agentInstructions: instructions } = paths;

const TOOL_LINKS: Links = {
  instructions,
  apiCatalog,
  capabilities,
  connect,
  openapi,
  descriptorSchema: schemaPath("agent-tool"),
};

/** Where each document leads on to. */
const NEXT: readonly (readonly [place: string, names: Links])[] = [
  [
    connect,
    {
      integrationReadiness: paths.readiness,
      openapi,
      instructions,
      apiCatalog,
      capabilities,
      toolDescriptor: paths.agentTool,
      adoptionGuide,
      mcpManifest: paths.mcpServer,
    },
  ],
  [
    adoptionGuide,
    {
      connect,
      integrationReadiness: paths.readiness,
      integrationStudio: paths.studio,
      answers: paths.answers,
      apiReference: paths.apiReference,
    },
  ],
  [
    paths.readiness + INDEX,
    { integrationStudio: paths.studio, studioPage: paths.studioPage, connect, adoptionGuide, openapi },
  ],
];

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
    [place, "security.sessions", "none"],
    [place, "security.cors", "none"],
    [place, "subscriptions", "none"],
    [place, "requestRequirements.maximumBodyBytes", MCP_BODY_MAX_BYTES],
    [place, "capabilities", MCP_CAPABILITIES],
    [place, "supportedMethods", MCP_METHODS],
    [place, "security.authentication", "none"],
    [place, "sideEffects", "none"],
    [place, "authorizationGranted", "none"],
    [paths.agentTool, "discovery.release", product],
    [paths.agentTool, "outputContract.abstentionReasons", ABSTENTION_REASONS],
    [paths.connect, "canonicalResolverRequest.bodySchema", toJson(publishedSchemas["resolve-request"])],
  ];
}

/** The rule of acceptance (A29), which is the same in every release. */
const ACCEPTANCE_RULE =
  'Use a ConceptCode only when data.status is "resolved" and data.concept.code is present. HTTP 200 alone is not success.';

/** What may come back, of which the first alone gives a code (A25). */
const OUTCOMES = ["resolved", "abstained", "malformed", "request-error", "service-error"] as const;

/** The contract for agents says the rules; where another document says one, it says the same. */
function rules(contract: unknown): Rule[] {
  const rule = (member: string): unknown => memberAt(contract, ...member.split("."));
  const assigning = (outcome: string, i: number): unknown => ({
    ...asObject(rule(`resultPolicy.outcomes.${i}`)),
    outcome,
    conceptCode: outcome === "resolved",
  });
  return [
    [paths.capabilities, "resultPolicy.acceptanceRule", ACCEPTANCE_RULE],
    [paths.capabilities, "resultPolicy.outcomes", OUTCOMES.map(assigning)],
    [
      paths.connect,
      "resultPolicy",
      { failClosed: true, acceptanceRule: ACCEPTANCE_RULE, otherwise: rule("inShort.otherwise") },
    ],
    [paths.connect, "minimumData", [rule("inShort.minimumData")]],
    [paths.agentTool, "invocationPolicy.intendedUse", rule("inShort.intendedUse")],
    [paths.agentTool, "dataHandling.minimumData", rule("inShort.minimumData")],
    [paths.agentTool, "dataHandling.comparison", rule("inShort.comparison")],
    [paths.agentTool, "outputContract.acceptanceRule", ACCEPTANCE_RULE],
    [paths.agentTool, "outputContract.otherwise", rule("inShort.otherwise")],
    [paths.answersJson, "acceptanceRule", ACCEPTANCE_RULE],
    [paths.apiReferenceJson, "acceptanceRule", ACCEPTANCE_RULE],
    [paths.readiness + INDEX, "assignmentRule", ACCEPTANCE_RULE],
    [
      paths.apiReferenceJson,
      "reasons",
      ABSTENTION_REASONS.map((reason) => ({ reason, meaning: REASON_MEANINGS[reason] })),
    ],
  ];
}

/** What MCP answers from is what the documents say, and its resources are files of this release. */
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
  ];
}

function sizeOf(dist: Dist, path: string): { readonly mimeType?: string; readonly size?: number } {
  const variant = resources.find((resource) => resource.path === path)?.variants[0];
  const size = variant === undefined ? undefined : dist.digests.get(variant.file.slice(1))?.bytes;
  if (variant === undefined || size === undefined) return { mimeType: "", size: -1 };
  return { mimeType: policies[variant.policy].mediaType.split(";", 1)[0] ?? "", size };
}

const LENGTHS = `${EXPRESSION_MIN_LENGTH} to ${EXPRESSION_MAX_LENGTH} characters`;

/** Rules that longer texts repeat: where, and which of them. */
export function checkRepeatedRules({ documents, dist, known: { origin } }: Parts): Faults {
  const contract = asObject(documents.get(paths.capabilities));
  if (contract === undefined) return [];
  const acceptance = textAt(contract, "resultPolicy", "acceptanceRule");
  const inShort = Object.values(asObject(memberAt(contract, "inShort")) ?? {}).map(String);
  const said = (place: string, ...names: string[]): string => textAt(documents.get(place), ...names);
  const title = said(MCP_FILE, "serverInfo", "title");
  // What an owner says of the vocabulary, or nothing.
  const described = memberAt(documents.get(paths.mcpServer), "service", "description");
  const scope = typeof described === "string" ? described : "";
  const quotes: [name: string, said: string, texts: readonly string[]][] = [
    [
      paths.agentInstructions,
      dist.text(paths.agentInstructions.slice(1)) ?? "",
      [`${title}: operating rules`, scope, acceptance, ...inShort],
    ],
    [
      paths.llms,
      dist.text(paths.llms.slice(1)) ?? "",
      [`# ${title}`, scope, acceptance, `POST ${origin}${paths.resolve}`],
    ],
    [paths.agentTool, said(paths.agentTool, "description"), [title, scope, acceptance]],
    [MCP_FILE, said(MCP_FILE, "instructions"), [title, scope, acceptance, ...inShort]],
    [paths.openapi, said(paths.openapi, "info", "description"), [scope]],
    [paths.capabilities, said(paths.capabilities, "description"), [scope]],
    [paths.capabilities, said(paths.capabilities, "inShort", "minimumData"), [LENGTHS]],
    [paths.capabilities, said(paths.capabilities, "minimumData", "0"), [LENGTHS]],
    [paths.mcpServer, said(paths.mcpServer, "identityAcceptanceRule"), [acceptance]],
    [
      paths.adoptionGuide,
      said(paths.adoptionGuide),
      [acceptance, textAt(contract, "inShort", "minimumData")].map((text) => JSON.stringify(text).slice(1, -1)),
    ],
  ];
  return quotes.flatMap(([place, whole, texts]) => {
    const isThere = dist.names.includes(place.slice(1)) && whole !== "undefined";
    const missing = isThere ? texts.find((one) => !whole.includes(one)) : undefined;
    return missing === undefined ? [] : [`${place.slice(1)}: does not say the rule "${missing.slice(0, 60)}…"`];
  });
}
