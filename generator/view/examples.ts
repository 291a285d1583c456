/** Real examples for documents: expressions of this registry, answered by the resolver itself. */
import type { ConceptDetail } from "../../runtime/contract/concept.ts";
import type { ResolveEnvelope, ResolveRequest } from "../../runtime/contract/resolution.ts";
import type { Concept } from "../registry/checked.ts";
import { conceptDetail } from "../registry/published-concept.ts";
import { type Sample, type SamplePool, resolveAmong } from "./samples.ts";
import type { View } from "./view.ts";

export interface Example {
  readonly request: ResolveRequest;
  readonly answer: ResolveEnvelope;
}

export interface Examples {
  /** Undefined where no expression resolves. */
  readonly resolved: Example | undefined;
  readonly abstained: Example;
  /** Undefined where no expression is ambiguous. */
  readonly ambiguous: Example | undefined;
  /** The concept of `resolved`. */
  readonly concept: ConceptDetail | undefined;
}

export function findExamples(view: View, pool: SamplePool): Examples {
  const drawn = pool.pick();
  const [unique, ambiguous] = [preferEnglish(drawn.unique), preferEnglish(drawn.ambiguous)];
  const answer = (concepts: readonly Concept[], request: ResolveRequest): Example => ({
    request,
    answer: resolveAmong(view, concepts, request),
  });
  const unknown = pool.unusedExpression("an expression nobody has reviewed", (text, n) => `${text} (${n + 1})`);
  return {
    resolved: unique && answer(unique.concepts, { expression: unique.expression, language: unique.tag }),
    abstained: answer(view.registry.concepts.first(1), { expression: unknown }),
    ambiguous: ambiguous && answer(ambiguous.concepts, { expression: ambiguous.expression }),
    concept: unique && conceptDetail(view, unique.concepts[0]),
  };
}

export function preferEnglish(samples: readonly Sample[]): Sample | undefined {
  return samples.find(({ language }) => language === "en") ?? samples[0];
}
