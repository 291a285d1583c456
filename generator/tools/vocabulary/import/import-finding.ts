/**
 * The findings of an import about its source: a fault, its place, and what was done about it.
 * Nothing is repaired silently.
 */
import { encoded } from "../../../text/chunks.ts";
import type { Effects } from "../../../effects/effects.ts";
import type { Fault } from "../../../text/finding.ts";
import { quote } from "../../../text/printable.ts";
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

/** A fault, and the kind of `--fix` that would repair it, if that was not requested. */
export interface ImportFault extends Fault {
  readonly repairedBy?: Repair | undefined;
}

export interface ImportFinding extends ImportFault, Omit<SourceFault, "outcome"> {
  readonly outcome: Outcome;
}

/**
 * Reports a fault of the current concept or of one of its texts, with the text's place if it
 * differs from the concept's.
 */
export type Report = (fault: ImportFault, outcome: Outcome, text?: Partial<Pick<SourceText, "tag" | "place">>) => void;

/** The fault of something that an earlier file had, or that people wrote here. */
export function goneFault(what: string, said: string, fate: "removed" | "retired"): ImportFault {
  const text = `The ${what} ${quote(said)} is not in the source, so it is ${fate}`;
  return { rule: `${what.replace(" ", "-")}-gone`, text, remedy: GONE_REMEDY };
}

const GONE_REMEDY =
  "Write it in the source if it is still meant; if the source has only some languages, restore the registry and name these by --languages";

/** Returns the reporter of a concept's faults. */
export type ReportTo = (concept: Pick<SourceConcept, "file" | "line" | "sourceId" | "code">) => Report;

export function reporter(findings: ImportFinding[]): ReportTo {
  return ({ file, line, sourceId, code }) =>
    (fault, outcome, { tag = "", place = { file, line } } = {}) => {
      const about = { concept: sourceId ?? code ?? null, language: tag === "" ? null : tag };
      findings.push({ ...fault, outcome, file: place.file, line: place.line, ...about });
    };
}

/** The findings that stop an import. */
export function refusals(findings: readonly ImportFinding[]): ImportFinding[] {
  return findings.filter(({ outcome }) => outcome === "refused");
}

/** Writes every finding as a line of JSON, with its properties in a fixed order. */
export function writeFindings(effects: Effects, file: string, findings: readonly ImportFinding[]): void {
  effects.write(file, encoded(linesOf(findings)));
}

function* linesOf(findings: readonly ImportFinding[]): Generator<string, void> {
  for (const { rule, outcome, file, line = null, concept, language, text, remedy } of findings)
    yield `${JSON.stringify({ rule, outcome, file, line, concept, language, text, remedy })}\n`;
}

/** The fault of a text that is another now; the new one may be empty. */
export function changedFault(what: "name" | "definition", was: string, is: string): Fault {
  const text = `The ${what} was ${quote(was)} and is ${is === "" ? "gone" : quote(is)} now, as the source says`;
  const remedy = "Nothing needs to be done, unless a person wrote the former one: then write it in the source too";
  return { rule: `${what}-changed`, text, remedy };
}
