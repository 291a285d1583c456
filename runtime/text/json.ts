/**
 * Strict JSON: UTF-8 without errors or byte order mark (RFC 8259 §8.1), unique member names (§4).
 * `JSON.parse` silently accepts repeated names, so two parsers could read one body differently. A
 * lone surrogate from an escape (§8.2) stays in its string; the code that uses the string must
 * check it.
 */

/** Why a text was refused: it is not JSON, or it is JSON that can be read in two ways. */
export type JsonRefusal = "not_json" | "duplicate_name";

export type JsonReading =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly refusal: JsonRefusal };

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Parses bytes strictly; never throws. */
export function parseJson(bytes: Uint8Array): JsonReading {
  let text: string;
  let value: unknown;
  try {
    text = decoder.decode(bytes);
    value = JSON.parse(text);
  } catch {
    return { ok: false, refusal: "not_json" };
  }
  if (!isWrittenAgain(value, text) && hasDuplicateName(text)) return { ok: false, refusal: "duplicate_name" };
  return { ok: true, value };
}

/** The form of every JSON document: two spaces, property order from code, a final line feed. */
export function formatDocument(document: unknown): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether the value serializes to the same text, so that no member was lost; mostly true. */
function isWrittenAgain(value: unknown, text: string): boolean {
  try {
    return JSON.stringify(value) === text;
  } catch {
    // JSON.stringify recurses, and a text may be nested deeper than the stack.
    return false;
  }
}

/** Scans the relevant tokens (strings, braces, colons) of a text known to be JSON. */
function hasDuplicateName(text: string): boolean {
  const open: (Set<string> | undefined)[] = [];
  for (let i = 0; i < text.length; i++) {
    const character = text.charCodeAt(i);
    if (character === 0x7b) open.push(new Set());
    else if (character === 0x5b) open.push(undefined);
    else if (character === 0x7d || character === 0x5d) open.pop();
    else if (character === 0x22) {
      const end = endOfString(text, i);
      const names = open.at(-1);
      if (names !== undefined && isName(text, end)) {
        const name = nameOf(text.slice(i + 1, end - 1));
        if (names.has(name)) return true;
        names.add(name);
      }
      i = end - 1;
    }
  }
  return false;
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end + 1;
}

/** A backslash escapes the next character, even another backslash. */
function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text.charCodeAt(first - 1) === 0x5c) first--;
  return (at - first) % 2 === 1;
}

function isName(text: string, end: number): boolean {
  let i = end;
  while (text.charCodeAt(i) <= 0x20) i++;
  return text.charCodeAt(i) === 0x3a;
}

/** `inside` is the text between the quotes. */
function nameOf(inside: string): string {
  return inside.includes("\\") ? (JSON.parse(`"${inside}"`) as string) : inside;
}
