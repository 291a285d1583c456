/**
 * Reads a CSV file as rows with the line they begin at: strictly RFC 4180 in UTF-8, in pieces.
 * The header tells how cells are separated. Anything else is refused with its line; nothing else
 * is guessed, since a wrong guess would shift every cell after it.
 */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { CsvError, parse } from "csv-parse";
import type { Effects } from "../../../effects/effects.ts";
import type { Location } from "../../../text/finding.ts";
import { separatorName, separatorOf } from "../../../text/table-head.ts";
import { type Cells, type Column, ROW_MAX_BYTES } from "./csv-columns.ts";
import { isFormula, unguardFormula } from "../../../text/formula.ts";
import { type Header, readHeader, WITH_HEADER, type Wrong } from "./csv-header.ts";
import { SourceError } from "./source.ts";
import { countLines, type Piece, readPieces } from "./text-pieces.ts";

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
export async function readRows(effects: Effects, path: string, reading: Reading): Promise<void> {
  const file = path.split(/[\\/]/).at(-1) ?? path;
  const { delimiter, onSeparator, languageColumns = [], take } = reading;
  const pieces = readPieces(effects, path, file);
  const first = pieces.next().value ?? undefined;
  const separator = delimiter ?? separatorOf(first?.text ?? "");
  if (first !== undefined) checkHead(first.text, file, separator);
  if (delimiter === undefined) onSeparator?.(path, separator);
  const rows = new Rows({ file, languageColumns, take });
  const parser = parse({
    delimiter: separator,
    // One file can have both: spreadsheets end rows with one, and pasted cells hold the other.
    record_delimiter: ["\r\n", "\n"],
    relax_column_count: true,
    // Otherwise each empty line costs an error with its stack, and there may be millions.
    skip_empty_lines: true,
    max_record_size: ROW_MAX_BYTES,
    on_record(record: string[], { empty_lines: skipped }) {
      rows.take(record, skipped);
      return null;
    },
  });
  parser.resume();
  try {
    await pipeline(Readable.from(textOf(first, pieces)), parser);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw refusal(file, rows.lineAfter(parser.info.empty_lines), WRONG[error.code] ?? UNREADABLE);
  }
  rows.end();
}

const WITH_QUOTES =
  "Put quotes around a field with a quote, the delimiter or a line break, and write each quote in it twice";
const CR_ONLY: Wrong = ["the lines end with CR only", "End them with LF or CR LF"];
const UNREADABLE: Wrong = ["the row that begins here is not CSV", WITH_QUOTES];

const WRONG: Readonly<Record<string, Wrong>> = {
  INVALID_OPENING_QUOTE: [
    "the row that begins here has a quote within a field that does not begin with one",
    WITH_QUOTES,
  ],
  CSV_INVALID_CLOSING_QUOTE: ["the row that begins here has text after the quote that closes a field", WITH_QUOTES],
  CSV_QUOTE_NOT_CLOSED: ["the row that begins here has a quote that is not closed", WITH_QUOTES],
  CSV_MAX_RECORD_SIZE: [`the row that begins here is longer than ${ROW_MAX_BYTES >> 20} MiB`, WITH_QUOTES],
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

/**
 * Turns records into rows. It counts lines itself, because the parser counts CR LF within quotes
 * twice.
 */
class Rows {
  readonly #of: RowsOf;
  #header: Header | undefined;
  #line = 1;
  /** Empty lines before this row, which the parser leaves out. */
  #skipped = 0;

  constructor(of: RowsOf) {
    this.#of = of;
  }

  /** The line where the next row begins, after the given number of empty lines. */
  lineAfter(skipped: number): number {
    return this.#line + skipped;
  }

  take(record: readonly string[], skipped: number): void {
    this.#skipped = skipped;
    const line = this.lineAfter(skipped);
    if (this.#header === undefined) {
      this.#header = this.#readHeader(record);
    } else {
      const { names, spelled, tags } = this.#header;
      if (record.length !== names.length) throw this.#refuse(wrongCount(record.length, names.length));
      const cells: Partial<Record<Column, string>> = {};
      names.forEach((name, i) => {
        const cell = record[i] ?? "";
        if (cell !== "" && name !== undefined) cells[name] = unguardFormula(cell);
      });
      const give = (all: Cells, written = "", column: Header["spelled"] = spelled): void =>
        this.#of.take({ file: this.#of.file, line, spelled: column, cells: all, formula: isFormula(written) });
      const wide = tags.filter(([, i]) => (record[i] ?? "") !== "");
      for (const [language, i, column] of wide)
        give({ ...cells, language, expression: unguardFormula(record[i] ?? "") }, record[i], column);
      if (wide.length === 0) give(cells, record[names.indexOf("expression")]);
    }
    // A row ends with one line feed; any others are in its fields.
    this.#line += 1 + record.reduce((count, field) => count + countLines(field), 0);
  }

  end(): void {
    if (this.#header === undefined) throw this.#refuse(["the file is empty", WITH_HEADER]);
  }

  #readHeader(record: readonly string[]): Header {
    if (record.some((name) => name.includes("\r"))) throw this.#refuse(CR_ONLY);
    const header = readHeader(record, this.#of.languageColumns);
    if (Array.isArray(header)) throw this.#refuse(...header);
    return header;
  }

  #refuse(...wrong: readonly Wrong[]): SourceError {
    return refusal(this.#of.file, this.lineAfter(this.#skipped), ...wrong);
  }
}

function wrongCount(count: number, expected: number): Wrong {
  return [
    `the row that begins here has ${count} ${count === 1 ? "field" : "fields"}, and the header has ${expected}`,
    "Give every row the same number, and put quotes around a field with the delimiter",
  ];
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
