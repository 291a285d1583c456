/**
 * Reads a CSV file as rows of a registry with the line they begin at, in pieces. The header tells
 * how cells are separated. A file of another form is refused with its line.
 */
import type { Effects } from "../../../effects/effects.ts";
import { DelimitedError, readRows, type Row, type Wrong } from "../../../text/delimited.ts";
import type { Location } from "../../../text/finding.ts";
import { separatorName, separatorOf } from "../../../text/table-head.ts";
import type { Cells, Column } from "./csv-columns.ts";
import { isFormula, unguardFormula } from "../../../text/formula.ts";
import { type Header, readHeader, WITH_HEADER } from "./csv-header.ts";
import { SourceError } from "./source.ts";
import { type Piece, readPieces } from "./text-pieces.ts";

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

interface RowOptions extends TableForm {
  readonly take: (row: CsvRow) => void;
}

/** Passes every row to `take`; throws SourceError if the file does not have the required form. */
export async function readCsvRows(effects: Effects, path: string, reading: RowOptions): Promise<void> {
  const file = path.split(/[\\/]/).at(-1) ?? path;
  const { delimiter, onSeparator, languageColumns = [], take } = reading;
  const pieces = readPieces(effects, path, file);
  const first = pieces.next().value ?? undefined;
  const separator = delimiter ?? separatorOf(first?.text ?? "");
  if (first !== undefined) checkHead(first.text, file, separator);
  if (delimiter === undefined) onSeparator?.(path, separator);
  let header: Header | undefined;
  try {
    for await (const rows of readRows(textOf(first, pieces), separator))
      for (const row of rows)
        if (header === undefined) header = headerOf(row, file, languageColumns);
        else for (const one of rowsOf(row, file, header)) take(one);
  } catch (error) {
    throw error instanceof DelimitedError ? refusal(file, error.line, error.wrong) : error;
  }
  if (header === undefined) throw refusal(file, 1, ["the file is empty", WITH_HEADER]);
}

const CR_ONLY: Wrong = ["the lines end with CR only", "End them with LF or CR LF"];

function refusal(file: string, line: number, ...wrong: readonly Wrong[]): SourceError {
  const remedies = new Set(wrong.map(([, remedy]) => remedy));
  return new SourceError(`${file}:${line}: ${wrong.map(([what]) => what).join("; ")}. ${[...remedies].join(". ")}`);
}

function headerOf({ cells, line }: Row, file: string, languageColumns: readonly string[]): Header {
  if (cells.some((name) => name.includes("\r"))) throw refusal(file, line, CR_ONLY);
  const header = readHeader(cells, languageColumns);
  if (Array.isArray(header)) throw refusal(file, line, ...header);
  return header;
}

/** A row of the registry, or one for each language column that is not empty. */
function rowsOf({ cells: written, line }: Row, file: string, { names, spelled, tags }: Header): CsvRow[] {
  const cells: Partial<Record<Column, string>> = {};
  names.forEach((name, i) => {
    const cell = written[i] ?? "";
    if (cell !== "" && name !== undefined) cells[name] = unguardFormula(cell);
  });
  const wide = tags.flatMap(([language, i, column]) => {
    const cell = written[i] ?? "";
    const all = { ...cells, language, expression: unguardFormula(cell) };
    return cell === "" ? [] : [{ file, line, spelled: column, cells: all, formula: isFormula(cell) }];
  });
  if (wide.length > 0) return wide;
  return [{ file, line, spelled, cells, formula: isFormula(written[names.indexOf("expression")] ?? "") }];
}

function* textOf(first: Piece | undefined, others: Iterable<Piece>): Generator<string, void> {
  if (first !== undefined) yield first.text;
  for (const { text } of others) yield text;
}

/** A header without the separator has one column, or uses another separator. */
function checkHead(text: string, file: string, separator: string): void {
  const header = text.slice(0, 1000).split("\n", 1)[0] ?? "";
  // A line that only Excel understands, or a comment.
  if (/^(?:sep=|#)/i.test(header)) throw refusal(file, 1, ["the first line does not name columns", "Take it out"]);
  if (/\r./s.test(header)) throw refusal(file, 1, CR_ONLY);
  const other = separatorOf(header);
  if (header.includes(separator) || !header.includes(other)) return;
  const [named, given] = [other, separator].map(separatorName);
  const remedy = `Leave --delimiter out, or say --delimiter ${named}`;
  throw refusal(file, 1, [`the header is split by ${named}, and not by ${given}`, remedy]);
}
