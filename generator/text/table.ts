/**
 * Reads a table as UTF-8 in pieces: its header tells how cells are separated, unless the caller
 * knows. What is not a table is refused with its line. It does not know what columns mean.
 */
import { DelimitedError, readRows, type Row, type Wrong } from "./delimited.ts";
import { countLines } from "./lines.ts";
import { separatorOf } from "./table-head.ts";

/** A text that goes on after its header. */
const HEADER = /[^\s]\s*\n/;
/** A header longer than this is not one. */
const HEADER_MAX = 1 << 16;

export class TableReader {
  readonly #given: string | undefined;
  #delimiter: string;

  /** `delimiter` is left out if the header is to tell it. */
  constructor(delimiter?: string) {
    this.#given = delimiter;
    this.#delimiter = delimiter ?? ",";
  }

  /** The separator of the cells, once the header has told it. */
  get delimiter(): string {
    return this.#delimiter;
  }

  /**
   * Yields the rows that each piece completes; the first of all is the header. Throws
   * DelimitedError, after the rows before the fault, if the text is not a table.
   */
  async *rows(table: AsyncIterable<Uint8Array>): AsyncGenerator<readonly Row[], void> {
    const texts = strictText(table);
    let begun = "";
    while (begun.length < HEADER_MAX && !HEADER.test(begun)) {
      const { value, done } = await texts.next();
      if (done === true) break;
      begun += value;
    }
    this.#delimiter = this.#given ?? separatorOf(begun);
    let hasHeader = false;
    for await (const rows of readRows(joined(begun, texts), this.#delimiter)) {
      const bare = rows.findIndex(hasBareReturn);
      yield bare < 0 ? rows : rows.slice(0, bare);
      if (bare >= 0) throw new DelimitedError(rows[bare]?.line ?? 0, BARE_RETURN);
      hasHeader ||= rows.length > 0;
    }
    if (!hasHeader)
      throw new DelimitedError(1, ["there is no line with the names of the columns", "Write them into the first line"]);
  }
}

const BARE_RETURN: Wrong = [
  "the row that begins here has a carriage return neither within quotes nor before a line feed",
  "End lines with LF or CR LF",
];

/**
 * A lone carriage return may be meant as a line end; then two rows would be read as one. In quotes
 * it is text.
 */
function hasBareReturn({ cells, text }: Row): boolean {
  return cells.some((cell) => cell.includes("\r")) && text.replaceAll(/"[^"]*"/g, "").includes("\r");
}

/** The text in UTF-8, with a line end after the last row. Throws DelimitedError. */
export async function* strictText(table: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const strict = new TextDecoder("utf-8", { fatal: true });
  let line = 1;
  const decode = (piece: Uint8Array, stream: boolean): string => {
    try {
      return strict.decode(piece, { stream });
    } catch {
      throw new DelimitedError(line + linesBefore(piece), ["the text is not UTF-8", "Save it as UTF-8"]);
    }
  };
  for await (const piece of table) {
    const text = decode(piece, true);
    line += countLines(text);
    yield text;
  }
  yield `${decode(new Uint8Array(), false)}\n`;
}

async function* joined(first: string, others: AsyncIterable<string>): AsyncGenerator<string, void> {
  yield first;
  yield* others;
}

/**
 * Returns how many lines of the piece end before the first invalid UTF-8. The character may begin
 * in the previous piece.
 */
function linesBefore(piece: Uint8Array): number {
  const strict = new TextDecoder("utf-8", { fatal: true });
  const begin = piece.findIndex((byte, i) => i === 3 || (byte & 0xc0) !== 0x80);
  let at = Math.max(0, begin);
  let lines = 0;
  try {
    for (let end = piece.indexOf(NEWLINE, at); end >= 0; end = piece.indexOf(NEWLINE, at)) {
      strict.decode(piece.subarray(at, (at = end + 1)), { stream: true });
      lines++;
    }
    strict.decode(piece.subarray(at), { stream: true });
    return 0;
  } catch {
    return lines;
  }
}

const NEWLINE = 0x0a;
