/** Prints what a command changes in a registry, and then writes it; shared by five commands. */
import { countOf, printLines } from "../../../effects/print.ts";
import type { Outside } from "../../../commands/command.ts";
import { DRY_RUN, REGISTRY, text } from "../../../commands/options.ts";
import { DRY, printFindings, readWhole, reportErrors } from "../../../commands/registry.ts";
import type { EditableSource } from "../../../registry/read.ts";
import { UsageError } from "../../../text/usage-error.ts";
import { type Amendment, type Planned, prepareAmendment } from "../amend/amendment.ts";
import { amendmentLines, answerLines } from "../amend/words.ts";
import { writeRegistryFiles } from "../edit/write.ts";
import { parseDate, parseRole } from "../review/reviewer.ts";

/** The options of every command that changes records. */
export const AMEND = { registry: REGISTRY, dryRun: DRY_RUN };

/** The options of a command that names an expression and decides about it. */
export const DECIDE = {
  ...AMEND,
  from: text("CODE", "the concept that has it, if several do"),
  language: text("TAG", "its language, if the concept has it in several"),
  as: text("ROLE", "who decided: a role, never a personal name"),
  on: text("DATE", "the date of the decision, YYYY-MM-DD"),
};

/** Throws UsageError unless both are given. */
export function reviewerOf({ as, on }: { readonly as: string | undefined; readonly on: string | undefined }): {
  readonly reviewedBy: string;
  readonly reviewedAt: string;
} {
  return { reviewedBy: parseRole(as), reviewedAt: parseDate(on) };
}

/** The only argument; throws UsageError, naming what it is. */
export function oneArgument(what: string, args: readonly string[]): string {
  const [only, extra] = args;
  if (only === undefined || only === "") throw new UsageError(`Name ${what}`);
  if (extra !== undefined) throw new UsageError(`Name ${what}, in quotes if it has spaces: ${JSON.stringify(extra)} is too much`); // prettier-ignore
  return only;
}

interface Change {
  readonly plan: (source: EditableSource) => Planned;
  /** What to print at the end. */
  readonly after?: (amendment: Amendment) => Iterable<string>;
}

/**
 * Returns the exit code: 1 if the registry cannot be read whole or the change would break a rule;
 * nothing is written then.
 */
export async function amend(
  outside: Outside,
  { registry: directory, dryRun }: { readonly registry: string; readonly dryRun: boolean },
  { plan, after = () => [] }: Change,
): Promise<number> {
  const { effects, console } = outside;
  const source = readWhole(outside, directory);
  if (source === undefined) return 1;
  const planned = plan(source);
  const prepared =
    "errors" in planned
      ? ({ status: "impossible", errors: planned.errors } as const)
      : prepareAmendment({ effects, directory }, source, planned);
  if (prepared.status === "impossible" || "errors" in planned) {
    reportErrors(console, directory, prepared.status === "impossible" ? prepared.errors : []);
    return 1;
  }
  const { files, notices, answers } = prepared;
  await printLines(console, amendmentLines(planned));
  if (answers !== undefined) await printLines(console, answerLines(answers));
  printFindings(console, directory, notices);
  if (!dryRun) writeRegistryFiles(effects, { ...source, directory }, files);
  const names = [...files.keys()].sort();
  const count = `${countOf(names.length, "file")} in ${directory}: ${names.join(", ")}`;
  console.print(dryRun ? `\n${DRY}; to change: ${count}` : `\nChanged ${count}`);
  if (!dryRun) await printLines(console, after(planned));
  return 0;
}
