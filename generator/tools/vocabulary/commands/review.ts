/**
 * `review`: lists what waits for review, or writes it as a sheet, and decides about many
 * expressions at once.
 */
import { printLines } from "../../../effects/print.ts";
import { isError } from "../../../text/finding.ts";
import { UsageError } from "../../../text/usage-error.ts";
import { listJson, listLines } from "../review/report.ts";
import { parseDate, parseRole } from "../review/reviewer.ts";
import { type Action, ACTIONS, assertKnown, choose, parseWhere } from "../review/where.ts";
import { defineCommand, type Outside } from "../../../commands/command.ts";
import { DRY_RUN, flag, JSON_FLAG, REGISTRY, text, texts, type Values } from "../../../commands/options.ts";
import { printFindings, readEditable } from "../../../commands/registry.ts";
import { carryOut } from "./review-outcome.ts";
import { takeSheetBack, writeSheet } from "./review-sheet.ts";

const OPTIONS = {
  registry: REGISTRY,
  list: flag("print the chosen expressions, and change nothing"),
  accept: flag("chosen expressions that wait become reviewed"),
  reject: flag("chosen expressions that wait or are reviewed become rejected"),
  sheet: text("FILE", "write the chosen expressions that wait as a sheet, .xlsx or .csv, for a reviewer to fill in"),
  from: text("FILE", "the sheet that a reviewer filled in: its rows decide"),
  where: texts(
    "KEYS",
    "language=TAG,type=NAME,concept=CODE,domain=NAME,status=NAME; all of them must hold; if one is repeated, any of its values",
  ),
  as: text("ROLE", "who reviewed: a role, never a personal name; with --from, for rows that name none"),
  on: text("DATE", "the date of the review, YYYY-MM-DD"),
  dryRun: DRY_RUN,
  json: JSON_FLAG,
};
type ReviewOptions = Values<typeof OPTIONS>;

/** Exit code 1 if everything was refused, or nothing could be written. */
export const command = defineCommand({
  usage: "--list|--accept|--reject|--sheet FILE|--from FILE [--where KEYS] --as ROLE --on DATE",
  does: "Changes the review status of the chosen expressions, and prints the changes before it writes them.",
  options: OPTIONS,
  run: runReview,
});

async function runReview(outside: Outside, options: ReviewOptions): Promise<number> {
  const { registry: directory, dryRun, json } = options;
  const action = actionOf(options);
  if (action === "from") return takeSheetBack(outside, options);
  const isAsking = action === "list" || action === "sheet";
  if (isAsking && (options.as !== undefined || options.on !== undefined))
    throw new UsageError(`--${action} decides nothing: leave out --as and --on`);
  const where = parseWhere(options.where, action);
  const decision = isAsking
    ? undefined
    : { action, reviewedBy: parseRole(options.as), reviewedAt: parseDate(options.on) };
  const source = readEditable(outside, directory);
  if (source === undefined) return 1;
  // What cannot be read is not chosen.
  printFindings(outside.console, directory, source.findings.filter(isError));
  assertKnown(where, source.concepts);
  const chosen = [...choose(where, source.concepts)];
  if (chosen.length === 0) {
    if (!json) outside.console.print("Nothing is chosen, so there is nothing to do");
    return 0;
  }
  if (decision !== undefined)
    return carryOut(outside, { directory, source, steps: [{ decision, chosen }], dryRun }, json);
  if (options.sheet !== undefined) return writeSheet(outside, source, { chosen, into: options.sheet });
  await printLines(outside.console, json ? listJson(chosen) : listLines(chosen));
  return 0;
}

function actionOf(options: ReviewOptions): Action | "from" {
  const named = [...ACTIONS, "from" as const].filter((name) => (options[name] ?? false) !== false);
  const [action, other] = named;
  if (action === undefined || other !== undefined)
    throw new UsageError("Use one of --list, --accept, --reject, --sheet FILE and --from FILE");
  return action;
}
