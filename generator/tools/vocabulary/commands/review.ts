/** `review`: lists what waits for review, and decides about many expressions at once. */
import { printLines } from "../../../effects/print.ts";
import { isError } from "../../../text/finding.ts";
import { UsageError } from "../../../text/usage-error.ts";
import { listJson, listLines } from "../review/report.ts";
import { parseDate, parseRole } from "../review/reviewer.ts";
import { type Action, ACTIONS, assertKnown, choose, parseWhere } from "../review/where.ts";
import { defineCommand, type Outside } from "../../../commands/command.ts";
import { flag, JSON_FLAG, REGISTRY, text, texts, type Values } from "../../../commands/options.ts";
import { printFindings, readEditable } from "../../../commands/registry.ts";
import { carryOut } from "./review-outcome.ts";

const OPTIONS = {
  registry: REGISTRY,
  list: flag("print the chosen expressions, and change nothing"),
  accept: flag("chosen expressions that wait become reviewed"),
  reject: flag("chosen expressions that wait or are reviewed become rejected"),
  where: texts(
    "KEYS",
    "language=TAG,type=NAME,concept=CODE,domain=NAME,status=NAME; all of them must hold; if one is repeated, any of its values",
  ),
  as: text("ROLE", "who reviewed: a role, never a personal name"),
  on: text("DATE", "the date of the review, YYYY-MM-DD"),
  json: JSON_FLAG,
};
type ReviewOptions = Values<typeof OPTIONS>;

/** Exit code 1 if everything was refused, or nothing could be written. */
export const command = defineCommand({
  usage: "--list|--accept|--reject [--where KEYS] --as ROLE --on DATE",
  does: "Changes the review status of the chosen expressions, and prints the changes before it writes them.",
  options: OPTIONS,
  run: runReview,
});

async function runReview(outside: Outside, options: ReviewOptions): Promise<number> {
  const { registry: directory, json } = options;
  const action = actionOf(options);
  if (action === "list" && (options.as !== undefined || options.on !== undefined))
    throw new UsageError("--list decides nothing: leave out --as and --on");
  const where = parseWhere(options.where, action);
  const decision =
    action === "list" ? undefined : { action, reviewedBy: parseRole(options.as), reviewedAt: parseDate(options.on) };
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
  if (decision !== undefined) return carryOut(outside, { directory, source, steps: [{ decision, chosen }] }, json);
  await printLines(outside.console, json ? listJson(chosen) : listLines(chosen));
  return 0;
}

function actionOf(options: ReviewOptions): Action {
  const [action, other] = ACTIONS.filter((name) => options[name]);
  if (action === undefined || other !== undefined) throw new UsageError("Use one of --list, --accept and --reject");
  return action;
}
