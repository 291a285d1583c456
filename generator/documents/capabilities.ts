/** The agent contract at two addresses: `/api/v1/capabilities` and `/.well-known/service-semantics.json` (F06, F07). */
import type { Capabilities } from "../contract/agent.ts";
import { paths } from "../../runtime/contract/policy.ts";
import {
  ACCEPTANCE_RULE,
  authority,
  callAt,
  decisionProcedure,
  doNotCallFor,
  EXACTNESS,
  inShort,
  LANGUAGE_MATCHING,
  minimumData,
  outcomes,
  record,
} from "../view/rules.ts";
import { documentEnd, documentHead, urlOf, type View, withScope } from "../view/view.ts";

export function capabilities(view: View): Capabilities {
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
    endpoints: endpoints(view),
    decisionProcedure: [...decisionProcedure],
    resultPolicy: { failClosed: true, acceptanceRule: ACCEPTANCE_RULE, outcomes: [...outcomes] },
    record: [...record],
    ...documentEnd,
  };
}

function endpoints(view: View): Capabilities["endpoints"] {
  const get = (path: string) => ({ method: "GET" as const, url: urlOf(view, path) });
  const post = (path: string) => ({ method: "POST" as const, url: urlOf(view, path) });
  return {
    resolve: post(paths.resolve),
    mcp: post(paths.mcp),
    concepts: get(paths.concepts),
    status: get(paths.status),
    publicBundle: get(paths.bundle),
    agentConnect: get(paths.connect),
    agentTool: get(paths.agentTool),
    agentInstructions: get(paths.agentInstructions),
    adoptionGuide: get(paths.adoptionGuide),
    integrationReadiness: get(paths.readiness),
    integrationStudio: get(paths.studio),
    apiCatalog: get(paths.apiCatalog),
    discoveryReceipt: get(paths.discovery),
    deploymentIdentity: get(paths.deployment),
    answers: get(paths.answers),
    apiReference: get(paths.apiReference),
    openapi: get(paths.openapi),
    mcpManifest: get(paths.mcpServer),
    mcpGuide: get(paths.mcpGuide),
    securityText: get(paths.securityText),
  };
}
