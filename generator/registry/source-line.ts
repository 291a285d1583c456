/**
 * Lines that keep a source's statements in its own words: predicate and object as in N-Triples,
 * without the subject, which the record names. If the subject is a blank node of the record, its
 * label comes first. A relative IRI from a file that names no base is kept as it is.
 * Source: RDF 1.1 N-Triples §7.
 */
import type { Fault } from "../text/finding.ts";
import { quote } from "../text/printable.ts";

const INSIDE = String.raw`[^\0-\x20<>"{}|^\x60\\]*`;
/** The number of a character; half of a pair (U+D800 to U+DFFF) is none. */
const NUMBER = "u(?:[0-9A-CEF][0-9A-F]{3}|D[0-7][0-9A-F]{2})";
const IRI = `<${INSIDE}(?:\\\\${NUMBER}${INSIDE})*>`;
const BLANK = String.raw`_:[A-Za-z][A-Za-z0-9]*`;
const FRONT = new RegExp(`^(${BLANK} )?(${IRI}) `);
const NODE = new RegExp(`^(?:${IRI}|${BLANK})$`);
const TAG_OR_TYPE = new RegExp(String.raw`^(?:@[^\s"<>\\]+|\^\^${IRI})?$`);
/** RDF 1.1 Concepts §3.3, RDF 1.2 §3.4: only texts with a language have these datatypes. */
export const LANGUAGE_TEXTS: readonly string[] = ["langString", "dirLangString"].map(
  (name) => `http://www.w3.org/1999/02/22-rdf-syntax-ns#${name}`,
);
const SUBJECT = new RegExp(`^(?:(?!_:)|${BLANK}$)`);
const ESCAPES = new RegExp(String.raw`\\(?:[tbnrf"'\\]|${NUMBER})`, "g");
/** Half of a pair of surrogates, which no file in UTF-8 can hold. */
const ILL_FORMED = /\p{Cs}/u;

/** A subject in `vocabularies/`: an IRI as it is, or a blank node. */
export function isSubject(text: string): boolean {
  return SUBJECT.test(text) && !ILL_FORMED.test(text);
}

export function isSourceLine(line: string): boolean {
  const [front = ""] = FRONT.exec(line) ?? [];
  if (front === "" || ILL_FORMED.test(line)) return false;
  const object = line.slice(front.length);
  return object.startsWith('"') ? isText(object) : NODE.test(object);
}

/** Literals can be too long for a pattern that goes through them step by step. */
function isText(object: string): boolean {
  const end = object.lastIndexOf('"');
  const plain = object.slice(1, end).replaceAll(ESCAPES, "");
  const after = object.slice(end + 1);
  const isOfLanguage = after.startsWith("^^") && LANGUAGE_TEXTS.includes(after.slice("^^<".length, -1));
  return end > 0 && !/["\\\r\n]/.test(plain) && TAG_OR_TYPE.test(after) && !isOfLanguage;
}

/** The fault of a line that export could not write back. */
export function sourceLineFault(line: string): Fault {
  const text = `${quote(line)} is not a predicate and an object as N-Triples writes them`;
  return { rule: "source-line", text, remedy: 'Write it as <IRI> <IRI> or <IRI> "text"@en, on one line' };
}

/**
 * The language tag of the object, whatever text it holds; undefined if the object is not a literal
 * or has no tag.
 */
export function languageOf(line: string): string | undefined {
  const plain = line.replaceAll(/\\./gs, "__");
  const end = plain.indexOf('"', plain.indexOf('"') + 1);
  return end > 0 && line[end + 1] === "@" ? line.slice(end + 2) : undefined;
}

/** Renames the blank nodes of a line, and returns a leading one separately. */
export function renamed(
  line: string,
  rename: (label: string) => string,
): { readonly subject: string | undefined; readonly rest: string } {
  const [whole = "", subject, predicate = ""] = FRONT.exec(line) ?? [];
  const object = line.slice(whole.length);
  return {
    subject: subject === undefined ? undefined : rename(subject.trimEnd()),
    rest: `${predicate} ${object.startsWith("_:") ? rename(object) : object}`,
  };
}

/** What a line says. */
export interface Statement {
  /** The label of a blank node; undefined: the subject of the record. */
  readonly subject: string | undefined;
  readonly predicate: string;
  /** A text, an IRI, or the label of a blank node. */
  readonly value: string;
  readonly isText: boolean;
  /** Of a text; in lower case. */
  readonly language: string | undefined;
}

export function statementOf(line: string): Statement {
  const [front = "", subject, predicate = ""] = FRONT.exec(line) ?? [];
  const object = line.slice(front.length);
  const isLiteral = object.startsWith('"');
  const bare = isLiteral ? object.slice(1, object.lastIndexOf('"')) : object.replaceAll(/^<|>$/g, "");
  return {
    subject: subject?.trimEnd(),
    predicate: unescaped(predicate.slice(1, -1)),
    value: unescaped(bare),
    isText: isLiteral,
    language: languageOf(line)?.toLowerCase(),
  };
}

const CHARACTERS: Readonly<Record<string, string>> = { t: "\t", b: "\b", n: "\n", r: "\r", f: "\f" };

/** Without the escapes of N-Triples (ECHAR and UCHAR). */
function unescaped(text: string): string {
  return text.replaceAll(/\\(?:u([0-9A-F]{4})|(.))/g, (_whole, code: string | undefined, one = "") =>
    code === undefined ? (CHARACTERS[String(one)] ?? String(one)) : String.fromCharCode(Number.parseInt(code, 16)),
  );
}
