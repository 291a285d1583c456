/**
 * `/answers.json`: the canonical answers from content/answers, each with its evidence (contract
 * §4.5; ruling O-59).
 */
import type { Answers } from "../contract/reference.ts";
import { paths } from "../../runtime/contract/paths.ts";
import type { AnswerSource } from "../content/content.ts";
import { ACCEPTANCE_RULE } from "../view/rules.ts";
import { documentEnd, documentHead, urlOf, type View, withOrigin } from "../view/view.ts";

export function answers(view: View, sources: readonly AnswerSource[]): Answers {
  return {
    ...documentHead(view, "answers", {
      title: "Canonical answers",
      description: "Questions about this service, each answered with evidence.",
    }),
    acceptanceRule: ACCEPTANCE_RULE,
    answers: sources.map(({ id, question, audience, evidence, markdown }) => ({
      id,
      question,
      audience,
      answer: withOrigin(view, markdown),
      url: `${urlOf(view, paths.answers)}#${id}`,
      evidence: evidence.map(({ title, path }) => ({ title, url: urlOf(view, path) })),
    })),
    ...documentEnd,
  };
}
