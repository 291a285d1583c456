/**
 * Which part of a record is published: its reviewed expressions, and the concept itself when it has at least one.
 * A concept whose expressions are all draft, in review, rejected or retired does not exist for readers (O-18, D11).
 */
import { type ConceptExpression, type Provenance, REVIEWED } from "../../runtime/contract/concept.ts";
import { publishedNotes } from "./check-note.ts";
import type { Concept, Said } from "./checked.ts";
import type { ConceptRecord } from "./record.ts";

/** The published form of a record, or undefined where nothing of it is published. */
export function publish(record: ConceptRecord): Concept | undefined {
  const own = withoutMatches(record.provenance);
  const expressions = record.expressions
    .filter(({ reviewStatus }) => reviewStatus === REVIEWED)
    .map((expression): ConceptExpression => ({
      language: expression.language,
      locale: expression.locale ?? null,
      expression: expression.expression,
      type: expression.type,
      equivalenceStrength: expression.equivalenceStrength,
      reviewStatus: expression.reviewStatus,
      provenance: expression.provenance === undefined ? own : expression.provenance,
    }));
  if (expressions.length === 0) return undefined;
  return {
    code: record.code,
    name: record.name,
    definition: record.definition ?? "",
    domain: record.domain,
    provenance: record.provenance,
    expressions,
    renderings: record.renderings ?? [],
    ...saidOf(record),
  };
}

function saidOf({ notations, notes, broader, narrower, related }: ConceptRecord): Pick<Concept, "said"> {
  const said = { ...publishedNotes({ notations, notes }), broader, narrower, related } as Said;
  return Object.values(said).some((value) => value !== undefined) ? { said } : {};
}

/** Matches are of the concept; its expressions have the rest of its provenance, in its order. */
export function withoutMatches(provenance: Provenance): Provenance;
export function withoutMatches(provenance: Provenance | null): Provenance | null;
export function withoutMatches(provenance: Provenance | null): Provenance | null {
  if (provenance === null) return null;
  const { exactMatch: _e, closeMatch: _c, broadMatch: _b, narrowMatch: _n, relatedMatch: _r, ...rest } = provenance;
  return rest;
}
