/**
 * HTML as a value: html`<p>${text}</p>` escapes texts and numbers, and inserts HTML values as they
 * are. An `undefined` prints nothing. Insert values only in content or in double-quoted attribute
 * values, never in tag names, scripts or styles. This file formats; it neither parses nor checks.
 * Source: HTML §13.1.
 */

const markup: unique symbol = Symbol("markup");

/** Only this file creates this type: a value parsed from JSON can never be mistaken for markup. */
export interface Html {
  readonly [markup]: string;
}

export type HtmlValue = Html | string | number | undefined | readonly HtmlValue[];

export function html(literals: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return { [markup]: literals.reduce((text, literal, i) => text + formatValue(values[i - 1]) + literal) };
}

export function formatHtml(value: Html): string {
  return value[markup];
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
