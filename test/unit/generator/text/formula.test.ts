/** Cells that a spreadsheet would run, as they are found in the rows of a table. */
import { expect, it } from "vitest";
import { formatRows } from "../../../../generator/text/delimited.ts";
import { formulaFinder, guardFormula } from "../../../../generator/text/formula.ts";

const CELLS = ["", "a", "=1", "'=1", "''-1", "a=1", '"=1', "=,1", "\n=1", "x;y", "@b\tb", "+\n1", "'", "\t", "-"];

it.each([",", ";", "\t", "|", "b", "^", "-", "😀"])("are missed in no row with the delimiter %j", (delimiter) => {
  const finder = formulaFinder(delimiter);
  const missed = CELLS.flatMap((one) => CELLS.map((other) => [one, "x", other])).filter((cells) => {
    const row = formatRows([cells], { delimiter, lineEnd: "\n" });
    return cells.some((cell) => guardFormula(cell) !== cell) && !finder.test(row);
  });
  expect(missed).toEqual([]);
});

it("are not looked for in most rows", () => {
  expect(formulaFinder(",").test("C-1,refund request,en,a=b - c")).toBe(false);
});
