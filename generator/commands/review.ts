/** `npm run review`: what waits for review, and a decision about much of it at once. */
import type { Console, Effects } from "../effects/effects.ts";
import { optionOf, type Options, requireDirectory } from "./options.ts";
import { UsageError } from "../text/usage-error.ts";
import type { EditableSource } from "../vocabulary/edit/edit.ts";
import { readRegistry } from "../registry/read.ts";
import { writeRegistryFiles } from "../vocabulary/edit/write.ts";
import type { Decision } from "../vocabulary/review/decide.ts";
import { errorsOf, filesOf, planReview } from "../vocabulary/review/plan.ts";
import { listJson, listLines, planJson, planLines, refusalLines } from "../vocabulary/review/report.ts";
import { countOf, printLines } from "../effects/print.ts";
import { parseDate, parseRole } from "../vocabulary/review/reviewer.ts";
import { type Action, ACTIONS, assertKnown, choose, type Chosen, parseWhere } from "../vocabulary/review/where.ts";
import { printFindings, reportErrors } from "./load-registry.ts";

/** Exit code 1 where all of it was refused, or nothing could be written; throws UsageError for a wrong command line. */
export async function runReview(effects: Effects, console: Console, options: Options): Promise<number> {
  const action = actionOf(options);
  const where = parseWhere(options.values["where"] ?? [], action);
  const decision = action === "list" ? undefined : decisionOf(options, action);
  requireDirectory(effects, "registry", options.registry);
  const { registry, ...source } = readRegistry(effects, options.registry, (done) => {
    if (done % 500 === 0) console.progress(`Reading ${options.registry}: ${done} concepts`);
  });
  console.progress("");
  if (registry === undefined) {
    reportErrors(console, options.registry, source.findings);
    return 1;
  }
  assertKnown(where, source.concepts);
  const chosen = [...choose(where, source.concepts)];
  if (chosen.length === 0) {
    if (!options.json) console.print("Nothing is chosen, so there is nothing to do");
    return 0;
  }
  if (decision !== undefined)
    return carryOut({ effects, console, options }, { ...source, registry }, { decision, chosen });
  printLines(console, options.json ? listJson(chosen) : listLines(chosen));
  return 0;
}

interface Surroundings {
  readonly effects: Effects;
  readonly console: Console;
  readonly options: Options;
}

function carryOut(
  { effects, console, options: { registry: directory, json } }: Surroundings,
  source: EditableSource,
  { decision, chosen }: { readonly decision: Decision; readonly chosen: readonly Chosen[] },
): number {
  const plan = planReview(source, chosen, decision);
  const errors = plan.changes.length === 0 ? [] : errorsOf(source, plan);
  if (errors.length > 0) {
    printFindings(console, directory, errors);
    console.error(`${countOf(errors.length, "error")} that this would cause in ${directory}: nothing was written`);
    return 1;
  }
  const files = filesOf(effects, directory, plan);
  const names = [...files.keys()];
  if (json) printLines(console, planJson(plan, decision, names));
  else if (names.length > 0) printLines(console, planLines(plan, decision, names));
  if (!json && plan.refused.length > 0) {
    console.print(`${names.length > 0 ? "\n" : ""}Not accepted: ${countOf(plan.refused.length, "expression")}`);
    printLines(console, refusalLines(plan.refused));
  }
  if (names.length > 0) writeRegistryFiles(effects, directory, files);
  if (!json)
    console.print(
      names.length > 0 ? `\nWrote ${countOf(names.length, "file")} in ${directory}` : "Nothing was written",
    );
  return plan.refused.length > 0 && names.length === 0 ? 1 : 0;
}

function actionOf({ flags }: Options): Action {
  const [action, other] = ACTIONS.filter((name) => flags.has(name));
  if (action === undefined || other !== undefined) throw new UsageError("Say one of --list, --accept and --reject");
  return action;
}

function decisionOf(options: Options, action: Decision["action"]): Decision {
  return { action, reviewedBy: parseRole(optionOf(options, "as")), reviewedAt: parseDate(optionOf(options, "on")) };
}
