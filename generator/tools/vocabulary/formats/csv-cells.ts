/**
 * Reads the cells of one row as values. Every fault in a row is reported with its line and column,
 * and the row is left out: a value that its column does not admit is never guessed.
 */
import { parseJson } from "../../../../runtime/text/json.ts";
import { firstViolation, type Reader } from "../../../../runtime/contract/validator.ts";
import { documentPath } from "../../../effects/closure.ts";
import { isDay } from "../../../text/day.ts";
import { quote } from "../../../text/printable.ts";
import type { Cells, Column } from "./csv-columns.ts";
import type { CsvRow } from "./csv-rows.ts";
import type { SourceFault } from "./source.ts";
import { REGISTRY_VERSION_PATTERN } from "../../../text/version.ts";

export class CellReader {
  readonly faults: SourceFault[] = [];
  readonly #row: CsvRow;

  constructor(row: CsvRow) {
    this.#row = row;
  }

  get cells(): Cells {
    return this.#row.cells;
  }

  /** What the file calls a column; the name that it would have if the file does not have it. */
  nameOf(column: Column): string {
    return nameOf(this.#row, column);
  }

  /** The value of a cell that admits only some texts; undefined if it is empty. */
  choice<const T extends string>(column: Column, admitted: readonly T[]): T | undefined {
    const cell = this.cells[column];
    const choice = admitted.find((one) => one === cell);
    if (cell !== undefined && choice === undefined)
      this.#wrong(column, `is none of ${admitted.join(", ")}`, "Write one of them, or leave the cell empty");
    return choice;
  }

  /** A calendar date; undefined if the cell is empty. */
  day(column: Column): string | undefined {
    return this.#formed(column, "a date such as 2026-11-21", isDay);
  }

  /** A registry version; undefined if the cell is empty. */
  version(column: Column): string | undefined {
    return this.#formed(column, "a version such as 2026.11.1", (cell) => VERSION.test(cell));
  }

  #formed(column: Column, form: string, admits: (cell: string) => boolean): string | undefined {
    const cell = this.cells[column];
    if (cell === undefined || admits(cell)) return cell;
    this.#wrong(column, `is not ${form}`, `Write ${form}, or leave the cell empty`);
    return undefined;
  }

  /** A number from 0 to 1, as JSON writes it; undefined if the cell is empty. */
  share(column: Column): number | undefined {
    const cell = this.cells[column];
    if (cell === undefined) return undefined;
    const number = NUMBER.test(cell) ? Number(cell) : Number.NaN;
    if (number <= 1) return number;
    this.#wrong(column, "is not a number from 0 to 1", "Write one such as 0.8, or leave the cell empty");
    return undefined;
  }

  /** The value of the JSON in `details`; undefined if there is none. */
  details<T>(parse: Reader<T>): T | undefined {
    const cell = this.cells.details;
    if (cell === undefined) return undefined;
    const json = parseJson(encoder.encode(cell));
    if (!json.ok) {
      this.#wrong("details", "is not JSON", "Write a JSON object, or leave the cell empty");
      return undefined;
    }
    const reading = parse(json.value);
    if (reading.ok) return reading.value;
    const remedy = `See the columns in ${documentPath("registry/README.md")}`;
    this.#wrong("details", `does not have its shape: ${firstViolation(reading.violations, "", "it")}`, remedy);
    return undefined;
  }

  /** The same for a row that has only details. */
  record<T>(parse: Reader<T>): T | undefined {
    this.required("details");
    return this.details(parse);
  }

  /** A cell that this kind of row needs. */
  required(column: Column): void {
    if (this.cells[column] === undefined)
      this.report("csv-cell", `Column ${this.nameOf(column)} is empty, and this row needs it`, "Fill it in");
  }

  report(rule: string, text: string, remedy: string): void {
    this.faults.push({ ...aboutRow(this.#row), rule, text, remedy, outcome: "left out" });
  }

  #wrong(column: Column, what: string, remedy: string): void {
    this.report("csv-cell", `Column ${this.nameOf(column)}: ${quote(this.cells[column] ?? "")} ${what}`, remedy);
  }
}

export function nameOf({ spelled }: Pick<CsvRow, "spelled">, column: Column): string {
  return spelled.get(column)?.trim() ?? column;
}

/** The subject of a fault, as far as the row names it. */
export function aboutRow({ file, line, cells }: CsvRow): Omit<SourceFault, "rule" | "text" | "remedy" | "outcome"> {
  const concept = cells.code ?? cells.sourceId ?? null;
  return {
    file,
    line,
    concept,
    language: cells.locale ?? cells.language ?? null,
    ...(concept === null && cells.expression !== undefined && { labels: [cells.expression] }),
  };
}

const VERSION = new RegExp(REGISTRY_VERSION_PATTERN);
const NUMBER = /^(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;
const encoder = new TextEncoder();
