/** Finds the columns of the sheet in the header of a file, wherever a person moved them. */
import { columnsNamed } from "../../../text/table-head.ts";
import { quote } from "../../../text/printable.ts";
import { type Cell, type Column, COLUMNS, type Line, NEEDED, SheetError } from "./columns.ts";

export interface Header {
  /** The cell of a row; "" if the file does not have the column. */
  readonly cell: (line: Line, column: Column) => Cell;
  /** Names of columns that are not the sheet's: they are not read. */
  readonly others: readonly string[];
}

/** Throws SheetError if a column is missing or there twice. */
export function readHeader(line: Line | undefined): Header {
  const names = (line?.cells ?? []).map((cell) => (typeof cell === "string" ? cell : ""));
  const places = new Map(COLUMNS.map((column) => [column, columnsNamed(names, column)]));
  const missing = NEEDED.filter((column) => places.get(column)?.length === 0);
  if (missing.length === NEEDED.length)
    throw new SheetError(`its first row does not name the columns ${listed(COLUMNS)}: it is not the sheet of a review`);
  if (missing.length > 0)
    throw new SheetError(
      `it has no ${missing.length === 1 ? "column" : "columns"} ${listed(missing)}: name them in the first row, or write the sheet again`,
    );
  const [twice] = COLUMNS.filter((column) => (places.get(column)?.length ?? 0) > 1);
  if (twice !== undefined) throw new SheetError(`it has two columns ${quote(twice)}: keep one`);
  const known = new Set([...places.values()].flat());
  return {
    cell: ({ cells }, column) => cells[places.get(column)?.[0] ?? -1] ?? "",
    others: names.filter((name, i) => !known.has(i) && name !== ""),
  };
}

function listed(names: readonly string[]): string {
  return names.map((name) => quote(name)).join(", ");
}
