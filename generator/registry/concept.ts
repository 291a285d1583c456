/** A published concept, as documents and the index see it. */
import type { ConceptExpression, ConceptRendering, Provenance } from "../../runtime/contract/concept.ts";
import type { Relation } from "../../runtime/contract/concept-notes.ts";
import type { VocabularyFields } from "./record.ts";

/**
 * A published concept: at least one of its expressions is reviewed, and only the reviewed ones are
 * here (O-18).
 */
export interface Concept {
  readonly code: string;
  readonly name: string;
  readonly definition: string;
  readonly domain: string;
  readonly provenance: Provenance | null;
  readonly expressions: readonly ConceptExpression[];
  readonly renderings: readonly ConceptRendering[];
  /** Further statements of its vocabulary; not in the documents of the concept itself. */
  readonly said?: VocabularyStatements;
}

/** Fields of a vocabulary that linked data has words for. */
export type VocabularyStatements = Pick<VocabularyFields, "notations" | "notes" | Relation>;

/** The tag that an expression is found by: its locale if it has one, else its language. */
export function tagOf(expression: { readonly language: string; readonly locale?: string | null }): string {
  return expression.locale ?? expression.language;
}
