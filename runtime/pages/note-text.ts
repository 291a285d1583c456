/** A text of a vocabulary in its language. */
import type { Note } from "../contract/concept-notes.ts";
import { textDirection } from "../text/direction.ts";
import { type Html, html } from "../text/html.ts";

/** A text with its language and direction; without a language, its letters give the direction. */
export function noteText({ language, text }: Note): Html {
  if (language === undefined) return html`<span dir="auto">${text}</span>`;
  return html`<span lang="${language}" dir="${textDirection(language)}">${text}</span>`;
}
