/**
 * Imports the expressions of one concept: checks those of the source, removes duplicates, and keeps
 * what people already decided about them. An expression that the source no longer has stays as
 * history if it was decided.
 */
import { EXACT_STRENGTH, EXPRESSION_TYPES, type Provenance, REVIEWED } from "../../../../runtime/contract/concept.ts";
import { chooseLanguages } from "../formats/chosen-languages.ts";
import type { SourceConcept, SourceExpression } from "../formats/source.ts";
import { asTyped } from "../../../../runtime/registry/near-form.ts";
import { quote } from "../../../text/printable.ts";
import { isCurrent } from "../../../registry/check-concept.ts";
import { tagOf } from "../../../registry/concept.ts";
import type { ConceptRecord, ExpressionRecord } from "../../../registry/record.ts";
import { goneFault, type ImportFault, type Report } from "./import-finding.ts";
import type { ImportSettings } from "./settings.ts";
import { checkLabel, checkTag } from "./text.ts";

interface Candidate {
  readonly source: SourceExpression;
  readonly expression: ExpressionRecord;
  readonly held: boolean;
  /** Its key as written, which identified it before it was repaired. */
  readonly written: string;
}

interface Importing {
  readonly settings: ImportSettings;
  readonly existing: readonly ExpressionRecord[];
  /** Whether the source has nothing that waits for review. */
  readonly isPublished: boolean;
}

/** Returns the record's expressions, in the order of the source. */
export function importExpressions(
  { expressions }: SourceConcept,
  { settings, existing, isPublished }: Importing,
  report: Report,
): ExpressionRecord[] {
  const known = knownByKey(existing);
  const candidates = expressions.map((source) => checkAll(source, settings, report));
  const kept = onePreferred(once(candidates, report), report);
  tellTypography(kept, report);
  const imported = kept.map((candidate) =>
    decide(
      candidate,
      { known: known.get(expressionKey(candidate.expression)) ?? known.get(candidate.written), settings },
      report,
    ),
  );
  const current = new Set(imported.map(expressionKey));
  // Expressions that an earlier import took as written and this one has repaired.
  const former = new Set(kept.map(({ written }) => written).filter((key) => !current.has(key)));
  const speaksOf = chooseLanguages(settings.languages);
  const isGone = (expression: ExpressionRecord): boolean =>
    !current.has(expressionKey(expression)) && speaksOf(tagOf(expression)) && !(isPublished && isWaiting(expression));
  const isFormer = (expression: ExpressionRecord): boolean =>
    former.has(expressionKey(expression)) && expression.reviewStatus !== REVIEWED;
  for (const expression of existing.filter((one) => isCurrent(one) && isGone(one) && !isFormer(one))) {
    const fate = expression.reviewStatus === REVIEWED ? "retired" : "removed";
    report(goneFault("expression", expression.expression, fate), "changed", { tag: tagOf(expression) });
  }
  const others = existing.filter(
    (one) => !isFormer(one) && (!current.has(expressionKey(one)) || known.get(expressionKey(one)) !== one),
  );
  const all = [
    ...imported,
    ...others.flatMap((expression) => (isGone(expression) ? history(expression) : [expression])),
  ];
  // If the source is not asked about every language, or has nothing that waits, the others keep
  // their places. What it no longer has comes last, as ever: a name is made of the first label.
  const isPartial = isPublished || existing.some((expression) => !speaksOf(tagOf(expression)));
  const places = new Map([...known.keys()].map((key, i) => [key, i]));
  if (!isPartial || !all.every((expression) => places.has(expressionKey(expression)))) return all;
  const placeOf = (one: ExpressionRecord): number =>
    (places.get(expressionKey(one)) ?? 0) + (!isPublished && isGone(one) ? places.size : 0);
  return all.sort((a, b) => placeOf(a) - placeOf(b));
}

/**
 * Whoever reviewed the concept did not see expressions that are vouched for only now, so these get
 * their own provenance, which names no reviewer.
 */
export function withOwnReviews(
  expressions: ExpressionRecord[],
  { before, provenance }: { readonly before: ConceptRecord | undefined; readonly provenance: Provenance | null },
): ExpressionRecord[] {
  if (before === undefined || provenance === null || provenance.reviewedBy === null) return expressions;
  const { source, license, sourceId } = provenance;
  const own = { source, license, sourceId, reviewedBy: null, reviewedAt: null };
  const seen = new Set(before.expressions.filter(({ reviewStatus }) => reviewStatus === REVIEWED).map(expressionKey));
  return expressions.map((one) =>
    one.reviewStatus !== REVIEWED || one.provenance !== undefined || seen.has(expressionKey(one))
      ? one
      : { ...one, provenance: own },
  );
}

/** Of two equal ones, one is history: the other one counts. */
function knownByKey(expressions: readonly ExpressionRecord[]): ReadonlyMap<string, ExpressionRecord> {
  const known = new Map<string, ExpressionRecord>();
  for (const expression of expressions) {
    const key = expressionKey(expression);
    if (!known.has(key) || isCurrent(expression)) known.set(key, expression);
  }
  return known;
}

/** Identifies an expression: its tag and its exact text. */
function expressionKey(expression: ExpressionRecord): string {
  return `${tagOf(expression)} ${expression.expression}`;
}

function checkAll(source: SourceExpression, { repairs, untagged }: ImportSettings, report: Report): Candidate {
  const tag = source.tag === "" ? (untagged ?? "") : source.tag;
  const place = checkTag(tag, repairs, source.parted);
  const text = checkLabel(source.text, repairs);
  for (const fault of [...place.repaired, ...text.repaired]) report(fault, "repaired", { tag, place: source.place });
  const faults = [...place.faults, ...text.faults];
  for (const fault of faults) report(fault, "held", { tag, place: source.place });
  const { language, locale } = place.value;
  const expression: ExpressionRecord = {
    language,
    ...(locale === undefined ? {} : { locale }),
    expression: text.value,
    type: source.type,
    equivalenceStrength: source.equivalenceStrength ?? EXACT_STRENGTH,
    reviewStatus: source.reviewStatus ?? "in_review",
    ...(source.provenance === undefined ? {} : { provenance: source.provenance }),
  };
  const isRepaired = place.repaired.length > 0 || text.repaired.length > 0;
  const { value } = isRepaired ? checkTag(tag, NO_REPAIRS, source.parted) : place;
  const written = `${value.locale ?? value.language} ${source.text}`;
  return { source, expression, held: faults.length > 0, written };
}

const NO_REPAIRS: ImportSettings["repairs"] = new Set();

/**
 * Keeps each text once per tag: the one without faults, then the preferred one. History does not
 * count.
 */
function once(candidates: readonly Candidate[], report: Report): Candidate[] {
  const rank = ({ held, expression }: Candidate): number =>
    (held ? EXPRESSION_TYPES.length : 0) + EXPRESSION_TYPES.indexOf(expression.type);
  const best = new Map<string, Candidate>();
  for (const candidate of candidates.filter(({ expression }) => isCurrent(expression))) {
    const other = best.get(comparisonKey(candidate));
    if (other === undefined || rank(candidate) < rank(other)) best.set(comparisonKey(candidate), candidate);
  }
  return candidates.filter((candidate) => {
    const other = isCurrent(candidate.expression) ? best.get(comparisonKey(candidate)) : candidate;
    if (other === candidate || other === undefined) return true;
    const { expression, type } = candidate.expression;
    const text = `${quote(expression)} occurs twice in the concept, as ${other.expression.type} and as ${type}`;
    const fault = { rule: "expression-duplicate", text, remedy: "Remove one of them from the source" };
    report(fault, "left out", candidate.source);
    return false;
  });
}

/** Reports typographic characters, unless the concept also has the text as people type it. */
function tellTypography(candidates: readonly Candidate[], report: Report): void {
  const all = new Set(candidates.map(comparisonKey));
  for (const { source, expression } of candidates) {
    const typed = { ...expression, expression: asTyped(expression.expression) };
    if (typed.expression === expression.expression || all.has(comparisonKey({ expression: typed }))) continue;
    const text = `${quote(expression.expression)} has typographic characters, and does not match ${quote(typed.expression)}`;
    const remedy = "Give the concept the plain form too, if people type it";
    report({ rule: "expression-typographic", text, remedy }, "kept", source);
  }
}

/** Keeps one preferred expression per tag, the first; the others become alternates. */
function onePreferred(candidates: readonly Candidate[], report: Report): Candidate[] {
  const first = new Map<string, string>();
  return candidates.map((candidate) => {
    const { expression } = candidate;
    if (expression.type !== "preferred" || !isCurrent(expression)) return candidate;
    const tag = tagOf(expression);
    const other = first.get(tag);
    if (other === undefined) {
      first.set(tag, expression.expression);
      return candidate;
    }
    const text = `${tag} has a second preferred label, ${quote(expression.expression)} next to ${quote(other)}; it became an alternate`;
    const remedy = "Decide in the source which of them is preferred";
    report({ rule: "preferred-not-unique", text, remedy }, "changed", candidate.source);
    return { ...candidate, expression: { ...expression, type: "alternate" } };
  });
}

/**
 * Sets the status: what people decided here stays; the file's claim counts as far as the person
 * vouches for it.
 */
function decide(
  { source, expression, held }: Candidate,
  { known, settings }: { readonly known: ExpressionRecord | undefined; readonly settings: ImportSettings },
  report: Report,
): ExpressionRecord {
  const { reviewAs } = settings;
  const claimed = source.reviewStatus;
  const vouched = claimed === undefined || claimed === REVIEWED ? reviewAs : claimed;
  const reviewStatus = held && vouched === REVIEWED ? "in_review" : vouched;
  if (known === undefined || known.reviewStatus === "retired") return { ...expression, reviewStatus };
  if (claimed === "rejected" || claimed === "retired") {
    if (known.reviewStatus === REVIEWED) report(withdrawnFault(known, claimed), "changed", source);
    return { ...expression, reviewStatus };
  }
  const isDecided = known.reviewStatus === REVIEWED || known.reviewStatus === "rejected";
  const strength = source.equivalenceStrength ?? known.equivalenceStrength;
  const isRefused = isDecided && reviewStatus !== REVIEWED && strength !== known.equivalenceStrength;
  if (isRefused) report(strengthFault(known, strength), "left out", source);
  const { language, locale, expression: text } = expression;
  const isNarrower = known.type === "abbreviation" || known.type === "symbol";
  return {
    ...known,
    ...(expressionKey(known) !== expressionKey(expression) && { language, locale, expression: text }),
    type: isNarrower && source.type === "alternate" ? known.type : expression.type,
    equivalenceStrength: isRefused ? known.equivalenceStrength : strength,
    reviewStatus: isDecided ? known.reviewStatus : reviewStatus,
    ...(source.provenance === undefined ? {} : { provenance: source.provenance }),
  };
}

function withdrawnFault({ expression }: ExpressionRecord, claimed: string): ImportFault {
  const text = `${quote(expression)} was reviewed, and the source calls it ${claimed}`;
  const remedy = "Nothing needs to be done if that is meant; if not, change the source, and review it again";
  return { rule: "expression-withdrawn", text, remedy };
}

function strengthFault({ expression, equivalenceStrength }: ExpressionRecord, strength: number): ImportFault {
  const text = `${quote(expression)} has the strength ${strength} in the source and was decided on with ${equivalenceStrength}`;
  const remedy = "Vouch for the file by --review-as reviewed, or change the strength in the registry";
  return { rule: "strength-disagrees", text, remedy };
}

/** Whether nobody has decided about it yet. */
export function isWaiting({ reviewStatus }: ExpressionRecord): boolean {
  return reviewStatus === "draft" || reviewStatus === "in_review";
}

/** An expression that the source no longer has: dropped if nobody decided about it. */
function history(expression: ExpressionRecord): ExpressionRecord[] {
  if (isWaiting(expression)) return [];
  return [expression.reviewStatus === REVIEWED ? { ...expression, reviewStatus: "retired" } : expression];
}

function comparisonKey({ expression }: Pick<Candidate, "expression">): string {
  return expressionKey(expression).normalize("NFC");
}
