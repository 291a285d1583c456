/**
 * HTML as a value: html`<p>${text}</p>` escapes texts and numbers, and inserts HTML values as they
 * are; `undefined` prints nothing. Insert values only into content or double-quoted attribute
 * values, never into tag names, scripts or styles. This file formats; it neither parses nor checks.
 * Source: HTML §13.1.
 */

const markup: unique symbol = Symbol("markup");

/** Only this file creates this type: a value parsed from JSON can never be mistaken for markup. */
export interface Html {
  readonly [markup]: string;
}

export type HtmlValue = Html | string | number | undefined | readonly HtmlValue[];

export function html(literals: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let [text = ""] = literals;
  /** Where the last inserted text ends; everything after it comes from a template. */
  let end = 0;
  /**
   * Drops spaces of the template at the end of a line, and before `>` if an attribute is absent.
   */
  const dropSpaces = (): void => {
    text = text.slice(0, end) + text.slice(end).replace(/[ \t]+$/, "");
  };
  for (const [i, value] of values.entries()) {
    const inserted = formatValue(value);
    if (typeof value === "object" && inserted.startsWith("\n")) dropSpaces();
    text += inserted;
    if (inserted !== "") end = typeof value === "object" ? text.trimEnd().length : text.length;
    const literal = literals[i + 1] ?? "";
    if (literal.startsWith("\n") || (inserted === "" && literal.startsWith(">"))) dropSpaces();
    text += literal;
  }
  return { [markup]: text };
}

export function formatHtml(value: Html): string {
  return value[markup];
}

/**
 * Fills the placeholders `{name}` of a fragment that the build made and checked. Never pass a
 * fragment from a request, the registry or a person.
 */
export function fillMarkup(fragment: string, values: Readonly<Record<string, HtmlValue>>): Html {
  const valueOf = (name: string): string => {
    if (!Object.hasOwn(values, name)) throw new Error(`A text has the placeholder {${name}}, which has no value here`);
    return formatValue(values[name]);
  };
  return { [markup]: fragment.replaceAll(/\{([a-z]+)\}/g, (_whole, name: string) => valueOf(name)) };
}

/**
 * JSON in a script element that no browser runs (HTML §4.12.1, data block). It has the nonce of all
 * script elements, though a policy does not ask for it. No character of the JSON can end it.
 */
export function dataBlock(mediaType: string, value: unknown): Html {
  const json = JSON.stringify(value).replaceAll(
    /[<>&]/g,
    (character) => String.raw`\u00${character.charCodeAt(0).toString(16)}`,
  );
  return { [markup]: `<script nonce type="${mediaType}">${json}</script>` };
}

function formatValue(value: HtmlValue): string {
  if (value === undefined) return "";
  if (typeof value === "string" || typeof value === "number") return escapeText(String(value));
  return markup in value ? value[markup] : value.map(formatValue).join("");
}

const references: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeText(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => references[character] ?? character);
}
