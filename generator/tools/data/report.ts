/** What a report of judged rows is made of. */
import type { DataRow, RowReader } from "./records.ts";
import type { Judgement, Verdict } from "./verdicts.ts";

export type Counts = Readonly<Record<Verdict, number>>;

/** The subject of a report. */
export interface Subject {
  /** The file as it was named; undefined for standard input. */
  readonly file: string | undefined;
  readonly registryVersion: string;
  /** Verdicts that the data set may have. */
  readonly allowed: ReadonlySet<Verdict>;
}

/** Written in pieces, each of which ends with a line feed or is empty. */
export interface Report {
  /** Before the first row, once the head of the data set is known. Throws DelimitedError. */
  begin(reader: Pick<RowReader, "head" | "delimiter">): string;
  row(row: DataRow, judgement: Judgement): string;
  end(counts: Counts): string;
}

/** Whether a row needs nobody's attention. */
export function isFine(verdict: Verdict, { allowed }: Pick<Subject, "allowed">): boolean {
  return verdict === "agrees" || allowed.has(verdict);
}
