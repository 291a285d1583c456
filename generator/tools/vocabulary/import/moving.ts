/**
 * Two records of one code: left by an import that was interrupted while a concept moved, or a real
 * conflict that only looks like that.
 */
import { keyOf } from "../../../../runtime/text/expression.ts";
import { tagOf } from "../../../registry/concept.ts";
import type { Located } from "../../../registry/read.ts";
import type { ConceptRecord, ExpressionRecord } from "../../../registry/record.ts";
import { isIri } from "../../../skos/rdf-line.ts";
import { isWaiting } from "./expressions.ts";

/**
 * Whether all records of one code are one concept that is moving to another file, and one of them
 * has every decision of the other. If people wrote a concept twice, or two merged branches each
 * brought one, people must decide.
 */
export function areMoving(concepts: readonly Located<ConceptRecord>[]): boolean {
  const seen = new Map<string, ConceptRecord>();
  return concepts.every(({ record }) => {
    const other = seen.get(record.code);
    seen.set(record.code, record);
    return other === undefined || (areOne(record, other) && (knowsAll(record, other) || knowsAll(other, record)));
  });
}

/** The record of each code; for a concept that is moving, the record with every decision. */
export function recordByCode(concepts: readonly Located<ConceptRecord>[]): Map<string, Located<ConceptRecord>> {
  const records = new Map<string, Located<ConceptRecord>>();
  for (const concept of concepts) {
    const other = records.get(concept.record.code);
    if (other === undefined || knowsAll(concept.record, other.record)) records.set(concept.record.code, concept);
  }
  return records;
}

/**
 * Whether both have the same sourceId. An id such as `1`, which many tables have, counts only with
 * a common label.
 */
function areOne(a: ConceptRecord, b: ConceptRecord): boolean {
  const sourceId = a.provenance?.sourceId ?? null;
  if (sourceId === null || sourceId !== (b.provenance?.sourceId ?? null)) return false;
  if (isIri(sourceId) || a.expressions.length === 0 || b.expressions.length === 0) return true;
  const keys = new Set(a.expressions.map(({ expression }) => keyOf(expression)));
  return b.expressions.some(({ expression }) => keys.has(keyOf(expression)));
}

function knowsAll(one: ConceptRecord, other: ConceptRecord): boolean {
  const known = new Set(one.expressions.filter((expression) => !isWaiting(expression)).map(nameOf));
  return other.expressions.every((expression) => isWaiting(expression) || known.has(nameOf(expression)));
}

function nameOf(expression: ExpressionRecord): string {
  return `${tagOf(expression)} ${keyOf(expression.expression)}`;
}
