/**
 * Reads a CSV file as rows with the line they begin at: strictly RFC 4180 in UTF-8, in pieces.
 * Anything else is refused with its line; nothing is guessed, since a wrong guess would shift every
 * cell after it.
 */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { CsvError, parse } from "csv-parse";
import { formatLanguageTag } from "../../../runtime/text/language.ts";
import type { Effects } from "../../effects/effects.ts";
import type { Place } from "../../text/finding.ts";
import { quote } from "../../text/printable.ts";
import { type Cells, type Column, COLUMNS, isFormula, ROW_MAX_BYTES, unguardFormula } from "./csv-columns.ts";
import { SourceError } from "./source.ts";
import { countLines, type Piece, readPieces } from "./text-pieces.ts";

export interface CsvRow extends Place {
  /** Where the row begins. */
  readonly line: number;
  readonly cells: Cells;
  /** The columns that the file has. */
  readonly columns: ReadonlySet<Column>;
  /** Whether a spreadsheet would run the expression as it is in the file. */
  readonly formula: boolean;
}

/** How a table differs from the default form. */
export interface TableForm {
  /** Separates the cells; a comma by default. */
  readonly delimiter?: string | undefined;
  /** Columns that hold the expressions of one language each; the tag is the column's name. */
  readonly languageColumns?: readonly string[] | undefined;
}

interface Reading extends TableForm {
  readonly take: (row: CsvRow) => void;
}

/** Passes every row to `take`; throws SourceError if the file does not have the required form. */
export async function readRows(effects: Effects, path: string, reading: Reading): Promise<void> {
  const file = path.split(/[\\/]/).at(-1) ?? path;
  const { delimiter = ",", languageColumns = [], take } = reading;
  const rows = new Rows({ file, languageColumns, take });
  const parser = parse({
    delimiter,
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
    await pipeline(Readable.from(textOf(readPieces(effects, path, file), file, delimiter)), parser);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw refusal(file, rows.lineAfter(parser.info.empty_lines), WRONG[error.code] ?? UNREADABLE);
  }
  rows.end();
}

type Wrong = readonly [what: string, remedy: string];

const WITH_QUOTES =
  "Put quotes around a field with a quote, the delimiter or a line break, and write each quote in it twice";
const OF_LANGUAGE = "Take it out, or call it by its language alone, such as en, and name that by --language-columns";
const OF_WIDE = `${OF_LANGUAGE}; id says which concept a row is about`;
const WITH_HEADER = `Begin it with a line that names its columns, such as sourceId,language,expression, of ${COLUMNS.join(", ")}`;
const OF_LONG = `${OF_LANGUAGE}. ${WITH_HEADER}`;
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

function refusal(file: string, line: number, [what, remedy]: Wrong): SourceError {
  return new SourceError(`${file}:${line}: ${what}. ${remedy}`);
}

interface RowsOf {
  readonly file: string;
  readonly languageColumns: readonly string[];
  readonly take: (row: CsvRow) => void;
}

interface Header {
  /** By position; undefined for a language column. */
  readonly names: readonly (Column | undefined)[];
  readonly columns: ReadonlySet<Column>;
  /** The language columns, with their positions. */
  readonly tags: readonly (readonly [tag: string, at: number])[];
}

/** Columns that language columns replace. */
const NOT_WIDE: readonly Column[] = ["entry", "language", "locale", "expression"];

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
      const { names, columns, tags } = this.#header;
      if (record.length !== names.length) throw this.#refuse(wrongCount(record.length, names.length));
      const cells: Partial<Record<Column, string>> = {};
      names.forEach((name, i) => {
        const cell = record[i] ?? "";
        if (cell !== "" && name !== undefined) cells[name] = unguardFormula(cell);
      });
      const give = (all: Cells, written = ""): void =>
        this.#of.take({ file: this.#of.file, line, columns, cells: all, formula: isFormula(written) });
      const wide = tags.map(([language, i]) => [language, record[i] ?? ""] as const).filter(([, cell]) => cell !== "");
      for (const [language, cell] of wide) give({ ...cells, language, expression: unguardFormula(cell) }, cell);
      if (wide.length === 0) give(cells, record[names.indexOf("expression")]);
    }
    // A row ends with one line feed; any others are in its fields.
    this.#line += 1 + record.reduce((count, field) => count + countLines(field), 0);
  }

  end(): void {
    if (this.#header === undefined) throw this.#refuse(["the file is empty", WITH_HEADER]);
  }

  #readHeader(record: readonly string[]): Header {
    const isWide = this.#of.languageColumns.length > 0;
    const tags = this.#of.languageColumns.map((tag): Header["tags"][number] => {
      const alike = [...record.keys()].filter((i) => record[i]?.toLowerCase() === tag.toLowerCase());
      const same = alike.filter((i) => record[i] === tag);
      const [at, again] = same.length > 0 ? same : alike;
      if (at === undefined) {
        const others = `there is no column ${tag}, only ${record.map(quote).join(", ")}`;
        throw this.#refuse([others, "Name those of the file by --language-columns"]);
      }
      if (again !== undefined) {
        const remedy = "Keep one of them; more rows of the same id hold the rest";
        throw this.#refuse([`there are two columns ${tag}`, remedy]);
      }
      return [formatLanguageTag(tag), at];
    });
    const names = record.map((name, i) => {
      if (tags.some(([, at]) => at === i)) return undefined;
      // Wide tables use `id` for what registries call sourceId.
      const column = COLUMNS.find((known) => known === (isWide && name === "id" ? "sourceId" : name));
      if (column !== undefined && !(isWide && NOT_WIDE.includes(column))) return column;
      if (name.includes("\r")) throw this.#refuse(CR_ONLY);
      throw this.#refuse(name === "" ? [`column ${i + 1} has no name`, UNNAMED] : wrongColumn(name, isWide));
    });
    const twice = names.find((name, i) => name !== undefined && names.indexOf(name) < i);
    if (twice !== undefined) throw this.#refuse([`there are two columns ${twice}`, "Keep one of them"]);
    if (!names.includes("code") && !names.includes("sourceId"))
      throw this.#refuse([
        "there is no column that says which concept a row is about",
        isWide ? "Add id or code" : "Add code or sourceId",
      ]);
    if (!isWide && !names.includes("expression") && !names.includes("entry"))
      throw this.#refuse(["there is no column expression", WITH_HEADER]);
    return { names, columns: new Set(names.filter((name) => name !== undefined)), tags };
  }

  #refuse(wrong: Wrong): SourceError {
    return refusal(this.#of.file, this.lineAfter(this.#skipped), wrong);
  }
}

const ID_OF_LONG = "sourceId, or name the columns that hold one language each by --language-columns";
const UNNAMED = "Take it out, or give it one";

function wrongColumn(name: string, isWide: boolean): Wrong {
  const written = name.trim().toLowerCase();
  const own = isWide ? COLUMNS.filter((known) => !NOT_WIDE.includes(known)) : COLUMNS;
  const same = [...own, "id"].find((known) => known.toLowerCase() === written);
  const meant = same === "id" && !isWide ? ID_OF_LONG : same;
  return [`${quote(name)} is not a column`, meant === undefined ? (isWide ? OF_WIDE : OF_LONG) : `Call it ${meant}`];
}

function wrongCount(count: number, expected: number): Wrong {
  return [
    `the row that begins here has ${count} ${count === 1 ? "field" : "fields"}, and the header has ${expected}`,
    "Give every row the same number, and put quotes around a field with the delimiter",
  ];
}

function* textOf(pieces: Iterable<Piece>, file: string, delimiter: string): Generator<string, void> {
  let isFirst = true;
  for (const { text } of pieces) {
    if (isFirst) checkDelimiter(text, file, delimiter);
    isFirst = false;
    yield text;
  }
}

/** A header without the delimiter has one column, or uses another delimiter. */
function checkDelimiter(text: string, file: string, delimiter: string): void {
  const header = text.slice(0, 1000).split("\n", 1)[0] ?? "";
  // A line that only Excel understands, or a comment.
  if (/^(?:sep=|#)/i.test(header)) throw refusal(file, 1, ["the first line does not name columns", "Take it out"]);
  if (/\r./s.test(header)) throw refusal(file, 1, CR_ONLY);
  const [other] = header.includes(delimiter) ? [] : (/[;\t|,]/.exec(header) ?? []);
  if (other === undefined) return;
  const named = other === "\t" ? "tab" : quote(other);
  const remedy = other === "|" ? "Save it with commas" : `Say so by --delimiter ${named}`;
  throw refusal(file, 1, [`the header is split by ${quote(other)}, and not by ${quote(delimiter)}`, remedy]);
}
