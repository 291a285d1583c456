/** `instructions.txt` of a kit: what an agent or a program does at the recipe's boundary, as plain text. */
import { FIXTURE_OUTCOMES } from "../contract/integration.ts";
import { paths } from "../../runtime/contract/policy.ts";
import { ACCEPTANCE_RULE, IDENTITY_IS_NO_PERMISSION, inShort } from "../view/rules.ts";
import { bullets, textSections } from "../view/text.ts";
import { urlOf, type View } from "../view/view.ts";
import type { Recipe } from "./recipes/recipe.ts";
import { classifierRules } from "./classifier.ts";

export function instructions(view: View, recipe: Recipe): string {
  const { placement, recorded, handling, never } = recipe;
  return textSections([
    [`Recipe ${recipe.id}: operating rules`, [
      recipe.purpose,
      `Service: ${view.origin}`,
      ...(view.about.scope === "" ? [] : [`Scope: ${view.about.scope}`]),
      `Registry version: ${view.readiness.registryVersion} (${view.readiness.status})`,
      "These rules grant no authorization, and neither does any answer of the service.",
    ]],
    ["Where the call stands", [
      `- Before: ${placement.before}`,
      `- At the boundary: ${placement.at}`,
      `- After: ${placement.after}`,
    ]],
    ["How to ask", [
      `POST ${urlOf(view, paths.resolve)}`,
      "Content-Type: application/json",
      inShort.minimumData,
      inShort.comparison,
      "Ask once. Follow no redirect. Set a time limit to the whole call. After HTTP 429, wait as many seconds as Retry-After says.",
    ]],
    ["How to read the answer: the first rule that applies decides", [
      ACCEPTANCE_RULE,
      ...classifierRules.map(({ rule, when, outcome }) => `${rule}. ${when}: ${outcome}.`),
    ]],
    ["What to do then", bullets(FIXTURE_OUTCOMES.map((outcome) => `${outcome}: ${handling[outcome]}`))],
    ["What to record", bullets(recorded.map(({ what, where }) => `${what}: ${where}`))],
    ["Never", bullets(never)],
    ["More", [
      `${IDENTITY_IS_NO_PERMISSION}.`,
      `All rules: ${urlOf(view, paths.capabilities)}`,
    ]],
  ]); // prettier-ignore
}
