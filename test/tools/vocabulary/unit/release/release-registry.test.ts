import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { load } from "js-yaml";
import { afterAll, describe, expect, it } from "vitest";
import type { Outcome } from "../../../../../generator/effects/effects.ts";
import { compareResolutions } from "../../../../../generator/promise/resolutions.ts";
import { indexOf } from "../../../../support/view.ts";
import { fileSystem } from "../../../../../generator/effects/file-system.ts";
import { checkRegistry } from "../../../../../generator/registry/check.ts";
import type { CheckedRegistry } from "../../../../../generator/registry/checked.ts";
import { readRegistry } from "../../../../../generator/registry/read.ts";
import type { ConceptRecord, HistoryRecord, RetiredRecord } from "../../../../../generator/registry/record.ts";
import { changesSince } from "../../../../../generator/promise/changes-since.ts";
import { publishedLine } from "../../../../../generator/registry/memory.ts";
import type { MemoryEffects } from "../../../../support/memory-effects.ts";
import { copyStarter } from "../../../../support/project.ts";
import { random } from "../../../../support/random.ts";
import { checkedRegistry, concept, expression, registryFiles } from "../../../../support/registry.ts";
import { type Failing, renamable, said, textsOf } from "../../../../support/review.ts";

const ONE = concept("C-1", [
  expression("en", "one"),
  expression("pt", "um", { locale: "pt-BR" }),
  expression("de", "etwa eins", { equivalenceStrength: 0.5 }),
]);
const TWO = concept("C-2", [expression("en", "two")]);
/** Still in the registry, with nothing published. */
const HIDDEN = concept("C-2", [expression("en", "two", { reviewStatus: "draft" })]);

interface Content {
  readonly concepts?: readonly ConceptRecord[];
  readonly retired?: RetiredRecord;
}

/** The files with other content, as a person changes them; what the command wrote stays. */
function edited(effects: MemoryEffects, { concepts = [ONE, TWO], retired }: Content, failing?: Failing): MemoryEffects {
  const kept = Object.entries(textsOf(effects)).filter(([name]) => !name.startsWith("registry/concepts/"));
  const made = Object.entries(registryFiles({ concepts })).filter(([name]) => name.startsWith("registry/concepts/"));
  const files = Object.fromEntries([...kept, ...made]);
  if (retired !== undefined)
    files["registry/retired.yaml"] = `# Codes\n${retired.map((one) => `- ${JSON.stringify(one)}\n`).join("")}`;
  return renamable(files, failing);
}

const fresh = (): MemoryEffects =>
  renamable(
    registryFiles({ concepts: [ONE, TWO], files: { "registry/history.yaml": "# Lines are only ever added.\n[]\n" } }),
  );
const release = (effects: MemoryEffects, version: string, ...args: string[]): Promise<Outcome> =>
  said(effects, ["release-registry", "--version", version, ...args]);
const fileOf = (effects: MemoryEffects, name: string): string => textsOf(effects)[`registry/${name}`] ?? "";
const historyOf = (effects: MemoryEffects): HistoryRecord => load(fileOf(effects, "history.yaml")) as HistoryRecord;

async function released(content: Content = {}): Promise<MemoryEffects> {
  const effects = edited(fresh(), content);
  expect((await release(effects, "2026.12.1")).code).toBe(0);
  return effects;
}

describe("the first release", () => {
  it("records version, digest, and what resolves", async () => {
    const effects = fresh();
    const { code, stdout, stderr } = await release(effects, "2026.12.1");
    const [entry] = historyOf(effects);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toBe(
      `2026.12.1 is the first release: there is none to compare with\n\nRecorded 2026.12.1: 2 concepts, content SHA-256 ${entry?.contentSha256 ?? ""}\n` +
        "Wrote registry.yaml, history.yaml, released/2026.12.1.ndjson in registry",
    );
    const { registry } = checkRegistry(readRegistry(effects, "registry", () => undefined));
    expect(registry).toMatchObject({ registryVersion: "2026.12.1", contentSha256: entry?.contentSha256 });
    const memory = fileOf(effects, "released/2026.12.1.ndjson");
    expect(entry?.memorySha256).toBe(createHash("sha256").update(memory).digest("hex"));
    const [head = "", ...lines] = memory.trimEnd().split("\n");
    expect(JSON.parse(head)).toEqual({
      registryVersion: "2026.12.1",
      contentSha256: entry?.contentSha256,
      historySha256: createHash("sha256").digest("hex"),
    });
    expect(lines.map((line) => line.replace(/,"content":"[0-9a-f]{32}"\}$/, "}"))).toEqual([
      '{"code":"C-1","expressions":{"en":["one"],"pt-BR":["um"]},"inexact":{"de":["etwa eins"]}}',
      '{"code":"C-2","expressions":{"en":["two"]}}',
    ]);
    expect(fileOf(effects, "history.yaml")).toMatch(/^# Lines are only ever added\.\n- registryVersion: 2026\.12\.1\n/);
  });

  it("is the same again: nothing is recorded twice", async () => {
    const effects = await released();
    const before = textsOf(effects);
    expect((await release(effects, "2026.12.1")).stdout).toMatch(
      /^2026\.12\.1 is already recorded with this content, SHA-256 [0-9a-f]{64}$/,
    );
    expect(textsOf(effects)).toEqual(before);
    expect(textsOf(await released())).toEqual(before);
    expect(JSON.parse((await release(effects, "2026.12.1", "--json")).stdout)).toMatchObject({
      status: "already_recorded",
    });
    for (const json of [[], ["--json"]])
      expect(await release(effects, "2026.12.1", "--acknowledge", "one is two", ...json)).toMatchObject({
        code: 0,
        stderr: "Notice: --acknowledge was not recorded: 2026.12.1 stays as it was recorded before",
      });
    expect(textsOf(effects)).toEqual(before);
  });
});

describe("the version", () => {
  it.each([
    [[], "--version is needed"],
    [["--version", "2026.13.1"], '--version "2026.13.1" is not a version: write YYYY.MM.N'],
    [["--version", "2026.12.01"], "is not a version"],
    [["--version", "2026.11.9"], "--version 2026.11.9 is below the last released version 2026.12.1"],
    [["--version", "2026.12.2", "--acknowledge", "a\nb"], "--acknowledge: "],
  ])("is refused in %j: %s", async (args, message) => {
    const effects = await released();
    const before = textsOf(effects);
    await expect(said(effects, ["release-registry", ...args])).rejects.toThrow(message);
    expect(textsOf(effects)).toEqual(before);
  });

  it("is compared by number, and not used again for other content", async () => {
    const effects = edited(await released(), { concepts: [ONE, HIDDEN] });
    const before = textsOf(effects);
    const { code, stderr } = await release(effects, "2026.12.1");
    expect(code).toBe(1);
    expect(stderr).toMatch(/version-content-changed\n.*Release it under a newer --version/);
    expect(stderr).toContain("nothing was written");
    expect(textsOf(effects)).toEqual(before);
    expect((await release(effects, "2026.12.10")).code).toBe(0);
    await expect(release(effects, "2026.12.9")).rejects.toThrow("below the last");
    // An older one whose content is here again is recorded; the comparison is still with the last.
    const back = edited(effects, {});
    const before10 = textsOf(back);
    expect((await release(back, "2026.12.1")).stdout).toContain("already recorded");
    expect(textsOf(back)).toEqual(before10);
  });
});

describe("the next release", () => {
  it("says what changes for requests, as diff does, and adds to the history only at its end", async () => {
    const before = await released();
    const effects = edited(before, {
      concepts: [
        concept("C-1", [expression("en", "one"), expression("en", "uno"), expression("de", "etwa eins")]),
        concept("C-2", [expression("en", "two"), expression("fr", "one")]),
      ],
    });
    const { code, stdout } = await release(effects, "2027.01.1");
    expect(code).toBe(0);
    expect(stdout).toContain("From 2026.12.1 to 2027.01.1");
    expect(stdout).toContain("Resolved before and abstain now: 3\n");
    expect(stdout).toContain('  "one" (no language): C-1 → ambiguous_expression');
    expect(stdout).toContain('  "um" (pt-BR): C-1 → no_reviewed_exact_match');
    expect(stdout).toContain("Abstained before and resolve now: 5\n");
    expect(stdout).toContain('  "etwa eins" (de): equivalence_not_exact → C-1');
    expect(stdout).toContain("nothing was reassigned to another code");
    expect(fileOf(effects, "history.yaml").startsWith(fileOf(before, "history.yaml"))).toBe(true);
    expect(historyOf(effects).map(({ registryVersion }) => registryVersion)).toEqual(["2026.12.1", "2027.01.1"]);
  });

  it("prints JSON: the release, then every change", async () => {
    const effects = edited(await released(), { concepts: [ONE, HIDDEN] });
    const { stdout, stderr } = await release(effects, "2027.01.1", "--json");
    const [head, ...changes] = stdout.split("\n").map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(head).toMatchObject({ status: "recorded", registryVersion: "2027.01.1", previous: "2026.12.1" });
    expect(changes).toEqual(
      [null, "en"].map((language) => ({
        kind: "now_abstains",
        expression: "two",
        language,
        before: { code: "C-2" },
        after: { reason: "no_reviewed_exact_match" },
      })),
    );
    expect(stderr).toBe("");
  });

  it("refuses a concept that is gone and not retired, and nothing is written", async () => {
    const effects = edited(await released(), { concepts: [ONE] });
    const before = textsOf(effects);
    const { code, stderr } = await release(effects, "2027.01.1", "--acknowledge", "because");
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /error concept-gone\n.*"C-2" was published in 2026\.12\.1.*\n1 error in registry: nothing was written/,
      ),
    ]);
    expect(textsOf(effects)).toEqual(before);
    const retired = [{ code: "C-2", retiredIn: "2027.01.1", replacedBy: null }];
    expect(await release(edited(effects, { concepts: [ONE], retired }), "2027.01.1")).toMatchObject({ code: 0 });
  });

  it("records the day that a person names, and refuses what is none", async () => {
    const effects = edited(await released(), {});
    await expect(release(effects, "2027.01.1", "--on", "2027-02-30")).rejects.toThrow(
      '--on "2027-02-30" is not a date',
    );
    expect((await release(effects, "2027.01.1", "--on", "2027-01-30")).code).toBe(0);
    expect(historyOf(effects).map(({ releasedOn }) => releasedOn)).toEqual([undefined, "2027-01-30"]);
    expect(readRegistry(effects, "registry", () => undefined).findings).toEqual([]);
    expect((await release(effects, "2027.01.1", "--on", "2027-01-30")).stdout).toContain("already recorded");
    const day = (version: string, on: string) => release(effects, version, "--on", on);
    await expect(day("2027.01.1", "2027-01-31")).rejects.toThrow("is not the recorded day of 2027.01.1: 2027-01-30");
    await expect(day("2027.02.1", "2027-01-29")).rejects.toThrow("is before 2027-01-30, the day of 2027.01.1");
    expect(await day("2027.02.1", "2027-01-30")).toMatchObject({ code: 0 });
  });

  it("retires what was retired since: its version is this one", async () => {
    const first = await released({ retired: [{ code: "C-8", retiredIn: "2026.11.5", replacedBy: null }] });
    expect(load(fileOf(first, "retired.yaml"))).toMatchObject([{ code: "C-8", retiredIn: "2026.12.1" }]);
    const retired = [
      { code: "C-8", retiredIn: "2026.12.1", replacedBy: null },
      { code: "C-2", retiredIn: "2026.12.2", replacedBy: "C-1", reason: "same" },
    ];
    const effects = edited(first, { concepts: [ONE], retired });
    expect((await release(effects, "2027.01.1")).stderr).toBe("");
    expect(load(fileOf(effects, "retired.yaml"))).toEqual([retired[0], { ...retired[1], retiredIn: "2027.01.1" }]);
    expect(fileOf(effects, "retired.yaml").startsWith("# Codes\n")).toBe(true);
    const { registry } = checkRegistry(readRegistry(effects, "registry", () => undefined));
    expect(registry?.contentSha256).toBe(historyOf(effects).at(-1)?.contentSha256);
  });

  it("refuses a registry with errors, and one whose registry.yaml cannot be read", async () => {
    const effects = edited(await released(), { concepts: [concept("C-1", [expression("en", "one ")])] });
    expect(await release(effects, "2027.01.1")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("expression-spaces") as unknown,
    });
    effects.files.set("registry/registry.yaml", new TextEncoder().encode("name: [\n"));
    expect(await release(effects, "2027.01.1")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("yaml-syntax") as unknown,
    });
  });
});

describe("a reassignment", () => {
  const swapped = [
    concept("C-1", [expression("en", "uno")]),
    concept("C-2", [expression("en", "two"), expression("en", "one")]),
  ];

  it("is refused with exit code 3, and nothing is written", async () => {
    const effects = edited(await released(), { concepts: swapped });
    const before = textsOf(effects);
    const { code, stdout, stderr } = await release(effects, "2027.01.1");
    expect(code).toBe(3);
    expect(stdout).toContain("REASSIGNED: these resolve to another code, which breaks the promise of stability: 2");
    expect(stdout).toContain('"one" (en): C-1 → C-2');
    expect(stderr).toContain("--acknowledge");
    expect(textsOf(effects)).toEqual(before);
    expect(JSON.parse((await release(effects, "2027.01.1", "--json")).stdout.split("\n")[0] ?? "")).toMatchObject({
      status: "refused",
    });
  });

  it("is recorded with its reason where somebody takes it on", async () => {
    const effects = edited(await released(), { concepts: swapped });
    const why = 'one was "wrong": see #12';
    const { code, stdout } = await release(effects, "2027.01.1", "--acknowledge", why);
    expect(code).toBe(0);
    expect(stdout).toContain("Acknowledged: ");
    expect(historyOf(effects).at(-1)).toMatchObject({
      registryVersion: "2027.01.1",
      acknowledgement: why,
      reassigned: [
        { expression: "one", language: null, from: "C-1", to: "C-2" },
        { expression: "one", language: "en", from: "C-1", to: "C-2" },
      ],
    });
    expect(readRegistry(effects, "registry", () => undefined).findings).toEqual([]);
    expect((await release(effects, "2027.01.1")).stdout).toContain("already recorded");
  });

  it("is not said to be acknowledged where there is none", async () => {
    const effects = edited(await released(), { concepts: [ONE, HIDDEN] });
    expect((await release(effects, "2027.01.1", "--acknowledge", "why")).stdout).toContain(
      "--acknowledge is not recorded",
    );
    expect(Object.keys(historyOf(effects).at(-1) ?? {})).toEqual([
      "registryVersion",
      "contentSha256",
      "memorySha256",
      "changesSha256",
    ]);
  });
});

describe("an interrupted release", () => {
  it("is whole when it runs again, whichever rename it was killed at", async () => {
    const retired = [{ code: "C-2", retiredIn: "2026.12.2", replacedBy: null }];
    const first = await released();
    const whole = edited(first, { concepts: [ONE], retired });
    await release(whole, "2027.01.1");
    for (let rename = 1; rename <= 5; rename++) {
      const effects = edited(first, { concepts: [ONE], retired }, { rename });
      await expect(release(effects, "2027.01.1")).rejects.toThrow("Killed");
      expect(await release(effects, "2027.01.1")).toMatchObject({ code: 0, stderr: "" });
      expect(textsOf(effects)).toEqual(textsOf(whole));
    }
  });

  it("is refused with other content, which an earlier answer may contradict", async () => {
    const first = await released();
    const effects = edited(first, { concepts: [ONE, HIDDEN] }, { rename: 4 });
    await expect(release(effects, "2027.01.1")).rejects.toThrow("Killed");
    const other = edited(effects, { concepts: [{ ...ONE, name: "Other" }, HIDDEN] });
    const before = textsOf(other);
    expect((await said(other, ["lint"])).stderr).toContain("error memory-unrecorded");
    await expect(release(other, "2027.01.1")).rejects.toThrow("is that of other content than this");
    expect(textsOf(other)).toEqual(before);
  });
});

describe("what is compared", () => {
  function answers({ registryVersion, ...registry }: CheckedRegistry) {
    const published = { registry: { registryVersion, ...registry }, origin: "https://example.org" };
    return { index: indexOf(published), side: { given: registryVersion } };
  }

  it("is what diff says of the releases themselves, over random registries", () => {
    const next = random(7);
    const registry = (registryVersion: string): CheckedRegistry => {
      const concepts = Array.from({ length: 6 }, (_, i) => {
        const taken = new Set<string>();
        const expressions = Array.from({ length: 5 }, () => {
          const locale = [null, "pt-BR", "pt-PT", null][next(4)] ?? null;
          const language = locale === null ? (["en", "de", "pt"][next(3)] ?? "en") : "pt";
          return expression(language, `word ${next(12)}`, {
            locale,
            equivalenceStrength: [1, 1, 0.5][next(3)] ?? 1,
            reviewStatus: next(5) === 0 ? "draft" : "reviewed",
          });
        }).filter((one) => {
          const key = `${one.locale ?? one.language} ${one.expression}`;
          return !taken.has(key) && taken.add(key) !== undefined;
        });
        return concept(`C-${i}`, expressions);
      });
      return checkedRegistry({ concepts, registry: { registryVersion } });
    };
    const kinds = new Set<string>();
    for (let i = 0; i < 30; i++) {
      const [before, after] = [registry("2026.11.1"), registry("2026.12.1")];
      const sides = [answers(before), answers(after)] as const;
      const expected = [...compareResolutions(after.concepts.budget, sides, () => undefined)];
      const found = changesSince(
        { release: before, codes: Array.from(before.concepts, publishedLine), earlier: [] },
        after,
        () => undefined,
      );
      expect(found).toEqual(expected);
      for (const { kind } of found) kinds.add(kind);
    }
    expect([...kinds].sort()).toEqual(["now_abstains", "now_resolves", "reason_changed", "reassigned"]);
  });
});

describe("the starter's files", () => {
  const scratch = mkdtempSync(path.join(tmpdir(), "test-release-registry-"));
  afterAll(() => rmSync(scratch, { recursive: true, force: true }));

  it("keep every line but those that say the version, and grow by one entry", async () => {
    const registry = path.join(scratch, "registry");
    copyStarter(registry);
    const head = readFileSync(path.join(registry, "registry.yaml"), "utf8");
    const [, registryVersion = ""] = /^registryVersion: (.*)$/m.exec(head) ?? [];
    const run = (version: string): Promise<Outcome> =>
      said(fileSystem, ["release-registry", "--registry", registry, "--version", version]);
    expect(await run(registryVersion)).toMatchObject({ code: 0, stderr: "" });
    const before = readFileSync(path.join(registry, "history.yaml"), "utf8");
    expect(existsSync(path.join(registry, `released/${registryVersion}.ndjson`))).toBe(true);
    expect(await run("2099.01.1")).toMatchObject({
      code: 0,
      stderr: "",
      stdout: expect.stringContaining("Every expression resolves as before") as unknown,
    });
    expect(readFileSync(path.join(registry, "registry.yaml"), "utf8")).toBe(
      head.replace(/^registryVersion: .*$/m, "registryVersion: 2099.01.1"),
    );
    expect(readFileSync(path.join(registry, "history.yaml"), "utf8").startsWith(before)).toBe(true);
    expect(readdirSync(registry).filter((name) => name.startsWith("."))).toEqual([]);
    expect(readRegistry(fileSystem, registry, () => undefined).findings).toEqual([]);
  });
});
