/**
 * The sheet of a review in the hands of other programs: openpyxl and LibreOffice open it, find the
 * list of decisions, and write what `review --from` reads.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { parse } from "csv-parse/sync";
import { fileSystem } from "../../generator/effects/file-system.ts";
import { readRegistry } from "../../generator/registry/read.ts";
import { formatConceptLine } from "../../generator/tools/vocabulary/edit/write.ts";
import { execute } from "../support/npx.ts";
import { concept, expression, registryFiles } from "../support/registry.ts";
import { said } from "../support/review.ts";

const python = await first(["/usr/bin/python3", "python3"], ["-c", "import openpyxl"]);
const office = await first(["soffice", "libreoffice"], ["--version"]);
const folder = mkdtempSync(path.join(tmpdir(), "srs-sheet-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function first(programs: readonly string[], probe: readonly string[]): Promise<string | undefined> {
  for (const program of programs) if ((await execute(program, probe, { cwd: tmpdir() })).code === 0) return program;
  return undefined;
}

const waits = { reviewStatus: "in_review" } as const;
const texts = [
  "=1+1",
  "+49",
  "@home",
  "-",
  "2026.11",
  "0042",
  "1e5",
  "TRUE",
  " x",
  "'=1",
  "straße",
  "Straße",
  "a\u0301",
  "🙂 \u202Eabc",
];
const record = concept(
  "C-1",
  texts.map((text) => expression("en", text, waits)),
  {
    name: "=One",
    definition: 'Two lines,\n"quoted" & <marked>.',
    domain: "lines",
  },
);
const registry = path.join(folder, "registry");
const sheet = path.join(folder, "sheet.xlsx");
const back = path.join(folder, "back.xlsx");

/** The expressions by status after the sheet was taken back, and what the command printed. */
async function take(file: string): Promise<{ reviewed: string[]; rejected: string[]; stdout: string }> {
  const { stdout } = await said(fileSystem, ["review", "--registry", registry, "--from", file, "--on", "2026-12-01"]);
  const { concepts } = readRegistry(fileSystem, registry, () => undefined);
  const of = (status: string): string[] =>
    concepts.flatMap(({ record: { expressions } }) =>
      expressions.filter(({ reviewStatus }) => reviewStatus === status).map((one) => one.expression),
    );
  return { reviewed: of("reviewed"), rejected: of("rejected"), stdout };
}

/** openpyxl decides: one is rejected, all others are accepted; `more` are lines of Python. */
async function fill(...more: readonly string[]): Promise<void> {
  const script = [
    "import datetime, openpyxl",
    `book = openpyxl.load_workbook(${JSON.stringify(sheet)})`,
    'sheet = book["Review"]',
    "column = {cell.value: cell.column for cell in sheet[1]}",
    "row = {sheet.cell(i, column['expression']).value: i for i in range(2, sheet.max_row + 1)}",
    "for i in row.values():",
    "    sheet.cell(i, column['decision']).value = 'accept'",
    "    sheet.cell(i, column['reviewer']).value = 'board'",
    "sheet.cell(row['@home'], column['decision']).value = 'reject'",
    ...more,
    `book.save(${JSON.stringify(back)})`,
  ];
  const { code, stderr } = await execute(python ?? "", ["-c", script.join("\n")], { cwd: folder });
  expect([code, stderr]).toEqual([0, ""]);
}

beforeEach(async () => {
  rmSync(sheet, { force: true });
  const files = registryFiles({ concepts: [], files: { "registry/concepts/lines.ndjson": formatConceptLine(record) } });
  for (const [name, content] of Object.entries(files))
    fileSystem.write(path.join(folder, name), [Buffer.from(content)]);
  await said(fileSystem, ["review", "--registry", registry, "--sheet", sheet]);
});

describe.skipIf(python === undefined)("a sheet in openpyxl", () => {
  it("has the decisions to choose from, and every cell as text", async () => {
    const script = [
      "import json, openpyxl",
      `sheet = openpyxl.load_workbook(${JSON.stringify(sheet)})["Review"]`,
      "list = sheet.data_validations.dataValidation[0]",
      "kinds = sorted({cell.data_type for row in sheet for cell in row if cell.value is not None})",
      "print(json.dumps([str(list.sqref), list.formula1, kinds, [row[5].value for row in sheet][1:]]))",
    ];
    const { stdout } = await execute(python ?? "", ["-c", script.join("\n")], { cwd: folder });
    expect(JSON.parse(stdout)).toEqual([`J2:J${texts.length + 1}`, '"accept,reject"', ["s"], texts]);
  });

  it("comes back with its decisions", async () => {
    await fill();
    const { reviewed, rejected } = await take(back);
    // A text with spaces around it, or with marks that reorder it, is not accepted.
    expect(reviewed).toEqual(texts.filter((text) => !["@home", " x", "🙂 \u202Eabc", "a\u0301"].includes(text)));
    expect(rejected).toEqual(["@home"]);
  });

  it("comes back without the rows in which somebody wrote a formula or a date", async () => {
    await fill(
      "sheet.cell(row['0042'], column['decision']).value = '=\"acc\"&\"ept\"'",
      "sheet.cell(row['2026.11'], column['expression']).value = datetime.date(2026, 11, 1)",
    );
    const { reviewed, stdout } = await take(back);
    expect(reviewed).not.toContain("0042");
    expect(reviewed).not.toContain("2026.11");
    expect(stdout).toContain('C-1 "0042" (en): decision is a formula: write it as text');
    expect(stdout).toContain("expression is a date: write it as text");
  });

  it("is refused with merged cells", async () => {
    await fill("sheet.merge_cells('A2:A3')");
    expect((await take(back)).reviewed).toEqual([]);
  });
});

describe.skipIf(office === undefined)("a sheet in LibreOffice", () => {
  const convert = (file: string, to: string): Promise<unknown> => {
    const own = `-env:UserInstallation=file://${folder}/profile`;
    return execute(office ?? "", [own, "--headless", "--convert-to", to, "--outdir", path.join(folder, "out"), file], {
      cwd: folder,
    });
  };

  it("has every text as it is in the registry", async () => {
    await convert(sheet, "csv:Text - txt - csv (StarCalc):44,34,76,1");
    const rows = parse(readFileSync(path.join(folder, "out/sheet.csv")));
    expect(rows.slice(1).map(([, name, definition, , , text]) => [name, definition, text])).toEqual(
      texts.map((text) => [record.name, record.definition, text]),
    );
  });

  it.skipIf(python === undefined)("is saved with what was decided, as a workbook", async () => {
    await fill();
    await convert(back, "xlsx");
    const { rejected, reviewed, stdout } = await take(path.join(folder, "out/back.xlsx"));
    expect(stdout).toContain(`${texts.length} rows: ${texts.length - 1} to accept, 1 to reject`);
    expect([rejected, reviewed.length]).toEqual([["@home"], texts.length - 4]);
  });
});
