/** `resolve --from`: a table in, its answers out; and the exit status of one answer. */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fileSystem } from "../../../generator/effects/file-system.ts";
import { DelimitedError, DelimitedReader } from "../../../generator/text/delimited.ts";
import { Batch, type BatchSettings } from "../../../generator/tools/query/batch.ts";
import { answerRequest } from "../../../runtime/registry/answer.ts";
import type { Release } from "../../../runtime/release/release.ts";
import { openRelease } from "../../../runtime/release/release.ts";
import { said } from "../../support/review.ts";
import { runHere } from "../../support/command.ts";
import { project } from "../../support/project.ts";

const folder = mkdtempSync(path.join(tmpdir(), "test-table-"));
const dist = path.join(project, "test/golden/dist");
let release: Release;
beforeAll(() => {
  release = openRelease(dist);
});
afterAll(() => {
  release.close();
  rmSync(folder, { recursive: true });
});

const USUAL: BatchSettings = {
  column: "expression",
  languageColumn: "language",
  language: undefined,
  delimiter: undefined,
  format: "csv",
};

/** The answers to a table that comes in pieces of so many bytes. */
function batched(table: string | Uint8Array, settings: Partial<BatchSettings> = {}, size = 1 << 16): string {
  const batch = new Batch(release.index, { ...USUAL, ...settings });
  const bytes = typeof table === "string" ? Buffer.from(table) : table;
  let text = "";
  for (let at = 0; at < bytes.length; at += size) text += batch.take(bytes.subarray(at, at + size));
  return text + batch.end();
}

/** Every expression of the small registry with its tag, and texts that are hard. */
const CASES: [string, string][] = readFileSync(path.join(dist, "registry/bundle.ndjson"), "utf8")
  .trimEnd()
  .split("\n")
  .flatMap((line) => {
    const { expressions = [] } = JSON.parse(line) as {
      expressions?: { expression: string; language: string; locale: string | null }[];
    };
    return expressions.flatMap(({ expression, language, locale }): [string, string][] => [
      [expression, locale ?? language],
      [expression, ""],
      [expression, "en-GB-x-private"],
      [expression.toUpperCase(), language],
    ]);
  })
  .concat([
    ["", "en"],
    ["x".repeat(1001), "en"],
    ["hello", "not a tag"],
    ['say "hi", then\ngo', "en"],
    ["cafe\u0301", "fr"],
    ["=1+1", ""],
    ["𝒳".repeat(1000), ""],
  ]);

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const TABLE = `expression,language\n${CASES.map(([text, tag]) => `${quoted(text)},${tag}\n`).join("")}`;

describe("a table", () => {
  it("is answered as each of its rows would be by itself", () => {
    const lines = batched(TABLE, { format: "ndjson" }).trimEnd().split("\n");
    expect(lines.length).toBe(CASES.length);
    const statuses = new Set<unknown>();
    CASES.forEach(([expression, language], i) => {
      const found = JSON.parse(lines[i] ?? "") as Record<string, unknown>;
      const answer = answerRequest(release.index, { expression, ...(language !== "" && { language }) });
      const { data } = JSON.parse(answer.ok ? answer.envelope : "{}") as {
        data?: { status: string; reason: string | null; concept: { code: string; name: string } | null };
      };
      const expected = answer.ok
        ? {
            status: data?.status,
            reason: data?.reason,
            code: data?.concept?.code ?? null,
            name: data?.concept?.name ?? null,
          }
        : { status: "refused", reason: answer.problem.code, code: null, name: null };
      const asked = { expression, language: language === "" ? null : language };
      expect(found).toEqual({ line: found["line"], ...asked, ...expected, registryVersion: "2026.11.1" });
      statuses.add(found["status"]);
    });
    expect(statuses).toEqual(new Set(["abstained", "refused", "resolved"]));
  });

  it("is answered the same in pieces of any size", () => {
    const whole = batched(TABLE);
    for (const size of [1, 2, 3, 7, 64]) expect(batched(TABLE, {}, size)).toBe(whole);
  });

  it.each([";", "\t", "|"])("says by its header that %j separates its cells, in pieces of any size", (separator) => {
    const [{ 0: text, 1: tag } = ["", ""]] = CASES;
    const table = ["n, o", " Expression", "LANGUAGE"].join(separator) + `\n${[`1`, text, tag].join(separator)}\n`;
    for (const size of [1, 5, 1 << 16])
      expect(batched(table, {}, size).split("\n")[1]).toContain([text, tag, "resolved"].join(separator));
    expect(() => batched(table, { delimiter: "," })).toThrow("there is no column");
  });

  it("keeps its rows as they are written, and gets five columns", () => {
    const [{ 0: text, 1: tag } = ["", ""]] = CASES;
    const [, code = "", name = ""] = /,resolved,([^,]+),([^,]+),/.exec(batched(TABLE)) ?? [];
    expect(
      batched(`\uFEFFid;"expression";language\r\n7;${text};${tag}\r\n\r\n8;"a ""b"";";\r\n`, { delimiter: ";" }),
    ).toBe(
      `id;"expression";language;status;code;name;registryVersion;reason\n7;${text};${tag};resolved;${code};${name};2026.11.1;\n` +
        '8;"a ""b"";";;abstained;;;2026.11.1;no_reviewed_exact_match\n',
    );
  });

  it.each([
    ["a;,b,expression\na;,en\n", 'line 1: there is no column "language", only "a;", "b", "expression"'],
    ["text,language\na,en\n", 'line 1: there is no column "expression", only "text", "language"'],
    ["expression,language,expression\n", 'line 1: there are several columns "expression"'],
    [
      "Name;code;reason\na;;\n",
      'line 1: there is no column "language", only "Name", "code", "reason"; there is no column "expression", only "Name", "code", "reason"; the answer has a column "code" too: rename it; the answer has a column "reason" too: rename it',
    ],
    ["expression,language,code\n", 'line 1: the answer has a column "code" too: rename it'],
    ["expression,language\na,en\nb\n", "line 3: 1 fields, and line 1 has 2"],
    ["\n\nexpression,language\nb\n", "line 4: 1 fields, and line 3 has 2"],
    ['expression,language\na,en\n"x\ny",en\nb"c,en\n', "line 5: a quote is never closed"],
    ['expression,language\nb"c",en\n', "line 2: a quote is within a field that does not begin with one"],
    ['expression,language\n"b"c,en\n', "line 2: a field goes on after its closing quote"],
    [
      "expression,language\na,en\nb\rc,en\n",
      "line 3: a carriage return is neither within quotes nor before a line feed",
    ],
    ['expression,language\n"a",e\rn\n', "line 2: a carriage return is neither within quotes nor before a line feed"],
    ['expression,language\n"b,en\nc,de\n', "line 2: a quote is never closed"],
    ["", "line 1: there is no line with the names of the columns"],
  ])("is refused where it is not one: %j", (table, message) => {
    expect(() => batched(table)).toThrow(new DelimitedError(message));
  });

  it("is refused where it is not UTF-8, and where a row would fill the memory", () => {
    const batch = new Batch(release.index, USUAL);
    expect(() => batch.take(Buffer.from([0x65, 0xff, 0x0a]))).toThrow("the text is not UTF-8");
    const many = "é\n".repeat(50);
    const bad = Buffer.concat([Buffer.from(`expression\n"é\n${many}"\n${many}é`), Buffer.from("é\nx\n", "latin1")]);
    for (const size of [1, 2, 3, 7, 64, 1 << 16])
      expect(() => batched(bad, { languageColumn: undefined }, size)).toThrow(
        new DelimitedError("line 104: the text is not UTF-8"),
      );
    const reader = new DelimitedReader(",");
    expect(() => {
      for (let i = 0; i < 100; i++) reader.take(`"${"x".repeat(1 << 16)}`.slice(i === 0 ? 0 : 1));
    }).toThrow("a row is too long");
  });
});

const command = (...args: string[]) => said(fileSystem, ["resolve", "--out", dist, ...args]);

describe("resolve --from", () => {
  const from = path.join(folder, "in.csv");
  beforeAll(() => writeFileSync(from, TABLE));

  it("writes the file at once or not at all, and says that it is complete", async () => {
    const into = path.join(folder, "out.csv");
    const args = ["--from", from, "--language-column", "language", "--into", into];
    const { code, stdout, stderr } = await command(...args);
    expect([code, stdout]).toEqual([0, ""]);
    expect(stderr).toMatch(
      new RegExp(`^Complete: ${CASES.length} rows, \\d+ resolved, \\d+ abstained, 3 refused; registry 2026.11.1$`),
    );
    const whole = readFileSync(into, "utf8");
    expect(whole).toBe(batched(TABLE));
    writeFileSync(from, `${TABLE}"never closed`);
    const broken = await command(...args);
    expect([broken.code, broken.stderr]).toEqual([
      1,
      expect.stringMatching(/in\.csv, line \d+: a quote is never closed; nothing was written$/),
    ]);
    expect([readFileSync(into, "utf8") === whole, readdirSync(folder).sort()]).toEqual([true, ["in.csv", "out.csv"]]);
    expect((await command("--from", from, "--into", path.join(folder, "new/folder/out.csv"))).code).toBe(1);
    expect(readdirSync(folder).sort()).toEqual(["in.csv", "out.csv"]);
    const printed = await command("--from", from);
    expect([printed.code, printed.stderr]).toEqual([1, expect.stringContaining("the printed output is incomplete")]);
    writeFileSync(from, TABLE);
  });

  it("reads standard input; a reader that is killed leaves no file that seems whole, and the next removes its part", async () => {
    const into = path.join(folder, "killed.ndjson");
    const child = spawn(
      process.execPath,
      ["lib/generator/main.js", "resolve", "--out", dist, "--from", "-", "--into", into],
      { cwd: project },
    );
    child.stdin.write(`expression\n${"hello\n".repeat(1000)}`);
    while (child.exitCode === null && !readdirSync(folder).some((name) => name.startsWith("killed.ndjson.part-")))
      await new Promise((go) => setTimeout(go, 20));
    child.kill("SIGKILL");
    await new Promise((go) => child.on("close", go));
    expect(existsSync(into)).toBe(false);
    const piped = spawn(
      process.execPath,
      ["lib/generator/main.js", "resolve", "--out", dist, "--from", "-", "--into", into],
      { cwd: project },
    );
    piped.stdin.end("expression\nhello\nnever heard of");
    expect(await new Promise((go) => piped.on("close", go))).toBe(0);
    expect(
      readFileSync(into, "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => (JSON.parse(line) as { line: number }).line),
    ).toEqual([2, 3]);
    expect(readdirSync(folder).filter((name) => name.includes(".part-"))).toEqual([]);
  });

  it.each([
    [["hello", "--from", "x"], "Name an expression or --from, not both"],
    [["--from", "nowhere.csv"], "--from nowhere.csv is not a file"],
    [["--from", "x", "--exit-status"], "--exit-status goes with one expression"],
    [["--from", "x", "--delimiter", ":"], '--delimiter ":" is none of , ; tab |'],
    [["--from", "x", "--format", "xls"], '--format "xls" is none of csv, ndjson'],
    [["--from", "x", "--language", "en", "--language-column", "l"], "Use only one of --language and --language-column"],
    [["hello", "--into", "x"], "--into goes with --from"],
  ])("refuses %j", async (args, message) => {
    await expect(command(...args)).rejects.toThrow(message);
  });
});

describe("resolve --exit-status", () => {
  it("exits as the kits do, and prints the same", async () => {
    const [[resolved, tag] = ["", ""]] = CASES;
    const of = async (...args: string[]): Promise<number[]> => {
      const [plain, status] = [await command(...args), await command(...args, "--exit-status")];
      expect(status.stdout).toBe(plain.stdout);
      return [plain.code, status.code];
    };
    expect(await of(resolved, "--language", tag)).toEqual([0, 0]);
    expect(await of("never heard of")).toEqual([0, 3]);
    expect(await of("hello", "--language", "not a tag")).toEqual([1, 6]);
    const ambiguous = CASES.find(([text, language]) => {
      const answer = answerRequest(release.index, { expression: text, ...(language !== "" && { language }) });
      return answer.ok && answer.envelope.includes("ambiguous_expression");
    });
    expect(ambiguous).toBeDefined();
    const [text = "", language = ""] = ambiguous ?? [];
    expect(await of(text, ...(language === "" ? [] : ["--language", language]))).toEqual([0, 4]);
    expect((await runHere(["resolve", "--out", dist, "--exit-status"])).code).toBe(2);
  });
});
