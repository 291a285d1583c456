/** Reading and checking a registry from the command line: used by build, start and lint. */
import type { Console, Effects } from "../effects.ts";
import { type Finding, formatFinding } from "../finding.ts";
import type { CheckedRegistry } from "../registry/checked.ts";
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

/** Prints errors (and notices, where asked) and a count; returns the registry, or undefined when it must not be used. */
export function reportVerdict(console: Console, directory: string, verdict: Verdict): CheckedRegistry | undefined {
  const errors = verdict.findings.filter(({ severity }) => severity === "error");
  if (verdict.registry !== undefined) return verdict.registry;
  printFindings(console, directory, errors);
  console.error(`${errors.length} ${errors.length === 1 ? "error" : "errors"} in ${directory}: nothing was written`);
  return undefined;
}

export function printFindings(console: Console, directory: string, findings: readonly Finding[]): void {
  for (const finding of findings) console.error(`${directory}/${formatFinding(finding)}`);
}
