/**
 * Applies a decision to a concept: the review status of the chosen expressions, and who decided
 * when. An expression that has faults, or would become a duplicate, is not accepted: it is refused
 * with the reasons and stays as it is.
 */
import { type Provenance, REVIEWED } from "../../../../runtime/contract/concept.ts";
import { keyOf } from "../../../../runtime/text/expression.ts";
import type { Fault } from "../../../text/finding.ts";
import { quote, shortened } from "../../../text/printable.ts";
import { checkConcept, isCurrent } from "../../../registry/check-concept.ts";
import { tagOf } from "../../../registry/concept.ts";
import { withoutMatches } from "../../../registry/publish.ts";
import type { ConceptChange } from "../edit/edit.ts";
import type { Edit } from "../edit/value-edit.ts";
import type { ConceptRecord, ExpressionRecord, RegistryRecord } from "../../../registry/record.ts";
import type { Chosen } from "./where.ts";

export interface Decision {
  readonly action: "accept" | "reject";
  /** A role. */
  readonly reviewedBy: string;
  /** `YYYY-MM-DD` */
  readonly reviewedAt: string;
}

export interface Decided {
  /** Undefined if all were refused. */
  readonly change: ConceptChange | undefined;
  /** Positions of the expressions whose status changes. */
  readonly changed: readonly number[];
  readonly refused: readonly Refusal[];
}

export interface Refusal {
  readonly concept: Chosen["concept"];
  readonly position: number;
  readonly faults: readonly Fault[];
}

export interface Deciding {
  readonly decision: Decision;
  readonly registry: RegistryRecord;
  /** The languages that the registry admits. */
  readonly admitted: ReadonlySet<string>;
}

export function decide(deciding: Deciding, { concept, positions }: Chosen): Decided {
  const faults = deciding.decision.action === "accept" ? faultsOf(deciding, { concept, positions }) : NO_FAULTS;
  const refused = positions.flatMap((position): Refusal[] => {
    const found = faults.get(position);
    return found === undefined ? [] : [{ concept, position, faults: found }];
  });
  const changed = positions.filter((i) => !faults.has(i));
  if (changed.length === 0) return { change: undefined, changed, refused };
  return { change: { from: concept, ...withDecision(deciding, concept.record, changed) }, changed, refused };
}

const NO_FAULTS: ReadonlyMap<number, readonly Fault[]> = new Map();

/** Why expressions cannot become reviewed, by position. */
function faultsOf({ admitted }: Deciding, { concept, positions }: Chosen): Map<number, Fault[]> {
  const { record } = concept;
  const chosen = new Set(positions);
  const expressions = record.expressions.map((expression, i): ExpressionRecord =>
    chosen.has(i) ? { ...expression, reviewStatus: REVIEWED } : expression,
  );
  const faults = new Map<number, Fault[]>();
  for (const { pointer, severity, rule, text, remedy } of checkConcept(
    { ...concept, record: { ...record, expressions } },
    admitted,
  )) {
    const position = Number(/^\/expressions\/(\d+)/.exec(pointer)?.[1] ?? -1);
    if (!chosen.has(position) || severity !== "error" || REPETITIONS.has(rule)) continue;
    faults.set(position, [...(faults.get(position) ?? []), { rule, text, remedy }]);
  }
  // The first of two equal ones is accepted; those already reviewed come first.
  const standing = new Standing();
  for (const [i, expression] of record.expressions.entries())
    if (expression.reviewStatus === REVIEWED && !chosen.has(i)) standing.add(expression);
  for (const position of positions) {
    const expression = record.expressions[position];
    if (expression === undefined || faults.has(position)) continue;
    const repeated = standing.repetition(expression);
    if (repeated === undefined) standing.add(expression);
    else faults.set(position, [repeated]);
  }
  return faults;
}

const REPETITIONS = new Set(["expression-duplicate", "preferred-not-unique"]);

/** The reviewed expressions, by tag. */
class Standing {
  readonly #byTag = new Map<string, { readonly keys: Set<string>; preferred: string | undefined }>();

  add(expression: ExpressionRecord): void {
    const tag = tagOf(expression);
    const own = this.#byTag.get(tag) ?? { keys: new Set(), preferred: undefined };
    own.keys.add(keyOf(expression.expression));
    if (expression.type === "preferred") own.preferred ??= expression.expression;
    this.#byTag.set(tag, own);
  }

  repetition(expression: ExpressionRecord): Fault | undefined {
    const tag = tagOf(expression);
    const { keys, preferred } = this.#byTag.get(tag) ?? {};
    if (keys?.has(keyOf(expression.expression)) === true) {
      const text = `${quote(expression.expression)} is already reviewed in ${shortened(tag)}`;
      return { rule: "expression-duplicate", text, remedy: "Reject it" };
    }
    if (expression.type !== "preferred" || preferred === undefined) return undefined;
    const text = `${shortened(tag)} already has a preferred expression, ${quote(preferred)}`;
    return { rule: "preferred-not-unique", text, remedy: "Make one of them alternate" };
  }
}

type Result = Pick<ConceptChange, "record" | "edits">;

function withDecision(deciding: Deciding, record: ConceptRecord, changed: readonly number[]): Result {
  const { action, reviewedBy, reviewedAt } = deciding.decision;
  const reviewStatus = action === "accept" ? REVIEWED : "rejected";
  const review = { reviewedBy, reviewedAt };
  const isWhole = action === "accept" && decidesAll(record, changed);
  const provenance = isWhole && record.provenance !== null ? { ...record.provenance, ...review } : record.provenance;
  // Most inherit the concept's provenance; a million equal objects would fill the memory.
  const isInherited = provenance?.reviewedBy === reviewedBy && provenance.reviewedAt === reviewedAt;
  const inherited = isInherited ? undefined : ownProvenance(deciding, record.provenance);
  const expressions = [...record.expressions];
  for (const i of changed) {
    const expression = record.expressions[i];
    if (expression === undefined) continue;
    const own = expression.provenance === undefined ? inherited : ownProvenance(deciding, expression.provenance);
    expressions[i] = { ...expression, reviewStatus, ...(own === undefined ? {} : { provenance: own }) };
  }
  const edits = (): Edit[] => [
    ...(isWhole ? reviewEdits(["provenance"], review) : []),
    ...changed.flatMap((i) => {
      const [at, own] = [["expressions", i], expressions[i]?.provenance];
      const status = { path: [...at, "reviewStatus"], value: reviewStatus };
      if (record.expressions[i]?.provenance) return [status, ...reviewEdits([...at, "provenance"], review)];
      return own === undefined ? [status] : [status, { path: [...at, "provenance"], value: own }];
    }),
  ];
  return { record: { ...record, provenance, expressions }, edits };
}

/**
 * Whether all expressions that share the concept's provenance, which names no reviewer yet, are
 * decided together.
 */
function decidesAll({ provenance, expressions }: ConceptRecord, changed: readonly number[]): boolean {
  const decided = new Set(changed);
  const sharing = expressions.flatMap((expression, i) =>
    isCurrent(expression) && expression.provenance === undefined ? [i] : [],
  );
  const isFree = provenance !== null && provenance.reviewedBy === null && provenance.reviewedAt === null;
  return isFree && sharing.length > 0 && sharing.every((i) => decided.has(i));
}

function reviewEdits(at: readonly (string | number)[], review: Pick<Decision, "reviewedBy" | "reviewedAt">): Edit[] {
  return Object.entries(review).map(([name, value]) => ({ path: [...at, name], value }));
}

/** If there is no provenance, the source is this registry, under its licence. */
function ownProvenance({ decision, registry }: Deciding, given: Provenance | null): Provenance {
  const { reviewedBy, reviewedAt } = decision;
  const unknown = { source: registry.name, license: registry.license, sourceId: null };
  return { ...(given === null ? unknown : withoutMatches(given)), reviewedBy, reviewedAt };
}
