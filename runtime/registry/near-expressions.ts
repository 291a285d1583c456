/**
 * The reviewed expressions that make concepts candidates by their near forms. They are evidence for
 * a person, who chooses one and asks for it: nothing is assigned by it.
 */
import type { ConceptExpression } from "../contract/concept.ts";
import type { RegistryIndex } from "./index.ts";
import { type NearRule, nearRuleTo } from "./near-form.ts";
import { readDetail } from "./read-concept.ts";
import type { ScoredConcept } from "./resolver.ts";

export interface NearExpression {
  readonly code: string;
  readonly name: string;
  readonly entry: ConceptExpression;
  /** The last of the rules that make the two texts the same. */
  readonly rule: NearRule["name"];
  readonly score: number;
}

/** In the order of the candidates; those of another kind have none. */
export function nearExpressions(
  index: RegistryIndex,
  asked: string,
  candidates: readonly ScoredConcept[],
): NearExpression[] {
  const ruleOf = nearRuleTo(asked);
  return candidates.flatMap(({ conceptId, score }) => {
    const { code, name, expressions } = readDetail(index, conceptId);
    return expressions.flatMap((entry): NearExpression[] => {
      const rule = ruleOf(entry.expression);
      if (rule === undefined || Math.min(rule.score, entry.equivalenceStrength) !== score) return [];
      return [{ code, name, entry, rule: rule.name, score }];
    });
  });
}
