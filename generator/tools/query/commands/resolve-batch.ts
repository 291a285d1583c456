/**
 * Resolves a table from a file or standard input. A file is written completely or not at all; for
 * standard output, the exit code and the last line on standard error say that it is complete.
 */
import type { RegistryIndex } from "../../../../runtime/registry/index.ts";
import { countOf } from "../../../effects/print.ts";
import { DelimitedError } from "../../../text/delimited.ts";
import { separatedBy } from "../../../text/table-head.ts";
import { UsageError } from "../../../text/usage-error.ts";
import { Batch, type BatchSettings } from "../batch.ts";
import type { Outside } from "../../../commands/command.ts";
import { fileOf, writeWhole } from "../../../commands/export-target.ts";

interface Table {
  /** A file, or `-` for standard input. */
  readonly from: string;
  /** A file; undefined for standard output. */
  readonly into: string | undefined;
  readonly settings: BatchSettings;
}

/**
 * Returns the exit code: 0 if every row was answered, whatever the answer; 1 if the table ends in a
 * fault.
 */
export async function resolveTable(
  outside: Outside,
  index: RegistryIndex,
  { from, into, settings }: Table,
): Promise<number> {
  const { effects, console } = outside;
  if (from !== "-" && effects.kind(from) !== "file") throw new UsageError(`--from ${from} is not a file`);
  const file = into === undefined ? undefined : fileOf(effects, into);
  const batch = new Batch(index, settings);
  const pieces = answers(outside, batch, from);
  try {
    if (file === undefined) await print(console, pieces);
    else await writeWhole(effects, file, (part) => effects.writeStream(part, encoded(pieces)));
  } catch (error) {
    if (!(error instanceof DelimitedError)) throw error;
    console.progress("");
    const left = file === undefined ? "the printed output is incomplete" : "nothing was written";
    const [what, remedy] = error.wrong;
    console.error(`${nameOf(from)}, line ${error.line}: ${what}; ${left}. ${remedy}`);
    return 1;
  }
  const { rows, resolved, abstained, refused } = batch.counts;
  console.progress("");
  if (settings.delimiter === undefined && batch.delimiter !== ",")
    console.error(`${nameOf(from)}: ${separatedBy(batch.delimiter)}`);
  console.error(
    `Complete: ${countOf(rows, "row")}, ${resolved} resolved, ${abstained} abstained, ${refused} refused; ` +
      `registry ${index.meta.registryVersion}`,
  );
  return 0;
}

function nameOf(from: string): string {
  return from === "-" ? "standard input" : from;
}

const SHOW_AT_ONCE = 100_000;
/**
 * In bytes: the rows of a larger piece would outlive the collections of young objects, which then
 * take half of the time.
 */
const AT_ONCE = 16 * 1024;

async function* answers({ effects, console }: Outside, batch: Batch, from: string): AsyncGenerator<string, void> {
  let shown = 0;
  for await (const text of batch.answers(inPieces(from === "-" ? effects.input() : effects.chunks(from)))) {
    yield text;
    const { rows } = batch.counts;
    if (rows - shown < SHOW_AT_ONCE) continue;
    shown = rows;
    console.progress(`Resolving: ${rows} rows`);
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
