/** Writes what waits for review as a sheet, and reads a sheet that a reviewer filled in. */
import { countOf, printLines } from "../../../effects/print.ts";
import type { Effects } from "../../../effects/effects.ts";
import { encoded } from "../../../text/chunks.ts";
import { isError } from "../../../text/finding.ts";
import { UsageError } from "../../../text/usage-error.ts";
import type { Outside } from "../../../commands/command.ts";
import { fileOf, writeWhole } from "../../../commands/export-target.ts";
import { printFindings, readEditable } from "../../../commands/registry.ts";
import type { EditableSource } from "../../../registry/read.ts";
import { parseDate, parseRole } from "../review/reviewer.ts";
import type { Chosen } from "../review/where.ts";
import { type Line, ROWS_MAX, SheetError } from "../sheet/columns.ts";
import { readDelimited, writeDelimited } from "../sheet/delimited.ts";
import { Elsewhere } from "../sheet/elsewhere.ts";
import { takenJson, takenLines } from "../sheet/report.ts";
import { rowsOf } from "../sheet/rows.ts";
import { takeSheet } from "../sheet/take.ts";
import { carryOut } from "./review-outcome.ts";

/** A larger file is not read. */
const FILE_MAX = 1 << 25;

/** Throws UsageError for a name that does not say which kind of sheet it is. */
function sheetFormat(option: string, file: string): "xlsx" | "csv" {
  const [, format] = /\.(xlsx|csv)$/i.exec(file) ?? [];
  if (format === undefined) throw new UsageError(`${option} ${file}: the name of a sheet ends in .xlsx or .csv`);
  return format.toLowerCase() === "csv" ? "csv" : "xlsx";
}

/** Returns the exit code. Throws UsageError if the file exists: somebody may have filled it in. */
export async function writeSheet(
  { effects, console }: Outside,
  { concepts }: Pick<EditableSource, "concepts">,
  { chosen, into }: { readonly chosen: readonly Chosen[]; readonly into: string },
): Promise<number> {
  const format = sheetFormat("--sheet", into);
  const file = fileOf(effects, into);
  if (effects.kind(file) !== "none")
    throw new UsageError(`--sheet ${into} exists, maybe with decisions: name another file, or remove it`);
  const count = chosen.reduce((sum, { positions }) => sum + positions.length, 0);
  if (count > ROWS_MAX)
    throw new UsageError(
      `${count} expressions are chosen, and a sheet has at most ${ROWS_MAX}: choose fewer by --where`,
    );
  const elsewhere = new Elsewhere(concepts, expressionsOf(chosen));
  const rows = [...rowsOf(chosen, elsewhere)];
  const pieces = format === "csv" ? encoded(writeDelimited(rows)) : [await (await workbook()).writeWorkbook(rows)];
  const bytes = await writeWhole(effects, file, (part) => effects.write(part, pieces));
  console.print(
    `Wrote ${into}: ${countOf(count, "expression")} of ${countOf(chosen.length, "concept")}, ${bytes} bytes`,
  );
  console.print("Choose accept or reject in the column decision, then give it to review --from");
  return 0;
}

interface TakingBack {
  readonly registry: string;
  readonly from: string | undefined;
  readonly where: readonly string[];
  readonly as: string | undefined;
  readonly on: string | undefined;
  readonly dryRun: boolean;
  readonly json: boolean;
}

/** Returns the exit code: 1 if the file is not a sheet, or all that it decides is refused. */
export async function takeSheetBack(outside: Outside, options: TakingBack): Promise<number> {
  const { registry: directory, from = "", json } = options;
  const { effects, console } = outside;
  if (options.where.length > 0) throw new UsageError("The rows of the sheet decide: leave out --where");
  const reviewedAt = parseDate(options.on);
  const reviewer = options.as === undefined ? undefined : parseRole(options.as);
  const format = sheetFormat("--from", from);
  if (effects.kind(from) !== "file") throw new UsageError(`--from ${from} is not a file`);
  try {
    const lines = await linesOf(effects, from, format);
    const source = readEditable(outside, directory);
    if (source === undefined) return 1;
    printFindings(console, directory, source.findings.filter(isError));
    const taken = takeSheet(lines, { concepts: source.concepts, reviewer, reviewedAt });
    await printLines(console, json ? takenJson(from, taken) : takenLines(from, taken));
    if (!json) console.print("");
    const code = await carryOut(outside, { directory, source, steps: taken.steps, dryRun: options.dryRun }, json);
    return taken.steps.length === 0 && taken.refused.length > 0 ? 1 : code;
  } catch (error) {
    if (!(error instanceof SheetError)) throw error;
    console.error(`${from}: ${error.message}; nothing was written`);
    return 1;
  }
}

async function linesOf(effects: Effects, file: string, format: "xlsx" | "csv"): Promise<readonly Line[]> {
  if (effects.digest(file, FILE_MAX).sha256 === "")
    throw new SheetError(`it is larger than ${FILE_MAX >> 20} MiB: write smaller sheets, with --where`);
  if (format === "csv") return readDelimited(effects.chunks(file));
  return (await workbook()).readWorkbook(effects.read(file));
}

function* expressionsOf(chosen: readonly Chosen[]): Generator<string, void> {
  for (const { concept, positions } of chosen)
    for (const position of positions) yield concept.record.expressions[position]?.expression ?? "";
}

/** Loaded when it is needed: its library is the size of all other commands. */
function workbook(): Promise<typeof import("../sheet/workbook.ts")> {
  return import("../sheet/workbook.ts");
}
