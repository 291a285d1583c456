/**
 * `resolve`: prints the answer of the service without the service, byte for byte, or the answers to
 * the rows of a table.
 */
import { formatProblem } from "../../../../runtime/contract/problem.ts";
import { answerRequest } from "../../../../runtime/registry/answer.ts";
import type { RegistryIndex } from "../../../../runtime/registry/index.ts";
import type { Release } from "../../../../runtime/release/release.ts";
import { UsageError } from "../../../text/usage-error.ts";
import { defineCommand } from "../../../commands/command.ts";
import { type Effects, isOther } from "../../../effects/effects.ts";
import { isDay } from "../../../text/day.ts";
import { invocation } from "../../../effects/invocation.ts";
import {
  DELIMITER,
  flag,
  formatOption,
  givenFor,
  goesWith,
  LANGUAGE,
  type Option,
  BUILT,
  requireApart,
  text,
  type Values,
  type CommandLine,
} from "../../../commands/options.ts";
import { regularFile } from "../../../commands/export-target.ts";
import { withRelease } from "../../../commands/with-release.ts";
import type { Keeping } from "./resolve-batch.ts";

const OPTIONS = {
  out: BUILT,
  language: LANGUAGE,
  exitStatus: goesWith(
    "one expression",
    (written) => !isTable(written),
    flag("exit with 3 for unknown, 4 for ambiguous, 6 for a refused request, as the kits do"),
  ),
  from: text("FILE", "a table with a row for each expression, or - for standard input"),
  column: ofTable(text("NAME", "the column with the expressions (expression)")),
  languageColumn: ofTable(text("NAME", "the column with their languages; an empty cell names none")),
  delimiter: ofTable(DELIMITER),
  format: ofTable(
    formatOption(["csv", "ndjson", "sssom"], {
      endings: { csv: "csv", ndjson: "ndjson", jsonl: "ndjson", tsv: "sssom" },
      filesOf: (written) => givenFor(written, "into"),
      fallback: "csv",
    }),
  ),
  into: ofTable(text("FILE", "the file to write (standard output)")),
  keep: ofTable(text("FILE", "add the abstentions to this file on your machine, for gaps (nothing is kept)")),
  on: goesWith("--keep", ({ options }) => "keep" in options, text("DATE", "the day of the table, YYYY-MM-DD")),
};

function isTable({ options }: CommandLine): boolean {
  return "from" in options;
}

function ofTable<T>(option: Option<T>): Option<T> {
  return goesWith("--from", isTable, option);
}

type ResolveOptions = Values<typeof OPTIONS>;

/** Exit code 0 for an answer, resolved or abstained; 1 for a request that is refused. */
export const command = defineCommand({
  usage: '"<expression>" [--language TAG] | --from FILE [--into FILE]',
  does:
    "Resolves offline: same resolver, same JSON as POST /api/v1/resolve. With --from, each row of a table, to CSV or " +
    "NDJSON with status, code, name, registryVersion and reason, or to mappings (sssom), where an abstention is " +
    "sssom:NoTermFound.\n\n" +
    "A table is complete only with exit code 0 and a last line on standard error that begins with Complete; a file of " +
    "--into is written completely or not at all.\n\n" +
    "With --keep, each expression that abstained is added to a file: expression, language, reason, count and day, and " +
    "nothing else. The file stays on this machine.",
  options: OPTIONS,
  takesArguments: true,
  run(outside, options, args) {
    const { from, out } = options;
    if (from !== undefined && from !== "-" && isOther(outside.effects, from))
      throw new UsageError(`--from ${from} is not a regular file: - reads standard input`);
    const keep = keepingOf(outside.effects, options);
    const table =
      from === undefined ? undefined : { from, into: options.into, keep, settings: settingsOf(options, args) };
    const read = [...(from === undefined || from === "-" ? [] : [from]), out];
    if (from !== undefined && options.into !== undefined) requireApart(outside.effects, ["into", options.into], read);
    if (keep !== undefined)
      requireApart(
        outside.effects,
        ["keep", keep.file],
        [...read, ...(options.into === undefined ? [] : [options.into])],
      );
    const expression = table === undefined ? expressionOf("resolve", args) : "";
    return withRelease(out, async (release) => {
      const { index } = release;
      if (table !== undefined) {
        const { resolveTable } = await import("./resolve-batch.ts");
        const origin = table.settings.format === "sssom" ? await originOf(out, release) : undefined;
        return resolveTable(outside, index, { ...table, settings: { ...table.settings, origin } });
      }
      const { text: answer, code, status } = answerOffline(index, { expression, language: options.language });
      outside.console.print(answer, "data");
      return options.exitStatus ? status : code;
    });
  },
});

function settingsOf(options: ResolveOptions, [extra]: readonly string[]) {
  const { column = "expression", languageColumn, language, delimiter, format } = options;
  if (extra !== undefined) throw new UsageError("Name an expression or --from, not both");
  if (languageColumn !== undefined && language !== undefined)
    throw new UsageError("Use only one of --language and --language-column");
  return { column, languageColumn, language, delimiter, format };
}

/** Throws UsageError without a day: a program of this house has no clock. */
function keepingOf(effects: Effects, { keep, on }: ResolveOptions): Keeping | undefined {
  if (keep === undefined) return undefined;
  if (on === undefined || !isDay(on)) throw new UsageError("--keep needs the day of the table: --on YYYY-MM-DD");
  regularFile(effects, "keep", keep);
  return { file: keep, day: on };
}

async function originOf(name: string, { index, documents }: Release): Promise<string> {
  const { readPast } = await import("../../../promise/past.ts");
  return readPast({ name, index, documents }).origin;
}

interface Offline {
  readonly text: string;
  readonly code: 0 | 1;
  /** The exit code of the kits (generator/integration/handoffs.ts). */
  readonly status: 0 | 3 | 4 | 6;
}

/** The output of the command for a request, and its exit codes. */
export function answerOffline(index: RegistryIndex, request: unknown): Offline {
  const answer = answerRequest(index, request);
  if (!answer.ok) return { text: formatProblem(answer.problem).trimEnd(), code: 1, status: 6 };
  const { data } = JSON.parse(answer.envelope) as { data: { status: string; reason: string | null } };
  const abstained = data.reason === "ambiguous_expression" ? 4 : 3;
  return { text: answer.envelope, code: 0, status: data.status === "resolved" ? 0 : abstained };
}

/** The one argument of the command. */
export function expressionOf(name: string, [expression, ...others]: readonly string[]): string {
  if (expression === undefined) throw new UsageError(`Name the expression: ${invocation(name, '"refund request"')}`);
  if (others.length > 0) throw new UsageError("Name one expression: put it in quotes if it has spaces");
  return expression;
}
