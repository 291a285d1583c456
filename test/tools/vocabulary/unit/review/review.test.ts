import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Outcome } from "../../../../../generator/effects/effects.ts";
import { fileSystem } from "../../../../../generator/effects/file-system.ts";
import { checkRegistry } from "../../../../../generator/registry/check.ts";
import { readRegistry } from "../../../../../generator/registry/read.ts";
import type { ConceptRecord } from "../../../../../generator/registry/record.ts";
import { formatConceptLine } from "../../../../../generator/tools/vocabulary/edit/write.ts";
import type { MemoryEffects } from "../../../../support/memory-effects.ts";
import { copyStarter } from "../../../../support/project.ts";
import { concept, expression, type PastRelease, registryFiles } from "../../../../support/registry.ts";
import { renamable, said, textsOf } from "../../../../support/review.ts";

const provenance = {
  source: "A glossary",
  license: "CC0-1.0",
  sourceId: "http://x/1,2",
  reviewedBy: null,
  reviewedAt: null,
};
const REVIEW = { reviewedBy: "terminology board", reviewedAt: "2026-12-01" };
const BY = ["--as", REVIEW.reviewedBy, "--on", REVIEW.reviewedAt];

const waiting: ConceptRecord[] = [
  concept(
    "C-1",
    [
      expression("en", "one", { reviewStatus: "in_review", type: "preferred" }),
      expression("de", "eins", { reviewStatus: "draft" }),
    ],
    { provenance: { ...provenance, exactMatch: ["http://y/1"] }, domain: "lines" },
  ),
  concept(
    "C-2",
    [
      expression("en", "two"),
      expression("pt", "dois", { locale: "pt-BR", reviewStatus: "in_review" }),
      expression("fr", "deux ", { reviewStatus: "in_review" }),
      expression("fr", "deuxieme", { reviewStatus: "rejected" }),
    ],
    { domain: "lines" },
  ),
];

const yaml = `# About three.
code: C-3
name: "Three" # a number
definition: "Three things."
domain: test
provenance: null
expressions:
  # English
  - { language: en, expression: "three", type: preferred, equivalenceStrength: 1, reviewStatus: in_review }
  - { language: de, expression: "drei", type: preferred, equivalenceStrength: 1, reviewStatus: reviewed }
`;

function registryOf(history: readonly PastRelease[] = [], more: Record<string, string> = {}): MemoryEffects {
  const files = {
    "registry/concepts/lines.ndjson": waiting.map(formatConceptLine).join(""),
    "registry/concepts/test/C-3.yaml": yaml,
  };
  return renamable(registryFiles({ concepts: [], history, files: { ...files, ...more } }));
}

const review = (effects: MemoryEffects, ...args: string[]): Promise<Outcome> => said(effects, ["review", ...args]);

function recordsOf(effects: MemoryEffects): Record<string, ConceptRecord> {
  const { concepts } = readRegistry(effects, "registry", () => undefined);
  return Object.fromEntries(concepts.map(({ record }) => [record.code, record]));
}

function statuses(effects: MemoryEffects): string[] {
  return Object.values(recordsOf(effects)).flatMap(({ expressions }) =>
    expressions.map((one) => `${one.expression}: ${one.reviewStatus}`),
  );
}

const digestOf = (effects: MemoryEffects): string =>
  checkRegistry(readRegistry(effects, "registry", () => undefined)).registry?.contentSha256 ?? "none";

describe("the command line of review", () => {
  it.each([
    [[], "Use one of --list, --accept, --reject, --sheet FILE and --from FILE"],
    [["--list", "--accept"], "Use one of --list, --accept, --reject, --sheet FILE and --from FILE"],
    [["--list", "--as", "editor"], "--list decides nothing: leave out --as and --on"],
    [
      ["--list", "--where", "lang=fr"],
      '--where "lang=fr" is not KEY=VALUE; the keys are language, type, concept, domain, status',
    ],
    [["--list", "--where", "fr"], '"fr" is not KEY=VALUE'],
    [["--list", "--where", "language="], "is not KEY=VALUE"],
    [
      ["--list", "--where", "language=fr,type=other"],
      '--where type="other" is none of preferred, alternate, abbreviation, symbol',
    ],
    [["--list", "--where", "language=fr_FR"], '--where language="fr_FR" is not a language tag'],
    [["--list", "--where", "domain=none"], '--where domain="none" is none of "lines", "test"'],
    [["--list", "--where", "concept=C-9"], '--where concept="C-9" is neither a code nor a sourceId'],
    [
      ["--list", "--where", "status=done"],
      '--where status="done" is none of draft, in_review, reviewed, rejected, retired',
    ],
    [["--accept", ...BY, "--where", "status=reviewed"], '"reviewed" is none of draft, in_review, rejected'],
    [["--reject", ...BY, "--where", "status=rejected"], '"rejected" is none of draft, in_review, reviewed'],
    [["--accept", "--on", "2026-12-01"], "--as ROLE is needed"],
    [["--accept", "--as", "board"], "--on DATE is needed"],
    [["--accept", "--as", "board", "--on", "2026-02-29"], '--on "2026-02-29" is not a date: write YYYY-MM-DD'],
    [["--accept", "--as", "board", "--on", "2100-02-29"], "is not a date"],
    [["--accept", "--as", "board", "--on", "1.12.2026"], "is not a date"],
    [["--accept", "--as", "board", "--on", "2026-13-01"], "is not a date"],
    [["--accept", "--as", "a@example.org", "--on", "2026-12-01"], "looks like an e-mail address: name a role"],
    [["--accept", "--as", "a\u202Eb", "--on", "2026-12-01"], "bidirectional control"],
    [["--accept", "--as", " board", "--on", "2026-12-01"], "has spaces around it"],
    [["--list", "--registry", "nowhere"], "--registry nowhere is not a directory"],
  ])("refuses %j: %s", async (args, message) => {
    const effects = registryOf();
    const before = textsOf(effects);
    await expect(review(effects, ...args)).rejects.toThrow(message);
    expect(textsOf(effects)).toEqual(before);
  });

  it("names what it cannot read, which is not chosen", async () => {
    // Without that it said only that nothing is chosen, as if nothing waited.
    const lines = "registry/concepts/lines.ndjson";
    const effects = registryOf([], { [lines]: "<<<<<<< HEAD\n", "registry/concepts/test/C-3.yaml": "a: [\n" });
    const { code, stdout, stderr } = await review(effects, "--list");
    expect([code, stdout]).toEqual([0, "Nothing is chosen, so there is nothing to do"]);
    expect(stderr).toMatch(/^registry\/concepts\/lines\.ndjson:1: error line-syntax$/m);
    expect(stderr).toMatch(/^registry\/concepts\/test\/C-3\.yaml: error yaml-syntax$/m);
  });

  it("takes a leap day", async () => {
    expect(
      (await review(registryOf(), "--accept", "--as", "board", "--on", "2028-02-29", "--where", "concept=C-1")).code,
    ).toBe(0);
  });
});

describe("review --list", () => {
  it("prints what waits, in columns, and how many", async () => {
    const { code, stdout } = await review(registryOf(), "--list");
    expect(code).toBe(0);
    expect(stdout.split("\n")).toEqual([
      'in_review  en     preferred  C-1  "Name of C-1"  "one"',
      'draft      de     alternate  C-1  "Name of C-1"  "eins"',
      'in_review  pt-BR  alternate  C-2  "Name of C-2"  "dois"',
      'in_review  fr     alternate  C-2  "Name of C-2"  "deux "',
      'in_review  en     preferred  C-3  "Three"        "three"',
      "",
      "5 expressions of 3 concepts",
    ]);
  });

  it.each([
    ["language=pt", ["dois"]],
    ["language=PT-br", ["dois"]],
    ["language=pt-PT", []],
    ["language=de,language=fr", ["eins", "deux "]],
    ["language=en,type=preferred,domain=lines", ["one"]],
    ["concept=C-3", ["three"]],
    ["concept=http://x/1,2,language=de", ["eins"]],
    ["status=draft", ["eins"]],
    ["status=reviewed,status=rejected", ["two", "deuxieme", "drei"]],
  ])("chooses %s", async (where, expected) => {
    const { stdout, code } = await review(registryOf(), "--list", "--json", "--where", where);
    const lines = stdout.split("\n").filter((line) => line !== "");
    expect(lines.map((line) => (JSON.parse(line) as { expression: string }).expression)).toEqual(expected);
    expect(code).toBe(0);
  });

  it("takes --where several times, says where each stands, and says when there is nothing", async () => {
    const { stdout } = await review(
      registryOf(),
      "--list",
      "--json",
      "--where",
      "language=pt",
      "--where",
      "domain=lines",
    );
    expect(JSON.parse(stdout)).toEqual({
      code: "C-2",
      name: "Name of C-2",
      language: "pt",
      locale: "pt-BR",
      expression: "dois",
      type: "alternate",
      equivalenceStrength: 1,
      reviewStatus: "in_review",
      file: "concepts/lines.ndjson",
      line: 2,
      pointer: "/expressions/1",
    });
    expect((await review(registryOf(), "--list", "--where", "language=ja")).stdout).toBe(
      "Nothing is chosen, so there is nothing to do",
    );
  });

  it("lists a hundred thousand in few writes", async () => {
    const many = Array.from({ length: 10_000 }, (_, i) =>
      concept(
        `C-${i}`,
        Array.from({ length: 10 }, (__, j) => expression("en", `word ${i} ${j}`, { reviewStatus: "in_review" })),
      ),
    );
    const effects = registryOf([], { "registry/concepts/many.ndjson": many.map(formatConceptLine).join("") });
    const { stdout } = await review(effects, "--list");
    expect(stdout).toContain("100005 expressions of 10003 concepts");
  });
});

describe("review --accept", () => {
  it("says what it does, and writes the reviewer once where a whole concept is decided", async () => {
    const effects = registryOf();
    const { code, stdout } = await review(effects, "--accept", ...BY, "--where", "concept=C-1");
    expect(code).toBe(0);
    expect(stdout.split("\n")).toEqual([
      'To be reviewed, by "terminology board" on 2026-12-01: 2 expressions of 1 concept',
      "  de alternate draft: 1",
      "  en preferred in_review: 1",
      "For example",
      '  C-1 "Name of C-1": "one" (en)',
      '  C-1 "Name of C-1": "eins" (de)',
      "1 file to be written",
      "  concepts/lines.ndjson",
      "",
      "Wrote 1 file in registry",
    ]);
    const { "C-1": record } = recordsOf(effects);
    expect(record?.provenance).toEqual({ ...provenance, ...REVIEW, exactMatch: ["http://y/1"] });
    expect(record?.expressions.map((one) => [one.reviewStatus, one.provenance])).toEqual([
      ["reviewed", undefined],
      ["reviewed", undefined],
    ]);
    const [, second] = (textsOf(effects)["registry/concepts/lines.ndjson"] ?? "").split("\n");
    expect(`${second ?? ""}\n`).toBe(formatConceptLine(waiting[1] as ConceptRecord));
  });

  it("gives an expression its own provenance where only a part is decided, without the concept's matches", async () => {
    const effects = registryOf();
    await review(effects, "--accept", ...BY, "--where", "language=de");
    const { "C-1": record } = recordsOf(effects);
    expect(record?.provenance?.reviewedBy).toBeNull();
    expect(record?.expressions.map((one) => one.provenance)).toEqual([undefined, { ...provenance, ...REVIEW }]);
    // The rest inherits nothing that somebody else reviewed.
    await review(effects, "--accept", "--as", "second board", "--on", "2026-12-02", "--where", "concept=C-1");
    expect(recordsOf(effects)["C-1"]?.provenance?.reviewedBy).toBe("second board");
  });

  it("names the registry and its licence where no provenance is known, and keeps comments and lines of YAML", async () => {
    const effects = registryOf();
    await review(effects, "--accept", ...BY, "--where", "concept=C-3");
    const now = textsOf(effects)["registry/concepts/test/C-3.yaml"] ?? "";
    const own = `provenance: { source: Test, license: CC0-1.0, sourceId: null, reviewedBy: terminology board, reviewedAt: 2026-12-01 }`;
    expect(now).toBe(yaml.replace("reviewStatus: in_review }", `reviewStatus: reviewed, ${own} }`));
  });

  it("refuses what has faults or would stand twice, accepts the rest, and ends with 1", async () => {
    const twice = concept("C-4", [
      expression("en", "four", { type: "preferred" }),
      expression("en", "FOUR", { type: "preferred", reviewStatus: "rejected" }),
      expression("en", "four", { reviewStatus: "rejected" }),
      expression("ja", "四", { reviewStatus: "in_review" }),
      expression("de", "vier", { reviewStatus: "rejected" }),
      expression("de", "vier", { reviewStatus: "rejected" }),
    ]);
    const effects = registryOf([], { "registry/concepts/test.ndjson": formatConceptLine(twice) });
    const args = ["--accept", ...BY, "--where", "status=in_review,status=rejected"];
    const { code, stdout } = await review(effects, ...args);
    expect(code).toBe(0);
    expect(stdout).toContain("Not accepted: 5 expressions");
    expect(stdout).toMatch(/C-2 "deux " \(fr\) stays in_review\n {2}expression-spaces: /);
    expect(stdout).toMatch(/C-4 "FOUR" \(en\) stays rejected\n {2}preferred-not-unique: /);
    expect(stdout).toMatch(/C-4 "four" \(en\) stays rejected\n {2}expression-duplicate: /);
    expect(stdout).toMatch(/C-4 "四" \(ja\) stays in_review\n {2}language-not-admitted: /);
    expect(statuses(effects)).toEqual([
      "one: reviewed",
      "eins: draft",
      "two: reviewed",
      "dois: reviewed",
      "deux : in_review",
      "deuxieme: reviewed",
      "four: reviewed",
      "FOUR: rejected",
      "four: rejected",
      "四: in_review",
      "vier: reviewed",
      "vier: rejected",
      "three: reviewed",
      "drei: reviewed",
    ]);
    const again = await review(effects, ...args);
    expect(again).toMatchObject({ code: 1, stderr: "" });
    expect(again.stdout).toMatch(/^Not accepted: 5 expressions\n[^]*\nNothing was written$/);
  });

  it("prints a language tag so that it forges no line and steers no terminal, and cuts a long one", async () => {
    const tags = ["e\u001B[31m\nn", "x".repeat(20_000)];
    const four = concept("C-4", tags.map((tag) => expression(tag, "four", { reviewStatus: "in_review" }))); // prettier-ignore
    const effects = registryOf([], { "registry/concepts/test.ndjson": formatConceptLine(four) });
    const listed = await review(effects, "--list", "--where", "concept=C-4");
    const refused = await review(effects, "--accept", ...BY, "--where", "concept=C-4");
    expect(listed.stdout).toMatch(/^in_review {2}e\\u\{1B\}\[31m\\u\{A\}n /);
    expect(refused.stdout).toContain(String.raw`C-4 "four" (e\u{1B}[31m\u{A}n) stays in_review`);
    expect(listed.stdout.length + refused.stdout.length).toBeLessThan(2000);
  });

  it("raises a version that is recorded, and only then", async () => {
    const contentSha256 = digestOf(registryOf());
    const history = [
      { registryVersion: "2026.11.1", contentSha256 },
      { registryVersion: "2026.11.9", contentSha256: "0".repeat(64) },
    ];
    const effects = registryOf(history);
    expect((await review(effects, "--reject", ...BY, "--where", "status=in_review,concept=C-1")).stdout).not.toContain(
      "raised",
    );
    expect(digestOf(effects)).toBe(contentSha256);
    const { stdout } = await review(effects, "--accept", ...BY, "--where", "concept=C-1,status=draft");
    expect(stdout).toContain("recorded in history.yaml, so it is raised to 2026.11.10");
    expect(readRegistry(effects, "registry", () => undefined).registry?.registryVersion).toBe("2026.11.10");
    expect(digestOf(effects)).not.toBe("none");
    expect((await review(effects, "--accept", ...BY, "--where", "concept=C-3")).stdout).not.toContain("raised");
  });

  it("writes nothing where the change would cause an error, and does not stumble over one that is there", async () => {
    const retired = [{ code: "C-9", retiredIn: "2026.11.1", replacedBy: "C-404" }];
    const effects = registryOf([], { "registry/retired.yaml": JSON.stringify(retired) });
    expect((await review(effects, "--accept", ...BY, "--where", "concept=C-3")).code).toBe(0);
    const bad = registryOf([{ registryVersion: "2026.11.1", contentSha256: "0".repeat(64) }], {
      "registry/registry.yaml": "name: x\nregistryVersion: 2026.11.2\nlanguages: [en, de, fr, pt]\nlicense: CC0-1.0\n",
    });
    expect((await review(bad, "--accept", ...BY, "--where", "concept=C-3")).code).toBe(0);
    const broken = registryOf([], { "registry/registry.yaml": "name: [\n" });
    expect(await review(broken, "--list")).toMatchObject({ code: 1, stdout: "" });
  });

  it("prints JSON: what changes, then what is refused", async () => {
    const { stdout, code } = await review(registryOf(), "--accept", ...BY, "--json");
    const [plan, refused] = stdout.split("\n").map((line) => JSON.parse(line) as unknown);
    expect(code).toBe(0);
    expect(plan).toMatchObject({
      action: "accept",
      ...REVIEW,
      registryVersion: null,
      files: ["concepts/test/C-3.yaml", "concepts/lines.ndjson"],
      counts: expect.arrayContaining([{ language: "de", type: "alternate", status: "draft", count: 1 }]) as unknown,
    });
    expect(refused).toMatchObject({
      refused: "C-2",
      expression: "deux ",
      pointer: "/expressions/2",
      faults: [{ rule: "expression-spaces" }],
    });
  });
});

describe("review --reject", () => {
  it("keeps the concept's provenance and says at the expression who rejected it", async () => {
    const effects = registryOf();
    expect((await review(effects, "--reject", ...BY, "--where", "concept=C-1")).code).toBe(0);
    const { "C-1": record } = recordsOf(effects);
    expect(record?.provenance).toEqual({ ...provenance, exactMatch: ["http://y/1"] });
    expect(record?.expressions).toMatchObject(
      [1, 2].map(() => ({ reviewStatus: "rejected", provenance: { ...provenance, ...REVIEW } })),
    );
    expect((await review(effects, "--reject", ...BY, "--where", "concept=C-1")).stdout).toBe(
      "Nothing is chosen, so there is nothing to do",
    );
  });

  it("takes back what was reviewed", async () => {
    const effects = registryOf([{ registryVersion: "2026.11.1", contentSha256: digestOf(registryOf()) }]);
    const { stdout } = await review(effects, "--reject", ...BY, "--where", "language=de");
    expect(stdout).toContain("  de preferred reviewed: 1");
    expect(stdout).toContain("raised to 2026.11.2");
    expect(statuses(effects)).toContain("drei: rejected");
  });
});

describe("review of files", () => {
  const scratch = mkdtempSync(path.join(tmpdir(), "test-review-"));
  afterAll(() => rmSync(scratch, { recursive: true, force: true }));

  it("changes of the starter's YAML what it says and no other line", async () => {
    const registry = path.join(scratch, "registry");
    copyStarter(registry);
    const file = path.join(registry, "concepts/billing/C-3XCWD4.yaml");
    const before = readFileSync(file, "utf8").replace(
      '"Abo", type: alternate, equivalenceStrength: 1, reviewStatus: reviewed',
      '"Abo", type: alternate, equivalenceStrength: 1, reviewStatus: draft',
    );
    writeFileSync(file, before);
    const args = ["--registry", registry, "--where", "concept=C-3XCWD4", ...BY];
    expect(await said(fileSystem, ["review", "--accept", ...args])).toMatchObject({ code: 0, stderr: "" });
    const after = readFileSync(file, "utf8").split("\n");
    const lines = before.split("\n");
    expect(after.filter((line, i) => line !== lines[i])).toEqual([
      '  - { language: de, expression: "Abo", type: alternate, equivalenceStrength: 1, reviewStatus: reviewed, provenance: { source: Written and editorially reviewed for this starter registry, license: Apache-2.0, sourceId: null, reviewedBy: terminology board, reviewedAt: 2026-12-01 } }',
    ]);
    expect(readRegistry(fileSystem, registry, () => undefined).findings).toEqual([]);
  });

  it("leaves every file whole when it is killed between two renames, and finishes when it runs again", async () => {
    for (let rename = 1; rename <= 3; rename++) {
      const history = [{ registryVersion: "2026.11.1", contentSha256: digestOf(registryOf()) }];
      const files = Object.fromEntries(registryOf(history).files);
      const effects = renamable(files, { rename });
      const args = ["--accept", ...BY, "--where", "language=en,language=de"];
      await expect(review(effects, ...args)).rejects.toThrow("Killed");
      // The version is raised before anything else, so the registry is a good one at any time.
      expect(readRegistry(effects, "registry", () => undefined).findings).toEqual([]);
      expect(digestOf(effects)).not.toBe("none");
      expect(digestOf(effects) === history[0]?.contentSha256).toBe(rename < 3);
      await review(effects, ...args);
      expect(readRegistry(effects, "registry", () => undefined).registry?.registryVersion).toBe("2026.11.2");
      expect(statuses(effects).filter((one) => /^(?:one|eins|three|drei)/.test(one))).toEqual([
        "one: reviewed",
        "eins: reviewed",
        "three: reviewed",
        "drei: reviewed",
      ]);
    }
  });
});
