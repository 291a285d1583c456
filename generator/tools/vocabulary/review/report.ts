/**
 * Prints a review: expressions one per line, and a plan before it is carried out. Text from the
 * registry is quoted, so that it cannot forge a line, hide one, or control a terminal.
 */
import { printable, printableJson } from "../../../text/printable.ts";
import { locationOf } from "../../../text/finding.ts";
import { compareCodePoints } from "../../../text/order.ts";
import { countOf } from "../../../effects/print.ts";
import { tagOf } from "../../../registry/concept.ts";
import type { ConceptRecord, ExpressionRecord } from "../../../registry/record.ts";
import type { Refusal } from "./decide.ts";
import type { Plan, Prepared } from "./plan.ts";
import type { Chosen } from "./where.ts";

const SHOWN = 20;
const NAME_MAX = 32;
const TAG_MAX = 120;

type Ready = Extract<Prepared, { status: "ready" }>;

/** Status, tag, type, code, name and expression, in columns. */
export function* listLines(chosen: readonly Chosen[]): Generator<string, void> {
  const widths: number[] = [];
  let count = 0;
  for (const { concept, expression } of expressionsOf(chosen)) {
    count++;
    for (const [i, cell] of cellsOf(concept.record, expression).entries())
      widths[i] = Math.max(widths[i] ?? 0, cell.length);
  }
  for (const { concept, expression } of expressionsOf(chosen)) {
    const cells = cellsOf(concept.record, expression).map((cell, i) => cell.padEnd(widths[i] ?? 0));
    yield [...cells, printableJson(expression.expression)].join("  ");
  }
  yield `\n${countOf(count, "expression")} of ${countOf(chosen.length, "concept")}`;
}

export function* listJson(chosen: readonly Chosen[]): Generator<string, void> {
  for (const { concept, position, expression } of expressionsOf(chosen)) {
    const { code, name } = concept.record;
    const at = { ...locationOf(concept), pointer: `/expressions/${position}` };
    yield printableJson({ code, name, ...withoutProvenance(expression), ...at });
  }
}

export function* planLines({ decision, concepts, counts, samples }: Plan): Generator<string, void> {
  const { action, reviewedBy, reviewedAt } = decision;
  const count = [...counts.values()].reduce((sum, one) => sum + one, 0);
  const status = action === "accept" ? "reviewed" : "rejected";
  const who = `by ${printableJson(reviewedBy)} on ${reviewedAt}`;
  yield `To be ${status}, ${who}: ${countOf(count, "expression")} of ${countOf(concepts, "concept")}`;
  for (const [of, number] of [...counts].sort(([a], [b]) => compareCodePoints(a, b)))
    yield `  ${printable(of, TAG_MAX)}: ${number}`;
  yield "For example";
  for (const { code, name, expression } of samples)
    yield `  ${code} ${printableJson(name)}: ${printableJson(expression.expression)} (${tagged(expression)})`;
}

export function* fileLines({ files, raisedVersion }: Ready): Generator<string, void> {
  const names = [...files.keys()];
  yield `${countOf(names.length, "file")} to be written`;
  for (const file of names.slice(0, SHOWN)) yield `  ${printable(file)}`;
  if (names.length > SHOWN) yield `  … and ${names.length - SHOWN} more`;
  if (raisedVersion === undefined) return;
  yield `The version of registry.yaml is recorded in history.yaml, so it is raised to ${raisedVersion}`;
}

/** A line for each decision, with the files of all, and one for each refused expression. */
export function* planJson({ plans, files, raisedVersion }: Ready): Generator<string, void> {
  for (const { decision, counts, refused } of plans) {
    const counted = [...counts].map(([of, count]) => {
      const [language, type, status] = of.split(" ");
      return { language, type, status, count };
    });
    const more = { counts: counted, files: [...files.keys()], registryVersion: raisedVersion ?? null };
    yield printableJson({ ...decision, ...more });
    for (const { concept, position, faults } of refused) {
      const { code, expressions } = concept.record;
      const { expression } = expressions[position] ?? {};
      const at = { ...locationOf(concept), pointer: `/expressions/${position}` };
      yield printableJson({ refused: code, expression, ...at, faults });
    }
  }
}

/** One line per refused expression and one per fault, laid out like a finding. */
export function* refusalLines(refused: readonly Refusal[]): Generator<string, void> {
  for (const { concept, position, faults } of refused) {
    const { code, expressions } = concept.record;
    const expression = expressions[position];
    if (expression === undefined) continue;
    yield `${code} ${printableJson(expression.expression)} (${tagged(expression)}) stays ${expression.reviewStatus}`;
    for (const { rule, text, remedy } of faults) yield `  ${rule}: ${text}. ${remedy}.`;
  }
}

interface Entry {
  readonly concept: Chosen["concept"];
  readonly position: number;
  readonly expression: ExpressionRecord;
}

function* expressionsOf(chosen: readonly Chosen[]): Generator<Entry, void> {
  for (const { concept, positions } of chosen) {
    for (const position of positions) {
      const expression = concept.record.expressions[position];
      if (expression !== undefined) yield { concept, position, expression };
    }
  }
}

function cellsOf({ code, name }: ConceptRecord, expression: ExpressionRecord): string[] {
  const label = name.length > NAME_MAX ? `${name.slice(0, NAME_MAX)}…` : name;
  return [expression.reviewStatus, tagged(expression), expression.type, code, printableJson(label)];
}

function tagged(expression: ExpressionRecord): string {
  return printable(tagOf(expression), TAG_MAX);
}

function withoutProvenance({ provenance: _provenance, ...rest }: ExpressionRecord): object {
  return rest;
}
