/**
 * Reads a CSV file as rows with the line they begin at: strictly RFC 4180 in UTF-8, in pieces.
 * The header tells how cells are separated. Anything else is refused with its line; nothing else
 * is guessed, since a wrong guess would shift every cell after it.
 */
import type { Effects } from "../../../effects/effects.ts";
import { DelimitedError, DelimitedReader, type Row, type Rule } from "../../../text/delimited.ts";
import { detached } from "../../../text/detached.ts";
import type { Location } from "../../../text/finding.ts";
import { separatorName, separatorOf } from "../../../text/table-head.ts";
import { type Cells, type Column, ROW_MAX_BYTES } from "./csv-columns.ts";
import { isFormula, unguardFormula } from "../../../text/formula.ts";
import { type Header, readHeader, WITH_HEADER, type Wrong } from "./csv-header.ts";
import { SourceError } from "./source.ts";
import { countLines, readPieces } from "./text-pieces.ts";

export interface CsvRow extends Location {
  /** Where the row begins. */
  readonly line: number;
  readonly cells: Cells;
  /** How the file spells each column that it has. */
  readonly spelled: ReadonlyMap<Column, string>;
  /** Whether a spreadsheet would run the expression as it is in the file. */
  readonly formula: boolean;
}

/** How a table differs from the default form. */
export interface TableForm {
  /** Separates the cells. Left out: the header tells. */
  readonly delimiter?: string | undefined;
  /** Called with the separator that the header tells. */
  readonly onSeparator?: ((file: string, separator: string) => void) | undefined;
  /** Columns that hold the expressions of one language each; the tag is the column's name. */
  readonly languageColumns?: readonly string[] | undefined;
}

interface Reading extends TableForm {
  readonly take: (row: CsvRow) => void;
}

/** Passes every row to `take`; throws SourceError if the file does not have the required form. */
export function readRows(effects: Effects, path: string, reading: Reading): void {
  const file = path.split(/[\\/]/).at(-1) ?? path;
  const { delimiter, onSeparator, languageColumns = [], take } = reading;
  const pieces = readPieces(effects, path, file);
  const first = pieces.next().value?.text ?? "";
  const separator = delimiter ?? separatorOf(first);
  if (first !== "") checkHead(first, file, separator);
  if (delimiter === undefined) onSeparator?.(path, separator);
  const reader = new DelimitedReader(separator, ROW_MAX_BYTES);
  const rows = new Rows({ file, languageColumns, take });
  try {
    for (const row of reader.take(first)) rows.take(row);
    for (const { text } of pieces) for (const row of reader.take(text)) rows.take(row);
    for (const row of reader.end()) rows.take(row);
  } catch (error) {
    const wrong = error instanceof DelimitedError ? error.row : undefined;
    if (wrong === undefined) throw error;
    throw refusal(file, wrong.line, WRONG[wrong.rule]);
  }
  rows.end();
}

const WITH_QUOTES =
  "Put quotes around a field with a quote, the delimiter or a line break, and write each quote in it twice";

const WRONG: Readonly<Record<Rule, Wrong>> = {
  stray: ["the row that begins here has a quote within a field that does not begin with one", WITH_QUOTES],
  after: ["the row that begins here has text after the quote that closes a field", WITH_QUOTES],
  open: ["the row that begins here has a quote that is not closed", WITH_QUOTES],
  long: [`the row that begins here is longer than ${ROW_MAX_BYTES >> 20} MiB`, WITH_QUOTES],
  return: [
    "the row that begins here has a carriage return outside of quotes, which is not a line end",
    "End lines with LF or CR LF, and put quotes around a field with a line break",
  ],
};

function refusal(file: string, line: number, ...wrong: readonly Wrong[]): SourceError {
  const remedies = new Set(wrong.map(([, remedy]) => remedy));
  return new SourceError(`${file}:${line}: ${wrong.map(([what]) => what).join("; ")}. ${[...remedies].join(". ")}`);
}

interface RowsOf {
  readonly file: string;
  readonly languageColumns: readonly string[];
  readonly take: (row: CsvRow) => void;
}

/** Names the cells of each row by the header. */
class Rows {
  readonly #of: RowsOf;
  #header: Header | undefined;

  constructor(of: RowsOf) {
    this.#of = of;
  }

  take({ cells: record, line }: Row): void {
    const { file, languageColumns, take } = this.#of;
    if (this.#header === undefined) {
      const header = readHeader(record, languageColumns);
      if (Array.isArray(header)) throw refusal(file, line, ...header);
      this.#header = header;
      return;
    }
    const { names, spelled, tags } = this.#header;
    if (record.length !== names.length) throw refusal(file, line, wrongCount(record.length, names.length));
    const cells: Partial<Record<Column, string>> = {};
    names.forEach((name, i) => {
      const cell = record[i] ?? "";
      if (cell !== "" && name !== undefined) cells[name] = detached(unguardFormula(cell));
    });
    const give = (all: Cells, written = "", column: Header["spelled"] = spelled): void =>
      take({ file, line, spelled: column, cells: all, formula: isFormula(written) });
    const wide = tags.filter(([, i]) => (record[i] ?? "") !== "");
    for (const [language, i, column] of wide)
      give({ ...cells, language, expression: detached(unguardFormula(record[i] ?? "")) }, record[i], column);
    if (wide.length === 0) give(cells, record[names.indexOf("expression")]);
  }

  end(): void {
    if (this.#header === undefined) throw refusal(this.#of.file, 1, ["the file is empty", WITH_HEADER]);
  }
}

function wrongCount(count: number, expected: number): Wrong {
  return [
    `the row that begins here has ${count} ${count === 1 ? "field" : "fields"}, and the header has ${expected}`,
    "Give every row the same number, and put quotes around a field with the delimiter",
  ];
}

/** A header without the separator has one column, or uses another separator. */
function checkHead(text: string, file: string, separator: string): void {
  const start = Math.max(0, text.search(/[^\r\n]/));
  const end = text.indexOf("\n", start);
  const header = text.slice(start, end < 0 ? start + 1000 : end + 1);
  const refuse = (...wrong: Wrong): SourceError => refusal(file, 1 + countLines(text.slice(0, start)), wrong);
  // A line that only Excel understands, or a comment.
  if (/^(?:sep=|#)/i.test(header)) throw refuse("the first line does not name columns", "Take it out");
  if (/\r(?!\n)/.test(header)) throw refuse("the lines end with CR only", "End them with LF or CR LF");
  const other = separatorOf(header);
  if (header.includes(separator) || !header.includes(other)) return;
  const [named, given] = [other, separator].map(separatorName);
  const remedy = `Leave --delimiter out, or say --delimiter ${named}`;
  throw refuse(`the header is split by ${named}, and not by ${given}`, remedy);
}
