/** Judges a data set as it passes, row by row, and reports it: nothing of a row is kept. */
import type { TableStream } from "../../commands/stream-table.ts";
import type { Judge } from "./judge.ts";
import type { DataRow, RowReader } from "./records.ts";
import { type Counts, isFine, type Report, type Subject } from "./report.ts";
import { type Verdict, VERDICT_NAMES } from "./verdicts.ts";

interface Parts {
  readonly reader: RowReader;
  readonly judge: Judge;
  readonly report: Report;
  /** Sees each row and its verdict. */
  readonly see?: (row: DataRow, verdict: Verdict) => void;
}

export class Checking implements TableStream {
  readonly doing = "Checking";
  readonly #counts: Record<Verdict, number>;
  readonly #parts: Parts;
  #rows = 0;
  #hasBegun = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#counts = Object.fromEntries(VERDICT_NAMES.map((verdict) => [verdict, 0])) as Record<Verdict, number>;
  }

  rows(): number {
    return this.#rows;
  }

  async *answers(data: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
    const { reader, report } = this.#parts;
    for await (const rows of reader.rows(data)) yield this.#judge(rows);
    yield (this.#hasBegun ? "" : report.begin(reader)) + report.end(this.#counts);
  }

  get counts(): Counts {
    return this.#counts;
  }

  /** How many rows need attention. */
  open(subject: Pick<Subject, "allowed">): number {
    return VERDICT_NAMES.reduce((sum, verdict) => sum + (isFine(verdict, subject) ? 0 : this.#counts[verdict]), 0);
  }

  #judge(rows: readonly DataRow[]): string {
    const { reader, judge, report, see } = this.#parts;
    let text = "";
    for (const row of rows) {
      if (!this.#hasBegun) text += report.begin(reader);
      this.#hasBegun = true;
      const judgement = judge.judge(row);
      this.#rows++;
      this.#counts[judgement.verdict]++;
      see?.(row, judgement.verdict);
      text += report.row(row, judgement);
    }
    return text;
  }
}
