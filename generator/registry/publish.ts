/**
 * Decides which part of a record is published: its reviewed expressions, and the concept itself if
 * it has at least one. A concept whose expressions are all draft, in review, rejected or retired
 * does not exist for readers (O-18, D11). Notes and notations are kept as the source has them, with
 * two exceptions: a text that a page cannot contain is not published, and a language tag that is
 * not well-formed is left out. Each exception is a notice.
 */
import {
  type ConceptExpression,
  type Match,
  MATCHES,
  type Provenance,
  REVIEWED,
} from "../../runtime/contract/concept.ts";
import { type Note, type NoteName, NOTES } from "../../runtime/contract/concept-notes.ts";
import { isWellFormedLanguageTag } from "../../runtime/text/language.ts";
import type { Fault } from "../text/finding.ts";
import { LANGUAGE_TEXTS } from "./source-line.ts";
import { quote } from "../text/printable.ts";
import type { Concept, VocabularyStatements } from "./concept.ts";
import type { ConceptRecord, VocabularyFields } from "./record.ts";

/** The published form of a record, or undefined if nothing of it is published. */
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
  if ([notations, notes, broader, narrower, related].every((one) => one === undefined)) return {};
  const said = { ...publishedNotes({ notations, notes }), broader, narrower, related } as VocabularyStatements;
  return Object.values(said).some((value) => value !== undefined) ? { said } : {};
}

/** Matches belong to the concept; its expressions have the rest of its provenance, in its order. */
export function withoutMatches(provenance: Provenance): Provenance;
export function withoutMatches(provenance: Provenance | null): Provenance | null;
export function withoutMatches(provenance: Provenance | null): Provenance | null {
  if (provenance === null) return null;
  const { exactMatch: _e, closeMatch: _c, broadMatch: _b, narrowMatch: _n, relatedMatch: _r, ...rest } = provenance;
  return rest;
}

/** The matches by name; undefined for a name that has none. */
export function matchesOf<T>(record: Readonly<Partial<Record<Match, T>>> | null): Partial<Record<Match, T>> {
  return Object.fromEntries(MATCHES.map((name) => [name, record?.[name]]));
}

type Notation = NonNullable<VocabularyFields["notations"]>[number];
type Texts = { readonly [Name in "notations" | "notes"]?: VocabularyFields[Name] | undefined };

/** Faults of notes and notations, each with its pointer into the record. */
export function checkNotes({
  notations = [],
  notes = {},
}: Texts): { readonly pointer: string; readonly fault: Fault }[] {
  const marks = notations.flatMap((mark, i) => {
    if (!isText(mark.notation)) return [{ pointer: `/notations/${i}/notation`, fault: textFault(mark.notation) }];
    return isOfLanguage(mark) ? [{ pointer: `/notations/${i}/datatype`, fault: datatypeFault(mark) }] : [];
  });
  const texts = NOTES.flatMap((name) =>
    (notes[name] ?? []).flatMap((note, i) => {
      const at = `/notes/${name}/${i}`;
      if (!isText(note.text)) return [{ pointer: `${at}/text`, fault: textFault(note.text) }];
      return isInLanguage(note) ? [] : [{ pointer: `${at}/language`, fault: tagFault(note) }];
    }),
  );
  return [...marks, ...texts];
}

/**
 * Leaves out everything that cannot be published; returns the same objects if nothing has a fault.
 */
export function publishedNotes({ notations, notes }: Texts): Texts {
  if (checkNotes({ notations, notes }).length === 0) return { notations, notes };
  const marks = (notations ?? []).filter((mark) => isText(mark.notation) && !isOfLanguage(mark));
  const published = NOTES.flatMap((name): [NoteName, Note[]][] => {
    const texts = (notes?.[name] ?? []).filter(({ text }) => isText(text));
    const sound = texts.map((note) => (isInLanguage(note) ? note : { text: note.text }));
    return sound.length === 0 ? [] : [[name, sound]];
  });
  return {
    notations: marks.length === 0 ? undefined : marks,
    notes: published.length === 0 ? undefined : Object.fromEntries(published),
  };
}

/**
 * Half of a surrogate pair is not a character; the only control characters in a text are tabs and
 * line breaks.
 */
function isText(text: string): boolean {
  return text.isWellFormed() && !/[^\P{Cc}\t\n\r]/u.test(text);
}

function isInLanguage({ language }: Note): boolean {
  return language === undefined || isWellFormedLanguageTag(language);
}

/** A notation has no language, so it cannot have the datatype of a text with one. */
function isOfLanguage({ datatype = "" }: Notation): boolean {
  return LANGUAGE_TEXTS.includes(datatype);
}

function datatypeFault({ notation, datatype = "" }: Notation): Fault {
  const text = `${quote(notation)} has the datatype ${quote(datatype)} and no language, so it is not published`;
  return { rule: "note-not-text", text, remedy: "Leave the datatype out" };
}

function textFault(text: string): Fault {
  const what = text.isWellFormed() ? "a control character" : "half of a surrogate pair";
  return { rule: "note-not-text", text: `${quote(text)} has ${what}, so it is not published`, remedy: "Remove it" };
}

function tagFault({ language = "" }: Note): Fault {
  const text = `${quote(language)} is not a well-formed language tag, so the note is published without it`;
  return { rule: "note-language", text, remedy: "Write a BCP 47 tag, such as en or pt-BR" };
}
