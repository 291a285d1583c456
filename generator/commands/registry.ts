/** Shared by commands on a registry: reading one to change it, and printing its findings. */
import type { Console } from "../effects/effects.ts";
import { countOf } from "../effects/print.ts";
import { readWithProgress } from "../registry/load.ts";
import { type Finding, formatFinding, isError } from "../text/finding.ts";
import { removeAbandoned } from "../effects/claim.ts";
import type { EditableSource } from "../registry/read.ts";
import type { Outside } from "./command.ts";
import { requireDirectory } from "./options.ts";

/** Undefined if its registry.yaml cannot be read, which is reported. */
export function readEditable({ effects, console }: Outside, directory: string): EditableSource | undefined {
  requireDirectory(effects, "registry", directory);
  removeAbandoned(effects, directory);
  const { registry, ...source } = readWithProgress(effects, directory, console.progress);
  if (registry !== undefined) return { ...source, registry };
  reportErrors(console, directory, source.findings);
  return undefined;
}

/**
 * The same, also undefined if any of it cannot be read: the codes that are in there are not known.
 */
export function readWhole(outside: Outside, directory: string): EditableSource | undefined {
  const source = readEditable(outside, directory);
  if (source === undefined || !source.findings.some(isError)) return source;
  reportErrors(outside.console, directory, source.findings);
  return undefined;
}

/** The last line of a dry run. */
export const DRY = "Nothing was written (--dry-run)";

/** Prints the findings that are errors, and their number. */
export function reportErrors(console: Console, directory: string, findings: readonly Finding[]): void {
  const errors = findings.filter(isError);
  printFindings(console, directory, errors);
  console.error(`${countOf(errors.length, "error")} in ${directory}: nothing was written`);
}

export function printFindings(console: Console, directory: string, findings: readonly Finding[]): void {
  for (const finding of findings) console.error(`${directory}/${formatFinding(finding)}`);
}
