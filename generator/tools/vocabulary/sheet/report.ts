/** Prints what a sheet said: counts, refused rows by name, and notes. Its texts are quoted. */
import { countOf } from "../../../effects/print.ts";
import { printable, printableJson, quote } from "../../../text/printable.ts";
import type { Row } from "./row.ts";
import type { Taken } from "./take.ts";

const NAME_MAX = 200;

export function* takenLines(file: string, taken: Taken): Generator<string, void> {
  const { accepted, rejected, already, undecided, refused } = countsOf(taken);
  const counts = `${accepted} to accept, ${rejected} to reject, ${already} decided already, ${undecided} without a decision`;
  yield `${file}: ${countOf(taken.rows.length, "row")}: ${counts}, ${refused} refused`;
  if (taken.others.length > 0) yield `Not read: columns ${taken.others.map((name) => quote(name)).join(", ")}`;
  if (refused > 0) yield "Refused rows; write the sheet again to decide about them";
  for (const row of taken.refused) yield `  ${named(row)}: ${row.why}`;
  const noted = notedOf(taken);
  if (noted.length > 0) yield "Notes, which the registry does not keep";
  for (const row of noted) yield `  ${named(row)}: ${printableJson(row.cells.note)}`;
}

/** The same for programs: the counts, then a line for each refused row and each note. */
export function* takenJson(file: string, taken: Taken): Generator<string, void> {
  yield printableJson({ sheet: file, ...countsOf(taken), columnsNotRead: taken.others });
  for (const row of taken.refused) yield printableJson({ refusedRow: row.number, ...idOf(row), why: row.why });
  for (const row of notedOf(taken)) yield printableJson({ notedRow: row.number, ...idOf(row), note: row.cells.note });
}

interface Counts {
  readonly accepted: number;
  readonly rejected: number;
  readonly already: number;
  readonly undecided: number;
  readonly refused: number;
}

function countsOf({ steps, already, rows, refused }: Taken): Counts {
  const of = (action: string): number =>
    steps
      .filter(({ decision }) => decision.action === action)
      .reduce((sum, { chosen }) => sum + chosen.reduce((count, { positions }) => count + positions.length, 0), 0);
  const undecided = rows.filter((row) => row.is === "undecided").length;
  return { accepted: of("accept"), rejected: of("reject"), already, undecided, refused: refused.length };
}

function notedOf({ rows }: Taken): readonly Row[] {
  return rows.filter(({ cells }) => cells.note !== undefined);
}

function idOf({ cells: { code, language, type, expression } }: Row): object {
  return { code, language, type, expression };
}

function named({ number, cells }: Row): string {
  const { code = "", expression = "", language = "" } = cells;
  return `row ${number}, ${printable(`${code} ${printableJson(expression)} (${language})`, NAME_MAX)}`;
}
