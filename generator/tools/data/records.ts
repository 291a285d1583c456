/**
 * The rows of a data set, from a table (RFC 4180 and its relatives) or from lines of JSON, in
 * pieces. A row that cannot be read is refused with its line. Cells are never repaired.
 */
import type { Given } from "./scheme.ts";

/** Where the parts of a row are: names of columns, or JSON pointers (RFC 6901). */
export type Columns = Readonly<Record<keyof Given, Column>>;

export interface Column {
  /** Undefined if the data set has none. */
  readonly name: string | undefined;
  /** Whether a person named it, so that it must be there. */
  readonly isGiven: boolean;
}

export interface DataRow extends Given {
  readonly line: number;
  /** As it was written, without its line end. */
  readonly text: string;
  /** Of a table. */
  readonly cells: readonly string[];
}

export interface RowReader {
  /** The names of the columns, once they are known; none for lines of JSON. */
  readonly head: Pick<DataRow, "text" | "cells" | "line"> | undefined;
  /** The separator of the cells; undefined for lines of JSON. */
  readonly delimiter: string | undefined;
  /** Yields the rows that each piece completes. Throws DelimitedError after those before it. */
  rows(data: AsyncIterable<Uint8Array>): AsyncGenerator<readonly DataRow[], void>;
}

/** In the order of messages. */
export const PARTS = [
  "code",
  "expression",
  "language",
  "name",
  "registryVersion",
] as const satisfies readonly (keyof Given)[];
