/**
 * Resolves many rows of a table offline and adds the answer to each, in pieces, so that memory does
 * not grow with the rows. Each row is checked and resolved exactly as a request of its own, by the
 * same check and the one resolver.
 */
import { type ResolvedConcept } from "../../../runtime/contract/concept.ts";
import { checkRequest } from "../../../runtime/registry/answer.ts";
import type { RegistryIndex } from "../../../runtime/registry/index.ts";
import { resolve } from "../../../runtime/registry/resolver.ts";
import { DelimitedError, formatRows, readRows, type Row, type Wrong } from "../../text/delimited.ts";
import { countLines } from "../../text/lines.ts";
import { quote } from "../../text/printable.ts";
import { columnsNamed, separatorOf } from "../../text/table-head.ts";
import { guardFormula } from "../../text/formula.ts";

export interface BatchSettings {
  readonly column: string;
  /** The column with the language of each row; an empty cell names none. */
  readonly languageColumn: string | undefined;
  /** The language of every row, if no column has it. */
  readonly language: string | undefined;
  /** Left out: the header tells. */
  readonly delimiter: string | undefined;
  readonly format: "csv" | "ndjson";
}

interface BatchCounts {
  rows: number;
  resolved: number;
  abstained: number;
  /** Rows that are not valid requests, such as an empty expression or an invalid language. */
  refused: number;
}

/** The answer to a row; a text that does not apply is empty. */
interface Answer {
  readonly status: "resolved" | "abstained" | "refused";
  readonly code: string;
  readonly name: string;
  readonly reason: string;
}

/** An answer, and the end of its line as written; many lines share one. */
interface Answered {
  readonly status: Answer["status"];
  readonly tail: string;
}

/** Positions of the columns; -1 if there is no language column. */
interface Columns {
  readonly expression: number;
  readonly language: number;
}

/** A text that goes on after its header. */
const HEADER = /[^\s]\s*\n/;
/** A header longer than this is not one. */
const HEADER_MAX = 1 << 16;
const NAME_COLUMNS = "Name the columns with --column and --language-column, or rename them in the table";
const ADDED = ["status", "code", "name", "registryVersion", "reason"] as const;

export class Batch {
  readonly counts: BatchCounts = { rows: 0, resolved: 0, abstained: 0, refused: 0 };
  readonly #index: RegistryIndex;
  readonly #settings: BatchSettings;
  #delimiter: string;
  /** By concept: the registry has a limited number of them. */
  readonly #resolved = new Map<number, Answered>();
  readonly #others = new Map<string, Answered>();
  #columns: Columns | undefined;

  constructor(index: RegistryIndex, settings: BatchSettings) {
    this.#index = index;
    this.#settings = settings;
    this.#delimiter = settings.delimiter ?? ",";
  }

  /** The separator of the cells, once the header has told it. */
  get delimiter(): string {
    return this.#delimiter;
  }

  /**
   * Yields the answers to the rows that each piece of the table completes. Throws DelimitedError,
   * after the answers before the fault, if the text is not a table.
   */
  async *answers(table: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
    const texts = decoded(table);
    let begun = "";
    while (begun.length < HEADER_MAX && !HEADER.test(begun)) {
      const { value, done } = await texts.next();
      if (done === true) break;
      begun += value;
    }
    this.#delimiter = this.#settings.delimiter ?? separatorOf(begun);
    for await (const rows of readRows(joined(begun, texts), this.#delimiter)) yield this.#answer(rows);
    if (this.#columns === undefined)
      throw new DelimitedError(1, ["there is no line with the names of the columns", "Write them into the first line"]);
  }

  #answer(rows: readonly Row[]): string {
    let text = "";
    for (const row of rows) {
      if (hasBareReturn(row)) throw new DelimitedError(row.line, BARE_RETURN);
      text += this.#columns === undefined ? this.#head(row) : this.#line(row, this.#columns);
    }
    return text;
  }

  #head({ text, cells, line }: Row): string {
    const { column, languageColumn, format } = this.#settings;
    const wrong: string[] = [];
    const place = (name: string): number => {
      const [at, again] = columnsNamed(cells, name);
      if (at === undefined) wrong.push(`there is no column ${quote(name)}, only ${cells.map(quote).join(", ")}`);
      if (again !== undefined) wrong.push(`there are several columns ${quote(name)}`);
      return at ?? -1;
    };
    const language = languageColumn === undefined ? -1 : place(languageColumn);
    this.#columns = { expression: place(column), language };
    const taken = format === "ndjson" ? [] : ADDED.filter((name) => cells.includes(name));
    for (const name of taken) wrong.push(`the answer has a column ${quote(name)} too`);
    if (wrong.length > 0) throw new DelimitedError(line, [wrong.join("; "), NAME_COLUMNS]);
    return format === "ndjson" ? "" : `${text}${this.#delimiter}${ADDED.join(this.#delimiter)}\n`;
  }

  #line({ text, cells, line }: Row, { expression: at, language: languageAt }: Columns): string {
    const expression = cells[at] ?? "";
    const language = (languageAt < 0 ? this.#settings.language : cells[languageAt]) || undefined;
    const { status, tail } = this.#ask(expression, language);
    this.counts.rows++;
    this.counts[status]++;
    if (this.#settings.format === "csv") return text + tail;
    const tag = language === undefined ? "null" : JSON.stringify(language);
    return `{"line":${line},"expression":${JSON.stringify(expression)},"language":${tag},${tail}`;
  }

  #ask(expression: string, language: string | undefined): Answered {
    const request = checkRequest(language === undefined ? { expression } : { expression, language });
    if ("status" in request) return this.#other({ status: "refused", code: "", name: "", reason: request.code });
    const resolution = resolve(this.#index, expression, language);
    if (resolution.status === "abstained")
      return this.#other({ status: "abstained", code: "", name: "", reason: resolution.reason });
    const known = this.#resolved.get(resolution.conceptId);
    if (known !== undefined) return known;
    const json = decoder.decode(this.#index.read(this.#index.concept(resolution.conceptId).resolved));
    const { code, name } = JSON.parse(json) as ResolvedConcept;
    const answer = this.#withTail({ status: "resolved", code, name, reason: "" });
    this.#resolved.set(resolution.conceptId, answer);
    return answer;
  }

  /** There are only a few reasons. */
  #other(answer: Answer): Answered {
    const known = this.#others.get(answer.reason) ?? this.#withTail(answer);
    this.#others.set(answer.reason, known);
    return known;
  }

  #withTail({ status, code, name, reason }: Answer): Answered {
    const { format } = this.#settings;
    const delimiter = this.#delimiter;
    const { registryVersion } = this.#index.meta;
    if (format === "ndjson") {
      const members = { status, code: code || null, name: name || null, registryVersion, reason: reason || null };
      return { status, tail: `${JSON.stringify(members).slice(1)}\n` };
    }
    // The empty cell stands for those of the table.
    const cells = ["", status, code, guardFormula(name), registryVersion, reason];
    return { status, tail: formatRows([cells], { delimiter, lineEnd: "\n" }) };
  }
}

const decoder = new TextDecoder();

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

/** The text of a table, with a line end after the last row. */
async function* decoded(table: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
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
