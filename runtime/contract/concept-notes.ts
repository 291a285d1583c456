/**
 * What a vocabulary says about a concept in addition to its published record. Its page shows this
 * to people; it has no effect on what resolves.
 */
import { closed, optionalEach } from "./schema.ts";
import * as Type from "./type.ts";

const text = Type.String({ minLength: 1 });

/** The kinds of notes, in the order of writing. `definition` includes the published one. */
export const NOTES = [
  "title",
  "definition",
  "scopeNote",
  "example",
  "note",
  "editorialNote",
  "historyNote",
  "changeNote",
] as const;
export type NoteName = (typeof NOTES)[number];

/** A text; `language` is absent if the source names none. */
export const Note = closed({ language: Type.Optional(text), text: Type.String() });
export type Note = Type.Static<typeof Note>;

export const Notes = closed(optionalEach(NOTES, Type.Array(Note)));

export const Notations = Type.Array(closed({ notation: text, datatype: Type.Optional(text) }));

export const RELATIONS = ["broader", "narrower", "related"] as const;
export type Relation = (typeof RELATIONS)[number];

/** The relation that holds in the other direction. */
export const INVERSE: Readonly<Record<Relation, Relation>> = {
  broader: "narrower",
  narrower: "broader",
  related: "related",
};

/** The most concepts of one relation that a page names. */
export const RELATED_MAX = 200;

const Related = Type.Optional(
  closed({
    count: Type.Integer({ minimum: 1 }),
    /** The first RELATED_MAX by name. */
    concepts: Type.Array(closed({ code: text, name: text })),
  }),
);

/** Relations to published concepts, no matter which of the two states them. */
export const ConceptNotes = closed({
  notations: Type.Optional(Notations),
  notes: Type.Optional(Notes),
  broader: Related,
  narrower: Related,
  related: Related,
});
export type ConceptNotes = Type.Static<typeof ConceptNotes>;
export type RelatedConcepts = NonNullable<ConceptNotes[Relation]>;
