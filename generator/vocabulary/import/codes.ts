/**
 * Which code a concept of a source gets. A concept keeps the code it has; a new one gets a code that nobody has or had,
 * from the file, its notation, its IRI, or made from its identifier alone, so that the same input gives the same codes.
 */
import { isConceptCode } from "../../../runtime/contract/code.ts";
import { CODE_MAX_LENGTH } from "../../../runtime/contract/limits.ts";
import type { SourceConcept } from "../formats/source.ts";
import type { Fault } from "../../text/finding.ts";
import { quote } from "../../text/printable.ts";
import { compareCodePoints } from "../../text/order.ts";
import { mintCode } from "./mint.ts";
import type { ImportSettings } from "./settings.ts";

/** What is known of codes before the import. */
export interface KnownCodes {
  /** The code of each sourceId. */
  readonly bySource: ReadonlyMap<string, string>;
  /** The sourceId of each active code; null where it has none. */
  readonly active: ReadonlyMap<string, string | null>;
  /** Codes that must never be used again. */
  readonly retired: ReadonlySet<string>;
  /** Codes that were retired since the last release, with their sourceIds: nobody saw that, so their concept may come back. */
  readonly retiring: ReadonlyMap<string, string | undefined>;
  /** Codes that were given before, whatever became of their concepts. */
  readonly given: Iterable<string>;
}

export type ReportCode = (concept: SourceConcept, fault: Fault) => void;

/** What a concept is known by within its source: the code it names, since sourceIds need not be of one concept alone. */
export function identityOf({ sourceId, code }: SourceConcept): string {
  return code ?? sourceId ?? "";
}

/**
 * The concept, known from now on by the code that its file gives it, as by a sourceId, where it has no sourceId and cannot
 * have that code: what the next import would otherwise take for a new concept.
 */
export function withSourceId(concept: SourceConcept, { active, retired }: KnownCodes): SourceConcept {
  const { sourceId, code, provenance } = concept;
  if (sourceId !== null || code === undefined) return concept;
  const isTaken = typeof active.get(code) === "string" || (retired.has(code) && concept.retired === undefined);
  if (isConceptCode(code) && !isTaken) return concept;
  return { ...concept, sourceId: code, provenance: provenance && { ...provenance, sourceId: code } };
}

/** The code of every concept, by its identity; a refused wish is reported. */
export function assignCodes(
  concepts: readonly SourceConcept[],
  { known, codeFrom }: { readonly known: KnownCodes; readonly codeFrom: ImportSettings["codeFrom"] },
  report: ReportCode,
): ReadonlyMap<string, string> {
  const codes = new Map<string, string>();
  const taken = new Set(
    [...known.active.keys(), ...known.retired, ...known.retiring.keys(), ...known.given].map((code) =>
      code.toLowerCase(),
    ),
  );
  // In an order of its own, so that the order of the file decides nothing.
  const ordered = concepts.toSorted((a, b) => compareCodePoints(identityOf(a), identityOf(b)));
  for (const concept of ordered) {
    const kept = keptCode(concept, known, report);
    if (kept !== undefined) codes.set(identityOf(concept), kept);
  }
  const used = new Set([...codes.values()].map((code) => code.toLowerCase()));
  for (const concept of ordered) {
    if (codes.has(identityOf(concept))) continue;
    const code = newCode(concept, { codeFrom, isTaken: (wish) => taken.has(wish) || used.has(wish) }, report);
    used.add(code.toLowerCase());
    codes.set(identityOf(concept), code);
  }
  return codes;
}

/** The code that a concept of this registry already has. */
function keptCode(concept: SourceConcept, known: KnownCodes, report: ReportCode): string | undefined {
  const { sourceId, code } = concept;
  if (code !== undefined && known.active.has(code) && known.active.get(code) === sourceId) return code;
  // Its sourceId may be that of another concept by now: what came back after a release without it.
  if (code !== undefined && concept.retired !== undefined && isRetired(code, known)) return code;
  const mapped = sourceId === null ? undefined : known.bySource.get(sourceId);
  if (mapped !== undefined && known.retired.has(mapped) && concept.retired === undefined) {
    const text = `${quote(mapped)} was retired in a release and must never be used again, so the concept gets another code`;
    report(concept, {
      rule: "code-retired",
      text,
      remedy: "Nothing needs to be done; replacedBy can name the new code",
    });
    return undefined;
  }
  if (mapped !== undefined) return mapped;
  // A file that names its concepts by code speaks of ours, unless ours is another source's.
  if (code === undefined || (concept.retired === undefined && known.retired.has(code))) return undefined;
  if (known.retired.has(code)) return code;
  if (known.retiring.has(code)) return sourceId === (known.retiring.get(code) ?? sourceId) ? code : undefined;
  return known.active.get(code) === null ? code : undefined;
}

function isRetired(code: string, { retired, retiring }: KnownCodes): boolean {
  return retired.has(code) || retiring.has(code);
}

interface Wishes {
  readonly codeFrom: ImportSettings["codeFrom"];
  /** Whether somebody has the code, in lower case. */
  readonly isTaken: (code: string) => boolean;
}

function newCode(concept: SourceConcept, { codeFrom, isTaken }: Wishes, report: ReportCode): string {
  const wish = concept.code ?? derivedCode(concept, codeFrom);
  if (wish !== undefined && isConceptCode(wish) && !isTaken(wish.toLowerCase())) return wish;
  const made = mintCode(concept.sourceId ?? identityOf(concept), isTaken);
  const isSource = concept.sourceId !== null && concept.sourceId === concept.code;
  const got = isSource ? `${made} and keeps ${quote(concept.sourceId)} as its sourceId` : made;
  if (wish !== undefined || codeFrom !== "mint") report(concept, codeFault(wish, codeFrom, got));
  return made;
}

function codeFault(wish: string | undefined, codeFrom: string, got: string): Fault {
  if (wish === undefined) {
    const text = `The concept has nothing to make a code of by --code-from ${codeFrom}; it got ${got}`;
    return { rule: "code-missing", text, remedy: "Give it a notation in the source, or keep the code" };
  }
  if (!isConceptCode(wish)) {
    const text = `${quote(wish)} is not a ConceptCode; the concept got ${got}`;
    return {
      rule: "code-syntax",
      text,
      remedy: "Use A-Z, 0-9 and single - . _ between parts, beginning with a letter",
    };
  }
  const text = `The code ${wish} is or was another concept's; the concept got ${got}`;
  return { rule: "code-taken", text, remedy: "Nothing needs to be done: a code is never given twice" };
}

function derivedCode({ sourceId, notations }: SourceConcept, codeFrom: ImportSettings["codeFrom"]): string | undefined {
  if (codeFrom === "mint") return undefined;
  const [notation] = notations.toSorted(compareCodePoints);
  const from = codeFrom === "notation" ? notation : sourceId?.replace(/[/#]+$/, "").replace(/^.*[/#:]/s, "");
  return from === undefined ? undefined : asCode(from);
}

/** A text as a ConceptCode, as near as can be: upper case, `-` for what a code cannot hold, `C-` before a digit. */
function asCode(text: string): string | undefined {
  const parts = text
    .replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase())
    .replaceAll(/[^A-Z0-9._]+/g, "-")
    .replaceAll(/[-._]*-[-._]*/g, "-")
    .replaceAll(/([._])[._]+/g, "$1")
    .replaceAll(/^[-._]+|[-._]+$/g, "");
  if (parts === "") return undefined;
  return (/^[A-Z]/.test(parts) ? parts : `C-${parts}`).slice(0, CODE_MAX_LENGTH).replace(/[-._]+$/, "");
}
