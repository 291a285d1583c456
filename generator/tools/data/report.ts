/** What a report of judged rows is made of. */
import type { DataRow, RowReader } from "./records.ts";
import type { Judgement, Scheme } from "./scheme.ts";

/** How many rows have a verdict; none of some. */
export type Counts = ReadonlyMap<string, number>;

/** The subject of a report. */
export interface Subject {
  /** The file as it was named; undefined for standard input. */
  readonly file: string | undefined;
  readonly registryVersion: string;
  /** Verdicts that the data set may have. */
  readonly allowed: ReadonlySet<string>;
  readonly scheme: Scheme;
}

/** Written in pieces, each of which ends with a line feed or is empty. */
export interface Report {
  /** Before the first row, once the head of the data set is known. Throws DelimitedError. */
  begin(reader: Pick<RowReader, "head" | "delimiter">): string;
  row(row: DataRow, judgement: Judgement): string;
  end(counts: Counts): string;
}
