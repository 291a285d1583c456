/** Workflow routing: a code is looked up in a route table, and people take everything else. */
import type { Classification } from "../../contract/integration.ts";
import type { Recipe } from "./recipe.ts";

export const workflowRouting: Recipe = {
  id: "workflow-routing",
  title: "Workflow routing",
  purpose: "A durable input is routed by its reviewed meaning; everything unresolved goes to a person.",
  scenario:
    "A service desk takes forms from offices in many countries. One field says in a few words what is asked for, " +
    "and it decides which team works on the form. Some offices use words that no team has agreed on, or one word " +
    "for two kinds of request. The field can be left empty. A faulty release can answer that it resolved and give " +
    "no code, and a call can end without any answer. No form may wait for that, and none may go to a team on a " +
    "guess.",
  placement: {
    before: "The form is complete and saved, and no team has it yet",
    at: "The router sends the one field that says what is asked for, and decides the route from the outcome alone",
    after: "The form is in one queue; the team there checks its own permissions before it acts",
  },
  recorded: [
    { what: "The field as it was filled in", where: "input of the routing decision" },
    { what: "The route that was chosen, one of three", where: "route of the routing decision" },
    { what: "The key for the route table", where: "conceptCode with registryVersion, on route by-concept only" },
    { what: "Why this route", where: "reason of the routing decision" },
    { what: "Which team a code leads to", where: "The route table, a reviewed file of the desk" },
    { what: "Who approved the work that was asked for", where: "The approval log of that team" },
  ],
  handling: {
    "resolved-valid":
      "Take the route by-concept: the table sends the form to the team that it lists for this code, or to " +
      "human-review if it does not list the code",
    unknown:
      "Put the form into human-review, with any candidates next to it as a hint; a dispatcher reads the form and sends " +
      "it to a team under their own name, because a near form routes nothing",
    ambiguous:
      "Put the form into human-review with the candidates next to it as evidence; the dispatcher reads the form, not " +
      "their order or score",
    malformed: "Put the form into human-review, take nothing from the answer, and raise a fault against the service",
    "request-error":
      "Put the form into human-review and log what was refused as a fault of the router; an empty field is for the " +
      "dispatcher to ask about",
    "service-error":
      "Put the form into retry-later; the router tries again with growing pauses, and after the last try the form " +
      "goes to human-review",
  },
  never: [
    "Route on a candidate, on the highest score or on a part of the text",
    "Keep a default team for forms that did not resolve; human-review is their only destination",
    "Derive a route from the letters of a code",
    "Take the route as an approval: the team that gets the form decides what may be done",
    "Try again without limit while the form waits",
  ],
  prefers: { languages: ["ru", "de", "tr", "cs", "uk", "en"], domains: ["identity", "support"] },
  faults: { malformed: "code-missing", requestError: "expression-empty", serviceError: "no-answer" },
  record: (sent, result) => ({
    decision: "route",
    input: { field: sent.expression, ...(sent.language !== undefined && { language: sent.language }) },
    ...route(result),
  }),
};

function route(result: Classification): Readonly<Record<string, string>> {
  if (result.outcome !== "resolved-valid") return WITHOUT_CODE[result.outcome];
  const { code: conceptCode, registryVersion } = result;
  return { route: "by-concept", conceptCode, registryVersion, reason: "the code is the key for the route table" };
}

const WITHOUT_CODE = {
  unknown: { route: "human-review", reason: "no reviewed meaning is exactly this input" },
  ambiguous: { route: "human-review", reason: "more than one reviewed meaning is exactly this input" },
  malformed: { route: "human-review", reason: "the answer breaks the contract" },
  "request-error": { route: "human-review", reason: "the request was refused" },
  "service-error": { route: "retry-later", reason: "no answer that could be judged" },
};
