/**
 * Reads delimited text (RFC 4180, with the given delimiter) in pieces, as rows with their own text
 * and the line they begin on. Quotes must follow the RFC exactly; text that is not a row is refused
 * with its line. Empty lines are not rows. Cells are views of the piece (detached.ts).
 */

export interface Row {
  /** As it was written, without its line end. */
  readonly text: string;
  readonly cells: readonly string[];
  readonly line: number;
}

/** What a row may break. */
const RULES = {
  long: "a row is too long, or has a quote that nothing closes",
  open: "a quote is never closed",
  after: "a field goes on after its closing quote",
  stray: "a quote is within a field that does not begin with one",
  // It may be meant as a line end; then two rows would be read as one.
  return: "a carriage return is neither within quotes nor before a line feed",
} as const;
export type Rule = keyof typeof RULES;

/** For text that is not a table; the message names the line. */
export class DelimitedError extends Error {
  override name = "DelimitedError";
  readonly #row: WrongRow | undefined;

  constructor(message: string, row?: WrongRow) {
    super(message);
    this.#row = row;
  }

  /** Where the row begins that is not one, and what it breaks. */
  get row(): WrongRow | undefined {
    return this.#row;
  }
}

interface WrongRow {
  readonly line: number;
  readonly rule: Rule;
}

function refusal(row: WrongRow): DelimitedError {
  return new DelimitedError(`line ${row.line}: ${RULES[row.rule]}`, row);
}

/**
 * The length of the longest row, in UTF-16 units: a quote that is never closed must not fill the
 * memory.
 */
const ROW_MAX = 1 << 20;

export class DelimitedReader {
  readonly #delimiter: string;
  readonly #rowMax: number;
  #rest = "";
  #line = 1;
  /** How much of a row with quotes was searched for its end, and whether it ended in quotes. */
  #searched = { length: 0, isOpen: false };

  /** `delimiter` is one character, but not a quote or line end. */
  constructor(delimiter: string, rowMax = ROW_MAX) {
    this.#delimiter = delimiter;
    this.#rowMax = rowMax;
  }

  /** The number of the line that the next piece begins in. */
  get line(): number {
    return this.#line + this.#rest.split("\n").length - 1;
  }

  /** The rows that this piece completes. */
  take(piece: string): Row[] {
    const text = this.#rest + piece;
    const rows: Row[] = [];
    let start = 0;
    let quote = text.indexOf('"');
    for (;;) {
      const newline = text.indexOf("\n", start);
      if (newline < 0) break;
      if (quote >= 0 && quote < start) quote = text.indexOf('"', start);
      const end = quote >= 0 && quote < newline ? this.#endOfQuoted(text, start) : newline;
      if (end < 0) break;
      this.#add(rows, text, { start, end, isQuoted: end !== newline || (quote >= 0 && quote < end) });
      start = end + 1;
    }
    this.#rest = text.slice(start);
    if (this.#rest.length > this.#rowMax) throw this.#endless("long");
    return rows;
  }

  /** The last row, if it has no line end. */
  end(): Row[] {
    if (this.#rest === "") return [];
    const rows = this.take("\n");
    if (this.#rest !== "") throw this.#endless("open");
    return rows;
  }

  /**
   * The end of a row with quotes: the first line end outside of them, or -1 if it is not there yet.
   */
  #endOfQuoted(text: string, start: number): number {
    let { length, isOpen } = this.#searched;
    this.#searched = { length: 0, isOpen: false };
    for (let at = start + length; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit === QUOTE) isOpen = !isOpen;
      else if (unit === NEWLINE && !isOpen) return at;
    }
    length = text.length - start;
    this.#searched = { length, isOpen };
    return -1;
  }

  #add(rows: Row[], text: string, { start, end, isQuoted }: { start: number; end: number; isQuoted: boolean }): void {
    const own = text.slice(start, text.charCodeAt(end - 1) === RETURN && end > start ? end - 1 : end);
    const line = this.#line;
    if (own !== "") {
      const cells = isQuoted ? quotedCells(own, this.#delimiter) : plainCells(own, this.#delimiter);
      if (typeof cells === "string") throw refusal({ line, rule: cells });
      rows.push({ text: own, cells, line });
    }
    this.#line = line + 1;
    if (isQuoted) for (let at = own.indexOf("\n"); at >= 0; at = own.indexOf("\n", at + 1)) this.#line++;
  }

  /** Why the row that has begun does not end: a quote where none may be, or else the given rule. */
  #endless(otherwise: Rule): DelimitedError {
    const found = quotedCells(this.#rest, this.#delimiter);
    return refusal({ line: this.#line, rule: found === "stray" || found === "after" ? found : otherwise });
  }
}

function plainCells(row: string, delimiter: string): readonly string[] | Rule {
  return row.includes("\r") ? "return" : row.split(delimiter);
}

function quotedCells(row: string, delimiter: string): readonly string[] | Rule {
  const cells: string[] = [];
  for (let at = 0; ; at++) {
    let end: number;
    if (row.charCodeAt(at) === QUOTE) {
      end = closingQuote(row, at);
      if (end < 0) return "open";
      cells.push(row.slice(at + 1, end).replaceAll('""', '"'));
      end++;
      if (end < row.length && row[end] !== delimiter) return "after";
    } else {
      const next = row.indexOf(delimiter, at);
      end = next < 0 ? row.length : next;
      const cell = row.slice(at, end);
      if (cell.includes('"')) return "stray";
      if (cell.includes("\r")) return "return";
      cells.push(cell);
    }
    if (end >= row.length) return cells;
    at = end;
  }
}

/**
 * A cell as it is written: in quotes if necessary, also around spaces at its ends, which some
 * readers trim.
 */
export function formatCell(text: string, delimiter: string): string {
  return text.includes(delimiter) || /["\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const QUOTE = 0x22;
const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** Finds the quote that closes the one at `at`; a pair of quotes is one quote of the text. */
function closingQuote(row: string, at: number): number {
  for (let end = row.indexOf('"', at + 1); end >= 0; end = row.indexOf('"', end + 2)) {
    if (row.charCodeAt(end + 1) !== QUOTE) return end;
  }
  return -1;
}
