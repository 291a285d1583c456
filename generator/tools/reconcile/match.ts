/**
 * Answers one query with the resolver of the service. A candidate matches only if the expression
 * resolves; those of an ambiguous expression are all listed and do not match; there are no other
 * candidates. A type or a property removes candidates before the limit is applied, and never makes
 * one match.
 */
import type { ConceptDetail } from "../../../runtime/contract/concept.ts";
import type { Problem } from "../../../runtime/contract/problem.ts";
import { checkRequest } from "../../../runtime/registry/answer.ts";
import type { RegistryIndex } from "../../../runtime/registry/index.ts";
import { type Resolution, resolve } from "../../../runtime/registry/resolver.ts";
import { keyOf } from "../../../runtime/text/expression.ts";
import { detailOf, type Entity, entityAt } from "./entities.ts";
import type { Property } from "./properties.ts";

/** A query, in any version of the protocol. */
export interface Query {
  /**
   * Without an expression there is no candidate: a constraint by itself does not name a concept.
   */
  readonly expression: string | undefined;
  readonly language: string | undefined;
  /** The domains that a candidate may have; undefined for any. */
  readonly types: readonly string[] | undefined;
  readonly limit: number | undefined;
  readonly constraints: readonly Constraint[];
}

export interface Constraint {
  readonly property: Property;
  readonly values: readonly string[];
  readonly quantifier: "any" | "all" | "none";
}

export interface Candidate extends Entity {
  readonly score: number;
  readonly match: boolean;
}

/** An exact expression has the full score; only `match` says whether it decides. */
const SCORE = 100;

/**
 * The candidates, or the problem if the language is refused. A text that no expression can be, such
 * as a cell that is too long, names no concept: that is the answer, and other queries have theirs.
 */
export function match(index: RegistryIndex, query: Query): readonly Candidate[] | Problem {
  const { expression, language, types, constraints, limit } = query;
  if (expression === undefined || "status" in checkRequest({ expression })) return [];
  const request = checkRequest({ expression, ...(language !== undefined && { language }) });
  if ("status" in request) return request;
  const resolution = resolve(index, expression, language);
  const isMatch = resolution.status === "resolved";
  return conceptsOf(resolution)
    .map((id) => entityAt(index, id))
    .filter(({ type: [{ id }] }) => types?.includes(id) ?? true)
    .filter(({ id }) => constraints.length === 0 || areMet(constraints, detailOf(index, id)))
    .slice(0, limit)
    .map((entity) => ({ ...entity, score: SCORE, match: isMatch }));
}

function conceptsOf(resolution: Resolution): readonly number[] {
  if (resolution.status === "resolved") return [resolution.conceptId];
  const { reason, candidates } = resolution;
  return reason === "ambiguous_expression" ? candidates.map(({ conceptId }) => conceptId) : [];
}

/**
 * Compares texts as expressions. A query may have thousands of constraints, so the texts of a
 * property are read once.
 */
function areMet(constraints: readonly Constraint[], concept: ConceptDetail | undefined): boolean {
  const texts = new Map<Property, ReadonlySet<string>>();
  return constraints.every(({ property, values, quantifier }) => {
    const held = texts.get(property) ?? textsOf(property, concept);
    texts.set(property, held);
    const isHeld = (value: string): boolean => held.has(keyOf(value));
    if (quantifier === "none") return !values.some(isHeld);
    return quantifier === "all" ? values.every(isHeld) : values.some(isHeld);
  });
}

function textsOf(property: Property, concept: ConceptDetail | undefined): ReadonlySet<string> {
  return new Set((concept === undefined ? [] : property.valuesOf(concept)).map(({ text }) => keyOf(text)));
}
