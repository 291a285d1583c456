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

/** Returns the text of a cell: the inverse of guardFormula, for every text. */
export function unguardFormula(cell: string): string {
  return /^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell;
}
