/**
 * Assigns codes to the concepts of a source. A concept keeps the code it has. A new one gets a code
 * that was never used: from the file, its notation or its IRI, or made only from its identifier, so
 * that the same input gives the same codes.
 */
import { isConceptCode } from "../../../../runtime/contract/code.ts";
import type { SourceConcept } from "../formats/source.ts";
import { quote } from "../../../text/printable.ts";
import { compareCodePoints } from "../../../text/order.ts";
import type { ImportFault, ReportTo } from "./import-finding.ts";
import { identityOf, type KnownCodes } from "./known-codes.ts";
import { asCode, mintCode } from "./mint.ts";
import type { ImportSettings } from "./settings.ts";

/**
 * Returns the code of every concept, by its identity; reports a requested code that it does not
 * get.
 */
export function assignCodes(
  concepts: readonly SourceConcept[],
  { known, codeFrom }: { readonly known: KnownCodes; readonly codeFrom: ImportSettings["codeFrom"] },
  reportTo: ReportTo,
): ReadonlyMap<string, string> {
  const codes = new Map<string, string>();
  const held = [...known.active.keys(), ...known.retired, ...known.retiring.keys(), ...known.given];
  const taken = new Set(held.map((code) => code.toLowerCase()));
  // In a fixed order, so that the order of the file decides nothing.
  const ordered = concepts.toSorted((a, b) => compareCodePoints(identityOf(a), identityOf(b)));
  for (const concept of ordered) {
    const kept = keptCode(concept, known, reportTo);
    if (kept !== undefined) codes.set(identityOf(concept), kept);
  }
  const used = new Set([...codes.values()].map((code) => code.toLowerCase()));
  for (const concept of ordered) {
    if (codes.has(identityOf(concept))) continue;
    const code = newCode(concept, { codeFrom, isTaken: (wish) => taken.has(wish) || used.has(wish) }, reportTo);
    used.add(code.toLowerCase());
    codes.set(identityOf(concept), code);
  }
  return codes;
}

/** The code that a concept of this registry already has. */
function keptCode(concept: SourceConcept, known: KnownCodes, reportTo: ReportTo): string | undefined {
  const { sourceId, code } = concept;
  if (code !== undefined && known.active.get(code) === sourceId) return code;
  // Its sourceId may now be another concept's: the one that came back after a release without it.
  if (code !== undefined && concept.retired !== undefined && (known.retired.has(code) || known.retiring.has(code)))
    return code;
  const mapped = sourceId === null ? undefined : known.bySource.get(sourceId);
  if (mapped !== undefined && known.retired.has(mapped) && concept.retired === undefined) {
    const text = `${quote(mapped)} is retired and must never be used again, so the concept gets another code`;
    const remedy = "Nothing needs to be done; replacedBy can name the new code";
    reportTo(concept)({ rule: "code-retired", text, remedy }, "changed");
    return undefined;
  }
  if (mapped !== undefined) return mapped;
  const owners = code === undefined ? (known.shared.get(sourceId ?? "") ?? []) : [];
  if (owners.length > 0) {
    const text = `${quote(sourceId ?? "")} is the sourceId of ${owners.join(" and ")} in the registry`;
    const remedy = "Name the code of each in the file, or give each its own sourceId in the registry";
    reportTo(concept)({ rule: "source-id-shared", text, remedy }, "refused");
  }
  // A file that names its concepts by code means ours, unless ours has another sourceId.
  if (code === undefined || known.retired.has(code)) return undefined;
  if (known.retiring.has(code)) return sourceId === (known.retiring.get(code) ?? sourceId) ? code : undefined;
  return known.active.get(code) === null ? code : undefined;
}

interface Wishes {
  readonly codeFrom: ImportSettings["codeFrom"];
  /** Whether the code, in lower case, is in use. */
  readonly isTaken: (code: string) => boolean;
}

function newCode(concept: SourceConcept, { codeFrom, isTaken }: Wishes, reportTo: ReportTo): string {
  const wish = concept.code ?? derivedCode(concept, codeFrom);
  if (wish !== undefined && isConceptCode(wish) && !isTaken(wish.toLowerCase())) return wish;
  const made = mintCode(concept.sourceId ?? identityOf(concept), isTaken);
  const isSource = concept.sourceId !== null && concept.sourceId === concept.code;
  const got = isSource ? `${made} and keeps ${quote(concept.sourceId)} as its sourceId` : made;
  if (wish !== undefined || codeFrom !== "mint") reportTo(concept)(codeFault(wish, codeFrom, got), "changed");
  return made;
}

function codeFault(wish: string | undefined, codeFrom: string, got: string): ImportFault {
  if (wish === undefined) {
    const text = `The concept has nothing from which --code-from ${codeFrom} makes a code; it got ${got}`;
    return { rule: "code-missing", text, remedy: "Give it a notation in the source, or keep the code" };
  }
  if (!isConceptCode(wish)) {
    const text = `${quote(wish)} is not a ConceptCode; the concept got ${got}`;
    const remedy = "Use A-Z, 0-9 and single - . _ between parts, beginning with a letter";
    return { rule: "code-syntax", text, remedy };
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
