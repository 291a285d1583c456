/** Prints a decision about what a review chose, and then writes it. */
import { countOf, printLines } from "../../../effects/print.ts";
import { writeRegistryFiles } from "../edit/write.ts";
import { prepareReview, type Review } from "../review/plan.ts";
import { planJson, planLines, refusalLines } from "../review/report.ts";
import type { Outside } from "../../../commands/command.ts";
import { printFindings } from "../../../commands/registry.ts";

/** Returns the exit code. */
export async function carryOut({ effects, console }: Outside, review: Review, json: boolean): Promise<number> {
  const { directory, decision } = review;
  const prepared = prepareReview(effects, review);
  if (prepared.status === "impossible") {
    const { errors } = prepared;
    printFindings(console, directory, errors);
    console.error(`${countOf(errors.length, "error")} that this would cause in ${directory}: nothing was written`);
    return 1;
  }
  const { plan, files } = prepared;
  const names = [...files.keys()];
  if (json) await printLines(console, planJson(plan, decision, names));
  else if (names.length > 0) await printLines(console, planLines(plan, decision, names));
  if (!json && plan.refused.length > 0) {
    console.print(`${names.length > 0 ? "\n" : ""}Not accepted: ${countOf(plan.refused.length, "expression")}`);
    await printLines(console, refusalLines(plan.refused));
  }
  if (names.length > 0) writeRegistryFiles(effects, { ...review.source, directory }, files);
  if (!json)
    console.print(
      names.length > 0 ? `\nWrote ${countOf(names.length, "file")} in ${directory}` : "Nothing was written",
    );
  return plan.refused.length > 0 && names.length === 0 ? 1 : 0;
}
