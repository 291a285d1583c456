/** Files that are not the sheet of a review: one line that says what to do, nothing written. */
import { isDeepStrictEqual } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import yazl from "yazl";
import { buffer } from "node:stream/consumers";
import type { Outcome } from "../../../../../generator/effects/effects.ts";
import { formatConceptLine } from "../../../../../generator/tools/vocabulary/edit/write.ts";
import { type Cells, COLUMNS, ROWS_MAX } from "../../../../../generator/tools/vocabulary/sheet/columns.ts";
import type { MemoryEffects } from "../../../../support/memory-effects.ts";
import { concept, expression, registryFiles } from "../../../../support/registry.ts";
import { renamable, said, textsOf } from "../../../../support/review.ts";
import { packed, sheetData, workbookOf } from "../../../../support/workbook.ts";

const line = formatConceptLine(
  concept("C-1", [expression("en", "one", { reviewStatus: "in_review" })], { domain: "lines" }),
);
const registryOf = (files: Record<string, string | Uint8Array>): MemoryEffects =>
  renamable({ ...registryFiles({ concepts: [], files: { "registry/concepts/lines.ndjson": line } }), ...files });

const header = [...COLUMNS];
const cells: Cells = {
  code: "C-1",
  concept: "Name of C-1",
  definition: "Definition of C-1.",
  language: "en",
  type: "alternate",
  expression: "one",
  decision: "accept",
  reviewer: "board",
};
const row = header.map((column) => cells[column] ?? "");
const rows = [header, row];
const without = (...gone: string[]): string[][] =>
  rows.map((one) => one.filter((_cell, i) => !gone.includes(header[i] ?? "")));
const csv = (table: readonly (readonly string[])[]): string => table.map((one) => one.join(",")).join("\r\n");

/** A workbook whose one sheet is 140 MB of nothing, packed. */
async function bomb(): Promise<Uint8Array> {
  const zip = new yazl.ZipFile();
  zip.addBuffer(Buffer.alloc(140 << 20, " "), "xl/worksheets/sheet1.xml");
  zip.end();
  return buffer(zip.outputStream);
}

let whole: Uint8Array;
beforeAll(async () => {
  whole = await workbookOf(sheetData(rows));
});

describe("review --from", () => {
  it("takes the workbook that all of these are made from", async () => {
    const { code, stdout } = await said(registryOf({ "a.xlsx": whole }), [
      "review",
      "--from",
      "a.xlsx",
      "--on",
      "2026-12-01",
    ]);
    expect([code, stdout]).toEqual([0, expect.stringContaining("a.xlsx: 1 row: 1 to accept")]);
  });

  const far = '<sheetData><row r="1048577"><c r="A1048577"><v>1</v></c></row></sheetData>';
  it.each<[string, () => Promise<Uint8Array | string> | Uint8Array | string, string]>([
    ["is empty", () => "", "it is not a whole .xlsx ("],
    ["is text", () => csv(rows), "it is not a whole .xlsx ("],
    ["is cut", () => whole.subarray(0, whole.length - 100), "it is not a whole .xlsx ("],
    [
      "is damaged",
      () => whole.map((byte, i) => (i === whole.indexOf(0x6e, 200) ? byte ^ 1 : byte)),
      "it is not a whole .xlsx (",
    ],
    ["is an old .xls", () => Buffer.from("d0cf11e0a1b11ae1000000", "hex"), "it has a password or is an old .xls"],
    ["unpacks to too much", bomb, "it is not a whole .xlsx (it declares 146800640 bytes, more than 134217728)"],
    ["is larger than any sheet", () => new Uint8Array((1 << 25) + 1), "it is larger than 32 MiB"],
    ["is another ZIP", () => packed({ "a.xml": "<a/>" }), "it is not a workbook ("],
    ["has a sheet that is not XML", () => workbookOf("", { "xl/worksheets/sheet1.xml": "<a" }), "it"],
    ["has an empty sheet", () => workbookOf("<sheetData/>"), "its first row does not name the columns"],
    [
      "has macros",
      () => workbookOf(sheetData(rows), { "xl/vbaProject.bin": "x" }),
      "it has macros: save it as .xlsx, without them",
    ],
    [
      "has merged cells",
      () => workbookOf(`${sheetData(rows)}<mergeCells><mergeCell ref="A2:B2"/></mergeCells>`),
      "it has merged cells in row 2: unmerge them",
    ],
    [
      "has nothing but a row beyond every program's last",
      () => workbookOf(far),
      "its first row does not name the columns",
    ],
    [
      "has other columns",
      () =>
        workbookOf(
          sheetData([
            ["name", "price"],
            ["a", "1"],
          ]),
        ),
      'its first row does not name the columns "code"',
    ],
    [
      "lacks columns",
      () => workbookOf(sheetData(without("decision", "definition"))),
      'it has no columns "definition", "decision": name them in the first row, or write the sheet again',
    ],
    [
      "has a column twice",
      () => workbookOf(sheetData(rows.map((one) => [...one, one[header.indexOf("decision")] ?? ""]))),
      'it has two columns "decision": keep one',
    ],
    [
      "has a header of formulas",
      () =>
        workbookOf(sheetData([header.map((name) => ({ xml: `<c t="str"><f>"${name}"</f><v>${name}</v></c>` })), row])),
      "its first row does not name the columns",
    ],
    [
      "has more rows than anybody reviews",
      () => workbookOf(`<sheetData>${"<row><c><v>1</v></c></row>".repeat(ROWS_MAX + 2)}</sheetData>`),
      `it has more than ${ROWS_MAX} rows: write smaller sheets, with --where`,
    ],
  ])("refuses a workbook that %s, and writes nothing", async (_what, make, message) => {
    expect(await outcomeOf("a.xlsx", await make())).toEqual(refused(message));
  });

  it.each<[string, string | Uint8Array, string]>([
    ["is empty", "", "line 1: there is no line with the names of the columns"],
    ["is a workbook", Buffer.from("504b030414000600ff", "hex"), "line 1: the text is not UTF-8"],
    [
      "has a quote that is not closed",
      `${csv(rows)}\r\n"C-1`,
      "line 3: the row that begins here has a quote that is not closed",
    ],
    [
      "has a short row",
      `${csv(rows)}\r\nC-1`,
      `line 3: the row that begins here has 1 field, and the header has ${header.length}`,
    ],
    ["lacks a column", csv(without("type")), 'it has no column "type"'],
    [
      "has more rows than anybody reviews",
      `${header.join()}\n${`${row.join()}\n`.repeat(ROWS_MAX + 1)}`,
      `it has more than ${ROWS_MAX} rows`,
    ],
  ])("refuses a table that %s, and writes nothing", async (_what, content, message) => {
    expect(await outcomeOf("a.csv", content)).toEqual(refused(message));
  });
});

interface Ended extends Outcome {
  readonly isUntouched: boolean;
}

/** One line with the message, exit code 1, and every file as before. */
function refused(message: string): Ended {
  const literal = message.replaceAll(/[^\w\s"]/g, "\\$&");
  const outcome = new RegExp(`^a\\.(?:xlsx|csv): ${literal}[^\\n]*; nothing was written$`);
  return { code: 1, stdout: "", stderr: expect.stringMatching(outcome) as string, isUntouched: true };
}

async function outcomeOf(file: string, content: Uint8Array | string): Promise<Ended> {
  const effects = registryOf({ [file]: content });
  effects.digest = (name, most = Infinity) => {
    const bytes = effects.read(name).length;
    return { bytes, sha256: bytes > most ? "" : "0".repeat(64) };
  };
  const before = textsOf(effects);
  const outcome = await said(effects, ["review", "--from", file, "--on", "2026-12-01"]);
  const isUntouched = isDeepStrictEqual(textsOf(effects), before);
  return { ...outcome, isUntouched };
}
