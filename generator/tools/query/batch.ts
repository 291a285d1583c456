/**
 * Resolves many rows of a table offline and adds the answer to each, in pieces, so that memory does
 * not grow with the rows. Each row is checked and resolved exactly as a request of its own, by the
 * same check and the one resolver.
 */
import { type ResolvedConcept } from "../../../runtime/contract/concept.ts";
import { checkRequest } from "../../../runtime/registry/answer.ts";
import type { RegistryIndex } from "../../../runtime/registry/index.ts";
import { resolve } from "../../../runtime/registry/resolver.ts";
import { DelimitedError, formatRows, type Row } from "../../text/delimited.ts";
import type { Gap } from "../../text/gap.ts";
import { quote } from "../../text/printable.ts";
import { TableReader } from "../../text/table.ts";
import { columnsNamed } from "../../text/table-head.ts";
import { formatMapping, headOfMappings } from "./sssom-answers.ts";
import { guardFormula } from "../../text/formula.ts";

export interface BatchSettings {
  readonly column: string;
  /** The column with the language of each row; an empty cell names none. */
  readonly languageColumn: string | undefined;
  /** The language of every row, if no column has it. */
  readonly language: string | undefined;
  /** Left out: the header tells. */
  readonly delimiter: string | undefined;
  readonly format: "csv" | "ndjson" | "sssom";
  /** Of the registry, for the prefixes of SSSOM. */
  readonly origin?: string | undefined;
  /** Gets each abstention. */
  readonly keep?: ((gap: Omit<Gap, "count" | "day">) => void) | undefined;
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
  readonly answer: Answer;
  readonly tail: string;
}

/** Positions of the columns; -1 if there is no language column. */
interface Columns {
  readonly expression: number;
  readonly language: number;
}

const NAME_COLUMNS = "Name the columns with --column and --language-column, or rename them in the table";
const ADDED = ["status", "code", "name", "registryVersion", "reason"] as const;

export class Batch {
  readonly counts: BatchCounts = { rows: 0, resolved: 0, abstained: 0, refused: 0 };
  readonly #index: RegistryIndex;
  readonly #settings: BatchSettings;
  readonly #reader: TableReader;
  readonly doing = "Resolving";
  /** By concept: the registry has a limited number of them. */
  readonly #resolved = new Map<number, Answered>();
  readonly #others = new Map<string, Answered>();
  #columns: Columns | undefined;

  constructor(index: RegistryIndex, settings: BatchSettings) {
    this.#index = index;
    this.#settings = settings;
    this.#reader = new TableReader(settings.delimiter);
  }

  /** The separator of the cells, once the header has told it. */
  get delimiter(): string {
    return this.#reader.delimiter;
  }

  rows(): number {
    return this.counts.rows;
  }

  /**
   * Yields the answers to the rows that each piece of the table completes. Throws DelimitedError,
   * after the answers before the fault, if the text is not a table.
   */
  async *answers(table: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
    for await (const rows of this.#reader.rows(table)) yield this.#answer(rows);
  }

  #answer(rows: readonly Row[]): string {
    let text = "";
    for (const row of rows) text += this.#columns === undefined ? this.#head(row) : this.#line(row, this.#columns);
    return text;
  }

  #head({ text, cells, line }: Row): string {
    const { column, languageColumn, format, origin = "" } = this.#settings;
    const wrong: string[] = [];
    const place = (name: string): number => {
      const [at, again] = columnsNamed(cells, name);
      if (at === undefined) wrong.push(`there is no column ${quote(name)}, only ${cells.map(quote).join(", ")}`);
      if (again !== undefined) wrong.push(`there are several columns ${quote(name)}`);
      return at ?? -1;
    };
    const language = languageColumn === undefined ? -1 : place(languageColumn);
    this.#columns = { expression: place(column), language };
    const taken = format === "csv" ? ADDED.filter((name) => cells.includes(name)) : [];
    for (const name of taken) wrong.push(`the answer has a column ${quote(name)} too`);
    if (wrong.length > 0) throw new DelimitedError(line, [wrong.join("; "), NAME_COLUMNS]);
    if (format === "sssom") return headOfMappings(origin, this.#index.meta.registryVersion);
    return format === "ndjson" ? "" : `${text}${this.delimiter}${ADDED.join(this.delimiter)}\n`;
  }

  #line({ text, cells, line }: Row, { expression: at, language: languageAt }: Columns): string {
    const expression = cells[at] ?? "";
    const language = (languageAt < 0 ? this.#settings.language : cells[languageAt]) || undefined;
    const { answer, tail } = this.#ask(expression, language);
    this.counts.rows++;
    this.counts[answer.status]++;
    // What is not a valid request is not a mapping.
    if (this.#settings.format === "sssom")
      return answer.status === "refused" ? "" : formatMapping({ expression, language }, answer);
    if (this.#settings.format === "csv") return text + tail;
    const tag = language === undefined ? "null" : JSON.stringify(language);
    return `{"line":${line},"expression":${JSON.stringify(expression)},"language":${tag},${tail}`;
  }

  #ask(expression: string, language: string | undefined): Answered {
    const request = checkRequest(language === undefined ? { expression } : { expression, language });
    if ("status" in request) return this.#other({ status: "refused", code: "", name: "", reason: request.code });
    const resolution = resolve(this.#index, expression, language);
    if (resolution.status === "abstained") {
      const { reason } = resolution;
      this.#settings.keep?.({ expression, language: language ?? null, reason });
      return this.#other({ status: "abstained", code: "", name: "", reason });
    }
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

  #withTail(answer: Answer): Answered {
    const { status, code, name, reason } = answer;
    const { format } = this.#settings;
    const { delimiter } = this;
    const { registryVersion } = this.#index.meta;
    if (format === "ndjson") {
      const members = { status, code: code || null, name: name || null, registryVersion, reason: reason || null };
      return { answer, tail: `${JSON.stringify(members).slice(1)}\n` };
    }
    // The empty cell stands for those of the table.
    const cells = ["", status, code, guardFormula(name), registryVersion, reason];
    return { answer, tail: formatRows([cells], { delimiter, lineEnd: "\n" }) };
  }
}

const decoder = new TextDecoder();
