/**
 * A whole exchange of a recipe that asks a person: the expression that was not resolved, the
 * question with names and definitions, the chosen expression resolved by a call of its own, and the
 * record of who chose. Everything in it is an answer of the resolver; a candidate assigns nothing.
 * Source: contract §1 rule 5, §4.4.
 */
import type { ClarifiedExchange, Classification, Fixture } from "../contract/integration.ts";
import type { ResolveRequest } from "../../runtime/contract/resolution.ts";
import type { RegistryIndex } from "../../runtime/registry/index.ts";
import type { Concept } from "../registry/concept.ts";
import { conceptIn } from "../registry/published-concept.ts";
import { resolveIn } from "../view/samples.ts";
import { judge, okResponse } from "./classifier.ts";
import type { Recipe } from "./recipes/recipe.ts";

/** An abstention to ask about, and the index that gave it. */
export interface Open {
  readonly drawnFrom: Fixture["drawnFrom"];
  readonly index: RegistryIndex;
  readonly request: ResolveRequest;
  readonly clarify: NonNullable<Recipe["clarify"]>;
}

type Choice = ClarifiedExchange["question"]["choices"][number];

/**
 * The exchange in which the person chooses the last candidate that has an expression of its own, so
 * that the order of the candidates decides nothing; undefined if none of them has one.
 */
export function clarifiedExchange({ drawnFrom, index, request, clarify }: Open): ClarifiedExchange | undefined {
  const first = ask(index, request);
  if (first.outcome !== "ambiguous" && first.outcome !== "unknown") return undefined;
  const choices = first.candidates.map(({ code }) => choiceOf(index, code));
  const chosen = choices.findLast(({ resolvesBy }) => resolvesBy !== null);
  if (chosen?.resolvesBy === undefined || chosen.resolvesBy === null) return undefined;
  const second = ask(index, chosen.resolvesBy);
  return {
    drawnFrom,
    sent: { request, classification: first },
    question: { text: clarify.question[first.outcome], choices, none: clarify.none },
    chosen: { by: "the person", name: chosen.name },
    sentAgain: { request: chosen.resolvesBy, classification: second },
    record: clarify.record({ sent: request, chosen: chosen.name, sentAgain: chosen.resolvesBy, result: second }),
  };
}

function ask(index: RegistryIndex, request: ResolveRequest): Classification {
  return judge(request, okResponse(resolveIn(index, request)));
}

/** What `GET /api/v1/concepts/{code}` says of a candidate, as far as the question needs it. */
function choiceOf(index: RegistryIndex, code: string): Choice {
  const id = index.conceptId(code);
  if (id === undefined) throw new Error(`A candidate has the unknown code ${code}`);
  const concept = conceptIn(index, id);
  return { name: concept.name, definition: concept.definition, resolvesBy: requestFor(index, concept) };
}

/** An expression of a concept that resolves to it alone. */
function requestFor(index: RegistryIndex, { code, expressions }: Concept): ResolveRequest | null {
  const requests = expressions.map(({ expression, locale, language }) => ({
    expression,
    language: locale ?? language,
  }));
  return requests.find((request) => resolveIn(index, request).data.concept?.code === code) ?? null;
}
