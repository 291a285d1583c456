/**
 * Writes codes as a table (RFC 4180) for spreadsheets and data frames. A cell that a spreadsheet
 * would run as a formula gets an apostrophe.
 */
import { formatRows } from "../../../text/delimited.ts";
import { guardFormula } from "../../../text/formula.ts";
import type { CodeList, ListedCode } from "./code-list.ts";

export function* writeCodesCsv(list: CodeList): Generator<string, void> {
  yield formatRows([["code", "name", "definition", "domain", "retiredIn", "replacedBy", "reason", "registryVersion"]]);
  for (const one of list) yield formatRows([[...cellsOf(one).map(guardFormula), list.registryVersion]]);
}

function cellsOf({ code, name, concept, retired }: ListedCode): string[] {
  const { definition = "", domain = "" } = concept ?? {};
  const { retiredIn = "", replacedBy, reason } = retired ?? {};
  return [code, name, definition, domain, retiredIn, replacedBy ?? "", reason ?? ""];
}
