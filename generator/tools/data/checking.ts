/** Judges a data set as it passes, row by row, and reports it: nothing of a row is kept. */
import type { TableStream } from "../../commands/stream-table.ts";
import type { DataRow, RowReader } from "./records.ts";
import type { Report, Subject } from "./report.ts";
import type { Given, Judgement } from "./scheme.ts";

interface Parts {
  readonly reader: RowReader;
  readonly judge: (given: Given) => Judgement;
  readonly report: Report;
  /** Sees each row. */
  readonly see: (row: DataRow) => void;
}

export class Checking implements TableStream {
  readonly doing = "Checking";
  readonly #counts = new Map<string, number>();
  readonly #parts: Parts;
  #rows = 0;
  #hasBegun = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  rows(): number {
    return this.#rows;
  }

  async *answers(data: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
    const { reader, report } = this.#parts;
    for await (const rows of reader.rows(data)) yield this.#judge(rows);
    yield (this.#hasBegun ? "" : report.begin(reader)) + report.end(this.#counts);
  }

  /** How many rows need attention. */
  open({ scheme, allowed }: Pick<Subject, "scheme" | "allowed">): number {
    let open = 0;
    for (const [verdict, count] of this.#counts) if (!scheme.isFine(verdict, allowed)) open += count;
    return open;
  }

  #judge(rows: readonly DataRow[]): string {
    const { reader, judge, report, see } = this.#parts;
    let text = "";
    for (const row of rows) {
      if (!this.#hasBegun) text += report.begin(reader);
      this.#hasBegun = true;
      const judgement = judge(row);
      this.#rows++;
      this.#counts.set(judgement.verdict, (this.#counts.get(judgement.verdict) ?? 0) + 1);
      see(row);
      text += report.row(row, judgement);
    }
    return text;
  }
}
