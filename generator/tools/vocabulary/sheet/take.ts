/**
 * Takes a sheet back: which expressions its rows decide about, and why a row is refused. A row
 * counts only while everything that its reviewer saw is still so; otherwise it is refused, and the
 * others are taken. A row changes nothing but the review status and who reviewed.
 */
import { groupBy } from "../../../../runtime/text/group-by.ts";
import { REVIEWED } from "../../../../runtime/contract/concept.ts";
import { tagOf } from "../../../registry/concept.ts";
import type { Located } from "../../../registry/read.ts";
import type { ConceptRecord } from "../../../registry/record.ts";
import { quote } from "../../../text/printable.ts";
import type { Step } from "../review/plan.ts";
import { type Cells, cellText, type Line, NAMING, SHOWN } from "./columns.ts";
import { Elsewhere } from "./elsewhere.ts";
import { readHeader } from "./header.ts";
import { type Decided, type Refused, readRow, type Row } from "./row.ts";
import { rowOf } from "./rows.ts";

export interface Taking {
  readonly concepts: readonly Located<ConceptRecord>[];
  /** The reviewer of rows that name none. */
  readonly reviewer: string | undefined;
  /** `YYYY-MM-DD` */
  readonly reviewedAt: string;
}

export interface Taken {
  /** In the order of the file. */
  readonly rows: readonly Row[];
  /** One for each pair of action and reviewer; no expression is in two of them. */
  readonly steps: readonly Step[];
  /** Of the rows. */
  readonly refused: readonly Refused[];
  /** Rows whose decision is what the registry has already. */
  readonly already: number;
  /** Columns that are not read. */
  readonly others: readonly string[];
}

/** Where an expression is. */
interface Place {
  readonly concept: Located<ConceptRecord>;
  readonly position: number;
}

/** `lines` begins with the header. Throws SheetError if that is not the header of a sheet. */
export function takeSheet([first, ...lines]: readonly Line[], taking: Taking): Taken {
  const header = readHeader(first);
  const rows = lines.map((line) => readRow(header, line, taking.reviewer));
  const decided = rows.filter((row) => row.is === "decided");
  const refused = rows.filter((row) => row.is === "refused");
  const elsewhere = new Elsewhere(
    taking.concepts,
    decided.map(({ cells }) => cells.expression ?? ""),
  );
  const taken: (Place & Decided)[] = [];
  let already = 0;
  for (const { rows: same, places } of matched(decided, taking.concepts)) {
    for (const [i, row] of same.entries()) {
      const place = same.length > places.length ? undefined : places[i];
      const why = place === undefined ? unmatched(same, places) : changed(row, place, elsewhere);
      if (why !== undefined) refused.push({ ...row, is: "refused", why });
      else if (place === undefined || statusOf(place) === OUTCOME[row.action]) already++;
      else taken.push({ ...row, ...place });
    }
  }
  refused.sort((a, b) => a.number - b.number);
  return { rows, steps: stepsOf(taken, taking.reviewedAt), refused, already, others: header.others };
}

interface Match {
  readonly rows: readonly Decided[];
  readonly places: readonly Place[];
}

/** The rows that are about the same, with the expressions that they are about. */
function matched(decided: readonly Decided[], concepts: readonly Located<ConceptRecord>[]): Iterable<Match> {
  const matches = new Map<string, { rows: Decided[]; places: Place[] }>();
  for (const row of decided) {
    const name = nameOf(row.cells);
    const match = matches.get(name);
    if (match === undefined) matches.set(name, { rows: [row], places: [] });
    else match.rows.push(row);
  }
  for (const concept of concepts) {
    const code = cellText(concept.record.code);
    for (const [position, one] of concept.record.expressions.entries()) {
      const name = { code, language: cellText(tagOf(one)), type: one.type, expression: cellText(one.expression) };
      matches.get(nameOf(name))?.places.push({ concept, position });
    }
  }
  return matches.values();
}

function nameOf(cells: Cells): string {
  return JSON.stringify(NAMING.map((column) => cells[column] ?? ""));
}

function unmatched(same: readonly Decided[], places: readonly Place[]): string {
  if (places.length === 0)
    return "the registry does not have this code with this expression, language and type (any more)";
  return `the sheet has it more than once, in rows ${same.map(({ number }) => number).join(", ")}: keep one`;
}

const OUTCOME = { accept: REVIEWED, reject: "rejected" } as const;

/** What is not as the reviewer saw it; undefined if nothing is. */
function changed({ action, cells }: Decided, place: Place, elsewhere: Elsewhere): string | undefined {
  const { record } = place.concept;
  const expression = record.expressions[place.position];
  if (expression === undefined) return "it is not in the registry any more";
  const status = expression.reviewStatus;
  if (status === OUTCOME[action]) return undefined;
  if (status !== "draft" && status !== "in_review") return `it does not wait for review any more: it is ${status}`;
  const now = rowOf(record, expression, elsewhere);
  const column = SHOWN.find((one) => (cells[one] ?? "") !== (now[one] ?? ""));
  if (column === undefined) return undefined;
  return `${column} is not as in the sheet any more: ${quote(now[column] ?? "")}, in the sheet ${quote(cells[column] ?? "")}`;
}

function statusOf({ concept, position }: Place): string | undefined {
  return concept.record.expressions[position]?.reviewStatus;
}

/** Rejections first: what is rejected is not in the way of what is accepted. */
function stepsOf(taken: readonly (Place & Decided)[], reviewedAt: string): Step[] {
  const groups = groupBy(taken, ({ action, reviewer }) => JSON.stringify([action, reviewer]));
  const steps = [...groups.values()].map((rows): Step => {
    const [{ action, reviewer: reviewedBy }] = rows;
    const chosen = [...groupBy(rows, ({ concept }) => concept)].map(([concept, own]) => {
      return { concept, positions: own.map(({ position }) => position).sort((a, b) => a - b) };
    });
    return { decision: { action, reviewedBy, reviewedAt }, chosen };
  });
  return steps.sort((a, b) => rankOf(a) - rankOf(b));
}

function rankOf({ decision }: Step): number {
  return decision.action === "reject" ? 0 : 1;
}
