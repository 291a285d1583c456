/** What commands print of findings. */
import type { Console } from "../effects/effects.ts";
import { type Finding, formatFinding } from "../text/finding.ts";

/** Prints the findings that are errors, and how many there are. */
export function reportErrors(console: Console, directory: string, findings: readonly Finding[]): void {
  const errors = findings.filter(({ severity }) => severity === "error");
  printFindings(console, directory, errors);
  console.error(`${errors.length} ${errors.length === 1 ? "error" : "errors"} in ${directory}: nothing was written`);
}

export function printFindings(console: Console, directory: string, findings: readonly Finding[]): void {
  for (const finding of findings) console.error(`${directory}/${formatFinding(finding)}`);
}
