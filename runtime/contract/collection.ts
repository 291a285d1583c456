/**
 * The collections of the vocabularies that a registry's concepts come from: labelled groups of
 * concepts, for people to read by. They have no effect on what resolves.
 * Source: SKOS Reference (W3C, 2009) §9.
 */
import { Note } from "./concept-notes.ts";
import { closed } from "./schema.ts";
import * as Type from "./type.ts";

export const Collection = closed({
  /** Its IRI, or a label of the blank node that it is. */
  id: Type.String(),
  /** By language; empty if the source gives none. */
  labels: Type.Array(Note),
  /** Whether its source gives the members in an order. */
  ordered: Type.Boolean(),
  /** Codes of published concepts, each once: in that order, or in code order. */
  members: Type.Array(Type.String()),
  /** The ids of the collections that are in it. */
  parts: Type.Array(Type.String()),
});
export type Collection = Type.Static<typeof Collection>;

/** The file of a release with collections. */
export const Collections = closed({ collections: Type.Array(Collection) });
export type Collections = Type.Static<typeof Collections>;
