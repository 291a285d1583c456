/** Reading and checking a registry from the command line: used by build, start and lint. */
import type { Console, Effects } from "../effects/effects.ts";
import { type Finding, formatFinding } from "../text/finding.ts";
import { checkRegistry, type Verdict } from "../registry/check.ts";
import { readRegistry } from "../registry/read.ts";

export function loadRegistry(effects: Effects, console: Console, directory: string): Verdict {
  const source = readRegistry(effects, directory, (done) => {
    if (done % 500 === 0) console.progress(`Reading ${directory}: ${done} concept files`);
  });
  console.progress(`Checking ${source.concepts.length} concepts`);
  const verdict = checkRegistry(source);
  console.progress("");
  return verdict;
}

/** Prints the findings that are errors, and how many there are. */
export function reportErrors(console: Console, directory: string, findings: readonly Finding[]): void {
  const errors = findings.filter(({ severity }) => severity === "error");
  printFindings(console, directory, errors);
  console.error(`${errors.length} ${errors.length === 1 ? "error" : "errors"} in ${directory}: nothing was written`);
}

export function printFindings(console: Console, directory: string, findings: readonly Finding[]): void {
  for (const finding of findings) console.error(`${directory}/${formatFinding(finding)}`);
}
