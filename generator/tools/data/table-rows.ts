/** Reads the rows of a table, whose header says where the parts of a row are. */
import { DelimitedError, type Row, type Wrong } from "../../text/delimited.ts";
import { quote } from "../../text/printable.ts";
import { TableReader } from "../../text/table.ts";
import { columnsNamed } from "../../text/table-head.ts";
import { type Columns, type DataRow, PARTS, type RowReader } from "./records.ts";
import type { Given } from "./scheme.ts";

interface Head extends Row {
  /** Positions; -1 for a part that the table does not have. */
  readonly at: Readonly<Record<keyof Given, number>>;
}

export class TableRows implements RowReader {
  readonly #reader: TableReader;
  readonly #columns: Columns;
  #head: Head | undefined;

  constructor(columns: Columns, delimiter: string | undefined) {
    this.#reader = new TableReader(delimiter);
    this.#columns = columns;
  }

  get head(): Head | undefined {
    return this.#head;
  }

  get delimiter(): string {
    return this.#reader.delimiter;
  }

  async *rows(data: AsyncIterable<Uint8Array>): AsyncGenerator<readonly DataRow[], void> {
    for await (const rows of this.#reader.rows(data)) {
      const found: DataRow[] = [];
      for (const row of rows) {
        if (row.text.includes("\0")) throw new DelimitedError(row.line, NUL);
        if (this.#head === undefined) this.#head = readHead(row, this.#columns);
        else found.push(rowOf(row, this.#head));
      }
      yield found;
    }
  }
}

const NUL: Wrong = ["there is a NUL", "Save the table as text in UTF-8"];

function rowOf(row: Row, { at }: Head): DataRow {
  const { cells, text, line } = row;
  return {
    code: cells[at.code] ?? "",
    expression: cells[at.expression] ?? "",
    language: cells[at.language] ?? "",
    name: cells[at.name] ?? "",
    registryVersion: cells[at.registryVersion] ?? "",
    line,
    text,
    cells,
  };
}

function readHead(row: Row, columns: Columns): Head {
  const { cells, line } = row;
  const there = `only ${cells.map(quote).join(", ")}`;
  const wrong: string[] = [];
  const place = (part: keyof Given): number => {
    const { name, isGiven } = columns[part];
    if (name === undefined) return -1;
    const [at, again] = columnsNamed(cells, name);
    if (at === undefined && isGiven) wrong.push(`there is no column ${quote(name)}, ${there}`);
    if (again !== undefined) wrong.push(`there are several columns ${quote(name)}`);
    return at ?? -1;
  };
  const at = Object.fromEntries(PARTS.map((part) => [part, place(part)])) as Head["at"];
  if (wrong.length === 0 && at.code < 0 && at.expression < 0) {
    const names = [columns.code, columns.expression].map(({ name = "" }) => quote(name)).join(" nor ");
    wrong.push(`there is neither a column ${names}, ${there}`);
  }
  if (wrong.length > 0) throw new DelimitedError(line, [wrong.join("; "), NAME_COLUMNS]);
  return { ...row, at };
}

const NAME_COLUMNS = "Name the columns with --code-column and its like, or rename them in the table";
