/**
 * Which code a concept of a source gets. A concept keeps the code it has; a new one gets a code that nobody has or had,
 * from the file, its notation, its IRI, or made from its identifier alone, so that the same input gives the same codes.
 */
import { isConceptCode } from "../../../runtime/contract/code.ts";
import type { SourceConcept } from "../formats/source.ts";
import { quote } from "../../text/printable.ts";
import { compareCodePoints } from "../../text/order.ts";
import type { ImportFault, ReportTo } from "./import-finding.ts";
import { identityOf, type KnownCodes } from "./known-codes.ts";
import { asCode, mintCode } from "./mint.ts";
import type { ImportSettings } from "./settings.ts";

/** The code of every concept, by its identity; a refused wish is reported. */
export function assignCodes(
  concepts: readonly SourceConcept[],
  { known, codeFrom }: { readonly known: KnownCodes; readonly codeFrom: ImportSettings["codeFrom"] },
  reportTo: ReportTo,
): ReadonlyMap<string, string> {
  const codes = new Map<string, string>();
  const held = [...known.active.keys(), ...known.retired, ...known.retiring.keys(), ...known.given];
  const taken = new Set(held.map((code) => code.toLowerCase()));
  // In an order of its own, so that the order of the file decides nothing.
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
  // Its sourceId may be that of another concept by now: what came back after a release without it.
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
    const text = `${quote(sourceId ?? "")} is what ${owners.join(" and ")} of the registry are called`;
    const remedy = "Name the code of each in the file, or give them sourceIds of their own in the registry";
    reportTo(concept)({ rule: "source-id-shared", text, remedy }, "refused");
  }
  // A file that names its concepts by code speaks of ours, unless ours is another source's.
  if (code === undefined || known.retired.has(code)) return undefined;
  if (known.retiring.has(code)) return sourceId === (known.retiring.get(code) ?? sourceId) ? code : undefined;
  return known.active.get(code) === null ? code : undefined;
}

interface Wishes {
  readonly codeFrom: ImportSettings["codeFrom"];
  /** Whether somebody has the code, in lower case. */
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
    const text = `The concept has nothing to make a code of by --code-from ${codeFrom}; it got ${got}`;
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
