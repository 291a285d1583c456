/**
 * Changes of the expressions of one record. A decision of a person (who, and when) is applied as a
 * review does it, and refused for the same reasons.
 */
import { type Provenance, REVIEWED } from "../../../../runtime/contract/concept.ts";
import { keyOf } from "../../../../runtime/text/expression.ts";
import { checkConcept, isCurrent } from "../../../registry/check-concept.ts";
import { tagOf } from "../../../registry/concept.ts";
import { withoutMatches } from "../../../registry/publish.ts";
import type { EditableSource, Located } from "../../../registry/read.ts";
import type { ConceptRecord, ExpressionRecord } from "../../../registry/record.ts";
import { errorAt, type Finding, isError } from "../../../text/finding.ts";
import { decide, type Decision } from "../review/decide.ts";
import type { Place } from "./named.ts";

/** A record after a change, with the positions of what changed, or why it cannot be. */
export type Outcome = { readonly record: ConceptRecord; readonly positions: readonly number[] } | Impossible;

export interface Impossible {
  readonly errors: readonly Finding[];
}

/**
 * The concept with these expressions. One that it has as rejected or retired comes back to its
 * place, with the type that it had there; a second preferred one of a tag is an alternate.
 */
export function withExpressions(
  source: EditableSource,
  concept: Located<ConceptRecord>,
  added: readonly ExpressionRecord[],
): Outcome {
  const expressions = [...concept.record.expressions];
  const positions = added.map((given) => {
    const found = expressions.findIndex((one) => !isCurrent(one) && isSame(one, given));
    const at = found < 0 ? expressions.length : found;
    expressions[at] = onlyPreferred(expressions, broughtBack(expressions[at], given));
    return at;
  });
  const record = { ...concept.record, expressions };
  const errors = faultsOf(source, { ...concept, record }, positions);
  return errors.length > 0 ? { errors } : { record, positions };
}

/** As if they were reviewed: whoever adds them learns of their faults at once. */
function faultsOf(
  { registry }: EditableSource,
  { record, ...place }: Located<ConceptRecord>,
  positions: readonly number[],
): Finding[] {
  const expressions = record.expressions.map((one, i): ExpressionRecord =>
    positions.includes(i) ? { ...one, reviewStatus: REVIEWED } : one,
  );
  const findings = checkConcept({ ...place, record: { ...record, expressions } }, new Set(registry.languages));
  return findings.filter(
    (finding) => isError(finding) && positions.some((i) => `${finding.pointer}/`.startsWith(`/expressions/${i}/`)),
  );
}

/** The concept with a decision about some of its expressions. */
export function decided(
  { registry }: EditableSource,
  concept: Located<ConceptRecord>,
  { decision, positions }: { readonly decision: Decision; readonly positions: readonly number[] },
): Outcome {
  const admitted = new Set(registry.languages);
  const { change, refused } = decide({ decision, registry, admitted }, { concept, positions });
  if (change !== undefined && refused.length === 0) return { record: change.record, positions };
  return {
    errors: refused.flatMap(({ position, faults }) =>
      faults.map((fault) => errorAt(concept, `/expressions/${position}`, fault)),
    ),
  };
}

/** The expression as another concept gets it: with the provenance that it shared. */
export function asMoved({ concept, expression }: Place): ExpressionRecord {
  const shared: Provenance | null = withoutMatches(concept.record.provenance);
  return { ...expression, provenance: expression.provenance ?? shared };
}

/** Whoever rejected it did not review it as it is now. */
function broughtBack(former: ExpressionRecord | undefined, expression: ExpressionRecord): ExpressionRecord {
  if (former === undefined) return expression;
  const provenance = former.provenance && { ...former.provenance, reviewedBy: null, reviewedAt: null };
  return { ...former, ...(provenance && { provenance }), ...expression, type: former.type };
}

function onlyPreferred(expressions: readonly ExpressionRecord[], expression: ExpressionRecord): ExpressionRecord {
  const isTaken = expressions.some(
    (one) => isCurrent(one) && one.type === "preferred" && tagOf(one) === tagOf(expression),
  );
  return expression.type === "preferred" && isTaken ? { ...expression, type: "alternate" } : expression;
}

function isSame(a: ExpressionRecord, b: ExpressionRecord): boolean {
  return tagOf(a) === tagOf(b) && keyOf(a.expression) === keyOf(b.expression);
}
