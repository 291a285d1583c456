/**
 * Reads and writes delimited text: RFC 4180 with any delimiter, by csv-parse and csv-stringify. A
 * text that breaks a rule of quotes, or has a row that is not as long as the first one, is refused
 * with the line on which that row begins. Nothing is guessed, since a wrong guess would shift every
 * cell after it. Empty lines are not rows.
 */
import { CsvError, parse, type Parser } from "csv-parse";
import { stringify } from "csv-stringify/sync";
import { countLines } from "./lines.ts";

export interface Row {
  readonly cells: readonly string[];
  /** Where it begins, from 1. */
  readonly line: number;
  /** As it is written, without its line end. */
  readonly text: string;
}

/** What is wrong, and what to do. */
export type Wrong = readonly [what: string, remedy: string];

/** For text that is not a table. */
export class DelimitedError extends Error {
  override name = "DelimitedError";
  readonly line: number;
  readonly wrong: Wrong;

  constructor(line: number, wrong: Wrong) {
    super(`line ${line}: ${wrong.join(". ")}`);
    this.line = line;
    this.wrong = wrong;
  }
}

/**
 * A longer row is neither read nor written: a quote that is not closed would make one row of the
 * rest of the file.
 */
export const ROW_MAX_BYTES = 1 << 24;

const WITH_QUOTES =
  "Put quotes around a field with a quote, the delimiter or a line break, and write each quote in it twice";
const WITH_SAME_NUMBER = "Give every row the same number, and put quotes around a field with the delimiter";
const WRONG: Readonly<Record<string, string>> = {
  INVALID_OPENING_QUOTE: "has a quote within a field that does not begin with one",
  CSV_INVALID_CLOSING_QUOTE: "has text after the quote that closes a field",
  CSV_QUOTE_NOT_CLOSED: "has a quote that is not closed",
  CSV_MAX_RECORD_SIZE: `is longer than ${ROW_MAX_BYTES >> 20} MiB`,
};

/**
 * Yields the rows that each piece of a text completes. Throws DelimitedError, after all rows before
 * the fault. `delimiter` is one character, but not a quote or line end.
 */
export async function* readRows(
  pieces: AsyncIterable<string> | Iterable<string>,
  delimiter: string,
): AsyncGenerator<readonly Row[], void> {
  const reader = new Reader(delimiter);
  for await (const piece of pieces) yield* reader.take(piece);
  yield* reader.end();
}

/** A row as the parser gives it. */
interface Parsed {
  readonly record: readonly string[];
  /** Its text, after one unit for each empty line before it, and with one of its line end. */
  readonly raw: string;
}

/** A stream would wait when 16 rows are not read; those of a piece are read together. */
const UNLIMITED = { readableHighWaterMark: Number.MAX_SAFE_INTEGER };

type Done = (error?: Error | null) => void;

class Reader {
  readonly #parser: Parser;
  /** Where the next row or an empty line begins. */
  #line = 1;
  /** How many empty lines are before that. */
  #empty = 0;
  /** The number of fields of the first row. */
  #width: number | undefined;

  constructor(delimiter: string) {
    this.#parser = parse({
      delimiter,
      // One file can have both: spreadsheets end rows with one, and pasted cells hold the other.
      record_delimiter: ["\r\n", "\n"],
      relax_column_count: true,
      // Otherwise each empty line costs an error with its stack, and there may be millions.
      skip_empty_lines: true,
      max_record_size: ROW_MAX_BYTES,
      raw: true,
      ...UNLIMITED,
    });
    // It is thrown where the text was written.
    this.#parser.on("error", () => undefined);
  }

  take(piece: string): AsyncGenerator<readonly Row[], void> {
    return this.#completed((done) => this.#parser.write(piece, done));
  }

  end(): AsyncGenerator<readonly Row[], void> {
    return this.#completed((done) => this.#parser.end(done));
  }

  async *#completed(write: (done: Done) => void): AsyncGenerator<readonly Row[], void> {
    const [parsed, error] = await this.#parsed(write);
    const rows: Row[] = [];
    let fault: DelimitedError | undefined;
    for (const one of parsed) {
      const row = this.#rowOf(one);
      fault = this.#faultOf(row);
      if (fault !== undefined) break;
      rows.push(row);
    }
    yield rows;
    if (fault ?? error) throw fault ?? this.#named(error);
  }

  /** What a write completes: after an error, rows can be read in its callback, and not later. */
  #parsed(write: (done: Done) => void): Promise<readonly [Parsed[], Error | null | undefined]> {
    return new Promise((resolve) =>
      write((error) => {
        const parsed: Parsed[] = [];
        for (let one = this.#read(); one !== null; one = this.#read()) parsed.push(one);
        resolve([parsed, error]);
      }),
    );
  }

  #read(): Parsed | null {
    return this.#parser.read() as Parsed | null;
  }

  #rowOf({ record: cells, raw }: Parsed): Row {
    const text = raw.replace(/[\r\n]$/, "");
    const empty = emptyLinesIn(text, cells[0]);
    const line = this.#line + empty;
    this.#empty += empty;
    // A row ends with one line feed; any others are in its fields. The parser's own count has CR LF
    // in quotes twice.
    this.#line = line + 1 + cells.reduce((count, cell) => count + countLines(cell), 0);
    return { cells, line, text: text.slice(empty) };
  }

  #faultOf({ cells: { length }, line }: Row): DelimitedError | undefined {
    this.#width ??= length;
    if (length === this.#width) return undefined;
    const what = `${length} ${length === 1 ? "field" : "fields"}, and the header has ${this.#width}`;
    return new DelimitedError(line, [`the row that begins here has ${what}`, WITH_SAME_NUMBER]);
  }

  #named(error: Error | null | undefined): unknown {
    if (!(error instanceof CsvError)) return error;
    const line = this.#line + this.#parser.info.empty_lines - this.#empty;
    return new DelimitedError(line, [`the row that begins here ${WRONG[error.code] ?? "is not CSV"}`, WITH_QUOTES]);
  }
}

/** A row begins with a quote, or with its first field, which may begin with a carriage return. */
function emptyLinesIn(text: string, first = ""): number {
  const [ends = ""] = /^[\r\n]*/.exec(text) ?? [];
  const [own = ""] = text[ends.length] === '"' ? [] : (/^\r*/.exec(first) ?? []);
  return ends.length - own.length;
}

/** Quotes keep a line break from ending the row, and some readers from trimming spaces. */
export function formatRows(
  rows: readonly (readonly (string | undefined)[])[],
  { delimiter = ",", lineEnd = "\r\n" }: { readonly delimiter?: string; readonly lineEnd?: "\n" | "\r\n" } = {},
): string {
  return stringify([...rows], { delimiter, record_delimiter: lineEnd, quoted_match: /^\s|[\r\n]|\s$/u });
}
