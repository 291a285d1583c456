/** What an import has to say of a source: a fault, where it stands, and what was done about it. Nothing is repaired silently. */
import { encoded } from "../../effects/chunks.ts";
import type { Effects } from "../../effects/effects.ts";
import type { Fault } from "../../text/finding.ts";
import { quote } from "../../text/printable.ts";
import type { SourceConcept, SourceFault, SourceText } from "../formats/source.ts";
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

/** A fault, and the kind of `--fix` that would repair it where it was not asked for. */
export interface ImportFault extends Fault {
  readonly repairedBy?: Repair | undefined;
}

export interface ImportFinding extends ImportFault, Omit<SourceFault, "outcome"> {
  readonly outcome: Outcome;
}

/** Hears of a fault of the concept at hand, or of one text of it, and where that is if it is not where the concept is. */
export type Report = (fault: ImportFault, outcome: Outcome, text?: Partial<Pick<SourceText, "tag" | "place">>) => void;

/** Something that an earlier file said, or that people wrote here. */
export function goneFault(what: string, said: string, fate: "removed" | "retired"): ImportFault {
  const text = `The ${what} ${quote(said)} is not in the source, so it is ${fate}`;
  return { rule: `${what.replace(" ", "-")}-gone`, text, remedy: GONE_REMEDY };
}

const GONE_REMEDY =
  "Write it in the source if it is still meant; if the source is of some languages alone, restore the registry and name these by --languages";

/** What hears of the faults of a concept. */
export type ReportTo = (concept: Pick<SourceConcept, "file" | "line" | "sourceId" | "code">) => Report;

export function reporter(findings: ImportFinding[]): ReportTo {
  return ({ file, line, sourceId, code }) =>
    (fault, outcome, { tag = "", place = { file, line } } = {}) => {
      const about = { concept: sourceId ?? code ?? null, language: tag === "" ? null : tag };
      findings.push({ ...fault, outcome, file: place.file, line: place.line, ...about });
    };
}

/** What stops an import. */
export function refusals(findings: readonly ImportFinding[]): ImportFinding[] {
  return findings.filter(({ outcome }) => outcome === "refused");
}

/** Writes every finding as a line of JSON, with the properties of all in one order. */
export function writeFindings(effects: Effects, file: string, findings: readonly ImportFinding[]): void {
  effects.write(file, encoded(linesOf(findings)));
}

function* linesOf(findings: readonly ImportFinding[]): Generator<string, void> {
  for (const { rule, outcome, file, line = null, concept, language, text, remedy } of findings)
    yield `${JSON.stringify({ rule, outcome, file, line, concept, language, text, remedy })}\n`;
}
