/** What each tally of facts.ts gets while the concepts stream by. */
import type { Entry, StoredConcept } from "../registry/stored-concept.ts";

/** A concept as the stream gives it: its number in code order, and its expressions. */
export interface Passing {
  readonly id: number;
  readonly concept: StoredConcept;
  readonly entries: readonly Entry[];
}
