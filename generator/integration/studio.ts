/** `/api/v1/integration-studio`: the journey to a kit, and what is in each (F17 to F20). */
import { FIXTURE_OUTCOMES, type IntegrationStudio, type JOURNEY } from "../contract/integration.ts";
import { sha256 } from "../../runtime/http/digest.ts";
import { kitPath, paths, policies } from "../../runtime/contract/policy.ts";
import { classifierRules } from "./classifier.ts";
import { exitCodes, handoffs, LIVE_FLAG } from "./handoffs.ts";
import type { Kit } from "./kit.ts";
import { recipeSummary } from "./readiness.ts";
import { documentEnd, documentHead, urlOf, type View } from "../view/view.ts";

export function integrationStudio(view: View, kits: readonly Kit[]): IntegrationStudio {
  return {
    ...documentHead(view, "integration-studio", {
      title: "Integration studio",
      description:
        "From a recipe to a kit that proves itself at home: understand, select, prove, generate, inspect, download.",
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
    doneWhen: "The recipe's boundary is the one in your workflow",
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
    doneWhen: "Every digest is the one in SHA256SUMS, and that of the ZIP is the one that is published",
  },
  download: {
    title: "Download",
    do: "Download the ZIP and run its proof at home",
    doneWhen: "The proof ends with exit code 0 on your machine",
  },
};
