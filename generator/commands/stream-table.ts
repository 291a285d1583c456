/**
 * Passes a table from a file or standard input through a command, in pieces. A file is written
 * completely or not at all; for standard output, the exit code and the last line on standard error
 * say that it is complete.
 */
import { DelimitedError } from "../text/delimited.ts";
import { UsageError } from "../text/usage-error.ts";
import type { Outside } from "./command.ts";
import { fileOf, writeWhole } from "./export-target.ts";

export interface TablePlaces {
  /** A file, or `-` for standard input. */
  readonly from: string;
  /** A file; undefined for standard output. */
  readonly into: string | undefined;
}

/** What a command makes of a table; each of its texts ends with a line feed or is empty. */
export interface TableStream {
  /** What it does, for the line that shows progress. */
  readonly doing: string;
  /** The rows so far. */
  rows(): number;
  /** Throws DelimitedError, after the answers before the fault, if the text is not a table. */
  answers(table: AsyncIterable<Uint8Array>): AsyncIterable<string>;
}

/** Returns whether the table was read to its end; a fault in it is reported. */
export async function streamTable(
  outside: Outside,
  { from, into }: TablePlaces,
  stream: TableStream,
): Promise<boolean> {
  const { effects, console } = outside;
  if (from !== "-" && effects.kind(from) !== "file") throw new UsageError(`--from ${from} is not a file`);
  const file = into === undefined ? undefined : fileOf(effects, into);
  const pieces = made(outside, stream, from);
  try {
    if (file === undefined) await print(console, pieces);
    else await writeWhole(effects, file, (part) => effects.writeStream(part, encoded(pieces)));
    return true;
  } catch (error) {
    if (!(error instanceof DelimitedError)) throw error;
    const left = file === undefined ? "the printed output is incomplete" : "nothing was written";
    console.progress("");
    const [what, remedy] = error.wrong;
    console.error(`${nameOfInput(from)}, line ${error.line}: ${what}; ${left}. ${remedy}`);
    return false;
  } finally {
    console.progress("");
  }
}

export function nameOfInput(from: string): string {
  return from === "-" ? "standard input" : from;
}

const SHOW_AT_ONCE = 100_000;
/**
 * In bytes: the rows of a larger piece would outlive the collections of young objects, which then
 * take half of the time.
 */
const AT_ONCE = 16 * 1024;

async function* made({ effects, console }: Outside, stream: TableStream, from: string): AsyncGenerator<string, void> {
  let shown = 0;
  for await (const text of stream.answers(inPieces(from === "-" ? effects.input() : effects.chunks(from)))) {
    yield text;
    const rows = stream.rows();
    if (rows - shown < SHOW_AT_ONCE) continue;
    shown = rows;
    console.progress(`${stream.doing}: ${rows} rows`);
  }
}

async function* inPieces(table: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of table)
    for (let at = 0; at < chunk.length; at += AT_ONCE) yield chunk.subarray(at, at + AT_ONCE);
}

async function print(console: Outside["console"], pieces: AsyncIterable<string>): Promise<void> {
  for await (const piece of pieces) {
    // Each piece ends with a line feed, which printing adds again.
    if (piece !== "") console.print(piece.slice(0, -1), "data");
    await console.drained?.();
  }
}

async function* encoded(pieces: AsyncIterable<string>): AsyncGenerator<Uint8Array, void> {
  for await (const piece of pieces) yield encoder.encode(piece);
}

const encoder = new TextEncoder();
