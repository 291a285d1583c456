/**
 * What of a vocabulary's notes and notations can be published. They are kept as their source has them, so a fault is a notice:
 * a text that no page can have is not published, and a tag that is none is left out.
 */
import { type Note, type NoteName, NOTES } from "../../runtime/contract/concept-notes.ts";
import { isWellFormedLanguageTag } from "../../runtime/text/language.ts";
import type { Fault } from "../text/finding.ts";
import { quote } from "../text/printable.ts";
import type { VocabularyFields } from "./record.ts";

type Texts = { readonly [Name in "notations" | "notes"]?: VocabularyFields[Name] | undefined };

/** Each fault with its place below the record. */
export function checkNotes({
  notations = [],
  notes = {},
}: Texts): { readonly pointer: string; readonly fault: Fault }[] {
  const marks = notations.flatMap(({ notation }, i) =>
    isText(notation) ? [] : [{ pointer: `/notations/${i}/notation`, fault: textFault(notation) }],
  );
  const texts = NOTES.flatMap((name) =>
    (notes[name] ?? []).flatMap((note, i) => {
      const at = `/notes/${name}/${i}`;
      if (!isText(note.text)) return [{ pointer: `${at}/text`, fault: textFault(note.text) }];
      return isInLanguage(note) ? [] : [{ pointer: `${at}/language`, fault: tagFault(note) }];
    }),
  );
  return [...marks, ...texts];
}

/** Without what cannot be published; the same where all can. */
export function publishedNotes({ notations, notes }: Texts): Texts {
  if (checkNotes({ notations, notes }).length === 0) return { notations, notes };
  const marks = (notations ?? []).filter(({ notation }) => isText(notation));
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

/** Half of a surrogate pair is no character; of control characters only tabs and line breaks are in a text. */
function isText(text: string): boolean {
  return text.isWellFormed() && !/[^\P{Cc}\t\n\r]/u.test(text);
}

function isInLanguage({ language }: Note): boolean {
  return language === undefined || isWellFormedLanguageTag(language);
}

function textFault(text: string): Fault {
  const what = text.isWellFormed() ? "a control character" : "half of a surrogate pair";
  return { rule: "note-not-text", text: `${quote(text)} has ${what}, so it is not published`, remedy: "Remove it" };
}

function tagFault({ language = "" }: Note): Fault {
  const text = `${quote(language)} is not a well-formed language tag, so the note is published without it`;
  return { rule: "note-language", text, remedy: "Write a BCP 47 tag, such as en or pt-BR" };
}
