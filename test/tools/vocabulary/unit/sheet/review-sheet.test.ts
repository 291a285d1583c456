/** `review --sheet` and `review --from`: what a reviewer gets, and what comes of it. */
import { describe, expect, it } from "vitest";
import type { Outcome } from "../../../../../generator/effects/effects.ts";
import { readRegistry } from "../../../../../generator/registry/read.ts";
import type { ConceptRecord } from "../../../../../generator/registry/record.ts";
import { formatConceptLine } from "../../../../../generator/tools/vocabulary/edit/write.ts";
import { type Cells, type Column, COLUMNS } from "../../../../../generator/tools/vocabulary/sheet/columns.ts";
import { readDelimited } from "../../../../../generator/tools/vocabulary/sheet/delimited.ts";
import { readWorkbook } from "../../../../../generator/tools/vocabulary/sheet/workbook.ts";
import type { MemoryEffects } from "../../../../support/memory-effects.ts";
import { concept, expression, registryFiles } from "../../../../support/registry.ts";
import { renamable, said, textsOf } from "../../../../support/review.ts";
import { partsOf, sheetData, workbookOf, type Written } from "../../../../support/workbook.ts";

const waits = { reviewStatus: "in_review" } as const;
const lines: ConceptRecord[] = [
  concept(
    "C-1",
    [
      expression("en", "=1+1", waits),
      expression("en", "one", waits),
      expression("de", "eins", { reviewStatus: "draft" }),
    ],
    {
      name: "One",
      definition: 'A "number",\nthe first.',
      domain: "lines",
    },
  ),
  concept("C-2", [expression("en", "two"), expression("en", "one", waits), expression("fr", "Eins", waits)], {
    name: "Two",
    domain: "lines",
  }),
];
const yaml = `code: C-3
name: "Three" # a number
definition: "Three things."
domain: test
provenance: null
expressions:
  # English
  - { language: en, expression: "three", type: preferred, equivalenceStrength: 1, reviewStatus: in_review }
  - { language: de, expression: "drei", type: preferred, equivalenceStrength: 1, reviewStatus: in_review }
`;

function registryOf(more: Record<string, string | Uint8Array> = {}): MemoryEffects {
  const files = {
    "registry/concepts/lines.ndjson": lines.map(formatConceptLine).join(""),
    "registry/concepts/test/C-3.yaml": yaml,
    ...more,
  };
  return renamable(registryFiles({ concepts: [], files }));
}

const review = (effects: MemoryEffects, ...args: string[]): Promise<Outcome> => said(effects, ["review", ...args]);
const ON = ["--on", "2026-12-01"];

/** The sheet of what waits, as rows of texts. */
async function sheetOf(effects: MemoryEffects, file: string): Promise<string[][]> {
  const { code } = await review(effects, "--sheet", file);
  expect(code).toBe(0);
  const bytes = effects.read(file);
  const read = file.endsWith(".csv") ? await readDelimited([bytes]) : await readWorkbook(bytes);
  return read.map(({ cells }) => COLUMNS.map((_column, i) => cells[i] as string));
}

/** Another program writes the rows, and a reviewer gives them back. */
async function give(
  effects: MemoryEffects,
  rows: readonly (readonly Written[])[],
  ...args: string[]
): Promise<Outcome> {
  effects.files.set("back.xlsx", await workbookOf(sheetData(rows)));
  return review(effects, "--from", "back.xlsx", ...ON, ...args);
}

/** The row of an expression gets these cells. */
function fill(rows: string[][], expressionText: string, cells: Cells): void {
  const row = rows.find((one) => one[COLUMNS.indexOf("expression")] === expressionText);
  for (const [column, text] of Object.entries(cells)) row?.splice(COLUMNS.indexOf(column as Column), 1, text);
}

function decided(effects: MemoryEffects): string[] {
  const { concepts } = readRegistry(effects, "registry", () => undefined);
  return concepts.flatMap(({ record }) =>
    record.expressions
      .filter(({ reviewStatus }) => reviewStatus !== "in_review" && reviewStatus !== "draft")
      .map(
        (one) =>
          `${record.code} ${one.expression} ${one.reviewStatus} ${one.provenance?.reviewedBy ?? record.provenance?.reviewedBy ?? ""}`,
      ),
  );
}

const registryTexts = (effects: MemoryEffects): Record<string, string> =>
  Object.fromEntries(Object.entries(textsOf(effects)).filter(([name]) => name.startsWith("registry/")));

describe("review --sheet", () => {
  it.each(["sheet.xlsx", "sheet.csv"])(
    "writes a row for each expression that waits, with equal and near ones of other concepts: %s",
    async (file) => {
      const rows = await sheetOf(registryOf(), file);
      const shown = [
        "code",
        "concept",
        "language",
        "expression",
        "status",
        "equal elsewhere",
        "near elsewhere",
      ] as const;
      expect(rows.map((row) => shown.map((column) => row[COLUMNS.indexOf(column)]))).toEqual([
        [...shown],
        ["C-1", "One", "en", "=1+1", "in_review", "", ""],
        ["C-1", "One", "en", "one", "in_review", 'C-2 "Two" has "one" (en, in_review)', ""],
        ["C-1", "One", "de", "eins", "draft", "", 'C-2 "Two" has "Eins" (fr, in_review)'],
        ["C-2", "Two", "en", "one", "in_review", 'C-1 "One" has "one" (en, in_review)', ""],
        ["C-2", "Two", "fr", "Eins", "in_review", "", 'C-1 "One" has "eins" (de, draft)'],
        ["C-3", "Three", "en", "three", "in_review", "", ""],
        ["C-3", "Three", "de", "drei", "in_review", "", ""],
      ]);
      expect(rows[1]?.[COLUMNS.indexOf("definition")]).toBe('A "number",\nthe first.');
    },
  );

  it.each(["sheet.xlsx", "sheet.csv"])("writes the same bytes for the same registry: %s", async (file) => {
    const [one, other] = [registryOf(), registryOf()];
    await sheetOf(one, file);
    await sheetOf(other, file);
    expect(Buffer.from(one.read(file)).equals(other.read(file))).toBe(true);
  });

  it("writes every cell of a workbook as text, none as a formula, and a list of decisions", async () => {
    const effects = registryOf();
    await sheetOf(effects, "sheet.xlsx");
    const { "xl/worksheets/sheet1.xml": xml = "", "xl/sharedStrings.xml": shared = "" } = await partsOf(
      effects.read("sheet.xlsx"),
    );
    expect(`${xml}${shared}`).toContain("<t>=1+1</t>");
    expect(xml).not.toMatch(/<f[ >]/);
    expect([...xml.matchAll(/<c [^>]*>/g)].filter(([cell]) => !/ t="(?:s|inlineStr)"| ?\/>$/.test(cell))).toEqual([]);
    expect(xml).toMatch(/<dataValidation type="list"[^>]* sqref="J2:J8"[^>]*><formula1>"accept,reject"<\/formula1>/);
  });

  it("puts an apostrophe before what a spreadsheet would run from a CSV", async () => {
    const effects = registryOf();
    await sheetOf(effects, "sheet.csv");
    expect(textsOf(effects)["sheet.csv"]).toContain(",'=1+1,");
  });

  it("writes the chosen expressions alone", async () => {
    const effects = registryOf();
    await review(effects, "--sheet", "sheet.csv", "--where", "language=fr");
    const rows = await readDelimited([effects.read("sheet.csv")]);
    expect(rows.slice(1).map(({ cells }) => cells[5])).toEqual(["Eins"]);
  });

  it.each([
    [["--sheet", "sheet.ods"], "--sheet sheet.ods: the name of a sheet ends in .xlsx or .csv"],
    [["--sheet", "sheet.csv", "--list"], "Use one of --list, --accept, --reject, --sheet FILE and --from FILE"],
    [["--sheet", "sheet.csv", ...ON], "--sheet decides nothing: leave out --as and --on"],
    [["--sheet", "sheet.csv", "--where", "status=reviewed"], '"reviewed" is none of draft, in_review'],
    [["--sheet", "there.csv"], "--sheet there.csv exists, maybe with decisions: name another file, or remove it"],
    [["--from", "there.csv"], "--on DATE is needed"],
    [["--from", "there.csv", ...ON, "--where", "language=en"], "The rows of the sheet decide: leave out --where"],
    [["--from", "there.csv", ...ON, "--as", "a@example.org"], "looks like an e-mail address: name a role"],
    [["--from", "nowhere.csv", ...ON], "--from nowhere.csv is not a file"],
    [["--from", "macros.xlsm", ...ON], "--from macros.xlsm: the name of a sheet ends in .xlsx or .csv"],
  ])("refuses %j: %s", async (args, message) => {
    const effects = registryOf({ "there.csv": "", "macros.xlsm": "" });
    const before = textsOf(effects);
    await expect(review(effects, ...args)).rejects.toThrow(message);
    expect(textsOf(effects)).toEqual(before);
  });
});

describe("review --from", () => {
  it.each(["sheet.xlsx", "sheet.csv"])(
    "does what --reject and --accept would do, and keeps every other byte: %s",
    async (file) => {
      const [effects, other] = [registryOf(), registryOf()];
      const rows = await sheetOf(effects, file);
      fill(rows, "eins", { decision: "reject", reviewer: "German board" });
      fill(rows, "three", { decision: " Accept ", note: "as in ISO 704" });
      fill(rows, "=1+1", { decision: "accept" });
      const { code, stdout } = await give(effects, rows, "--as", "board");
      await review(other, "--reject", "--as", "German board", ...ON, "--where", "language=de,concept=C-1");
      await review(other, "--accept", "--as", "board", ...ON, "--where", "language=en,concept=C-3");
      other.files.set("one.csv", Buffer.from(textsOf(effects)["sheet.csv"] ?? ""));
      expect(code).toBe(0);
      expect(decided(effects)).toEqual([
        "C-1 =1+1 reviewed board",
        "C-1 eins rejected German board",
        "C-2 two reviewed ",
        "C-3 three reviewed board",
      ]);
      expect(registryTexts(effects)["registry/concepts/test/C-3.yaml"]).toBe(
        registryTexts(other)["registry/concepts/test/C-3.yaml"],
      );
      expect(stdout).toContain(
        "back.xlsx: 7 rows: 2 to accept, 1 to reject, 0 decided already, 4 without a decision, 0 refused",
      );
      expect(stdout).toContain('row 7, C-3 "three" (en): "as in ISO 704"');
      expect(stdout).toContain("Wrote 2 files in registry");
    },
  );

  it("gives two decisions about one YAML record both places in it", async () => {
    const effects = registryOf();
    const rows = await sheetOf(effects, "sheet.csv");
    fill(rows, "three", { decision: "accept", reviewer: "English board" });
    fill(rows, "drei", { decision: "reject", reviewer: "German board" });
    await give(effects, rows);
    expect(decided(effects).slice(-2)).toEqual(["C-3 three reviewed English board", "C-3 drei rejected German board"]);
    const text = registryTexts(effects)["registry/concepts/test/C-3.yaml"];
    expect(text).toContain('name: "Three" # a number');
    expect(text).toContain("  # English\n");
  });

  it("does nothing for rows that were taken before", async () => {
    const effects = registryOf();
    const rows = await sheetOf(effects, "sheet.csv");
    fill(rows, "three", { decision: "accept" });
    await give(effects, rows, "--as", "board");
    const before = registryTexts(effects);
    const { code, stdout } = await give(effects, rows, "--as", "another board");
    expect(stdout).toContain("0 to accept, 0 to reject, 1 decided already, 6 without a decision, 0 refused");
    expect([code, registryTexts(effects)]).toEqual([0, before]);
  });

  it.each<[string, Cells, string]>([
    ["three", { decision: "maybe" }, 'decision "maybe" is neither accept nor reject'],
    [
      "three",
      { decision: "accept", reviewer: "a@example.org" },
      'reviewer: "a@example.org" looks like an e-mail address: name a role',
    ],
    ["three", { decision: "accept", reviewer: "" }, "no reviewer: fill that column, or give --as ROLE"],
    [
      "three",
      { decision: "accept", code: "C-9" },
      "the registry does not have this code with this expression, language and type (any more)",
    ],
    [
      "three",
      { decision: "accept", type: "alternate" },
      "the registry does not have this code with this expression, language and type (any more)",
    ],
    [
      "three",
      { decision: "accept", concept: "Four" },
      'concept is not as in the sheet any more: "Three", in the sheet "Four"',
    ],
    ["eins", { decision: "accept", "near elsewhere": "" }, "near elsewhere is not as in the sheet any more"],
    [
      "three",
      { decision: "reject", definition: "" },
      'definition is not as in the sheet any more: "Three things.", in the sheet ""',
    ],
  ])("refuses the row of %j with %j by name, and takes the others", async (text, cells, why) => {
    const effects = registryOf();
    const rows = await sheetOf(effects, "sheet.csv");
    fill(rows, "drei", { decision: "accept", reviewer: "board" });
    fill(rows, text, { reviewer: "board", ...cells });
    const { code, stdout } = await give(effects, rows);
    expect(stdout).toMatch(/^ {2}row [47], C-[139] "(?:three|eins)" \((?:en|de)\): /m);
    expect(stdout).toContain(why);
    expect(decided(effects)).toEqual(["C-2 two reviewed ", "C-3 drei reviewed board"]);
    expect(code).toBe(0);
  });

  it.each<[string, (effects: MemoryEffects) => unknown, string]>([
    [
      "was decided otherwise",
      (effects) => review(effects, "--reject", "--as", "board", ...ON, "--where", "concept=C-1,language=en"),
      "it does not wait for review any more: it is rejected",
    ],
    [
      "has an equal one that was accepted",
      (effects) => review(effects, "--accept", "--as", "board", ...ON, "--where", "concept=C-2"),
      "equal elsewhere is not as in the sheet any more",
    ],
    [
      "is gone",
      (effects) =>
        effects.files.set(
          "registry/concepts/lines.ndjson",
          Buffer.from(formatConceptLine({ ...(lines[0] as ConceptRecord), expressions: [] })),
        ),
      "the registry does not have this code",
    ],
  ])(
    "refuses the row of an expression that %s meanwhile, and exits with 1 if nothing is left",
    async (_what, change, why) => {
      const effects = registryOf();
      const rows = await sheetOf(effects, "sheet.csv");
      await change(effects);
      const before = registryTexts(effects);
      const row = rows[2] ?? [];
      row[COLUMNS.indexOf("decision")] = "accept";
      const { code, stdout } = await give(effects, rows, "--as", "board");
      expect(stdout).toContain(`row 3, C-1 "one" (en): ${why}`);
      expect([code, registryTexts(effects)]).toEqual([1, before]);
    },
  );

  it("refuses both rows of one expression", async () => {
    const effects = registryOf();
    const rows = await sheetOf(effects, "sheet.csv");
    fill(rows, "three", { decision: "accept" });
    const twice = rows.map((row) => [...row]).filter((row) => row.includes("three"));
    fill(twice, "three", { decision: "reject" });
    const { code, stdout } = await give(effects, [...rows, ...twice], "--as", "board");
    const why = 'C-3 "three" (en): the sheet has it more than once, in rows 7, 9: keep one';
    expect(stdout).toContain(`  row 7, ${why}\n  row 9, ${why}`);
    expect([code, decided(effects)]).toEqual([1, ["C-2 two reviewed "]]);
  });

  it.each<[string, { xml: string }, Column, string]>([
    ["a formula", { xml: "<c><f>1+1</f><v>2</v></c>" }, "decision", "decision is a formula: write it as text"],
    [
      "a formula without a value",
      { xml: '<c><f>HYPERLINK("http://127.0.0.1:9/")</f></c>' },
      "note",
      "note is a formula: write it as text",
    ],
    [
      "a formula whose value would be right",
      { xml: '<c t="str"><f>"acc"&amp;"ept"</f><v>accept</v></c>' },
      "decision",
      "decision is a formula: write it as text",
    ],
    [
      "a date that a version became",
      { xml: '<c s="1"><v>46327</v></c>' },
      "expression",
      "expression is a date: write it as text",
    ],
    ["a number", { xml: "<c><v>1</v></c>" }, "decision", 'decision "1" is neither accept nor reject'],
    [
      "an error",
      { xml: '<c t="e"><v>#N/A</v></c>' },
      "concept",
      'concept is not as in the sheet any more: "Three", in the sheet "#N/A"',
    ],
  ])("refuses a row with %s, which is never evaluated", async (...[_what, cell, column, why]) => {
    const effects = registryOf();
    const rows = await sheetOf(effects, "sheet.csv");
    fill(rows, "three", { decision: "accept" });
    const given = rows.map((row) =>
      row.map((text, i): Written => (row[5] === "three" && COLUMNS[i] === column ? cell : text)),
    );
    const { code, stdout } = await give(effects, given, "--as", "board");
    expect(stdout).toContain(why);
    expect([code, decided(effects)]).toEqual([1, ["C-2 two reviewed "]]);
  });

  it("finds its columns wherever they are, and names those that it does not read", async () => {
    const effects = registryOf();
    const rows = await sheetOf(effects, "sheet.csv");
    fill(rows, "three", { decision: "accept", reviewer: "board" });
    const moved = rows.map((row, i) =>
      [i === 0 ? "Mine" : "x", ...row.toReversed()].map((cell) => (i === 0 ? cell.toUpperCase() : cell)),
    );
    const { stdout } = await give(effects, moved);
    expect(stdout).toContain('Not read: columns "MINE"');
    expect(decided(effects)).toEqual(["C-2 two reviewed ", "C-3 three reviewed board"]);
  });

  it("says for programs what it says for people", async () => {
    const effects = registryOf();
    const rows = await sheetOf(effects, "sheet.csv");
    fill(rows, "three", { decision: "accept", note: "fine" });
    fill(rows, "drei", { decision: "no" });
    const { stdout } = await give(effects, rows, "--as", "board", "--json");
    const [sheet, refused, noted, plan] = stdout.split("\n").map((line) => JSON.parse(line) as object);
    expect(sheet).toEqual({
      sheet: "back.xlsx",
      accepted: 1,
      rejected: 0,
      already: 0,
      undecided: 5,
      refused: 1,
      columnsNotRead: [],
    });
    expect(refused).toMatchObject({
      refusedRow: 8,
      code: "C-3",
      expression: "drei",
      why: 'decision "no" is neither accept nor reject',
    });
    expect(noted).toMatchObject({ notedRow: 7, note: "fine" });
    expect(plan).toMatchObject({ action: "accept", reviewedBy: "board", files: ["concepts/test/C-3.yaml"] });
  });
});
