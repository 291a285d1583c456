/**
 * The sheet of a review: one row for each expression that waits. Its columns, how a text becomes a
 * cell, and what a program reads from a cell that it does not evaluate.
 */

/** What a reviewer sees; a row is refused when any of it is not in the registry any more. */
export const SHOWN = ["concept", "definition", "equal elsewhere", "near elsewhere"] as const;
/** These say which expression a row is about. */
export const NAMING = ["code", "language", "type", "expression"] as const;
/** What a reviewer writes. */
const WRITTEN = ["decision", "reviewer", "note"] as const;

export const COLUMNS = [
  "code",
  "concept",
  "definition",
  "language",
  "type",
  "expression",
  "status",
  "equal elsewhere",
  "near elsewhere",
  ...WRITTEN,
] as const;
export type Column = (typeof COLUMNS)[number];
/** Without these, a file is not the sheet of a review. */
export const NEEDED: readonly Column[] = [...NAMING, ...SHOWN, "decision"];

/** The cells of a row as text, without those that are empty. */
export type Cells = Readonly<Partial<Record<Column, string>>>;

/** What a reviewer may write as the decision, with what `review` does then. */
export const DECISIONS = ["accept", "reject"] as const;

/** Nobody reviews more at once, and a sheet is held in memory. */
export const ROWS_MAX = 50_000;

/** The most characters that a cell of a spreadsheet holds. */
const CELL_MAX = 32_767;

/** The text of a cell, as any program keeps it: line ends are LF, and half a character is none. */
export function cellText(text: string): string {
  return text.slice(0, CELL_MAX).toWellFormed().replaceAll(/\r\n?/g, "\n");
}

/** A cell that has no text of its own: what a spreadsheet made of it, and what to do. */
export interface Unreadable {
  readonly is: "a formula" | "a date";
}

export type Cell = string | Unreadable;

/** A row as a file has it. */
export interface Line {
  /** From 1, as programs count them. */
  readonly number: number;
  readonly cells: readonly Cell[];
}

/** A file that is not the sheet of a review; the message is one line. */
export class SheetError extends Error {
  override name = "SheetError";
}

export const TOO_MANY = `it has more than ${ROWS_MAX} rows: write smaller sheets, with --where`;
