/** `/api/v1/integration-readiness`: the provider-neutral checklist (F11). */
import { FIXTURE_OUTCOMES, type IntegrationReadiness } from "../contract/integration.ts";
import { kitPath, paths, reportPath } from "../../runtime/contract/policy.ts";
import { classifierRules } from "./classifier.ts";
import type { Recipe } from "./recipes/recipe.ts";
import { recipes } from "./recipes/recipes.ts";
import { ACCEPTANCE_RULE, IDENTITY_IS_NO_PERMISSION } from "../view/rules.ts";
import { documentEnd, documentHead, urlOf, type View, withScope } from "../view/view.ts";

export function integrationReadiness(view: View): IntegrationReadiness {
  return {
    ...documentHead(view, "integration-readiness", {
      title: "Integration readiness",
      description: withScope(
        view,
        "What must hold before an integration goes live: one recipe, six fixtures, and nothing assigned but by a valid resolved result.",
      ),
    }),
    checklist: checklist.map((step, i) => ({ step: i + 1, ...step })),
    selection: { exactly: 1, of: recipes.map((recipe) => recipeSummary(view, recipe)) },
    fixtures: FIXTURE_OUTCOMES.map((id) => ({ id, assigns: id === "resolved-valid" })),
    classifier: [...classifierRules],
    assignmentRule: ACCEPTANCE_RULE,
    noAssignment,
    authorizationRecord: { separate: true, rule: AUTHORIZATION_RULE },
    isDeploymentProof: false,
    next: {
      integrationStudio: urlOf(view, paths.studio),
      studioPage: urlOf(view, paths.studioPage),
      connect: urlOf(view, paths.connect),
      adoptionGuide: urlOf(view, paths.adoptionGuide),
      openapi: urlOf(view, paths.openapi),
    },
    ...documentEnd,
  };
}

/** A recipe as every document prints it. */
export function recipeFields({ id, title, purpose, scenario, placement, recorded, handling, never }: Recipe) {
  return {
    id,
    title,
    purpose,
    scenario,
    placement: { ...placement },
    recorded: [...recorded],
    handling: FIXTURE_OUTCOMES.map((outcome) => ({ outcome, action: handling[outcome] })),
    never: [...never],
  };
}

/** The same with the addresses of its report and its kit. */
export function recipeSummary(view: View, recipe: Recipe) {
  return {
    ...recipeFields(recipe),
    report: urlOf(view, reportPath(recipe.id)),
    kit: urlOf(view, kitPath(recipe.id)),
  };
}

const AUTHORIZATION_RULE = `${IDENTITY_IS_NO_PERMISSION}. Who allowed an action, and on what ground, is decided elsewhere and recorded in a field of its own`;

const noAssignment = [
  "unknown, ambiguous, malformed, request-error and service-error assign nothing, and each stays what it is",
  "The expression is kept as it was written, with its outcome and without a code",
  "A candidate is evidence for people, whatever its score",
  "No outcome is turned into another one: not by a second try with other words, not by a default code, not by a cached answer to something else",
];

const checklist = [
  {
    id: "select",
    title: "Select exactly one recipe",
    do: "Choose the recipe whose boundary is yours; a second boundary is a second integration",
    doneWhen: "One recipe is named, with the place in your workflow where the call stands",
  },
  {
    id: "prove",
    title: "Run the six fixed local fixtures",
    do: "Run the proof of the recipe's kit in your language; it needs no network",
    doneWhen: "All six outcomes are as declared and the proof ends with exit code 0",
  },
  {
    id: "assign",
    title: "Assign only to a valid resolved result",
    do: "Store a code only where the classifier says resolved-valid, together with its registryVersion",
    doneWhen: "No other outcome leads to a stored code, and no code is stored without a registryVersion",
  },
  {
    id: "preserve",
    title: "Preserve every outcome without an assignment",
    do: "Handle unknown, ambiguous, malformed, request-error and service-error as the recipe says, each in its own way",
    doneWhen: "Each of the five can be found in your records as what it was",
  },
  {
    id: "authorize",
    title: "Record authorization separately",
    do: "Let your own rules decide what may be done, and write that decision beside the identity, not into it",
    doneWhen: "No action follows from the presence of a code alone",
  },
];
