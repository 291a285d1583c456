/**
 * The reports that keep every row: CSV, with columns for verdict and evidence behind those of the
 * table, and NDJSON, with the row as an object. A cell that a spreadsheet would run as a formula is
 * never written back as one (OWASP, CSV Injection).
 */
import { DelimitedError, formatRows } from "../../text/delimited.ts";
import { formulaFinder, guardFormula } from "../../text/formula.ts";
import { quote } from "../../text/printable.ts";
import { UsageError } from "../../text/usage-error.ts";
import type { DataRow, RowReader } from "./records.ts";
import type { Report } from "./report.ts";
import type { Evidence, Judgement } from "./scheme.ts";

/** `otherCodes` has every code of the evidence, with spaces between them. */
const ADDED = ["verdict", "otherCodes", "retiredIn", "reason", "conceptName"] as const;

export class CsvReport implements Report {
  #delimiter = ",";
  /** A row without this has no cell that a spreadsheet would run, so its cells need no look. */
  #suspicious = /(?:)/;
  readonly #tails = new Map<string, string>();

  begin({ head, delimiter }: Pick<RowReader, "head" | "delimiter">): string {
    if (head === undefined || delimiter === undefined)
      throw new UsageError("--report csv adds columns to a table: use --report ndjson for lines of JSON");
    const [taken] = ADDED.filter((name) => head.cells.includes(name));
    if (taken !== undefined)
      throw new DelimitedError(head.line, [`the report has a column ${quote(taken)} too`, RENAME]);
    this.#delimiter = delimiter;
    this.#suspicious = formulaFinder(delimiter);
    return this.#line(head, ADDED);
  }

  row(row: DataRow, { verdict, evidence }: Judgement): string {
    const { retiredIn = "", reason, name = "" } = evidence;
    return this.#line(row, [verdict, codesOf(evidence).join(" "), retiredIn, reason ?? "", name]);
  }

  end(): string {
    return "";
  }

  #line({ text, cells }: Pick<DataRow, "text" | "cells">, added: readonly string[]): string {
    const isSafe = !this.#suspicious.test(text) || cells.every((cell) => guardFormula(cell) === cell);
    return isSafe ? text + this.#tailOf(added) : this.#formatted([...cells, ...added]);
  }

  /** What is added to a row as it is written: many rows share it. */
  #tailOf(added: readonly string[]): string {
    const key = added.join("\0");
    const known = this.#tails.get(key);
    if (known !== undefined) return known;
    if (this.#tails.size >= TAILS_MAX) this.#tails.clear();
    // The empty cell stands for those of the row.
    const tail = this.#formatted(["", ...added]);
    this.#tails.set(key, tail);
    return tail;
  }

  #formatted(cells: readonly string[]): string {
    return formatRows([cells.map(guardFormula)], { delimiter: this.#delimiter, lineEnd: "\n" });
  }
}

const TAILS_MAX = 1 << 14;
const RENAME = "Rename it in the table";

function codesOf({ meant, replacedBy, resolvesTo, codes }: Evidence): readonly string[] {
  return codes ?? [meant ?? replacedBy ?? resolvesTo ?? []].flat();
}

export class NdjsonReport implements Report {
  /** `"name":` of each column; undefined for lines of JSON. */
  #names: readonly string[] | undefined;

  begin({ head }: Pick<RowReader, "head">): string {
    const again = head?.cells.find((name, at) => head.cells.indexOf(name) !== at);
    if (again !== undefined)
      throw new DelimitedError(head?.line ?? 1, [`there are several columns ${quote(again)}`, RENAME]);
    this.#names = head?.cells.map((name) => `${JSON.stringify(name)}:`);
    return "";
  }

  row({ line, text, cells }: DataRow, { verdict, evidence }: Judgement): string {
    const row = this.#names?.map((name, at) => name + JSON.stringify(cells[at])).join(",");
    const own = row === undefined ? text : `{${row}}`;
    return `{"line":${line},"verdict":"${verdict}","evidence":${JSON.stringify(evidence)},"row":${own}}\n`;
  }

  end(): string {
    return "";
  }
}
