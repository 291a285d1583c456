/** `/api/v1/integration-readiness/report/{recipeId}`: what the classifier made of a recipe's six fixtures (F12 to F14). */
import type { Fixture, IntegrationReport } from "../contract/integration.ts";
import { sha256 } from "../../runtime/http/digest.ts";
import { classifierRules, prove } from "./classifier.ts";
import { CLASSIFIER_FILE, type Handoffs } from "./handoffs.ts";
import type { Recipe } from "./recipes/recipe.ts";
import { recipeFields } from "./readiness.ts";
import { documentEnd, documentHead, type View } from "../view/view.ts";

export interface Proof {
  readonly recipe: Recipe;
  readonly fixtures: readonly Fixture[];
  readonly sources: Handoffs;
}

/** Runs the proof. Throws ProofError where a fixture is not as declared. */
export function integrationReport(view: View, { recipe, fixtures, sources }: Proof): IntegrationReport {
  return {
    ...documentHead(view, "integration-report", {
      title: `Readiness report: ${recipe.title}`,
      description:
        "The six fixed fixtures of one recipe, judged by the published classifier when this release was built.",
    }),
    recipe: recipeFields(recipe),
    passed: true,
    fixtures: prove(fixtures),
    classifier: {
      rules: [...classifierRules],
      file: CLASSIFIER_FILE,
      sha256: sha256(Buffer.from(sources.get(CLASSIFIER_FILE) ?? "")),
    },
    isDeploymentProof: false,
    isAuthorization: false,
    statements,
    ...documentEnd,
  };
}

const statements = [
  "This is not a proof of deployment: it says nothing of whether a service runs anywhere, or of what it would answer now",
  "This is not an authorization: no fixture, outcome or code in it permits an action",
  "It was computed from the registry release it names, without a clock and without a network; the same release gives the same bytes",
  "A fixture drawn from an illustration shows a concept that is in no registry; its code must not be recorded",
];
