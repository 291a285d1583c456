/** `resolve --from`: a table in, its answers out; and the exit status of one answer. */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fileSystem } from "../../../generator/effects/file-system.ts";
import { DelimitedError } from "../../../generator/text/delimited.ts";
import { Batch, type BatchSettings } from "../../../generator/tools/query/batch.ts";
import { answerRequest } from "../../../runtime/registry/answer.ts";
import type { Release } from "../../../runtime/release/release.ts";
import { openRelease } from "../../../runtime/release/release.ts";
import { readSssom } from "../../support/sssom.ts";
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
async function batched(
  table: string | Uint8Array,
  settings: Partial<BatchSettings> = {},
  size = 1 << 16,
): Promise<string> {
  const batch = new Batch(release.index, { ...USUAL, ...settings });
  let text = "";
  for await (const answers of batch.answers(inPieces(Buffer.from(table), size))) text += answers;
  return text;
}

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
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

const A_QUOTE_WITHIN = "the row that begins here has a quote within a field that does not begin with one";
const A_RETURN = "the row that begins here has a carriage return neither within quotes nor before a line feed";

describe("a table", () => {
  it("is answered as each of its rows would be by itself", async () => {
    const lines = (await batched(TABLE, { format: "ndjson" })).trimEnd().split("\n");
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

  it("is answered as mappings, an abstention as sssom:NoTermFound with its reason", async () => {
    const own = mkdtempSync(path.join(folder, "mapped-"));
    const [from, into] = [path.join(own, "in.csv"), path.join(own, "out.sssom.tsv")];
    writeFileSync(from, TABLE);
    const args = ["--out", dist, "--from", from, "--language-column", "language", "--into", into];
    expect((await runHere(["resolve", ...args])).code).toBe(0);
    const { metadata, rows } = readSssom(readFileSync(into, "utf8"));
    expect(metadata).toMatchObject({
      curie_map: { concept: "https://registry.example/api/v1/concepts/", registry: "https://registry.example/api/v1/" },
      license: "https://w3id.org/sssom/license/unspecified",
      subject_type: "rdfs literal",
      object_source: "registry:concepts",
      object_source_version: "2026.11.1",
    });
    const expected = CASES.flatMap(([expression, language]) => {
      const answer = answerRequest(release.index, { expression, ...(language !== "" && { language }) });
      if (!answer.ok) return [];
      const { data } = JSON.parse(answer.envelope) as {
        data: { reason: string | null; concept: { code: string; name: string } | null };
      };
      return {
        subject_label: expression,
        predicate_id: "skos:exactMatch",
        object_id: data.concept === null ? "sssom:NoTermFound" : `concept:${data.concept.code}`,
        object_label: data.concept?.name ?? "",
        mapping_justification: "semapv:LexicalMatching",
        other: language === "" ? "" : `language=${language}`,
        comment: data.reason ?? "",
      };
    });
    expect(rows).toEqual(expected);
    rmSync(own, { recursive: true });
  });

  it("is answered the same in pieces of any size", async () => {
    const whole = await batched(TABLE);
    for (const size of [1, 2, 3, 7, 64]) expect(await batched(TABLE, {}, size)).toBe(whole);
  });

  it.each([";", "\t", "|"])(
    "says by its header that %j separates its cells, in pieces of any size",
    async (separator) => {
      const [{ 0: text, 1: tag } = ["", ""]] = CASES;
      const table = ["n, o", " Expression", "LANGUAGE"].join(separator) + `\n${[`1`, text, tag].join(separator)}\n`;
      for (const size of [1, 5, 1 << 16])
        expect((await batched(table, {}, size)).split("\n")[1]).toContain([text, tag, "resolved"].join(separator));
      await expect(batched(table, { delimiter: "," })).rejects.toThrow("there is no column");
    },
  );

  it("keeps its rows as they are written, and gets five columns", async () => {
    const [{ 0: text, 1: tag } = ["", ""]] = CASES;
    const [, code = "", name = ""] = /,resolved,([^,]+),([^,]+),/.exec(await batched(TABLE)) ?? [];
    expect(
      await batched(`\uFEFFid;"expression";language\r\n7;${text};${tag}\r\n\r\n8;"a ""b"";";\r\n`, { delimiter: ";" }),
    ).toBe(
      `id;"expression";language;status;code;name;registryVersion;reason\n7;${text};${tag};resolved;${code};${name};2026.11.1;\n` +
        '8;"a ""b"";";;abstained;;;2026.11.1;no_reviewed_exact_match\n',
    );
  });

  it.each([
    ["a;,b,expression\na;,en\n", 1, 'there is no column "language", only "a;", "b", "expression"'],
    ["text,language\na,en\n", 1, 'there is no column "expression", only "text", "language"'],
    ["expression,language,expression\n", 1, 'there are several columns "expression"'],
    [
      "Name;code;reason\na;;\n",
      1,
      'there is no column "language", only "Name", "code", "reason"; there is no column "expression", only "Name", "code", "reason"; the answer has a column "code" too; the answer has a column "reason" too',
    ],
    ["expression,language,code\n", 1, 'the answer has a column "code" too'],
    ["expression,language\na,en\nb\n", 3, "the row that begins here has 1 field, and the header has 2"],
    ["\n\nexpression,language\nb\n", 4, "the row that begins here has 1 field, and the header has 2"],
    ['expression,language\na,en\n"x\ny",en\n\r\n"b,en\n', 6, "the row that begins here has a quote that is not closed"],
    ['expression,language\na,en\n"x\r\ny",en\nb"c,en\n', 5, A_QUOTE_WITHIN],
    ['expression,language\nb"c",en\n', 2, A_QUOTE_WITHIN],
    ['expression,language\n"b"c,en\n', 2, "the row that begins here has text after the quote that closes a field"],
    ["expression,language\na,en\nb\rc,en\n", 3, A_RETURN],
    ["expression,language\ra,en\r", 1, A_RETURN],
    ["expression,language\n\r\n\rb,en\n", 3, A_RETURN],
    ['expression,language\n"a\r",e\rn\n', 2, A_RETURN],
    ['expression,language\n"b,en\nc,de\n', 2, "the row that begins here has a quote that is not closed"],
    ["", 1, "there is no line with the names of the columns"],
  ])("is refused where it is not one: %j", async (table, line, what) => {
    for (const size of [1, 3, 1 << 16]) {
      const error = await batched(table, {}, size).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(DelimitedError);
      const { line: found, wrong, message } = error as DelimitedError;
      expect([found, wrong[0]]).toEqual([line, what]);
      expect(message).toMatch(/\. [A-Z]/);
    }
  });

  it("has the answers before a fault, wherever its pieces end", async () => {
    for (const size of [1, 7, 1 << 16]) {
      let text = "";
      const answers = new Batch(release.index, { ...USUAL, languageColumn: undefined }).answers(
        inPieces(Buffer.from('expression\nx\n"y" and more\n'), size),
      );
      await expect(
        (async () => {
          for await (const some of answers) text += some;
        })(),
      ).rejects.toThrow("line 3: the row that begins here has text after the quote that closes a field");
      expect(text.trimEnd().split("\n").length).toBe(2);
    }
  });

  it("keeps a carriage return in quotes, and takes the one at the end of the text for a line end", async () => {
    const answered = async (table: string) =>
      (await batched(`expression\n${table}`, { languageColumn: undefined, format: "ndjson" }))
        .trimEnd()
        .split("\n")
        .map((line) => (JSON.parse(line) as { expression: string }).expression);
    expect(await answered('"a\rb"\n"c\r\nd"\r\ne\r')).toEqual(["a\rb", "c\r\nd", "e"]);
  });

  it("is refused where it is not UTF-8, and where a row would fill the memory", async () => {
    await expect(batched(Buffer.from([0x65, 0xff, 0x0a]))).rejects.toThrow("line 1: the text is not UTF-8");
    const many = "é\n".repeat(50);
    const bad = Buffer.concat([Buffer.from(`expression\n"é\n${many}"\n${many}é`), Buffer.from("é\nx\n", "latin1")]);
    for (const size of [1, 2, 3, 7, 64, 1 << 16])
      await expect(batched(bad, { languageColumn: undefined }, size)).rejects.toThrow(
        "line 104: the text is not UTF-8. Save it as UTF-8",
      );
    let read = 0;
    const endless = async function* (): AsyncGenerator<Uint8Array, void> {
      yield Buffer.from('expression\n"');
      for (; read < 1024; read++) yield await Promise.resolve(Buffer.alloc(1 << 20, "x\n"));
    };
    const batch = new Batch(release.index, { ...USUAL, languageColumn: undefined });
    await expect(
      (async () => {
        for await (const answers of batch.answers(endless())) expect(answers.length).toBeLessThan(100);
      })(),
    ).rejects.toThrow("line 2: the row that begins here is longer than 16 MiB");
    expect(read).toBeLessThan(20);
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
    expect(whole).toBe(await batched(TABLE));
    writeFileSync(from, `${TABLE}"never closed`);
    const broken = await command(...args);
    expect([broken.code, broken.stderr]).toEqual([
      1,
      expect.stringMatching(
        /in\.csv, line \d+: the row that begins here has a quote that is not closed; nothing was written\. Put quotes/,
      ),
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
    [["--from", "x", "--format", "xls"], '--format "xls" is none of csv, ndjson, sssom'],
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
