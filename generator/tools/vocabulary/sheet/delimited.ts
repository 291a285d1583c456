/**
 * Reads and writes the sheet as CSV (RFC 4180), with the guard that every table of this project has
 * against cells that a spreadsheet would run.
 */
import { DelimitedError, formatRows } from "../../../text/delimited.ts";
import { guardFormula, unguardFormula } from "../../../text/formula.ts";
import { TableReader } from "../../../text/table.ts";
import { type Cells, COLUMNS, type Line, ROWS_MAX, SheetError, TOO_MANY } from "./columns.ts";

/** The same rows always give the same text. */
export function writeDelimited(rows: readonly Cells[]): string {
  return formatRows([COLUMNS, ...rows.map((row) => COLUMNS.map((column) => guardFormula(row[column] ?? "")))]);
}

/**
 * Returns the rows that are not empty, with the header first. Throws SheetError for what is not a
 * table, or is too large.
 */
export async function readDelimited(chunks: Iterable<Uint8Array>): Promise<Line[]> {
  const lines: Line[] = [];
  let number = 0;
  try {
    for await (const rows of new TableReader().rows(inPieces(chunks))) {
      for (const row of rows) {
        const cells = row.cells.map(unguardFormula);
        number++;
        if (cells.some((cell) => cell !== "")) lines.push({ number, cells });
      }
      if (lines.length > ROWS_MAX + 1) throw new SheetError(TOO_MANY);
    }
  } catch (error) {
    if (!(error instanceof DelimitedError)) throw error;
    throw new SheetError(error.message);
  }
  return lines;
}

async function* inPieces(chunks: Iterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  yield* chunks;
}
