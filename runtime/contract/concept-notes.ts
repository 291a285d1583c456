/**
 * What a vocabulary says of a concept beyond its published record: for people, on its page. Nothing of it decides what
 * resolves.
 */
import { closed, optionalEach } from "./schema.ts";
import * as Type from "./type.ts";

const text = Type.String({ minLength: 1 });

/** The kinds of notes, in the order in which they are written; definitions are all, also the one that is published. */
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

/** A text in its language, which is left out where the source names none. */
export const Note = closed({ language: Type.Optional(text), text: Type.String() });
export type Note = Type.Static<typeof Note>;

export const Notes = closed(optionalEach(NOTES, Type.Array(Note)));

export const Notations = Type.Array(closed({ notation: text, datatype: Type.Optional(text) }));

export const RELATIONS = ["broader", "narrower", "related"] as const;
export type Relation = (typeof RELATIONS)[number];

/** What one of two concepts says of the other also says the other of it. */
export const INVERSE: Readonly<Record<Relation, Relation>> = {
  broader: "narrower",
  narrower: "broader",
  related: "related",
};

/** A page names at most so many concepts of one relation. */
export const RELATED_MAX = 200;

const Related = Type.Optional(
  closed({
    count: Type.Integer({ minimum: 1 }),
    /** The first by name, RELATED_MAX of them at most. */
    concepts: Type.Array(closed({ code: text, name: text })),
  }),
);

/** Relations to published concepts, whichever of the two says so. */
export const ConceptNotes = closed({
  notations: Type.Optional(Notations),
  notes: Type.Optional(Notes),
  broader: Related,
  narrower: Related,
  related: Related,
});
export type ConceptNotes = Type.Static<typeof ConceptNotes>;
export type RelatedConcepts = NonNullable<ConceptNotes[Relation]>;
