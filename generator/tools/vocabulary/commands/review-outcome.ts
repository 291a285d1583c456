/** Prints the decisions of a review, and then writes them. */
import { countOf, printLines } from "../../../effects/print.ts";
import { writeRegistryFiles } from "../edit/write.ts";
import { prepareReview, type Review } from "../review/plan.ts";
import { fileLines, planJson, planLines, refusalLines } from "../review/report.ts";
import type { Outside } from "../../../commands/command.ts";
import { printFindings } from "../../../commands/registry.ts";

/** Returns the exit code. */
export async function carryOut({ effects, console }: Outside, review: Review, json: boolean): Promise<number> {
  const { directory } = review;
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
  if (files.size > 0) writeRegistryFiles(effects, { ...review.source, directory }, files);
  if (!json)
    console.print(files.size > 0 ? `\nWrote ${countOf(files.size, "file")} in ${directory}` : "Nothing was written");
  return refused.length > 0 && files.size === 0 ? 1 : 0;
}
