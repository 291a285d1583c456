/**
 * `check`: a table with seeded faults of every verdict gives exactly their counts, from a release,
 * from a running service and from standard input; and what is not a data set is refused.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import addFormats from "ajv-formats";
import { Ajv } from "ajv";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Verdict, VERDICTS } from "../../../generator/tools/data/verdicts.ts";
import { runHere } from "../../support/command.ts";
import { project } from "../../support/project.ts";
import { random } from "../../support/random.ts";
import { serveFolder, type Service } from "../../support/service.ts";
import { FIRST, makeReleases, type Releases, THIRD } from "./releases.ts";

const VERDICT_NAMES = Object.keys(VERDICTS) as readonly Verdict[];
const ROWS = 200_000;
const SEED = Date.now() % 2 ** 31;
const folder = mkdtempSync(path.join(tmpdir(), "test-check-"));
const at = (name: string): string => path.join(folder, name);
const file = (name: string, content: string | Uint8Array): string => {
  writeFileSync(at(name), content);
  return at(name);
};

let releases: Releases;
let dist: string;
let service: Service;
beforeAll(async () => {
  releases = await makeReleases();
  dist = releases.dist(THIRD);
  service = await serveFolder(dist);
});
afterAll(() => service.close());

const check = (...args: string[]) => runHere(["check", "--out", dist, ...args]);

type Cells = readonly [code: string, expression: string, language: string, name: string, version: string];

/** Rows that each have one verdict; the name and version of some agree. */
const EXAMPLES: Readonly<Record<Verdict, readonly Cells[]>> = {
  not_a_code: [["A 1", "alpha", "en", "", ""], ["a-1", "", "", "", ""], ["https://x.example/A-1", "", "", "", ""], ["A-1 ", "alpha", "", "", ""]],
  unknown_code: [["Z-9", "alpha", "en", "", ""], ["Z-9", "", "", "Alpha", "1999.01.1"]],
  retired: [["E-1", "epsilon", "en", "", ""], ["F-1", "", "", "Wrong", "1999.01.1"]],
  other_version: [["A-1", "beta", "en", "Wrong", "1999.01.1"], ["A-1", "", "", "", "2026.03.1-draft"]],
  name_differs: [["A-1", "beta", "en", "Beta", ""], ["C-1", "", "", "Gamma", FIRST]],
  disagrees: [["A-1", "beta", "en", "Alpha", THIRD], ["A-1", "alfa", "de-AT", "", ""]],
  ambiguous: [["C-1", "shared", "en", "", ""], ["A-1", "shared", "", "", ""], ["", "shared", "", "", ""]],
  expression_unknown: [["A-1", "no such thing", "", "", ""], ["D-1", "delta", "en", "", ""], ["", "alpha", "not a tag", "", ""], ["A-1", "x".repeat(1001), "", "", ""]],
  unused: [["", "alpha", "en", "", ""], ["", "gamma", "", "ignored", THIRD]],
  agrees: [["A-1", "alpha", "en", "Alpha", THIRD], ["C-1", "gamma", "", "shared", FIRST], ["B-1", "alfa", "de-AT", "", ""], ["A-1", "", "", "", ""]],
  blank: [["", "", "", "", ""], ["", "", "de", "Alpha", THIRD]],
}; // prettier-ignore

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** A table of rows in an order by chance, and how many of each verdict it has. */
function seeded(seed: number, rows: number) {
  const pick = random(seed);
  const counts = Object.fromEntries(VERDICT_NAMES.map((verdict) => [verdict, 0])) as Record<Verdict, number>;
  const lines = ["id,note,code,expression,language,name,registryVersion"];
  for (let id = 0; id < rows; id++) {
    const verdict = VERDICT_NAMES[pick(VERDICT_NAMES.length)] as Verdict;
    const examples = EXAMPLES[verdict];
    const cells = examples[pick(examples.length)] as Cells;
    counts[verdict]++;
    const note = ["", quoted('say "hi",\nthen go'), "=1+1", "ü𝒳"][pick(4)] ?? "";
    lines.push([String(id), note, ...cells.map((cell) => (pick(5) === 0 ? quoted(cell) : cell))].join(","));
  }
  return { text: `${lines.join(pick(2) === 0 ? "\r\n" : "\n")}\n`, counts };
}

/** The counts that a text report begins with. */
function countsIn(report: string): Record<string, number> {
  const found = [...report.split("\n\n")[0]!.matchAll(/^ {2}(\w+): (\d+)$/gm)]; // prettier-ignore
  return Object.fromEntries(found.map(([, verdict = "", count]) => [verdict, Number(count)]));
}

describe(`a table of ${ROWS} rows with faults of every verdict (seed ${SEED})`, () => {
  const { text, counts } = seeded(SEED, ROWS);
  beforeAll(() => void file("big.csv", text));

  it("gives exactly their counts, from a release and from a running service", async () => {
    const args = ["--from", at("big.csv"), "--name-column", "name"];
    const offline = await check(...args);
    expect([offline.code, countsIn(offline.stdout)]).toEqual([1, counts]);
    expect(offline.stderr).toContain(`Complete: ${ROWS} rows, ${counts.agrees} agree or are allowed`);
    const asked = await runHere(["check", "--origin", `http://127.0.0.1:${service.port}`, ...args]);
    expect(asked).toEqual(offline);
  });

  it("gives them through standard input, in little memory", async () => {
    const args = ["lib/generator/main.js", "check", "--out", dist, "--from", "-", "--name-column", "name"];
    const child = spawn(process.execPath, ["--max-old-space-size=40", ...args], { cwd: project });
    let stdout = "";
    child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
    for (let copy = 0; copy < 2; copy++) child.stdin.write(copy === 0 ? text : text.slice(text.indexOf("\n") + 1));
    child.stdin.end();
    expect(await new Promise((resolve) => child.on("close", resolve))).toBe(1);
    const twice = Object.fromEntries(Object.entries(counts).map(([verdict, count]) => [verdict, count * 2]));
    expect(countsIn(stdout)).toEqual(twice);
  });

  it.each(["csv", "ndjson", "sarif"])("reports each of its rows as %s, in the order of the table", async (report) => {
    const into = at(`report.${report}`);
    const { code, stdout } = await check("--from", at("big.csv"), "--name-column", "name", "--report", report, "--into", into); // prettier-ignore
    expect([code, stdout]).toEqual([1, ""]);
    const written = readFileSync(into, "utf8");
    const rows = {
      csv: /,(\w+)(?:,[^,\r\n]*){4}$/gm,
      ndjson: /"verdict":"(\w+)"/g,
      sarif: /^,?\{"ruleId":"(\w+)"/gm,
    }[report];
    const found = [...written.matchAll(rows ?? /^$/g)];
    expect(written).not.toMatch(/,=/);
    const tally: Record<string, number> = {};
    for (const [, verdict = ""] of report === "csv" ? found.slice(1) : found)
      tally[verdict] = (tally[verdict] ?? 0) + 1;
    expect(tally).toEqual(report === "sarif" ? { ...counts, agrees: undefined } : counts);
  });
});

describe("a report", () => {
  const TABLE = `code,expression,note\nE-1,epsilon,=2+2\n"A-1",alpha,"a ""b"""\nA-1,beta,x\n`;

  it("shows people what is wrong, where, and what to do", async () => {
    const { stdout } = await check("--from", file("few.csv", TABLE));
    expect(stdout).toContain(`retired: 1\n  disagrees: 1\n  agrees: 1\n`);
    expect(stdout).toContain('  line 2: "E-1" was retired in 2026.02.1; its successor is "F-1" ("Split")\n  Decide ');
    expect(stdout).toContain('  line 4: "beta" resolves to B-1, and the row has "A-1"\n');
  });

  it("as CSV keeps each row as it is written, but never a formula", async () => {
    const { stdout } = await check("--from", file("few.csv", TABLE), "--report", "csv");
    expect(stdout).toBe(
      "code,expression,note,verdict,otherCodes,retiredIn,reason,conceptName\n" +
        `E-1,epsilon,'=2+2,retired,F-1,2026.02.1,Split,\n"A-1",alpha,"a ""b""",agrees,,,,\nA-1,beta,x,disagrees,B-1,,,\n`,
    );
  });

  it("as NDJSON has the row as an object, and the evidence", async () => {
    const from = file("few.ndjson", `{"concept":{"code":"E-1"}}\r\n\n{"concept":{"code":"\\ud800"},"x":[1]}\n{}`);
    const { stdout, code } = await check("--from", from, "--code-column", "/concept/code", "--report", "ndjson");
    expect(code).toBe(1);
    expect(stdout.trimEnd().split("\n").map((line) => JSON.parse(line) as unknown)).toEqual([
      { line: 1, verdict: "retired", evidence: { retiredIn: "2026.02.1", replacedBy: "F-1", reason: "Split" }, row: { concept: { code: "E-1" } } },
      { line: 3, verdict: "not_a_code", evidence: { meant: null }, row: { concept: { code: "\ud800" }, x: [1] } },
      { line: 4, verdict: "blank", evidence: {}, row: {} },
    ]); // prettier-ignore
  });

  it("as SARIF is valid by the published schema, with a rule for each verdict and the line of each row", async () => {
    const schema = JSON.parse(readFileSync(path.join(import.meta.dirname, "sarif-2.1.0.json"), "utf8")) as object;
    const ajv = new Ajv({ strict: false });
    addFormats.default(ajv);
    const text = readFileSync(file("few.csv", TABLE), "utf8");
    for (const from of [path.relative(process.cwd(), at("few.csv")), at("few.csv")]) {
      const { stdout } = await check("--from", from, "--report", "sarif");
      const log = JSON.parse(stdout) as { runs: [{ results: { ruleId: string; locations: unknown[] }[] }] };
      expect([ajv.validate(schema, log), ajv.errors]).toEqual([true, null]);
      expect(log.runs[0].results.map(({ ruleId }) => ruleId)).toEqual(["retired", "disagrees"]);
      const uri = from.startsWith("/") ? `file://${from}` : from;
      const place = { physicalLocation: { artifactLocation: { uri }, region: { startLine: 2 } } };
      expect(log.runs[0].results[0]?.locations).toEqual([place]);
    }
    expect(text).toContain("E-1");
  });

  it("ends with 0 if what does not agree is allowed", async () => {
    const from = file("few.csv", TABLE);
    expect((await check("--from", from, "--allow", "retired")).code).toBe(1);
    const { code, stdout, stderr } = await check("--from", from, "--allow", "retired,disagrees");
    expect([code, stderr]).toEqual([0, expect.stringContaining("3 agree or are allowed, 0 not")]);
    expect(stdout).toContain("retired: 1, allowed");
  });
});

describe("what is not a data set is refused with its line, and nothing is written", () => {
  it.each<readonly [string, string | Uint8Array, string]>([
    ["no header", "", "line 1: there is no line with the names of the columns"],
    ["no column that counts", "id,Kode\n1,A-1\n", 'line 1: there is neither a column "code" nor "expression", only "id", "Kode"; nothing was written. Name the columns'],
    ["two columns of one name", "code,Code,code\n", 'there are several columns "code"'],
    ["unequal columns", "code,note\nA-1,x\nA-1\n", "line 3: the row that begins here has 1 field, and the header has 2"],
    ["a quote that nothing closes", 'code,note\nA-1,"x\n', "line 2: the row that begins here has a quote that is not closed"],
    ["invalid UTF-8", Buffer.from([...Buffer.from("code\nA-1\n"), 0xff, 0x0a]), "line 3: the text is not UTF-8"],
    ["UTF-16 with a mark", Buffer.from("\ufeffcode\nA-1\n", "utf16le"), "line 1: the text is not UTF-8"],
    ["UTF-16 without one", Buffer.from("code\nA-1\n", "utf16le"), "line 1: there is a NUL; nothing was written. Save the table as text in UTF-8"],
    ["a NUL", "code,note\nA-1,a\0b\n", "line 2: there is a NUL"],
    ["a cell of 20 MB", `code,note\nA-1,${"x".repeat(20 << 20)}\n`, "line 2: the row that begins here is longer than 16 MiB"],
  ])("%s", async (_name, content, message) => {
    const from = file("bad.csv", content);
    const { code, stderr } = await check("--from", from, "--into", at("bad.out"));
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
    expect(stderr).toContain("nothing was written");
    expect(readdirSync(folder).filter((name) => name.startsWith("bad.out"))).toEqual([]);
  }); // prettier-ignore

  it.each([
    ["not JSON", '{"code":"A-1"}\n{"code":\n', "line 2: the row is not JSON"],
    ["not an object", '["A-1"]\n', "line 1: the row is not a JSON object"],
    ["a number", '\n{"code":17}\n', 'line 2: "code" is not a text'],
    ["a long line", `{"code":"${"x".repeat(20 << 20)}"}`, "line 1: the row is longer than 16 MiB"],
  ])("lines of JSON: %s", async (_name, content, message) => {
    const { code, stderr } = await check("--from", file("bad.ndjson", content), "--into", at("bad.out"));
    expect([code, stderr, existsSync(at("bad.out"))]).toEqual([1, expect.stringContaining(message), false]);
  });

  it("a row of 100 MB, in bounded memory", async () => {
    const args = ["lib/generator/main.js", "check", "--out", dist, "--from", "-"];
    const child = spawn(process.execPath, ["--max-old-space-size=200", ...args], { cwd: project });
    let stderr = "";
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    child.stdin.on("error", () => undefined);
    child.stdin.write("code\n");
    for (let mib = 0; mib < 100; mib++) child.stdin.write("x".repeat(1 << 20));
    child.stdin.end();
    expect(await new Promise((resolve) => child.on("close", resolve))).toBe(1);
    expect(stderr).toContain("line 2: the row that begins here is longer than 16 MiB");
  });

  it("a mark at the start, line ends of both kinds and an empty table are data", async () => {
    const marked = await check("--from", file("marked.csv", "\ufeffcode;expression\r\nA-1;alpha\nA-1;alpha"));
    expect([marked.code, marked.stderr]).toEqual([0, expect.stringContaining('cells are separated by ";"')]);
    const empty = await check("--from", file("empty.csv", "code\n"), "--report", "sarif");
    expect([empty.code, (JSON.parse(empty.stdout) as { runs: { results: [] }[] }).runs[0]?.results]).toEqual([0, []]);
  });

  it.each<readonly [string[], string]>([
    [["--from", "package.json", "--allow", "retirde"], '--allow "retirde" is not a verdict (did you mean retired?)'],
    [["--from", "package.json", "--origin", "http://127.0.0.1:9"], "Use only one of --out and --origin"],
    [[], "Name the data"],
    [["--from", "nowhere.csv"], "--from nowhere.csv is not a file"],
    [["--from", "package.json", "--format", "ndjson", "--report", "csv"], "line"],
  ])("wrong usage: %j", async (args, message) => {
    const { code, stderr } = await check(...args);
    expect([code > 0, stderr]).toEqual([true, expect.stringContaining(message)]);
  });
});

describe("a service that lies or is silent is refused", () => {
  /** Passes requests on, and changes the bodies of one path. */
  async function lying(target: string, change: (body: Buffer) => Buffer | undefined): Promise<[string, http.Server]> {
    const server = http.createServer((request, response) => {
      void service.send("GET", request.url ?? "/", { headers: { "accept-encoding": "identity" } }).then((reply) => {
        const body = request.url === target ? change(reply.body) : reply.body;
        if (body === undefined) return response.writeHead(404).end();
        const digest = reply.headers["repr-digest"];
        return response
          .writeHead(reply.status, digest === undefined ? {} : { "repr-digest": String(digest) })
          .end(body);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return [`http://127.0.0.1:${(server.address() as AddressInfo).port}`, server];
  }

  it.each<readonly [string, (body: Buffer) => Buffer | undefined, string]>([
    ["/registry/retired.json", (body) => Buffer.from(body.toString().replace("E-1", "E-2")), "it differs from the digest"],
    ["/registry/bundle.ndjson", (body) => Buffer.from(body.toString().replace("alpha", "alpho")), "its SHA-256 is not that"],
    ["/registry/bundle.ndjson", () => Buffer.from("<html>"), "cannot be used"],
    ["/registry/changes/2026.02.1.json", () => undefined, "the answer is 404"],
    ["/api/v1/status", (body) => Buffer.from(body.toString().replaceAll(THIRD, FIRST)), "other content"],
  ])("%s", async (target, change, message) => {
    const [origin, server] = await lying(target, change);
    const { code, stderr, stdout } = await runHere(["check", "--origin", origin, "--from", file("one.csv", "code\nA-1\n")]);
    server.close();
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining(message)]);
  }); // prettier-ignore

  it("nothing listens", async () => {
    const { code, stderr } = await runHere(["check", "--origin", "http://127.0.0.1:9", "--from", file("one.csv", "code\nA-1\n")]); // prettier-ignore
    expect([code, stderr]).toEqual([2, expect.stringContaining("cannot be used")]);
  });
});
