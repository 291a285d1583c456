/**
 * Resolves many rows of a table offline and adds the answer to each, in pieces, so that memory does
 * not grow with the rows. Each row is checked and resolved exactly as a request of its own, by the
 * same check and the one resolver.
 */
import { type ResolvedConcept } from "../../../runtime/contract/concept.ts";
import { checkRequest } from "../../../runtime/registry/answer.ts";
import type { RegistryIndex } from "../../../runtime/registry/index.ts";
import { resolve } from "../../../runtime/registry/resolver.ts";
import { DelimitedError, DelimitedReader, formatCell, type Row } from "../../text/delimited.ts";
import { quote } from "../../text/printable.ts";
import { guardFormula } from "./csv-columns.ts";

export interface BatchSettings {
  readonly column: string;
  /** The column with the language of each row; an empty cell names none. */
  readonly languageColumn: string | undefined;
  /** The language of every row, if no column has it. */
  readonly language: string | undefined;
  readonly delimiter: string;
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
  readonly count: number;
  /** The line of the header. */
  readonly line: number;
}

const ADDED = ["status", "code", "name", "registryVersion", "reason"] as const;

export class Batch {
  readonly counts: BatchCounts = { rows: 0, resolved: 0, abstained: 0, refused: 0 };
  readonly #index: RegistryIndex;
  readonly #settings: BatchSettings;
  readonly #reader: DelimitedReader;
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });
  /** By concept: the registry has a limited number of them. */
  readonly #resolved = new Map<number, Answered>();
  readonly #others = new Map<string, Answered>();
  #columns: Columns | undefined;

  constructor(index: RegistryIndex, settings: BatchSettings) {
    this.#index = index;
    this.#settings = settings;
    this.#reader = new DelimitedReader(settings.delimiter);
  }

  /**
   * Returns the answers to the rows that this piece completes. Throws DelimitedError if the text is
   * not a table.
   */
  take(piece: Uint8Array): string {
    return this.#answer(this.#reader.take(this.#decode(piece)));
  }

  /** Returns the answer to a last row without a line end. */
  end(): string {
    const text = this.#answer([...this.#reader.take(this.#decode(undefined)), ...this.#reader.end()]);
    if (this.#columns === undefined) throw new DelimitedError("line 1: there is no line with the names of the columns");
    return text;
  }

  #decode(piece: Uint8Array | undefined): string {
    try {
      return piece === undefined ? this.#decoder.decode() : this.#decoder.decode(piece, { stream: true });
    } catch {
      const line = this.#reader.line + linesBefore(piece ?? new Uint8Array());
      throw new DelimitedError(`line ${line}: the text is not UTF-8`);
    }
  }

  #answer(rows: readonly Row[]): string {
    let text = "";
    for (const row of rows) text += this.#columns === undefined ? this.#head(row) : this.#line(row, this.#columns);
    return text;
  }

  #head({ text, cells, line }: Row): string {
    const { column, languageColumn, delimiter, format } = this.#settings;
    const place = (name: string): number => {
      const at = cells.indexOf(name);
      if (at >= 0 && at === cells.lastIndexOf(name)) return at;
      const others = `there is no column ${quote(name)}, only ${cells.map(quote).join(", ")}`;
      throw new DelimitedError(`line ${line}: ${at < 0 ? others : `there are several columns ${quote(name)}`}`);
    };
    const language = languageColumn === undefined ? -1 : place(languageColumn);
    this.#columns = { expression: place(column), language, count: cells.length, line };
    if (format === "ndjson") return "";
    const taken = ADDED.find((name) => cells.includes(name));
    if (taken !== undefined)
      throw new DelimitedError(`line ${line}: the answer has a column ${quote(taken)} too: rename it`);
    return `${text}${delimiter}${ADDED.join(delimiter)}\n`;
  }

  #line({ text, cells, line }: Row, { expression: at, language: languageAt, ...head }: Columns): string {
    if (cells.length !== head.count)
      throw new DelimitedError(`line ${line}: ${cells.length} fields, and line ${head.line} has ${head.count}`);
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
    const { delimiter, format } = this.#settings;
    const { registryVersion } = this.#index.meta;
    if (format === "ndjson") {
      const members = { status, code: code || null, name: name || null, registryVersion, reason: reason || null };
      return { status, tail: `${JSON.stringify(members).slice(1)}\n` };
    }
    const cells = [status, code, guardFormula(name), registryVersion, reason];
    return { status, tail: `${delimiter}${cells.map((text) => formatCell(text, delimiter)).join(delimiter)}\n` };
  }
}

const decoder = new TextDecoder();

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
