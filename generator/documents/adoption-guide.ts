/** `/api/v1/adoption-guide`: why, where and how to bring the service into a workflow (F10). */
import { type AdoptionGuide, SAFETY_BOUNDARIES } from "../contract/agent.ts";
import { paths } from "../../runtime/contract/paths.ts";
import { recipes } from "../integration/recipes/recipes.ts";
import { ACCEPTANCE_RULE, inShort } from "../view/rules.ts";
import { documentEnd, documentHead, urlOf, type View, withScope } from "../view/view.ts";

type Part<K extends keyof AdoptionGuide> = AdoptionGuide[K];

export function adoptionGuide(view: View): AdoptionGuide {
  return {
    ...documentHead(view, "adoption-guide", {
      title: "Adopt stable meaning, one boundary at a time",
      description: withScope(view, "The value of the service, its place in a workflow, and how to adopt it in stages."),
    }),
    value,
    workflowPlacement,
    useCases,
    stagedAdoption,
    bestPractices,
    successSignals,
    safetyBoundaries: SAFETY_BOUNDARIES,
    next: {
      connect: urlOf(view, paths.connect),
      integrationReadiness: urlOf(view, paths.readiness),
      integrationStudio: urlOf(view, paths.studio),
      answers: urlOf(view, paths.answers),
      apiReference: urlOf(view, paths.apiReference),
    },
    ...documentEnd,
  };
}

const value: Part<"value"> = [
  "Records made in different languages and by different systems carry the same code for the same reviewed meaning",
  "A code with its registryVersion can be checked years later, by anybody who has the registry release",
  "An honest abstention shows where the registry has no reviewed answer, instead of hiding a guess in your data",
  "Vocabulary owners decide what is equivalent; programs only look it up",
];

const workflowPlacement: Part<"workflowPlacement"> = [
  {
    boundary: "Memory",
    before: "Before you write an entry that must be found again later",
    after: "Store the code and registryVersion with the expression, or the abstention",
  },
  {
    boundary: "API or event record",
    before: "Before a record leaves the system that made it",
    after: "Carry code and registryVersion as fields of their own; receivers need not parse text",
  },
  {
    boundary: "Workflow routing input",
    before: "Before a durable input decides which path is taken",
    after: "Route on the code when resolved; send every abstention to the path for people",
  },
  {
    boundary: "Cross-language handoff",
    before: "Before a meaning is passed to somebody who works in another language",
    after: "Pass the code with the original expression; show the receiver a reviewed expression of theirs",
  },
  {
    boundary: "Audit evidence",
    before: "When a decision is written down",
    after: "Keep code, registryVersion, outcome and, separately, who authorized the action",
  },
];

const useCases: Part<"useCases"> = recipes.map(({ id, title, purpose }) => ({ id, title, description: purpose }));

const stagedAdoption: Part<"stagedAdoption"> = [
  {
    stage: 1,
    title: "Look",
    do: "Resolve the expressions of one boundary by hand or in a script, and read the concepts",
    doneWhen: "You know which of your expressions resolve, and which abstain and why",
  },
  {
    stage: 2,
    title: "Observe",
    do: "Call at one durable boundary and record outcomes, without acting on them",
    doneWhen: "Every outcome, abstentions and failures included, is handled as the result policy says",
  },
  {
    stage: 3,
    title: "Use",
    do: "Act on resolved codes at that boundary; leave all other outcomes on their existing path",
    doneWhen: "Nothing acts on a candidate, and every stored code has its registryVersion",
  },
  {
    stage: 4,
    title: "Widen",
    do: "Move to the next boundary; propose expressions that abstain to the registry's owners",
    doneWhen: "Abstentions that matter become reviewed expressions, or their owners decide that they stay abstentions",
  },
];

const bestPractices: Part<"bestPractices"> = [
  ACCEPTANCE_RULE,
  inShort.intendedUse,
  inShort.minimumData,
  "Store code and registryVersion as separate fields; never build, parse or repair a code",
  "Give the call a time limit, and go on without a code when it passes",
  "Revalidate registry documents with If-None-Match instead of fetching them again",
];

const successSignals: Part<"successSignals"> = [
  "The same meaning in two languages carries the same code in your records",
  "Abstentions are counted by reason, and their number falls as the registry grows",
  "No record has a code without a registryVersion",
  "Every action had an authorization of its own; the presence of a code never replaced it",
];
