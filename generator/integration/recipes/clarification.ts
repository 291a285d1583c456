/**
 * Clarification: if the service names candidates, a person is asked once, the expression that they
 * choose is resolved by a call of its own, and the choice is recorded as theirs.
 */
import type { Classification } from "../../contract/integration.ts";
import type { ClarifiedChoice, Recipe } from "./recipe.ts";

const QUESTIONS = {
  ambiguous: "Which of these do you mean, or none of them?",
  unknown: "Did you mean one of these, or none of them?",
};

export const clarification: Recipe = {
  id: "clarification",
  title: "Clarification",
  purpose: "An expression that has candidates is shown with them to a person, who says which one is meant.",
  scenario:
    "An assistant takes changes to bookings and tasks. Before it stores a change, it asks for the code of the few " +
    "words in which the person named it. A short word can name an act and a state, and then only the person knows " +
    "which. Other words differ from a reviewed expression only in form, or are not in the registry at all. A person " +
    "who chose no language can make the assistant send an empty tag. A layer in between can offer the first " +
    "candidate as if it were the answer, and the service can fail. Only candidates are a question for the person.",
  placement: {
    before: "The person has named a change and the assistant has not stored it",
    at: "The assistant sends the words that name the change, and not the conversation around them",
    after: "The turn is closed, or one question is open and the next turn belongs to the person",
  },
  recorded: [
    { what: "The person's words as they wrote them", where: "heard of the turn" },
    { what: "How the turn ended, and whether the service assigned a code", where: "state and assigned of the turn" },
    { what: "The one question, if there is one", where: "asked of the turn; null when nothing is asked" },
    { what: "The candidates that the question listed", where: "The screen, as evidence; no turn keeps their codes" },
    {
      what: "The person's choice, with the words of the choice they saw",
      where: "A turn of its own, marked as the person's",
    },
    { what: "Permission to make the change", where: "The booking system, which asks its own rules" },
  ],
  handling: {
    "resolved-valid": "Close the turn as settled with the code and registryVersion, and ask the person nothing",
    unknown:
      "With candidates, leave the turn as question-open: they are near in form, so ask once whether one of them was " +
      "meant, as for ambiguous. Without candidates, close the turn as kept-as-said: go on with the person's words, " +
      "without a code, and do not ask them to try other words until one fits",
    ambiguous:
      "Leave the turn as question-open: ask one question that lists the candidates by name and definition as evidence " +
      "and also offers the choice of none of them; keep the choice as what the person said, send an expression of the " +
      "chosen concept, and take a code only if that new call resolves",
    malformed:
      "Close the turn as answer-refused: show the person nothing from the answer, go on with their words and report " +
      "it to whoever runs the layer in between",
    "request-error":
      "Close the turn as request-to-mend: the fault is the assistant's, so do not ask the person; leave out an unknown " +
      "language next time, and wait after 408 or 429",
    "service-error":
      "Close the turn as service-away: say that the change is noted in the person's own words, and ask the service " +
      "again later without asking the person again",
  },
  never: [
    "Ask a second question because the first was not answered",
    "Select a candidate in advance, even the only one, or drop one that seems unlikely",
    "Write the person's choice down as an assignment of the service, or as a review of the registry",
    "Reuse one person's choice for another person or for the next time",
    "Ask people about a fault of a program",
    "Take the answer to the question as consent to the change",
  ],
  prefers: { languages: ["ja", "ko", "zh-Hant", "it", "zh", "en"], domains: ["scheduling", "workflow"] },
  faults: { malformed: "candidate-promoted", requestError: "language-empty", serviceError: "internal-error" },
  record: (sent, result) => ({
    turn: "assistant",
    heard: { words: sent.expression, ...(sent.language !== undefined && { language: sent.language }) },
    ...ending(result),
  }),
  clarify: { question: QUESTIONS, none: "None of them", record: clarified },
};

/** The person's own turn: what was heard stays, and the code is that of the expression chosen. */
function clarified({ sent, chosen, sentAgain, result }: ClarifiedChoice): Readonly<Record<string, unknown>> {
  return {
    turn: "person",
    heard: { words: sent.expression, ...(sent.language !== undefined && { language: sent.language }) },
    chose: { name: chosen, words: sentAgain.expression, language: sentAgain.language ?? null },
    chosenBy: "the person",
    ...ending(result),
  };
}

function ending(result: Classification): Readonly<Record<string, unknown>> {
  if (result.outcome === "ambiguous" || (result.outcome === "unknown" && result.candidates.length > 0))
    return { state: "question-open", asked: QUESTIONS[result.outcome], assigned: false };
  if (result.outcome !== "resolved-valid") return { ...UNASSIGNED[result.outcome], assigned: false };
  const { code, registryVersion } = result;
  return { state: "settled", asked: null, assigned: true, meaning: { code, registryVersion } };
}

/** How a turn ends that has no code and no question. */
const UNASSIGNED = {
  unknown: { state: "kept-as-said", asked: null },
  malformed: { state: "answer-refused", asked: null },
  "request-error": { state: "request-to-mend", asked: null },
  "service-error": { state: "service-away", asked: null },
};
