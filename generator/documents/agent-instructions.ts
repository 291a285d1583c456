/** `/agent-instructions.txt`: the operating rules as plain text, with the readiness of this release (F09). */
import { REASON_MEANINGS } from "../../runtime/contract/resolution.ts";
import { paths } from "../../runtime/contract/policy.ts";
import { product } from "../../runtime/contract/product.ts";
import type { Examples } from "../view/examples.ts";
import {
  ACCEPTANCE_RULE,
  authority,
  callAt,
  doNotCallFor,
  EXACTNESS,
  LANGUAGE_MATCHING,
  minimumData,
  outcomes,
  record,
} from "../view/rules.ts";
import { bullets, textSections } from "../view/text.ts";
import { urlOf, type View } from "../view/view.ts";

export function agentInstructions(view: View, { resolved, abstained }: Examples): string {
  const { readiness } = view;
  const { request } = resolved ?? abstained;
  return textSections([
    [`${view.about.name}: operating rules for agents`, [
      `Service: ${view.origin}`,
      ...(view.about.scope === "" ? [] : [`Scope: ${view.about.scope}`]),
      `Release: ${product.packageVersion} (${product.classification}), ${product.updated}`,
      `Registry version: ${readiness.registryVersion}`,
      `Readiness: ${readiness.status} (exact resolution ready: ${readiness.exactResolutionReady ? "yes" : "no"}; ` +
        `${readiness.publishedConcepts} concepts, ${readiness.reviewedExactExpressions} reviewed exact expressions)`,
      "These rules grant no authorization, and neither does any answer of this service.",
    ]],
    ["Call at durable boundaries", bullets(callAt)],
    ["Do not call for", bullets(doNotCallFor)],
    ["Send the minimum", bullets(minimumData)],
    ["How to ask", [
      `POST ${urlOf(view, paths.resolve)}`,
      "Content-Type: application/json",
      "",
      JSON.stringify(request),
      "",
      EXACTNESS,
      LANGUAGE_MATCHING,
    ]],
    ["How to read the answer", [
      ACCEPTANCE_RULE,
      ...bullets(outcomes.map(({ outcome, when, action }) => `${outcome}: ${when}. ${action}.`)),
    ]],
    ["Why it abstains (data.reason)", bullets(Object.entries(REASON_MEANINGS).map(([reason, text]) => `${reason}: ${text}`))],
    ["What to record", bullets(record)],
    ["Authority", bullets(authority)],
    ["More", [
      `Connect: ${urlOf(view, paths.connect)}`,
      `Capabilities: ${urlOf(view, paths.capabilities)}`,
      `Tool descriptor: ${urlOf(view, paths.agentTool)}`,
      `MCP: ${urlOf(view, paths.mcp)}, manifest ${urlOf(view, paths.mcpServer)}`,
      `Integration: ${urlOf(view, paths.readiness)}, kits ${urlOf(view, paths.studio)}`,
      `Answers: ${urlOf(view, paths.answersMarkdown)}`,
      `API reference: ${urlOf(view, paths.apiReferenceMarkdown)}`,
    ]],
  ]); // prettier-ignore
}
