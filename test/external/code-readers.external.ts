/**
 * Exports of a release as Python, SQLite, PostgreSQL, DuckDB and the types of FHIR read them: each
 * says what the release says, whatever its texts are.
 */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { RELEASE_FORMATS, type ReleaseFormat } from "../../generator/tools/vocabulary/release-formats/formats.ts";
import { identifierOf } from "../../generator/tools/vocabulary/release-formats/identifier.ts";
import { HOSTILE, listOf } from "../support/code-list.ts";
import { execute, install } from "../support/npx.ts";
import { project } from "../support/project.ts";

const folder = mkdtempSync(path.join(tmpdir(), "code-readers-"));
const ALL = [...HOSTILE];
const RETIRED = ALL.filter(({ retired }) => retired !== undefined);

async function find(args: readonly string[], what: string): Promise<boolean> {
  const { code } = await execute("python3", args, { cwd: tmpdir(), timeout: 600_000 });
  if (code !== 0) console.warn(`Skipped, ${what} is not here`);
  return code === 0;
}
const hasPython = await find(["-c", "import json, sqlite3, csv"], "python3 with sqlite3");
const hasMypy = await find(["-m", "mypy", "--version"], "mypy");

function write(name: string, format: ReleaseFormat, list = HOSTILE): string {
  writeFileSync(path.join(folder, name), [...RELEASE_FORMATS[format](list)].join(""));
  return name;
}

async function python(args: readonly string[]): Promise<string> {
  const env = { PYTHONIOENCODING: "utf-8", PYTHONDONTWRITEBYTECODE: "1" };
  const { code, stdout, stderr } = await execute("python3", args, { cwd: folder, env });
  expect([code, stderr]).toEqual([0, ""]);
  return stdout;
}

describe.skipIf(!hasPython)("python", () => {
  it("compiles the module, and finds the codes, names and successors of the release", async () => {
    await python(["-m", "py_compile", write("codes.py", "python")]);
    const program = `import codes, json
enum = codes.ConceptCode
print(json.dumps([
  [[one.name, one.value, f"{one}", one == one.value] for one in enum],
  [[one.value, name] for one, name in codes.NAMES.items()],
  [[one.value, successor] for one, successor in codes.RETIRED.items()],
  enum("A-B") is enum.A_B, codes.REGISTRY_VERSION, codes.CONTENT_SHA256,
]))`;
    expect(JSON.parse(await python(["-c", program]))).toEqual([
      ALL.map(({ code }) => [identifierOf(code), code, code, true]),
      ALL.map(({ code, name }) => [code, name]),
      RETIRED.map(({ code, retired }) => [code, retired?.replacedBy]),
      true,
      HOSTILE.registryVersion,
      HOSTILE.contentSha256,
    ]);
  });

  it("compiles the module of an empty registry", async () => {
    write("none.py", "python", listOf([]));
    expect(await python(["-c", "import none; print(list(none.ConceptCode))"])).toBe("[]\n");
  });

  it.skipIf(!hasMypy)("has nothing to say about its types, and refuses a text that is not a code", async () => {
    write("codes.py", "python");
    writeFileSync(path.join(folder, "use.py"), 'from codes import ConceptCode\none: ConceptCode = "Z-9"\n');
    expect(await python(["-m", "mypy", "--strict", "codes.py"])).toContain("Success");
    const { code, stdout } = await execute("python3", ["-m", "mypy", "--strict", "use.py"], { cwd: folder });
    expect([code, stdout]).toEqual([1, expect.stringContaining("use.py:2: error: Incompatible types")]);
  });

  it("reads the codes as CSV, with nothing that a spreadsheet runs", async () => {
    const program = `import csv, json
with open("${write("codes.csv", "codes")}", newline="", encoding="utf-8") as file:
  print(json.dumps([[row["code"], row["name"], row["replacedBy"]] for row in csv.DictReader(file, strict=True)]))`;
    const rows = JSON.parse(await python(["-c", program])) as string[][];
    expect(rows).toEqual(
      ALL.map(({ code, name, retired }) => [code, name.replace(/^(?=[=\t])/, "'"), retired?.replacedBy ?? ""]),
    );
  });
});

describe.skipIf(!hasPython)("SQLite", () => {
  it("runs the file, and finds the rows of the release in its one table", async () => {
    const program = `import json, sqlite3
base = sqlite3.connect(":memory:", isolation_level=None)
base.executescript(open("${write("codes.sql", "sql")}", newline="", encoding="utf-8").read())
print(json.dumps([
  base.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall(),
  base.execute("SELECT code, name, definition, retired_in, replaced_by, reason FROM concept_code").fetchall(),
]))`;
    expect(JSON.parse(await python(["-c", program]))).toEqual([
      [["concept_code"]],
      ALL.map(({ code, name, concept, retired }) => [
        code,
        name,
        concept?.definition ?? null,
        retired?.retiredIn ?? null,
        retired?.replacedBy ?? null,
        retired?.reason ?? null,
      ]),
    ]);
  });

  it("runs the file of an empty registry, and of one with more rows than a statement has", async () => {
    const [first] = ALL;
    if (first === undefined) throw new Error("The list is empty");
    const many = listOf(Array.from({ length: 1501 }, (_, i) => ({ ...first, code: `M-${String(i)}` })));
    for (const [list, count] of [[listOf([]), 0] as const, [many, 1501] as const]) {
      const program = `import sqlite3
base = sqlite3.connect(":memory:", isolation_level=None)
base.executescript(open("${write("some.sql", "sql", list)}", encoding="utf-8").read())
print(base.execute("SELECT count(*) FROM concept_code").fetchone()[0])`;
      expect(await python(["-c", program])).toBe(`${count}\n`);
    }
  });
});

/** The rows of `codes.sql` as another database has them, and how many `many.sql` has. */
async function rowsBy(pack: string, program: string): Promise<unknown> {
  if (!(await install([pack], folder))) return undefined;
  write("codes.sql", "sql");
  const [first] = ALL;
  if (first === undefined) throw new Error("The list is empty");
  write("many.sql", "sql", listOf(Array.from({ length: 1501 }, (_, i) => ({ ...first, code: `M-${String(i)}` }))));
  writeFileSync(path.join(folder, "rows.mjs"), program);
  const { code, stdout, stderr } = await execute(process.execPath, ["rows.mjs"], { cwd: folder });
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout);
}

const READ = `import { readFileSync } from "node:fs";
const [codes, many] = ["codes.sql", "many.sql"].map((name) => readFileSync(name, "utf8"));
const all = "SELECT code, name, definition, retired_in, replaced_by, reason FROM concept_code ORDER BY code";
const count = "SELECT CAST(count(*) AS INTEGER) AS count FROM concept_code";
`;

describe.each([
  [
    "PostgreSQL",
    "@electric-sql/pglite@0.5.17",
    `import { PGlite } from "@electric-sql/pglite";
const [base, other] = [new PGlite(), new PGlite()];
await base.exec(codes);
await other.exec(many);
console.log(JSON.stringify([(await base.query(all)).rows, (await other.query(count)).rows]));`,
  ],
  [
    "DuckDB",
    "@duckdb/node-api@1.5.6-r.1",
    `import { DuckDBInstance } from "@duckdb/node-api";
const rows = async (sql, asked) => {
  const base = await (await DuckDBInstance.create(":memory:")).connect();
  await base.run(sql);
  return (await base.runAndReadAll(asked)).getRowObjects();
};
console.log(JSON.stringify([await rows(codes, all), await rows(many, count)]));`,
  ],
])("%s", (_name, pack, program) => {
  it("runs the file, and finds the rows of the release", async ({ skip }) => {
    const found = await rowsBy(pack, READ + program);
    skip(found === undefined);
    const rows = ALL.map(({ code, name, concept, retired }) => ({
      code,
      name,
      definition: concept?.definition ?? null,
      retired_in: retired?.retiredIn ?? null,
      replaced_by: retired?.replacedBy ?? null,
      reason: retired?.reason ?? null,
    }));
    expect(found).toEqual([rows.toSorted((a, b) => (a.code < b.code ? -1 : 1)), [{ count: 1501 }]]);
  });
});

// The types are of others, made from the definitions of HL7; a literal may have no other members.
describe("FHIR R5", () => {
  it("has the types of its resources, and no other members", async ({ skip }) => {
    skip(!(await install(["@types/fhir@0.0.44"], folder)));
    const tsc = path.join(project, "node_modules/typescript/bin/tsc");
    const judge = async (json: string) => {
      const types = "fhir5.CodeSystem | fhir5.ConceptMap | fhir5.NamingSystem";
      const head = `import type * as fhir5 from "fhir/r5";\nexport const bundle: fhir5.Bundle<${types}> = `;
      writeFileSync(path.join(folder, "bundle.ts"), `${head}${json};\n`);
      const args = [tsc, "--strict", "--noEmit", "--skipLibCheck", "--types", "fhir", "bundle.ts"];
      return execute(process.execPath, args, { cwd: folder });
    };
    const json = [...RELEASE_FORMATS.fhir(HOSTILE)].join("");
    expect(await judge(json)).toMatchObject({ code: 0, stdout: "" });
    for (const [from, to] of [
      ['"valueBoolean":true', '"valueBoolean":"true"'],
      ['"content":"complete"', '"content":"all"'],
      ['"kind":"codesystem"', '"kind":"codesystem","since":"2026"'],
    ] as const)
      expect([from, (await judge(json.replace(from, to))).stdout]).toEqual([from, expect.stringContaining("error TS")]);
  });
});
