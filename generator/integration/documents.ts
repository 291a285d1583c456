/**
 * The documents about integration: the checklist; the reports; the kits, each with its report; the
 * studio, which lists the kits.
 */
import { paths } from "../../runtime/contract/paths.ts";
import { kitPath, policies, reportPath } from "../../runtime/contract/policy.ts";
import { sha256 } from "../../runtime/http/digest.ts";
import { formatDocument } from "../../runtime/text/json.ts";
import {
  CLASSIFIER_FILE,
  FIXTURE_OUTCOMES,
  type IntegrationReadiness,
  type IntegrationReport,
  type IntegrationStudio,
  type JOURNEY,
} from "../contract/integration.ts";
import { ACCEPTANCE_RULE, IDENTITY_IS_NO_PERMISSION } from "../view/rules.ts";
import { documentEnd, documentHead, urlOf, type View, withScope } from "../view/view.ts";
import { classifierRules, prove } from "./classifier.ts";
import { fixturesOf, stockOf } from "./fixtures.ts";
import { exitCodes, handoffs, LIVE_FLAG } from "./handoffs.ts";
import { type Kit, type KitParts, makeKit } from "./kit.ts";
import type { Recipe } from "./recipes/recipe.ts";
import { recipes } from "./recipes/recipes.ts";

/** The integration of a release as values; reports and kits by their files. */
export interface Integration {
  readonly readiness: IntegrationReadiness;
  readonly reports: ReadonlyMap<string, string>;
  readonly kits: ReadonlyMap<string, Uint8Array>;
  readonly studio: IntegrationStudio;
}

export type IntegrationParts = Pick<KitParts, "openapi" | "sources" | "tool">;

/** Throws ProofError if a fixture is not as declared. */
export async function makeIntegration(view: View, { openapi, sources, tool }: IntegrationParts): Promise<Integration> {
  const reports = new Map<string, string>();
  const kits: Kit[] = [];
  const stock = stockOf(view);
  for (const recipe of recipes) {
    const made = fixturesOf(view, stock, recipe);
    const report = formatDocument(integrationReport(view, { ...made, recipe, sources }));
    reports.set(reportPath(recipe.id), report);
    kits.push(await makeKit(view, { ...made, recipe, report, sources, openapi, tool }));
  }
  return {
    readiness: integrationReadiness(view),
    reports,
    kits: new Map(kits.map(({ recipe, zip }) => [kitPath(recipe.id), zip])),
    studio: integrationStudio(view, kits),
  };
}

/** `/api/v1/integration-readiness`: the provider-neutral checklist (F11). */
function integrationReadiness(view: View): IntegrationReadiness {
  return {
    ...documentHead(view, "integration-readiness", {
      title: "Integration readiness",
      description: withScope(
        view,
        "The conditions for an integration to go live: one recipe, six fixtures, and an assignment only by a valid resolved result.",
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

const AUTHORIZATION_RULE = `${IDENTITY_IS_NO_PERMISSION}. Who allowed an action, and on what grounds, is decided elsewhere and recorded in a field of its own`;

const noAssignment = [
  "unknown, ambiguous, malformed, request-error and service-error assign nothing, and each stays what it is",
  "The expression is kept as it was written, with its outcome and without a code",
  "A candidate is evidence for people, whatever its score",
  "No outcome is turned into another one: not by a retry with other words, not by a default code, not by a cached answer to something else",
];

const checklist = [
  {
    id: "select",
    title: "Select exactly one recipe",
    do: "Choose the recipe whose boundary matches yours; a second boundary is a second integration",
    doneWhen: "One recipe is named, with the place in your workflow where the call is made",
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
    do: "Store a code only if the classifier says resolved-valid, together with its registryVersion",
    doneWhen: "No other outcome leads to a stored code, and no code is stored without a registryVersion",
  },
  {
    id: "preserve",
    title: "Preserve every outcome without an assignment",
    do: "Handle unknown, ambiguous, malformed, request-error and service-error as the recipe says, each separately",
    doneWhen: "Your records show each of the five as the outcome it was",
  },
  {
    id: "authorize",
    title: "Record authorization separately",
    do: "Let your own rules decide what may be done, and write that decision next to the identity, not into it",
    doneWhen: "No action follows from the presence of a code alone",
  },
];

type Proof = Pick<KitParts, "recipe" | "fixtures" | "exchanges" | "sources">;

/**
 * `/api/v1/integration-readiness/report/{recipeId}`: the results of the classifier for a recipe's
 * six fixtures (F12 to F14). Throws ProofError if a fixture is not as declared.
 */
function integrationReport(view: View, { recipe, fixtures, exchanges, sources }: Proof): IntegrationReport {
  return {
    ...documentHead(view, "integration-report", {
      title: `Readiness report: ${recipe.title}`,
      description:
        "The six fixed fixtures of one recipe, judged by the published classifier when this release was built.",
    }),
    recipe: recipeFields(recipe),
    passed: true,
    fixtures: prove(fixtures),
    exchanges: [...exchanges],
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
  "This is not a proof of deployment: it does not say whether a service runs anywhere, or what it would answer now",
  "This is not an authorization: no fixture, outcome or code in it permits an action",
  "It was computed from the registry release it names, without a clock and without a network; the same release gives the same bytes",
  "A fixture drawn from an illustration shows a concept that is not in any registry; its code must not be recorded",
];

/**
 * `/api/v1/integration-studio`: the journey to a kit, and the contents of each kit (F17 to F20).
 */
function integrationStudio(view: View, kits: readonly Kit[]): IntegrationStudio {
  return {
    ...documentHead(view, "integration-studio", {
      title: "Integration studio",
      description:
        "From a recipe to a kit that proves itself on your machine: understand, select, prove, generate, inspect, download.",
    }),
    page: urlOf(view, paths.studioPage),
    journey: Object.entries(journey).map(([id, step], i) => ({ step: i + 1, id: id as keyof typeof journey, ...step })),
    localProof: { fixtures: [...FIXTURE_OUTCOMES], network: "none", rules: [...classifierRules] },
    handoffs: [...handoffs],
    exitCodes,
    adapters: {
      dependencies: [],
      statement:
        "Every program of a kit uses the standard library of its language and nothing from outside this repository",
    },
    liveResolution: {
      default: "off",
      turnOn: `A program sends something only with resolve ${LIVE_FLAG} and an expression; the page only after live resolution is turned on there`,
    },
    recipes: kits.map(({ recipe, zip, files }) => ({
      ...recipeSummary(view, recipe),
      archive: {
        path: kitPath(recipe.id),
        bytes: zip.length,
        sha256: sha256(zip),
        mediaType: policies.zip.mediaType,
      },
      files,
    })),
    ...documentEnd,
  };
}

const journey: Readonly<Record<(typeof JOURNEY)[number], { title: string; do: string; doneWhen: string }>> = {
  understand: {
    title: "Understand",
    do: "Read what an outcome means: only resolved-valid gives a code, and HTTP 200 alone is not success",
    doneWhen: "You can say what your system does with each of the six outcomes",
  },
  select: {
    title: "Select",
    do: "Choose exactly one of the five recipes",
    doneWhen: "The recipe's boundary matches the one in your workflow",
  },
  prove: {
    title: "Prove",
    do: "See the six fixed fixtures judged, without a network, and change one to watch it fail",
    doneWhen: "All six are as declared, and you have seen one that was not",
  },
  generate: {
    title: "Generate",
    do: "Choose a language and read the handoff that was generated for this service",
    doneWhen: "You have read every line that you will run",
  },
  inspect: {
    title: "Inspect",
    do: "Look at the files of the kit and recompute their digests",
    doneWhen: "Every digest matches SHA256SUMS, and that of the ZIP matches the published one",
  },
  download: {
    title: "Download",
    do: "Download the ZIP and run its proof locally",
    doneWhen: "The proof ends with exit code 0 on your machine",
  },
};

/** A recipe as every document prints it. */
function recipeFields({ id, title, purpose, scenario, placement, recorded, handling, never }: Recipe) {
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
function recipeSummary(view: View, recipe: Recipe) {
  return {
    ...recipeFields(recipe),
    report: urlOf(view, reportPath(recipe.id)),
    kit: urlOf(view, kitPath(recipe.id)),
  };
}
