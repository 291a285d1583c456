/**
 * Reads delimited text (RFC 4180, with the given delimiter) in pieces, as rows with their own text
 * and the line they begin on. Quotes must follow the RFC exactly; text that is not a row is refused
 * with its line. Empty lines are not rows.
 */

export interface Row {
  /** As it was written, without its line end. */
  readonly text: string;
  readonly cells: readonly string[];
  readonly line: number;
}

/** For text that is not rows; the message names the line. */
export class DelimitedError extends Error {
  override name = "DelimitedError";
}

/**
 * The length of the longest row, in UTF-16 units: a quote that is never closed must not fill the
 * memory.
 */
const ROW_MAX = 1 << 20;

export class DelimitedReader {
  readonly #delimiter: string;
  #rest = "";
  #line = 1;

  /** `delimiter` is one character, but not a quote or line end. */
  constructor(delimiter: string) {
    this.#delimiter = delimiter;
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
    if (this.#rest.length > ROW_MAX) throw this.#refuse("a row is too long, or has a quote that nothing closes");
    return rows;
  }

  /** The last row, if it has no line end. */
  end(): Row[] {
    if (this.#rest === "") return [];
    const rows = this.take("\n");
    if (this.#rest !== "") throw this.#refuse("a quote is never closed");
    return rows;
  }

  /**
   * The end of a row with quotes: the first line end outside of them, or -1 if it is not there yet.
   */
  #endOfQuoted(text: string, start: number): number {
    let isOpen = false;
    for (let at = start; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit === QUOTE) isOpen = !isOpen;
      else if (unit === NEWLINE && !isOpen) return at;
    }
    return -1;
  }

  #add(rows: Row[], text: string, { start, end, isQuoted }: { start: number; end: number; isQuoted: boolean }): void {
    const own = text.slice(start, text.charCodeAt(end - 1) === RETURN && end > start ? end - 1 : end);
    const line = this.#line;
    if (own !== "") rows.push({ text: own, cells: isQuoted ? this.#quotedCells(own) : this.#plainCells(own), line });
    this.#line++;
    if (isQuoted) for (let at = own.indexOf("\n"); at >= 0; at = own.indexOf("\n", at + 1)) this.#line++;
  }

  #plainCells(row: string): string[] {
    this.#checkReturn(row);
    return row.split(this.#delimiter);
  }

  /** A lone carriage return may be meant as a line end; then two rows would be read as one. */
  #checkReturn(unquoted: string): void {
    if (unquoted.includes("\r"))
      throw this.#refuse("a carriage return is neither within quotes nor before a line feed");
  }

  #quotedCells(row: string): string[] {
    const cells: string[] = [];
    for (let at = 0; ; at++) {
      let end: number;
      if (row.charCodeAt(at) === QUOTE) {
        end = closingQuote(row, at);
        if (end < 0) throw this.#refuse("a quote is never closed");
        cells.push(row.slice(at + 1, end).replaceAll('""', '"'));
        end++;
        if (end < row.length && row[end] !== this.#delimiter)
          throw this.#refuse("a field goes on after its closing quote");
      } else {
        const next = row.indexOf(this.#delimiter, at);
        end = next < 0 ? row.length : next;
        const cell = row.slice(at, end);
        if (cell.includes('"')) throw this.#refuse("a quote is within a field that does not begin with one");
        this.#checkReturn(cell);
        cells.push(cell);
      }
      if (end >= row.length) return cells;
      at = end;
    }
  }

  #refuse(what: string): DelimitedError {
    return new DelimitedError(`line ${this.#line}: ${what}`);
  }
}

/** A cell as it is written: in quotes if necessary. */
export function formatCell(text: string, delimiter: string): string {
  return text.includes(delimiter) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
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
