/**
 * The texts of the interface in one language, for pages that are rendered at reply time. The build
 * makes HTML fragments from the text files, checks them, and writes them into the release; this
 * file only fills in values. English has every text.
 */
import type { Interface } from "../contract/inputs.ts";
import { textDirection } from "../text/direction.ts";
import { type Html, html, fillMarkup, type HtmlValue } from "../text/html.ts";

type Values = Readonly<Record<string, HtmlValue>>;

export interface Texts {
  /** BCP 47. */
  readonly language: string;
  readonly say: (key: string, values?: Values) => Html;
  /** The text for a number, in its singular or plural form. */
  readonly count: (key: string, of: number, values?: Values) => Html;
  /** A text that exists only in English. */
  readonly english: (text: string) => HtmlValue;
  /** A value in the language of the page, inside a text that may be in English. */
  readonly own: (value: Html) => Html;
}

export function textsOf({ language, texts }: Omit<Interface["languages"][number], "shell">): Texts {
  const say = (key: string, values: Values = {}): Html => {
    const fragment = texts[key];
    if (fragment === undefined) throw new Error(`The interface has no text ${key}`);
    return fillMarkup(fragment, values);
  };
  return {
    language,
    say,
    count: (key, of, values) => say(`${key}-${of === 1 ? "one" : "other"}`, values),
    english: (text) => (language === "en" ? text : html`<span lang="en" dir="ltr">${text}</span>`),
    own: (value) =>
      language === "en" ? value : html`<span lang="${language}" dir="${textDirection(language)}">${value}</span>`,
  };
}
