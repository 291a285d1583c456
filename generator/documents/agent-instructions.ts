/**
 * `/agent-instructions.txt`: the operating rules in short as plain text, with one request and its answer, and the readiness of
 * this release (F09). The rules in full are in the agent contract.
 */
import { REASON_MEANINGS } from "../../runtime/contract/resolution.ts";
import { paths } from "../../runtime/contract/policy.ts";
import { product } from "../../runtime/contract/product.ts";
import type { Examples } from "../view/examples.ts";
import { ACCEPTANCE_RULE, IDENTITY_IS_NO_PERMISSION, inShort } from "../view/rules.ts";
import { bullets, textSections } from "../view/text.ts";
import { urlOf, type View } from "../view/view.ts";

export function agentInstructions(view: View, { resolved, abstained }: Examples): string {
  const { readiness } = view;
  const { request, answer } = resolved ?? abstained;
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
    ["When to ask, and what to send", [
      inShort.intendedUse,
      inShort.minimumData,
      inShort.comparison,
    ]],
    ["How to ask", [
      `POST ${urlOf(view, paths.resolve)}`,
      "Content-Type: application/json",
      "",
      JSON.stringify(request),
      "",
      "The answer, with HTTP 200:",
      "",
      JSON.stringify(answer),
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
      `Concepts, and below it each one by its code, such as a candidate: ${urlOf(view, paths.concepts)}`,
      `Tool descriptor: ${urlOf(view, paths.agentTool)}`,
      `MCP: ${urlOf(view, paths.mcp)}, manifest ${urlOf(view, paths.mcpServer)}`,
      `Integration: ${urlOf(view, paths.readiness)}, kits ${urlOf(view, paths.studio)}`,
      `Answers: ${urlOf(view, paths.answersMarkdown)}`,
      `API reference: ${urlOf(view, paths.apiReferenceMarkdown)}`,
    ]],
  ]); // prettier-ignore
}
