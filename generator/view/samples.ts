/** Expressions of this registry to show in documents, with what the compiled index says of them. */
import type { ResolveEnvelope, ResolveRequest } from "../../runtime/contract/resolution.ts";
import { answerRequest } from "../../runtime/registry/answer.ts";
import type { RegistryIndex } from "../../runtime/registry/index.ts";
import { keyOf } from "../../runtime/text/expression.ts";
import type { ChoiceName, First, Firsts } from "../facts/firsts.ts";
import type { Concept } from "../registry/concept.ts";
import { conceptIn } from "../registry/published-concept.ts";
import type { View } from "./view.ts";

export interface Sample extends First {
  /** Every concept that has this expression, at any strength. */
  readonly concepts: readonly [Concept, ...Concept[]];
  /** The index that has a made-up expression; left out if the registry has the expression. */
  readonly index?: RegistryIndex;
}

/** In registry order. */
export type Samples = Readonly<Record<keyof Firsts, readonly Sample[]>>;

/** The concepts of a sample are read when they are asked for. */
export function samplesOf({ facts, index }: View, choice: ChoiceName): Samples {
  const sampleOf = (first: First): Sample => ({
    ...first,
    get concepts(): Sample["concepts"] {
      const [one, ...others] = holdersOf(index, first.expression).map((id) => conceptIn(index, id));
      if (one === undefined) throw new Error(`No concept has the sample ${first.expression}`);
      return [one, ...others];
    },
  });
  const { unique, ambiguous } = facts.firsts[choice];
  return { unique: unique.map(sampleOf), ambiguous: ambiguous.map(sampleOf) };
}

/** The numbers of the concepts that have an expression, at any strength, in code order. */
export function holdersOf(index: RegistryIndex, expression: string): number[] {
  const ids = index.postings(keyOf(expression)).map(({ conceptId }) => conceptId);
  return [...new Set(ids)].sort((a, b) => a - b);
}

/** A text that is not in the registry, made from this one. */
export function unusedExpression(
  { index }: Pick<View, "index">,
  text: string,
  next: (text: string, n: number) => string,
): string {
  let tried = text;
  for (let n = 1; holdersOf(index, tried).length > 0; n++) tried = next(text, n);
  return tried;
}

/** The answer to a request that is not refused. */
export function resolveIn(index: RegistryIndex, request: ResolveRequest): ResolveEnvelope {
  const answer = answerRequest(index, request);
  if (!answer.ok) throw new Error(`An example was refused: ${answer.problem.message}`);
  return JSON.parse(answer.envelope) as ResolveEnvelope;
}
