/** Plans what `add` does: expressions that wait for review, of a concept or of a new one. */
import { EXPRESSION_TYPES } from "../../../../runtime/contract/concept.ts";
import type { EditableSource, Located } from "../../../registry/read.ts";
import type { ConceptRecord, ExpressionRecord } from "../../../registry/record.ts";
import { partTag } from "../import/text.ts";
import type { Decision } from "../review/decide.ts";
import type { Planned } from "./amendment.ts";
import { decided, withExpressions } from "./entries.ts";
import { conceptNamed } from "./named.ts";
import { newConcept, type NewConcept } from "./new-concept.ts";

export interface Adding {
  readonly texts: readonly string[];
  readonly language: string;
  /** Undefined: the first of a new concept is preferred, all others are alternate. */
  readonly type: ExpressionRecord["type"] | undefined;
  readonly equivalenceStrength: number;
  /** The concept that gets them, or a new one. */
  readonly into: string | Omit<NewConcept, "expressions">;
  /** Undefined: they wait. */
  readonly decision: Decision | undefined;
}

export function planAdd(source: EditableSource, { into, decision, ...said }: Adding): Planned {
  const isNew = typeof into !== "string";
  const concept = isNew ? newConcept(source, { ...into, expressions: [] }) : conceptNamed(source, into);
  const added = said.texts.map((text, i) => expressionOf(text, said, isNew && i === 0));
  const waiting = withExpressions(source, concept, added);
  if ("errors" in waiting || decision === undefined) return "errors" in waiting ? waiting : placed(waiting.record);
  const { record, positions } = waiting;
  const reviewed = decided(source, { ...concept, record }, { decision, positions });
  return "errors" in reviewed ? reviewed : placed(reviewed.record);

  function placed(result: ConceptRecord): Planned {
    const located: Located<ConceptRecord> = { ...concept, record: result };
    return isNew ? { added: [located] } : { changed: [{ from: concept, record: result }] };
  }
}

const [PREFERRED, ALTERNATE] = EXPRESSION_TYPES;

export function expressionOf(
  expression: string,
  { language: tag, type, equivalenceStrength }: Pick<Adding, "language" | "type" | "equivalenceStrength">,
  isFirst: boolean,
): ExpressionRecord {
  const { language, locale } = partTag(tag);
  return {
    language,
    ...(locale === undefined ? {} : { locale }),
    expression,
    type: type ?? (isFirst ? PREFERRED : ALTERNATE),
    equivalenceStrength,
    reviewStatus: "in_review",
  };
}
