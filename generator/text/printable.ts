/** Texts from anywhere made safe to print: nothing in the result is invisible, moves a cursor or ends the line. */

/** Controls, formats (marks that reorder text are some), spaces other than the plain one, halves of characters. */
const HIDDEN = /[^\P{C}\u0020]|[^\P{Z}\u0020]/gu;
/** Of these, what no text that people read should hold as it is. */
const MOVING = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** The text on one line, cut where it is long. */
export function printable(text: string, max = Infinity): string {
  return cut(text.replaceAll(HIDDEN, escaped), max);
}

/** The text of a value that should be short and may not be, such as a tag or a name. */
export function shortened(text: string): string {
  return printable(text, SHORT);
}

const SHORT = 120;

/** Texts of several lines as they are, but for what moves a cursor, reorders or hides. */
export function printableLines(text: string): string {
  return text.replaceAll(MOVING, (character) => (character === "\n" ? character : escaped(character)));
}

/** Quotes a value so that invisible characters show. */
export function quote(text: string): string {
  return printable(JSON.stringify(cut(text, SHORT)));
}

/** A value as JSON with invisible characters escaped (RFC 8259 §7). */
export function printableJson(value: unknown): string {
  return escapeJson(JSON.stringify(value));
}

/** The same of a value that is JSON already. */
export function escapeJson(json: string): string {
  return json.replaceAll(MOVING, (character) =>
    character.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  );
}

function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`;
}

function cut(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max).toWellFormed()}…` : text;
}
