/** The checked registry: what check.ts lets through, and the only thing the rest of the generator sees. */
import type { ChangeRecord } from "../contract/changes.ts";
import type { ConceptExpression, ConceptRendering, Provenance } from "../../runtime/contract/concept.ts";
import type { Concepts } from "./concepts.ts";
import type { Relation } from "../../runtime/contract/concept-notes.ts";
import type { HistoryRecord, RetiredRecord, VocabularyFields } from "./record.ts";

/** A published concept: at least one of its expressions is reviewed, and only those are here (O-18). */
export interface Concept {
  readonly code: string;
  readonly name: string;
  readonly definition: string;
  readonly domain: string;
  readonly provenance: Provenance | null;
  readonly expressions: readonly ConceptExpression[];
  readonly renderings: readonly ConceptRendering[];
  /** What its vocabulary says of it beyond that; in no document of the concept itself. */
  readonly said?: Said;
}

/** Fields of a vocabulary that linked data has words for. */
export type Said = Pick<VocabularyFields, "notations" | "notes" | Relation>;

export interface CheckedRegistry {
  readonly name: string;
  /** Left out where it is made of concepts alone. */
  readonly license?: string;
  /** What its words are about, in a sentence. */
  readonly description?: string | undefined;
  readonly registryVersion: string;
  /** In code order. */
  readonly concepts: Concepts;
  /** The content digest of history.ts. */
  readonly contentSha256: string;
  /** In code order. */
  readonly retired: RetiredRecord;
  /** Oldest first. */
  readonly history: HistoryRecord;
  /** What releases changed, oldest first; of releases that recorded it. */
  readonly changes: readonly ChangeRecord[];
}

/**
 * The day of a registry's version, for pages and provenance, YYYY-MM-DD: that of its release, where it is recorded, else that
 * of the last review; undefined without either. It is never that of a clock, nor of the tool.
 */
export function releaseDay({ history, registryVersion, concepts }: CheckedRegistry): string | undefined {
  const recorded = history.find((entry) => entry.registryVersion === registryVersion)?.releasedOn;
  return recorded ?? concepts.lastReview;
}

/** The tag an expression is found by: its locale where it has one, else its language. */
export function tagOf(expression: { readonly language: string; readonly locale?: string | null }): string {
  return expression.locale ?? expression.language;
}
