/**
 * Makes any text safe to print: the result has no invisible characters, does not move the cursor,
 * and (except from `printableLines`) ends no line.
 */

/**
 * Controls, formats (including marks that reorder text), spaces other than the plain one, halves of
 * characters.
 */
const HIDDEN = /[^\P{C}\u0020]|[^\P{Z}\u0020]/gu;
/** Of these, the characters that text for people should never contain raw. */
const MOVING = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** The text on one line, cut if it is longer than `max`. */
export function printable(text: string, max = Infinity): string {
  return cut(text.replaceAll(HIDDEN, escaped), max);
}

/** A value that should be short but may not be, such as a tag or a name. */
export function shortened(text: string): string {
  return printable(text, SHORT);
}

const SHORT = 120;

/** A text of several lines; characters that move a cursor, reorder or hide are escaped. */
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

/** The same for a value that is JSON already. */
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
