/** Reads a row of the sheet: what it is about, and what its reviewer decided. */
import { quote } from "../../../text/printable.ts";
import type { Decision } from "../review/decide.ts";
import { roleFault } from "../review/reviewer.ts";
import { type Cells, cellText, type Column, COLUMNS, DECISIONS, type Line } from "./columns.ts";
import type { Header } from "./header.ts";

interface Named {
  /** From 1, as programs count rows. */
  readonly number: number;
  readonly cells: Cells;
}

export interface Decided extends Named {
  readonly is: "decided";
  readonly action: Decision["action"];
  readonly reviewer: string;
}

export interface Refused extends Named {
  readonly is: "refused";
  readonly why: string;
}

export type Row = Decided | Refused | (Named & { readonly is: "undecided" });

/** `reviewer` is that of rows that name none. */
export function readRow({ cell }: Header, line: Line, reviewer: string | undefined): Row {
  const cells: Partial<Record<Column, string>> = {};
  const unreadable: string[] = [];
  for (const column of COLUMNS) {
    const read = cell(line, column);
    if (typeof read !== "string") unreadable.push(`${column} is ${read.is}: write it as text`);
    else if (read !== "") cells[column] = cellText(read);
  }
  const named = { number: line.number, cells };
  const refused = (why: string): Refused => ({ ...named, is: "refused", why });
  const isEmpty = cell(line, "decision") === "" || cells.decision?.trim() === "";
  if (isEmpty) return { ...named, is: "undecided" };
  if (unreadable[0] !== undefined) return refused(unreadable[0]);
  const said = cells.decision?.trim().toLowerCase() ?? "";
  const action = DECISIONS.find((one) => one === said);
  if (action === undefined) return refused(`decision ${quote(said)} is neither ${DECISIONS.join(" nor ")}`);
  const role = cells.reviewer?.trim() ?? reviewer;
  if (role === undefined) return refused("no reviewer: fill that column, or give --as ROLE");
  const fault = roleFault(role);
  return fault === undefined ? { ...named, is: "decided", action, reviewer: role } : refused(`reviewer: ${fault}`);
}
