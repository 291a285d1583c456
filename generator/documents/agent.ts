/**
 * The documents for agents, except the tool descriptor and the adoption guide:
 * `/api/v1/agent/connect`, everything needed for a first correct call (contract §4.4; F01 to F05);
 * `/agent-instructions.txt`, the operating rules in short as plain text (F09); and the agent
 * contract at two addresses, `/api/v1/capabilities` and `/.well-known/service-semantics.json`, the
 * only document with the full rules (F06, F07).
 */
import { REASON_MEANINGS, ResolveRequest } from "../../runtime/contract/resolution.ts";
import { paths } from "../../runtime/contract/paths.ts";
import { product } from "../../runtime/contract/product.ts";
import type { AgentConnect, Capabilities } from "../contract/agent.ts";
import type { Examples } from "../view/examples.ts";
import {
  ACCEPTANCE_RULE,
  authority,
  callAt,
  decisionProcedure,
  doNotCallFor,
  EXACTNESS,
  IDENTITY_IS_NO_PERMISSION,
  inShort,
  LANGUAGE_MATCHING,
  minimumData,
  outcomes,
  record,
} from "../view/rules.ts";
import type { Document } from "./document.ts";
import { bullets, type Sections, textSections } from "../view/text.ts";
import { documentEnd, documentHead, urlOf, type View, withScope } from "../view/view.ts";

export function agentConnect(view: View, { resolved, abstained }: Examples): AgentConnect {
  const url = urlOf(view, paths.resolve);
  const headers = { "Content-Type": "application/json" };
  const { request, answer } = resolved ?? abstained;
  return {
    ...documentHead(view, "agent-connect", {
      title: "Connect an agent",
      description: withScope(
        view,
        "Stateless directions for a first correct call. Reading this document registers nothing and grants nothing.",
      ),
    }),
    directions: [
      "Check readiness.exactResolutionReady; when it is false, every expression abstains",
      "Send canonicalNextRequest unchanged; the answer should match expectedOutcome",
      "Then send your own exact expressions in the same form, at durable boundaries only",
      "Read every answer according to resultPolicy",
      "All rules are in next.capabilities, in short and in full",
    ],
    canonicalResolverRequest: { method: "POST", url, headers, bodySchema: ResolveRequest },
    minimumData: [inShort.minimumData],
    resultPolicy: { failClosed: true, acceptanceRule: ACCEPTANCE_RULE, otherwise: inShort.otherwise },
    canonicalNextRequest: { method: "POST", url, headers, body: request },
    expectedOutcome: {
      httpStatus: 200,
      status: answer.data.status,
      conceptCode: answer.data.concept?.code ?? null,
      registryVersion: answer.data.concept?.registryVersion ?? null,
      reason: answer.data.reason,
      note: expected(answer.data),
    },
    session: { registersClient: false, createsSession: false, acceptsBody: false },
    next: {
      instructions: urlOf(view, paths.agentInstructions),
      toolDescriptor: urlOf(view, paths.agentTool),
      capabilities: urlOf(view, paths.capabilities),
      adoptionGuide: urlOf(view, paths.adoptionGuide),
      integrationReadiness: urlOf(view, paths.readiness),
      openapi: urlOf(view, paths.openapi),
      mcpManifest: urlOf(view, paths.mcpServer),
      apiCatalog: urlOf(view, paths.apiCatalog),
    },
    ...documentEnd,
  };
}

function expected({ concept, reason }: Examples["abstained"]["answer"]["data"]): string {
  return concept === null
    ? `data.reason is ${reason}, and no code is assigned`
    : `data.concept.code is ${concept.code}, of registryVersion ${concept.registryVersion}`;
}

export function agentInstructions(view: View, examples: Examples): string {
  return textSections(operatingRules(view, examples));
}

/** The rules, with one request and its answer, and the readiness of this release. */
export function operatingRules(view: View, { resolved, abstained }: Examples): Sections {
  const { readiness } = view;
  const { request, answer } = resolved ?? abstained;
  return [
    [`${view.about.name}: operating rules for agents`, [
      `Service: ${view.origin}`,
      ...(view.about.scope === "" ? [] : [`Scope: ${view.about.scope}`]),
      `Release: ${product.packageVersion} (${product.classification}), ${product.updated}`,
      `Registry version: ${readiness.registryVersion}`,
      `Readiness: ${readiness.status} (exact resolution ready: ${readiness.exactResolutionReady ? "yes" : "no"}; ` +
        `${readiness.publishedConcepts} concepts, ${readiness.reviewedExactExpressions} reviewed exact expressions)`,
      "These rules grant no authorization, and neither does any answer of this service.",
    ]],
    ["When to ask, and what to send", [
      inShort.intendedUse,
      inShort.minimumData,
      inShort.comparison,
    ]],
    ["How to ask", [
      `POST ${urlOf(view, paths.resolve)}`,
      "Content-Type: application/json",
      { json: request },
      "The answer, with HTTP 200:",
      { json: answer },
    ]],
    ["How to read the answer", [
      ACCEPTANCE_RULE,
      "Record data.concept.code together with data.concept.registryVersion.",
      inShort.otherwise,
      `${IDENTITY_IS_NO_PERMISSION}.`,
    ]],
    ["Why it abstains (data.reason)", bullets(Object.entries(REASON_MEANINGS).map(([reason, text]) => `${reason}: ${text}`))],
    ["More", [
      `All rules, in full: ${urlOf(view, paths.capabilities)}`,
      `Concepts (add /CODE to read one, such as a candidate): ${urlOf(view, paths.concepts)}`,
      `Tool descriptor: ${urlOf(view, paths.agentTool)}`,
      `MCP: ${urlOf(view, paths.mcp)}, manifest ${urlOf(view, paths.mcpServer)}`,
      `Integration: ${urlOf(view, paths.readiness)}, kits ${urlOf(view, paths.studio)}`,
      `Answers: ${urlOf(view, paths.answersMarkdown)}`,
      `API reference: ${urlOf(view, paths.apiReferenceMarkdown)}`,
    ]],
  ]; // prettier-ignore
}

export function capabilities(view: View, table: readonly Document[]): Capabilities {
  return {
    ...documentHead(view, "capabilities", {
      title: `${view.about.name}: agent contract`,
      description: withScope(
        view,
        "A governed, reviewed, multilingual registry gives a stable ConceptCode to an exact expression, or abstains.",
      ),
    }),
    inShort: { ...inShort },
    authority: [...authority],
    invocationPolicy: { callAt: [...callAt], doNotCallFor: [...doNotCallFor] },
    minimumData: [...minimumData],
    exactness: EXACTNESS,
    languageMatching: LANGUAGE_MATCHING,
    endpoints: endpoints(view, table),
    decisionProcedure: [...decisionProcedure],
    resultPolicy: { failClosed: true, acceptanceRule: ACCEPTANCE_RULE, outcomes: [...outcomes] },
    record: [...record],
    ...documentEnd,
  };
}

function endpoints(view: View, table: readonly Document[]): Capabilities["endpoints"] {
  return Object.fromEntries(
    table.flatMap(({ path, endpoint, method = "GET" as const }) =>
      endpoint === undefined ? [] : [[endpoint, { method, url: urlOf(view, path) }] as const],
    ),
  );
}
