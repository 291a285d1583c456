/**
 * Cells that a spreadsheet would take for a formula.
 * Source: OWASP, CSV Injection.
 */

/** Whether a spreadsheet would take the text for a formula, or hide what follows. */
export function isFormula(text: string): boolean {
  return /^[=+\-@\t\r]/.test(text);
}

/**
 * Puts one more apostrophe in front of a text that a spreadsheet would run, also if the text has
 * apostrophes in front already, so that different texts always have different cells.
 */
export function guardFormula(text: string): string {
  return /^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

/**
 * Finds rows that may have such a cell: one begins with its row, after a delimiter, or in quotes.
 * Most rows of a table need no closer look then.
 */
export function formulaFinder(delimiter: string): RegExp {
  const character = `\\u{${delimiter.codePointAt(0)?.toString(16)}}`;
  return new RegExp(`(?:^|["${character}])'*[=+\\-@\t\r]`, "u");
}

/** Returns the text of a cell: the inverse of guardFormula, for every text. */
export function unguardFormula(cell: string): string {
  return /^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell;
}
