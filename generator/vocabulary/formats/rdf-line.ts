/**
 * Statements as the lines that registries keep (registry/source-line.ts): one form for each statement, so that equal
 * statements are equal lines. Tags are in lower case, as RDF compares them.
 */
import { NO_BASE } from "./rdf-statement.ts";
import type { Value } from "./skos-gather.ts";
import { LANGUAGE_TEXT, STRING } from "./terms.ts";

/** `blank` gives the label of a blank node. */
export function formatStatement(predicate: string, object: Value, blank: (id: string) => string): string {
  return `${formatIri(predicate)} ${object.kind === "blank" ? blank(object.value) : formatObject(object)}`;
}

export function iriLine(predicate: string, iri: string): string {
  return `${formatIri(predicate)} ${formatIri(iri)}`;
}

/** A text with its language; a tag that is empty is none. */
export function textLine(predicate: string, text: string, tag: string): string {
  return `${formatIri(predicate)} ${formatText(text)}${tag === "" ? "" : `@${tag.toLowerCase()}`}`;
}

export function typedLine(predicate: string, text: string, datatype: string | undefined): string {
  return `${formatIri(predicate)} ${formatText(text)}${datatype === undefined ? "" : `^^${formatIri(datatype)}`}`;
}

function formatObject(object: Exclude<Value, { readonly kind: "blank" }>): string {
  if (object.kind === "iri") return formatIri(object.value);
  const { value, language, datatype } = object as Extract<Value, { readonly kind: "literal" }>;
  if (language !== "") return `${formatText(value)}@${language}`;
  return datatype === "" || datatype === STRING || datatype === LANGUAGE_TEXT
    ? formatText(value)
    : `${formatText(value)}^^${formatIri(datatype)}`;
}

/** Relative where the file that it comes from names no base. */
export function formatIri(iri: string): string {
  const text = iri.startsWith(NO_BASE) ? iri.slice(NO_BASE.length) : iri;
  return `<${text.replaceAll(/[\0-\x20<>"{}|^`\\]/g, formatCode)}>`;
}

/** In quotes; characters stay as they are, which a library would write as numbers. */
export function formatText(text: string): string {
  return `"${text.replaceAll(ESCAPED, (character) => ESCAPES[character] ?? formatCode(character))}"`;
}

/** What must be escaped, and what editors would not show or keep. */
const ESCAPED = /["\\\p{Cc}\u2028\u2029\uFEFF]/gu;
const ESCAPES: Readonly<Record<string, string>> = { '"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function formatCode(character: string): string {
  return `\\u${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
