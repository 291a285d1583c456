/**
 * Statements as the lines that registries keep (registry/source-line.ts). Each statement has one
 * form, so that equal statements are equal lines. Tags are in lower case, as RDF compares them.
 */
import { NO_BASE, PREFIXES } from "./terms.ts";

export function iriLine(predicate: string, iri: string): string {
  return `${formatIri(predicate)} ${formatIri(iri)}`;
}

/** A text with its language; an empty tag means none. */
export function textLine(predicate: string, text: string, tag: string): string {
  return `${formatIri(predicate)} ${formatText(text)}${tag === "" ? "" : `@${tag.toLowerCase()}`}`;
}

export function typedLine(predicate: string, text: string, datatype: string | undefined): string {
  return `${formatIri(predicate)} ${formatText(text)}${datatype === undefined ? "" : `^^${formatIri(datatype)}`}`;
}

/** The IRI as in its file: relative if the file has no base. */
export function asWritten(iri: string): string {
  return iri.startsWith(NO_BASE) ? iri.slice(NO_BASE.length) : iri;
}

export function formatIri(iri: string): string {
  return `<${asWritten(iri).replaceAll(/[\0-\x20<>"{}|^`\\]/g, formatCode)}>`;
}

/**
 * Whether a text can be an absolute IRI in every format. One that begins with a prefix of ours
 * cannot: it would be read as a prefixed name.
 */
export function isIri(text: string): boolean {
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):[^\s\p{C}<>"{}|\\^`]*$/u.exec(text)?.[1];
  return scheme !== undefined && !Object.hasOwn(PREFIXES, scheme.toLowerCase());
}

/**
 * Puts a text in quotes. It escapes only the characters below; a library would also write others,
 * such as emoji, as numbers.
 */
export function formatText(text: string): string {
  return `"${text.replaceAll(ESCAPED, (character) => ESCAPES[character] ?? formatCode(character))}"`;
}

/** Characters that must be escaped, and those that editors would not show or keep. */
const ESCAPED = /["\\\p{Cc}\u2028\u2029\uFEFF]/gu;
const ESCAPES: Readonly<Record<string, string>> = { '"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function formatCode(character: string): string {
  return `\\u${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
