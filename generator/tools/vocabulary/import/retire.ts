/**
 * Retires codes: of concepts that the source calls deprecated, and of those that it no longer has.
 * Names their successors if possible.
 */
import type { SourceConcept, SourceRetirement } from "../formats/source.ts";
import { quote } from "../../../text/printable.ts";
import { compareCodePoints } from "../../../text/order.ts";
import type { Located } from "../../../registry/read.ts";
import type { ConceptRecord, RetiredRecord } from "../../../registry/record.ts";
import { checkParagraphs } from "../../../registry/check-text.ts";
import { leadingBack } from "../../../registry/check-codes.ts";
import { onOneLine } from "./text.ts";
import type { ImportFault, ImportFinding, ReportTo } from "./import-finding.ts";
import { identityOf } from "./known-codes.ts";

type Retirement = RetiredRecord[number];

export interface RetirePlan {
  /** The code of every concept, by its identity. */
  readonly codes: ReadonlyMap<string, string>;
  /**
   * The code of a concept in the source or in the registry, now or earlier, by the source's
   * identifier for it.
   */
  readonly codeOf: (sourceId: string) => string | undefined;
  /** Entries before this import. */
  readonly before: RetiredRecord;
  /** The version after this import. */
  readonly version: string;
  /** A name for each, made from its labels. */
  readonly nameOf: (concept: SourceConcept) => string;
}

/** The entries of the concepts that their source retired. */
export function retireDeprecated(all: readonly SourceConcept[], plan: RetirePlan, reportTo: ReportTo): Retirement[] {
  const concepts = all.filter(({ retired }) => retired !== undefined);
  const known = new Map(plan.before.map((entry) => [entry.code, entry]));
  // A successor that was decided on may be retired by this same import.
  const decided = plan.before.flatMap(({ replacedBy }) => replacedBy ?? []);
  const named = new Set([...plan.codes.values(), ...known.keys(), ...decided]);
  const codeOf = (name: string): string | undefined => plan.codeOf(name) ?? (named.has(name) ? name : undefined);
  const entries = concepts.map((concept): Retirement => {
    const report = reportTo(concept);
    const code = plan.codes.get(identityOf(concept)) ?? "";
    const before = known.get(code);
    const { replacedBy = [], retiredIn, reason } = withDecided(concept.retired, before);
    const successors = replacedBy.flatMap((name) => {
      const successor = codeOf(name);
      if (successor === undefined || successor === code) report(danglingFault(name), "left out");
      return successor === undefined || successor === code ? [] : [successor];
    });
    const [only, ...others] = [...new Set(successors)].sort(compareCodePoints);
    if (others.length > 0) report(severalFault([only ?? "", ...others]), "changed");
    const reasons = [reason ?? [], others.length === 0 ? [] : `Replaced by ${[only, ...others].join(", ")}`].flat();
    return retirement({
      code,
      retiredIn: before?.retiredIn ?? retiredIn ?? plan.version,
      replacedBy: others.length === 0 ? (only ?? null) : null,
      name: plan.nameOf(concept),
      sourceId: concept.sourceId ?? undefined,
      reason: reasons.join(". "),
    });
  });
  const successor = new Map([...known.values(), ...entries].map(({ code, replacedBy }) => [code, replacedBy]));
  const inCircles = leadingBack(successor);
  // Entries whose successors lead back to them name none.
  return entries.map((entry, i) => {
    const concept = concepts[i];
    if (concept === undefined || !inCircles.has(entry.code)) return entry;
    const text = `The replacements of ${quote(entry.code)} lead back to it, so it names none`;
    reportTo(concept)({ rule: "replaced-by-cycle", text, remedy: CYCLE_REMEDY }, "changed");
    return { ...entry, replacedBy: null };
  });
}

/**
 * The source's retirement. If it gives neither a reason nor a replacement, those that people wrote.
 */
function withDecided(said: SourceConcept["retired"], before: Retirement | undefined): Partial<SourceRetirement> {
  const isSaid = said?.reason !== undefined || (said?.replacedBy.length ?? 0) > 0;
  if (isSaid || before === undefined || before.reason === GONE) return said ?? {};
  return { ...said, replacedBy: before.replacedBy === null ? [] : [before.replacedBy], reason: before.reason };
}

const GONE = "No longer in its source";

/** The fault to report if a code comes back before a release. */
export function backFault(entry: Retirement | undefined): ImportFault | undefined {
  if (entry === undefined) return undefined;
  const { code, replacedBy, reason } = entry;
  if (reason === GONE) {
    const text = `An earlier import missed ${code}, so it was retired; it is back, without what people had decided about it`;
    const remedy = "Review it again, or import into the registry as it was before that import";
    return { rule: "code-back", text, remedy };
  }
  const why = [
    reason === undefined ? [] : quote(reason),
    replacedBy === null ? [] : `replaced by ${replacedBy}`,
  ].flat();
  const text = `${code} was retired (${why.join(", ") || "without a reason"}) but not in a release; the source has it, so it is back`;
  return { rule: "code-back", text, remedy: "If people decided that, retire it again and release it" };
}

/** The entry of a concept that the source no longer has. */
export function retireMissing({ code, name, provenance }: ConceptRecord, version: string): Retirement {
  const sourceId = provenance?.sourceId ?? undefined;
  return retirement({ code, retiredIn: version, replacedBy: null, name, sourceId, reason: GONE });
}

export function missingFinding({ file, line, record }: Located<ConceptRecord>): ImportFinding {
  const { code, provenance } = record;
  const text = `${code} is in the registry and no longer in its source, so it is retired`;
  const remedy =
    "Check that the files are all of the vocabulary; if not, restore the registry before you import them: a concept that " +
    "comes back waits for review again, and a code that was released as retired never comes back";
  const concept = provenance?.sourceId ?? code;
  return { rule: "concept-gone", file, line, concept, language: null, text, remedy, outcome: "changed" };
}

/** Unchanged, if the registry admits it. */
function clean(reason: string): string {
  return checkParagraphs(reason, "reason").length === 0 ? reason : onOneLine(reason);
}

/** The fields in the order of the format. */
function retirement(
  entry: Required<Omit<Retirement, "sourceId">> & { readonly sourceId: string | undefined },
): Retirement {
  const { code, retiredIn, replacedBy, sourceId } = entry;
  const [name, reason] = [onOneLine(entry.name), clean(entry.reason)];
  return {
    code,
    retiredIn,
    replacedBy,
    ...(name === "" ? {} : { name }),
    ...(sourceId === undefined ? {} : { sourceId }),
    ...(reason === "" ? {} : { reason }),
  };
}

const CYCLE_REMEDY = "Let the last of them name a concept that is in use";

function danglingFault(name: string): ImportFault {
  const text = `${quote(name)} is named as a replacement, but is not another concept of this registry`;
  return { rule: "replaced-by-dangling", text, remedy: "Name a concept of the source, or none" };
}

function severalFault(codes: readonly string[]): ImportFault {
  const text = `The concept is replaced by ${codes.join(" and ")}, and an entry can name one; the reason names them`;
  const remedy = "Nothing needs to be done: no replacement is followed automatically";
  return { rule: "replaced-by-several", text, remedy };
}
