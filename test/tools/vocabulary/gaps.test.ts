/**
 * From what people asked for in vain to a proposal: `resolve --keep`, `gaps`, review, release and
 * build, in a repository that `init` wrote.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { GAP_MAX_BYTES, GapError, readGaps } from "../../../generator/text/gap.ts";
import { folder, type Outcome, runHere } from "../../support/command.ts";
import { textsIn } from "../../support/files.ts";

const BY = ["--as", "terminology board", "--on", "2026-12-01"];
type Here = (...args: string[]) => Promise<Outcome>;

/** A repository of `init`, without its example; `own` are expressions of the concept in it. */
async function begun(own: readonly string[] = []): Promise<{ directory: string; here: Here }> {
  const directory = path.join(folder({}), "words");
  expect((await runHere(["init", directory, "--yes"])).code).toBe(0);
  const here: Here = (...args) => runHere(args, { cwd: directory });
  rmSync(path.join(directory, "registry/concepts"), { recursive: true });
  writeFileSync(path.join(directory, "registry/retired.yaml"), "[]\n");
  if (own.length > 0) {
    const concept = ["--name", "Refund request", "--definition", "A message that asks for money back."];
    const added = await here("add", ...own, "--language", "en", ...concept, "--domain", "support", ...BY);
    expect(added).toMatchObject({ code: 0, stderr: "" });
  }
  return { directory, here };
}

function gap(expression: string, more: object = {}): string {
  return `${JSON.stringify({ expression, language: "en", reason: "no_reviewed_exact_match", count: 1, day: "2026-12-01", ...more })}\n`;
}

async function resolved(here: Here, expression: string): Promise<string | undefined> {
  const { data } = JSON.parse((await here("resolve", expression)).stdout) as {
    data: { concept: { name: string } | null };
  };
  return data.concept?.name;
}

describe("from a file of abstentions to a published, resolving expression in four commands", () => {
  interface Way {
    readonly what: string;
    readonly own: readonly string[];
    readonly asked: string;
    readonly more: readonly string[];
    readonly name: string;
  }
  const near = { what: "a near form of an expression", own: ["refund request"], asked: "Refund Request", more: [], name: "Refund request" }; // prettier-ignore
  const other = { what: "an expression that no concept is near", own: [], asked: "delivery date", more: ["--domain", "logistics"], name: "delivery date" }; // prettier-ignore
  it.each<Way>([near, other])("$what", async ({ own, asked, more, name }) => {
    const { directory, here } = await begun(own);
    writeFileSync(path.join(directory, "gaps.ndjson"), gap(asked, { count: 3 }));
    const all = [
      await here("gaps", "gaps.ndjson", "--propose", ...more),
      await here("review", "--accept", ...BY),
      await here("release-registry", "--version", "2026.12.1"),
      await here("build"),
    ];
    expect(all.map(({ code, stderr }) => [code, stderr])).toEqual(all.map(() => [0, ""]));
    expect(await resolved(here, asked)).toBe(name);
  });
});

describe("resolve --keep", () => {
  const TABLE = "expression\nrefund request\nRefund Request\nRefund Request\n=1+1\n\u202eabc\n\n";

  it("keeps each expression that abstained, and adds to what the file has; nothing by default", async () => {
    const { directory, here } = await begun(["refund request"]);
    expect((await here("release-registry", "--version", "2026.12.1")).code).toBe(0);
    expect((await here("build")).code).toBe(0);
    writeFileSync(path.join(directory, "words.csv"), TABLE);
    const before = readdirSync(directory);
    expect((await here("resolve", "--from", "words.csv")).code).toBe(0);
    expect(readdirSync(directory)).toEqual(before);

    const keep = ["resolve", "--from", "words.csv", "--keep", "gaps.ndjson", "--on"];
    expect((await here(...keep, "2026-12-01")).stderr).toMatch(/; abstentions are kept in gaps\.ndjson\n$/);
    expect((await here(...keep, "2026-11-30")).code).toBe(0);
    const kept = readFileSync(path.join(directory, "gaps.ndjson"), "utf8");
    expect(kept).toBe(
      gap("=1+1", { language: null, count: 2 }) +
        gap("Refund Request", { language: null, count: 4 }) +
        gap("\u202eabc", { language: null, count: 2 }),
    );
    writeFileSync(path.join(directory, "gaps.ndjson"), `${kept}{`);
    expect(await here(...keep, "2026-12-02")).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/gaps\.ndjson, line 4: the line is not JSON in UTF-8; .*; nothing was written\n$/),
    });
    expect(readFileSync(path.join(directory, "gaps.ndjson"), "utf8")).toBe(`${kept}{`);
  });

  it.each([
    [["--from", "words.csv", "--keep", "gaps.ndjson"], "--keep needs the day of the table: --on YYYY-MM-DD"],
    [["--from", "words.csv", "--keep", "gaps.ndjson", "--on", "2026-02-30"], "--keep needs the day of the table"],
    [["--from", "words.csv", "--on", "2026-12-01"], "--on goes with --keep"],
    [["x", "--keep", "gaps.ndjson"], "--keep goes with --from"],
    [["--from", "words.csv", "--keep", "words.csv", "--on", "2026-12-01"], "--keep words.csv would change words.csv"],
    [["--from", "words.csv", "--keep", ".", "--on", "2026-12-01"], "--keep . is not a regular file"],
  ])("refuses %j", async (args, message) => {
    const { directory, here } = await begun();
    writeFileSync(path.join(directory, "words.csv"), TABLE);
    await expect(here("resolve", ...args)).resolves.toMatchObject({
      code: 2,
      stderr: expect.stringContaining(message),
    });
  });
});

describe("gaps", () => {
  it("merges by expression, language and reason, leaves out what too few files have, groups what is near", async () => {
    const { directory, here } = await begun(["refund request"]);
    const files: Readonly<Record<string, string>> = {
      "a.ndjson":
        gap("Refund Request", { count: 2 }) +
        gap("refund  request", { day: "2026-12-03" }) +
        gap("private") +
        gap("private"),
      "b.ndjson": gap("Refund Request", { reason: "language_not_matched", language: "en" }) + gap("delivery"),
      "c.ndjson": gap("Refund Request", { day: "2026-12-09" }) + gap("refund  request") + gap("delivery", { count: 9 }),
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(directory, name), text);
    const names = Object.keys(files);
    const { code, stdout, stderr } = await here("gaps", ...names, "--min-sources", "2", "--into", "all.ndjson");
    expect([code, stderr]).toEqual([0, ""]);
    const [, first, second, ...last] = stdout.trimEnd().split("\n");
    expect(first).toBe('   10      2  "delivery" (en) | no_reviewed_exact_match | none');
    expect(second).toMatch(
      /^ {4}6 {6}3 {2}"Refund Request" \(en\), "refund {2}request" \(en\) \| language_not_matched, no_reviewed_exact_match \| C-\w+ "Refund request" by "refund request" \(case 0\.7\)/,
    );
    expect(last).toEqual([
      "3 expressions in 2 groups from 3 files; left out 1 of fewer than 2 files",
      "Wrote all.ndjson",
    ]);
    expect(readFileSync(path.join(directory, "all.ndjson"), "utf8")).toBe(
      gap("Refund Request", { reason: "language_not_matched" }) +
        gap("Refund Request", { count: 3, day: "2026-12-09" }) +
        gap("delivery", { count: 10 }) +
        gap("refund  request", { count: 2, day: "2026-12-03" }),
    );
    expect((await here("gaps", "a.ndjson")).stdout).toContain('"private"');
  });

  it("proposes the most asked of a group, and says of the others why they are left; a dry run writes nothing", async () => {
    const { directory, here } = await begun(["refund request"]);
    await here("add", "charge", "--language", "en", "--name", "Fee", "--definition", "A sum to pay.", "--domain", "support", ...BY); // prettier-ignore
    await here("add", "charge", "--language", "en", "--name", "Load", "--definition", "What fills a battery.", "--domain", "support", ...BY); // prettier-ignore
    const lines = [
      gap("REFUND REQUEST", { count: 2 }),
      gap("Refund Request", { count: 5, language: null }),
      gap("Charge"),
      gap("charge", { reason: "ambiguous_expression" }),
      gap("no concept"),
      gap("refund request ", { language: "fr" }),
      gap("Rembours\u00e9", { language: "xx" }),
    ];
    writeFileSync(path.join(directory, "gaps.ndjson"), lines.join(""));
    const before = textsIn(directory);
    const dry = await here("gaps", "gaps.ndjson", "--propose", "--dry-run");
    expect(dry).toMatchObject({ code: 0, stderr: "" });
    expect(textsIn(directory)).toEqual(before);
    const real = await here("gaps", "gaps.ndjson", "--propose");
    expect(real.stdout).toContain('\n  + "Refund Request" (en): alternate, in_review\n');
    expect(real.stdout).toContain(
      'Left "no concept": no concept is near: name a domain for new concepts with --domain NAME\n',
    );
    expect(real.stdout).toContain('Left "Charge": 2 concepts are near: name one with add --to CODE\n');
    expect(real.stdout).toMatch(/\nNext, when somebody has reviewed it:\n.* review .*--accept --as ROLE --on DATE\n$/);
    const again = await here("gaps", "gaps.ndjson", "--propose");
    expect(again.stdout).toMatch(/Left "Refund Request": C-\w+ has it already, as in_review\n/);
    expect(again.stdout).toMatch(/\nNothing to propose\n$/);
    expect((await here("lint")).code).toBe(0);
  });

  it.each<[string, string, string]>([
    ["not JSON", "count,expression\n1,x\n", "the line is not JSON in UTF-8"],
    ["a torn last line", gap("a").slice(0, -9), "the line is not JSON in UTF-8"],
    ["a byte order mark", `\ufeff${gap("a")}`, "the line is not JSON in UTF-8"],
    ["another object", '{"expression":"a"}\n', "the line does not have exactly the members"],
    ["a member more", gap("a", { user: "me" }), "the line does not have exactly the members"],
    ["null", "null\n", "the line does not have exactly the members"],
    ["an empty expression", gap(""), "no service takes its expression and language"],
    ["1001 characters", gap("x".repeat(1001)), "no service takes its expression and language"],
    ["half of a surrogate pair", gap("a").replace('"a"', String.raw`"\ud800"`), "no service takes its expression"],
    ["a language that is none", gap("a", { language: "en_US" }), "no service takes its expression and language"],
    ["a reason that is none", gap("a", { reason: "x" }), "its reason is none of"],
    ["a count of 0", gap("a", { count: 0 }), "its count is not a whole number from 1"],
    ["a count of 1e300", gap("a", { count: 1e300 }), "its count is not a whole number from 1"],
    ["a day that is none", gap("a", { day: "2026-13-01" }), "its day is not a date, YYYY-MM-DD"],
    ["an empty line", "\n", "the line is not JSON in UTF-8"],
    ["a line without end", " ".repeat(GAP_MAX_BYTES * 40), `the line has more than ${GAP_MAX_BYTES} bytes`],
  ])("refuses a file with %s, by its name and line, and writes nothing", async (_what, text, message) => {
    const { directory, here } = await begun(["refund request"]);
    writeFileSync(path.join(directory, "good.ndjson"), gap("refund"));
    writeFileSync(path.join(directory, "bad.ndjson"), gap("x") + text);
    const before = textsIn(directory);
    const { code, stderr } = await here("gaps", "good.ndjson", "bad.ndjson", "--into", "all.ndjson", "--propose", "--domain", "n"); // prettier-ignore
    expect([code, stderr]).toEqual([1, expect.stringContaining(`bad.ndjson, line 2: ${message}`)]);
    expect(stderr.trimEnd().split("\n").length).toBe(1);
    expect(textsIn(directory)).toEqual(before);
  });

  it("reads a line without end no further than a line may be", () => {
    let chunks = 0;
    const endless = function* (): Generator<Uint8Array, void> {
      for (; chunks < 1000; chunks++) yield new Uint8Array(1 << 12).fill(0x20);
    };
    expect(() => readGaps(endless()).next()).toThrow(GapError);
    expect(chunks).toBeLessThan(10);
  });

  it("prints and proposes hostile texts as texts: no line, terminal or spreadsheet takes them for more", async () => {
    const { directory, here } = await begun();
    const hostile = ["=HYPERLINK(1)", "\u202eabc", "\u001b[31m", "a\nb", "x".repeat(1000), '"]}', "a|b", "\u0000"];
    writeFileSync(path.join(directory, "gaps.ndjson"), hostile.map((text) => gap(text)).join(""));
    const { code, stdout } = await here("gaps", "gaps.ndjson", "--propose", "--domain", "n", "--into", "all.ndjson");
    expect(code).toBe(0);
    // eslint-disable-next-line no-control-regex
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    expect(stdout.split("\n").filter((line) => /^ +1 /.test(line)).length).toBe(hostile.length);
    const merged = readFileSync(path.join(directory, "all.ndjson"), "utf8").trimEnd().split("\n");
    const texts = merged.map((line) => (JSON.parse(line) as { expression: string }).expression);
    expect(texts.toSorted()).toEqual(hostile.toSorted());
    expect((await here("lint")).code).toBe(0);
  });

  it("refuses one file that is there twice, also as a copy: it would count as two places", async () => {
    const { directory, here } = await begun();
    for (const name of ["a.ndjson", "b.ndjson"]) writeFileSync(path.join(directory, name), gap("x"));
    for (const pair of [
      ["a.ndjson", "a.ndjson"],
      ["a.ndjson", "b.ndjson"],
    ])
      expect(await here("gaps", ...pair, "--min-sources", "2")).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("are the same gaps: name each place once"),
      });
  });

  it.each([
    [["gaps"], "Name a file of gaps"],
    [["gaps", "nowhere.ndjson"], "nowhere.ndjson is not a file"],
    [["gaps", "a.ndjson", "--min-sources", "0"], '--min-sources "0" is not a whole number from 1'],
    [["gaps", "a.ndjson", "--into", "a.ndjson"], "--into a.ndjson would change a.ndjson"],
    [["gaps", "a.ndjson", "--into", "registry/concepts/x.ndjson"], "would change registry"],
    [["gaps", "a.ndjson", "--domain", "n"], "--domain goes with --propose"],
    [["gaps", "a.ndjson", "--propose", "--domain", "A b"], '--domain "A b" is new, and not a short name'],
    [["gaps", "a.ndjson", "--propose", "--language", "en_US"], '--language "en_US" is not a language tag'],
  ])("refuses %j", async (args, message) => {
    const { directory, here } = await begun();
    writeFileSync(path.join(directory, "a.ndjson"), gap("x"));
    await expect(here(...args)).resolves.toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });

  it("merges more than its memory holds", async () => {
    const { directory, here } = await begun();
    const place = mkdtempSync(path.join(tmpdir(), "gaps-"));
    const long = "y".repeat(900);
    const names = ["a", "b"].map((name) => {
      const lines = Array.from({ length: 15_000 }, (_, i) => gap(`${long} ${i}`, { count: name === "a" ? 1 : 2 }));
      writeFileSync(path.join(place, name), lines.toReversed().join(""));
      return path.join(place, name);
    });
    const { code, stdout } = await here("gaps", ...names, "--min-sources", "2", "--into", path.join(place, "all"));
    expect([code, stdout.split("\n").filter((line) => line.startsWith("    3      2  ")).length]).toEqual([0, 15_000]);
    expect(readFileSync(path.join(place, "all"), "utf8").split("\n").length).toBe(15_001);
    rmSync(place, { recursive: true });
    expect(directory).not.toBe("");
  });
});
