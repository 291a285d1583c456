/** Prints the decisions of a review, and then writes them unless that was only to be tried. */
import { countOf, printLines } from "../../../effects/print.ts";
import { writeRegistryFiles } from "../edit/write.ts";
import { prepareReview, type Review } from "../review/plan.ts";
import { fileLines, planJson, planLines, refusalLines } from "../review/report.ts";
import type { Outside } from "../../../commands/command.ts";
import { DRY, printFindings } from "../../../commands/registry.ts";

/** Returns the exit code. */
export async function carryOut(
  { effects, console }: Outside,
  review: Review & { readonly dryRun?: boolean },
  json: boolean,
): Promise<number> {
  const { directory, dryRun = false } = review;
  const prepared = prepareReview(effects, review);
  if (prepared.status === "impossible") {
    const { errors } = prepared;
    printFindings(console, directory, errors);
    console.error(`${countOf(errors.length, "error")} that this would cause in ${directory}: nothing was written`);
    return 1;
  }
  const { plans, files } = prepared;
  const refused = plans.flatMap((plan) => plan.refused);
  if (json) await printLines(console, planJson(prepared));
  else if (files.size > 0) {
    for (const plan of plans) if (plan.concepts > 0) await printLines(console, planLines(plan));
    await printLines(console, fileLines(prepared));
  }
  if (!json && refused.length > 0) {
    console.print(`${files.size > 0 ? "\n" : ""}Not accepted: ${countOf(refused.length, "expression")}`);
    await printLines(console, refusalLines(refused));
  }
  const isWritten = files.size > 0 && !dryRun;
  if (isWritten) writeRegistryFiles(effects, { ...review.source, directory }, files);
  if (isWritten && !json) console.print(`\nWrote ${countOf(files.size, "file")} in ${directory}`);
  else if (!json) console.print(dryRun ? `\n${DRY}` : "Nothing was written");
  return refused.length > 0 && files.size === 0 ? 1 : 0;
}
