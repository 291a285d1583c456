/** What an import has to say of a source: a fault, where it stands, and what was done about it. Nothing is repaired silently. */
import type { SourceFault } from "../formats/source.ts";
import type { Repair } from "./settings.ts";

/** What became of the thing that has the fault. */
export type Outcome =
  /** It waits in the registry as it is; review does not accept it. */
  | "held"
  /** It was repaired by `--fix`. */
  | "repaired"
  /** It is in the registry, changed as the text says. */
  | "changed"
  /** It is in the registry as it is. */
  | "kept"
  /** It is not in the registry. */
  | "left out"
  /** Nothing was imported because of it. */
  | "refused";

export interface ImportFinding extends Omit<SourceFault, "outcome"> {
  readonly outcome: Outcome;
  /** The kind of `--fix` that would repair it. */
  readonly repairedBy?: Repair | undefined;
}

/** What stops an import. */
export function refusals(findings: readonly ImportFinding[]): ImportFinding[] {
  return findings.filter(({ outcome }) => outcome === "refused");
}

/** A line of the full list, with the properties of every finding in one order. */
export function formatImportFinding(finding: ImportFinding): string {
  const { rule, outcome, file, line = null, concept, language, text, remedy } = finding;
  return `${JSON.stringify({ rule, outcome, file, line, concept, language, text, remedy })}\n`;
}
