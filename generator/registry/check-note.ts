/**
 * What of a vocabulary's notes can be published. They are kept as their source has them, so a fault is a notice: a text that
 * no page can have is not published, and a tag that is none is left out.
 */
import { type Note, type NoteName, NOTES, type Notes } from "../../runtime/contract/concept-notes.ts";
import { isWellFormedLanguageTag } from "../../runtime/text/language.ts";
import type { Fault } from "../text/finding.ts";
import { quote } from "../text/printable.ts";

/** Each fault with its place below the record. */
export function checkNotes(notes: Notes): { readonly pointer: string; readonly fault: Fault }[] {
  return NOTES.flatMap((name) =>
    (notes[name] ?? []).flatMap((note, i) => {
      const at = `/notes/${name}/${i}`;
      if (!isText(note)) return [{ pointer: `${at}/text`, fault: textFault(note) }];
      return isInLanguage(note) ? [] : [{ pointer: `${at}/language`, fault: tagFault(note) }];
    }),
  );
}

/** The notes without what cannot be published; the same where all can. */
export function publishedNotes(notes: Notes | undefined): Notes | undefined {
  if (notes === undefined || checkNotes(notes).length === 0) return notes;
  const published = NOTES.flatMap((name): [NoteName, Note[]][] => {
    const texts = (notes[name] ?? []).filter(isText);
    const sound = texts.map((note) => (isInLanguage(note) ? note : { text: note.text }));
    return sound.length === 0 ? [] : [[name, sound]];
  });
  return published.length === 0 ? undefined : Object.fromEntries(published);
}

/** Half of a surrogate pair is no character; of control characters only tabs and line breaks are in a text. */
function isText({ text }: Note): boolean {
  return text.isWellFormed() && !/[^\P{Cc}\t\n\r]/u.test(text);
}

function isInLanguage({ language }: Note): boolean {
  return language === undefined || isWellFormedLanguageTag(language);
}

function textFault({ text }: Note): Fault {
  const what = text.isWellFormed() ? "a control character" : "half of a surrogate pair";
  return { rule: "note-not-text", text: `${quote(text)} has ${what}, so it is not published`, remedy: "Remove it" };
}

function tagFault({ language = "" }: Note): Fault {
  const text = `${quote(language)} is not a well-formed language tag, so the note is published without it`;
  return { rule: "note-language", text, remedy: "Write a BCP 47 tag, such as en or pt-BR" };
}
