/**
 * What a vocabulary says of a concept beyond its published record: for people, on its page. Nothing of it decides what
 * resolves.
 */
import { closed } from "./schema.ts";
import * as Type from "./type.ts";

const text = Type.String({ minLength: 1 });

/** The kinds of notes, in the order in which they are written. */
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

const notes = Type.Optional(Type.Array(Note));
export const Notes = closed({
  title: notes,
  /** Every definition, also the one that is published. */
  definition: notes,
  scopeNote: notes,
  example: notes,
  note: notes,
  editorialNote: notes,
  historyNote: notes,
  changeNote: notes,
} satisfies Record<NoteName, unknown>);

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
