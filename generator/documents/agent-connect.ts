/** `/api/v1/agent/connect`: all that an agent needs for its first correct call (contract §4.4; F01 to F05). */
import type { AgentConnect } from "../contract/agent.ts";
import { ResolveRequest } from "../../runtime/contract/resolution.ts";
import { paths } from "../../runtime/contract/policy.ts";
import type { Examples } from "../view/examples.ts";
import { ACCEPTANCE_RULE, inShort } from "../view/rules.ts";
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
      "Send canonicalNextRequest as it stands; the answer should be the one of expectedOutcome",
      "From then on, send your own exact expression in the same form, at durable boundaries only",
      "Read every answer by resultPolicy",
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
