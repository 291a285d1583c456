/** Texts of a vocabulary, for readers of a language. */
import type { Collection } from "../contract/collection.ts";
import type { Note } from "../contract/concept-notes.ts";
import { textDirection } from "../text/direction.ts";
import { type Html, html } from "../text/html.ts";

/** A text with its language and direction; without a language, its letters give the direction. */
export function noteText({ language, text }: Note): Html {
  if (language === undefined) return html`<span dir="auto">${text}</span>`;
  return html`<span lang="${language}" dir="${textDirection(language)}">${text}</span>`;
}

/** Whether readers of the language `reader` can read a text in `tag`: `pt-BR` for `pt`. */
export function isFor(tag: string | undefined, reader: string): boolean {
  const own = `${tag ?? ""}-`.toLowerCase();
  return own.startsWith(`${reader}-`.toLowerCase());
}

/** The label of a collection: in the language, else in English, else the first one, else its id. */
export function labelOf({ id, labels }: Collection, reader: string): Note {
  const inLanguage = (wanted: string): Note | undefined => labels.find(({ language }) => isFor(language, wanted));
  return inLanguage(reader) ?? inLanguage("en") ?? labels[0] ?? { text: id };
}
