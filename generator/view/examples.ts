/** Real examples for documents: expressions of this registry, answered by the resolver itself. */
import type { ConceptDetail } from "../../runtime/contract/concept.ts";
import type { ResolveEnvelope, ResolveRequest } from "../../runtime/contract/resolution.ts";
import type { Concept } from "../registry/checked.ts";
import { conceptDetail } from "../registry/published-concept.ts";
import { type Drawn, type Pool, resolveAmong } from "./samples.ts";
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

export function findExamples(view: View, pool: Pool): Examples {
  const drawn = pool.draw();
  const [unique, ambiguous] = [preferEnglish(drawn.unique), preferEnglish(drawn.ambiguous)];
  const answer = (concepts: readonly Concept[], request: ResolveRequest): Example => ({
    request,
    answer: resolveAmong(view, concepts, request),
  });
  const unknown = pool.unheld("an expression nobody has reviewed", (text, n) => `${text} (${n + 1})`);
  return {
    resolved: unique && answer(unique.holders, { expression: unique.expression, language: unique.tag }),
    abstained: answer(view.registry.concepts.slice(0, 1), { expression: unknown }),
    ambiguous: ambiguous && answer(ambiguous.holders, { expression: ambiguous.expression }),
    concept: unique && conceptDetail(view, unique.holders[0]),
  };
}

function preferEnglish(drawn: readonly Drawn[]): Drawn | undefined {
  return drawn.find(({ language }) => language === "en") ?? drawn[0];
}
