/** The rows of a sheet: what a reviewer needs to decide about an expression. */
import { tagOf } from "../../../registry/concept.ts";
import type { ConceptRecord, ExpressionRecord } from "../../../registry/record.ts";
import { type Chosen } from "../review/where.ts";
import { type Cells, cellText } from "./columns.ts";
import type { Elsewhere } from "./elsewhere.ts";

/** The rows of what was chosen, in its order. */
export function* rowsOf(chosen: readonly Chosen[], elsewhere: Elsewhere): Generator<Cells, void> {
  for (const { concept, positions } of chosen) {
    for (const position of positions) {
      const expression = concept.record.expressions[position];
      if (expression !== undefined) yield rowOf(concept.record, expression, elsewhere);
    }
  }
}

/** The cells that no reviewer fills. */
export function rowOf(concept: ConceptRecord, expression: ExpressionRecord, elsewhere: Elsewhere): Cells {
  const { code, name, definition } = concept;
  return {
    code: cellText(code),
    concept: cellText(name),
    definition: cellText(definition ?? ""),
    language: cellText(tagOf(expression)),
    type: expression.type,
    expression: cellText(expression.expression),
    status: expression.reviewStatus,
    "equal elsewhere": cellText(elsewhere.equal(code, expression.expression)),
    "near elsewhere": cellText(elsewhere.near(code, expression.expression)),
  };
}
