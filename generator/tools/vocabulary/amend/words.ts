/**
 * Says in words what a command changes: what a diff of the files would show, and which answers are
 * others. Texts of the registry are quoted, so that they cannot forge a line.
 */
import { formatResolutions } from "../../../promise/report.ts";
import { tagOf } from "../../../registry/concept.ts";
import type { ConceptRecord, ExpressionRecord, RetiredRecord } from "../../../registry/record.ts";
import { formatLocation } from "../../../text/finding.ts";
import { quote, shortened } from "../../../text/printable.ts";
import type { Amendment, Answers } from "./amendment.ts";

export function* amendmentLines({ changed = [], added = [], retired }: Amendment): Generator<string, void> {
  for (const { record, ...place } of added) {
    yield `New: ${named(record)} in ${formatLocation(place)}`;
    yield `  ${quote(record.definition ?? "")}`;
    for (const expression of record.expressions) yield `  + ${stated(expression)}`;
  }
  for (const { from, record } of changed) {
    yield `${named(from.record)} in ${formatLocation(from)}`;
    yield* recordLines(from.record, record);
  }
  if (retired === undefined) return;
  yield `${named(retired.from.record)} leaves ${formatLocation(retired.from)}`;
  yield `  ${entryWords(retired.entry)}`;
}

/** The answers that differ from those of the last release. */
export function* answerLines({ since, changes }: Answers): Generator<string, void> {
  if (changes.length === 0) {
    yield `\nSince ${since}: these expressions resolve as before`;
    return;
  }
  yield `\nSince ${since}`;
  yield `\n${yield* formatResolutions(changes, "release-registry --dry-run --json lists all")}`;
  if (changes.some(({ kind }) => kind === "reassigned"))
    yield 'A release of it needs the reason: release-registry --acknowledge "WHY"';
}

function* recordLines(before: ConceptRecord, after: ConceptRecord): Generator<string, void> {
  if (before.name !== after.name) yield `  name: ${quote(before.name)} → ${quote(after.name)}`;
  for (const [i, expression] of after.expressions.entries()) {
    const old = before.expressions[i];
    if (old === undefined) yield `  + ${stated(expression)}`;
    else if (old !== expression) yield `  ${shownOf(old)}: ${changesOf(old, expression)}`;
  }
}

function changesOf(old: ExpressionRecord, { type, reviewStatus, provenance }: ExpressionRecord): string {
  const { reviewedBy = null, reviewedAt = null } = provenance ?? {};
  return [
    old.type === type ? [] : `${old.type} → ${type}`,
    old.reviewStatus === reviewStatus ? [] : `${old.reviewStatus} → ${reviewStatus}`,
    reviewedBy === null || reviewedAt === null ? [] : `by ${quote(reviewedBy)} on ${reviewedAt}`,
  ]
    .flat()
    .join(", ");
}

function stated(expression: ExpressionRecord): string {
  return `${shownOf(expression)}: ${expression.type}, ${expression.reviewStatus}`;
}

function shownOf(expression: ExpressionRecord): string {
  return `${quote(expression.expression)} (${shortened(tagOf(expression))})`;
}

function entryWords({ retiredIn, replacedBy, reason }: RetiredRecord[number]): string {
  return [
    `retired in ${retiredIn}`,
    replacedBy === null ? "no successor" : `replaced by ${replacedBy}`,
    reason === undefined ? [] : quote(reason),
  ]
    .flat()
    .join(", ");
}

function named({ code, name }: ConceptRecord): string {
  return `${code} ${quote(name)}`;
}
