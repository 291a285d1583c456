/**
 * Checks the documents for agents: their links to each other, and the rules that several documents
 * state in the same words.
 */
import { SAFETY_BOUNDARIES } from "../../contract/agent.ts";
import { publishedSchemas } from "../../contract/published.ts";
import { ABSTENTION_REASONS, REASON_MEANINGS } from "../../../runtime/contract/resolution.ts";
import * as limits from "../../../runtime/contract/limits.ts";
import { MCP_FILE, paths, schemaPath } from "../../../runtime/contract/policy.ts";
import { product } from "../../../runtime/contract/product.ts";
import type { Faults, Parts } from "../integrity/parts.ts";
import { asObject, memberAt, textAt, toJson } from "../integrity/json.ts";
import { mcpRules } from "./mcp.ts";
import { checkRules, type Rule } from "./rule.ts";

export function checkAgents({ documents, dist, known: { origin } }: Parts): Faults {
  return checkRules(documents, [
    ...addresses(origin),
    ...rules(documents.get(paths.capabilities)),
    ...mcpRules(documents, dist, origin),
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
  const direct = {
    ...post(paths.resolve),
    contentType: "application/json",
    maximumBodyBytes: limits.RESOLVE_BODY_MAX_BYTES,
  };
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
    [agentTool, "discovery.release", product],
    [agentTool, "outputContract.abstentionReasons", ABSTENTION_REASONS],
    [connect, "canonicalResolverRequest.bodySchema", toJson(publishedSchemas["resolve-request"])],
  ];
}

/** The document of a folder. */
const INDEX = "/index.json";

type Links = Readonly<Record<string, string>>;

/** The documents that the contract lists for GET, by the names it gives them. */
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

/** The links under `next` in each document. */
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

/** The acceptance rule (A29), the same in every release. */
const ACCEPTANCE_RULE =
  'Use a ConceptCode only when data.status is "resolved" and data.concept.code is present. HTTP 200 alone is not success.';

/**
 * Neither a code (A10) nor the tool (B51) grants permission; the texts are the same in every
 * release.
 */
export const NO_PERMISSION = "A ConceptCode identifies a meaning; it grants no permission and authorizes no action";
const NO_AUTHORITY = "it and its answers grant neither semantic authority nor permission to execute an action";

/** The possible outcomes; only the first gives a code (A25). */
const OUTCOMES = ["resolved", "abstained", "malformed", "request-error", "service-error"] as const;

/** The agent contract states the rules; any other document that states one must say the same. */
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
    [paths.adoptionGuide, "safetyBoundaries", SAFETY_BOUNDARIES],
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

const LENGTHS = `${limits.EXPRESSION_MIN_LENGTH} to ${limits.EXPRESSION_MAX_LENGTH} characters`;

/** Checks that each longer text quotes the rules that it must repeat. */
export function checkRepeatedRules({ documents, dist, known: { origin } }: Parts): Faults {
  const contract = asObject(documents.get(paths.capabilities));
  if (contract === undefined) return [];
  const acceptance = textAt(contract, "resultPolicy", "acceptanceRule");
  const minimumData = textAt(contract, "inShort", "minimumData");
  const inJson = [acceptance, minimumData].map((text) => JSON.stringify(text).slice(1, -1));
  const inShort = Object.values(asObject(memberAt(contract, "inShort")) ?? {}).map(String);
  const said = (place: string, ...names: string[]): string => textAt(documents.get(place), ...names);
  const plain = (path: string): string => dist.text(path.slice(1)) ?? "";
  const title = said(MCP_FILE, "serverInfo", "title");
  // The owner's description of the vocabulary, if there is one.
  const described = memberAt(documents.get(paths.mcpServer), "service", "description");
  const scope = typeof described === "string" ? described : "";
  const quotes: [name: string, said: string, texts: readonly string[]][] = [
    [
      paths.agentInstructions,
      plain(paths.agentInstructions),
      [`${title}: operating rules`, scope, acceptance, ...inShort, NO_PERMISSION],
    ],
    [paths.llms, plain(paths.llms), [`# ${title}`, scope, acceptance, `POST ${origin}${paths.resolve}`]],
    [paths.agentTool, said(paths.agentTool, "description"), [title, scope, acceptance, NO_AUTHORITY]],
    [MCP_FILE, said(MCP_FILE, "instructions"), [title, scope, acceptance, ...inShort, NO_PERMISSION]],
    [paths.capabilities, said(paths.capabilities, "authority"), [NO_PERMISSION]],
    [paths.readiness + INDEX, said(paths.readiness + INDEX, "authorizationRecord", "rule"), [NO_PERMISSION]],
    [paths.openapi, said(paths.openapi, "info", "description"), [scope]],
    [paths.capabilities, said(paths.capabilities, "description"), [scope]],
    [paths.capabilities, minimumData, [LENGTHS]],
    [paths.capabilities, said(paths.capabilities, "minimumData", "0"), [LENGTHS]],
    [paths.mcpServer, said(paths.mcpServer, "identityAcceptanceRule"), [acceptance]],
    [paths.adoptionGuide, said(paths.adoptionGuide), inJson],
  ];
  return quotes.flatMap(([place, whole, texts]) => {
    const isThere = dist.names.includes(place.slice(1)) && whole !== "undefined";
    const missing = isThere ? texts.find((one) => !whole.includes(one)) : undefined;
    return missing === undefined ? [] : [`${place.slice(1)}: does not state the rule "${missing.slice(0, 60)}…"`];
  });
}
