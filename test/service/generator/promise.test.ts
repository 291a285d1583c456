/** The stability promise in lint and build: a registry is compared with what is recorded of it. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { fileSystem } from "../../../generator/effects/file-system.ts";
import type { ConceptRecord, RetiredRecord } from "../../../generator/registry/record.ts";
import { folder, type Outcome, runHere } from "../../support/command.ts";
import type { MemoryEffects } from "../../support/memory-effects.ts";
import { concept, expression, registryFiles } from "../../support/registry.ts";
import { renamable, said, textsOf } from "../../support/review.ts";

const ONE = concept("C-1", [expression("en", "one"), expression("fr", "un")]);
const TWO = concept("C-2", [expression("en", "two"), expression("de", "zwei")]);
/** "un" moves from C-1 to C-2. */
const MOVED = [
  concept("C-1", [expression("en", "one")]),
  concept("C-2", [expression("en", "two"), expression("fr", "un"), expression("de", "zwei")]),
];

interface Edit {
  readonly concepts: readonly ConceptRecord[];
  readonly version?: string;
  readonly retired?: RetiredRecord;
}

/** Recorded as 2026.11.1, then changed by hand. */
async function edited({ concepts, version = "2026.12.1", retired }: Edit): Promise<MemoryEffects> {
  const effects = renamable(registryFiles({ concepts: [ONE, TWO] }));
  expect((await said(effects, ["release-registry", "--version", "2026.11.1"])).code).toBe(0);
  for (const name of effects.files.keys()) if (name.includes("/concepts/")) effects.files.delete(name);
  const { "registry/registry.yaml": head = "", ...made } = registryFiles({
    concepts,
    registry: { registryVersion: version },
    ...(retired && { retired }),
  });
  for (const [name, text] of Object.entries({ "registry/registry.yaml": head, ...made }))
    effects.files.set(name, Buffer.from(text));
  return effects;
}

const lint = (effects: MemoryEffects): Promise<Outcome> => said(effects, ["lint"]);
/** The notice of a draft of 2026.12.1. */
const DRAFT =
  "registry/registry.yaml#/registryVersion: notice version-draft\n" +
  "  2026.12.1 is not recorded, so this is a draft of it, shown as 2026.12.1-draft. When it is ready, record it: " +
  "npm run release:registry -- --registry registry --version 2026.12.1.";

describe("lint", () => {
  it("has nothing to say of a registry as it was recorded, nor of one that has no history", async () => {
    expect(await lint(await edited({ concepts: [ONE, TWO], version: "2026.11.1" }))).toMatchObject({
      code: 0,
      stderr: "",
    });
    expect(await lint(await edited({ concepts: [ONE, TWO] }))).toMatchObject({ code: 0, stderr: DRAFT });
    expect(await lint(renamable(registryFiles({ concepts: MOVED })))).toMatchObject({ code: 0, stderr: "" });
  });

  it("refuses an expression that was moved to another code under a raised version", async () => {
    const { code, stderr } = await lint(await edited({ concepts: MOVED }));
    expect([code, stderr]).toEqual([
      1,
      "registry/concepts/test/C-2.yaml: error expression-reassigned\n" +
        '  "un" (no language, fr) resolved to C-1 in 2026.11.1 and would resolve to C-2. Undo that, or record why: ' +
        `npm run release:registry -- --registry registry --version 2026.12.1 --acknowledge WHY.\n${DRAFT}`,
    ]);
  });

  it("accepts it once it is recorded with its reason", async () => {
    const effects = await edited({ concepts: MOVED });
    await said(effects, ["release-registry", "--version", "2026.12.1", "--acknowledge", "un was wrong"]);
    expect(await lint(effects)).toMatchObject({ code: 0, stderr: "" });
  });

  it("refuses a concept that is gone, unless it is retired", async () => {
    const gone = await lint(await edited({ concepts: [ONE] }));
    expect(gone.code).toBe(1);
    expect(gone.stderr).toContain('registry/retired.yaml: error concept-gone\n  "C-2" was published in 2026.11.1');
    const retired = [{ code: "C-2", retiredIn: "2026.12.1", replacedBy: null }];
    const { code, stderr } = await lint(await edited({ concepts: [ONE], retired }));
    expect([code, stderr]).toEqual([
      0,
      `${DRAFT}\n` +
        "registry/retired.yaml: notice expression-abstains\n  Resolved to C-2 in 2026.11.1 and would abstain: " +
        '"two" (no language, en): no_reviewed_exact_match; "zwei" (no language, de): no_reviewed_exact_match. ' +
        "Nothing needs to be done if that is meant.",
    ]);
  });

  it("counts what only begins to resolve", async () => {
    const more = concept("C-1", [expression("en", "one"), expression("fr", "un"), expression("en", "uno")]);
    const { code, stderr } = await lint(await edited({ concepts: [more, TWO] }));
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining(
        "Requests that abstained in 2026.11.1: 2 would resolve, 0 would abstain for another reason",
      ),
    ]);
  });

  it("takes content that differs from its recorded version as a draft of the next one", async () => {
    const more = concept("C-1", [expression("en", "one"), expression("fr", "un"), expression("en", "uno")]);
    const effects = await edited({ concepts: [more, TWO], version: "2026.11.1" });
    const { code, stdout, stderr } = await lint(effects);
    expect(code).toBe(0);
    expect(stderr).toContain(
      "The content differs from what was released as 2026.11.1, so this is a draft of 2026.11.2, shown as 2026.11.2-draft",
    );
    expect(stdout).toContain("Test 2026.11.2-draft: 2 concepts");
    const step = /record it: npm run release:registry -- (.*)\.$/m.exec(stderr)?.[1] ?? "";
    expect((await said(effects, ["release-registry", ...step.split(" ")])).code).toBe(0);
    expect(await lint(effects)).toMatchObject({ code: 0, stderr: "" });
  });
});

describe("build", () => {
  const build = async (edit: Edit) => {
    const place = folder(textsOf(await edited(edit)));
    const out = path.join(place, "dist");
    const outcome = await runHere(["build", "--registry", path.join(place, "registry"), "--out", out]);
    return { ...outcome, isBuilt: existsSync(out), place };
  };

  it("makes a draft where the version is not recorded, and says what is reassigned", async () => {
    const { code, stdout, stderr, isBuilt } = await build({ concepts: MOVED });
    expect([code, isBuilt]).toEqual([0, true]);
    expect(stdout).toContain("registry 2026.12.1-draft,");
    expect(stderr).toContain("notice version-draft");
    expect(stderr).toContain('notice expression-reassigned\n  "un" (no language, fr) resolved to C-1');
  });

  it("refuses a concept that is gone, and release a version that is not recorded", async () => {
    const gone = await build({ concepts: [ONE] });
    expect(gone).toMatchObject({
      code: 1,
      isBuilt: false,
      stderr: expect.stringContaining("error concept-gone") as string,
    });
    const { place } = await build({ concepts: MOVED });
    const args = [
      "--registry",
      path.join(place, "registry"),
      "--out",
      path.join(place, "next"),
      "--into",
      path.join(place, "release"),
    ];
    const release = await runHere(["release", "--checked", "--origin", "https://a.example", ...args]);
    expect(release.code).toBe(1);
    expect(release.stderr).toContain("error version-unrecorded");
    expect(release.stderr).toContain("error expression-reassigned");
    expect([fileSystem.kind(path.join(place, "next")), fileSystem.kind(path.join(place, "release"))]).toEqual([
      "none",
      "none",
    ]);
  });

  it("makes drafts that verify, diff, resolve and explain work on as on releases", async () => {
    const release = await build({ concepts: [ONE, TWO], version: "2026.11.1" });
    const draft = await build({ concepts: MOVED, version: "2026.11.1" });
    const [before, after] = [release, draft].map(({ place }) => path.join(place, "dist")) as [string, string];
    expect(draft.stdout).toContain("registry 2026.11.2-draft,");
    for (const dist of [before, after]) expect(await runHere(["verify", dist])).toMatchObject({ code: 0, stderr: "" });
    const diff = await runHere(["diff", before, after]);
    expect([diff.code, diff.stdout]).toEqual([3, expect.stringContaining('"un" (fr): C-1 → C-2')]);
    const answer = await runHere(["resolve", "un", "--out", after]);
    expect(JSON.parse(answer.stdout)).toMatchObject({
      data: { concept: { code: "C-2", registryVersion: "2026.11.2-draft" } },
    });
    expect((await runHere(["explain", "un", "--out", after])).stdout).toContain("C-2");
  });

  it("notices a contact that expired before the registry's own day, without a clock", async () => {
    const site = readFileSync("content/site.yaml", "utf8").replace(/(expires: )\d{4}/, "$11970");
    const place = folder({ "content/site.yaml": site });
    const args = ["--content", path.join(place, "content"), "--out", path.join(place, "dist")];
    const { code, stderr } = await runHere(["build", "--registry", "registry", ...args]);
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining("Notice: security.txt expired on 1970-09-02T00:00:00Z"),
    ]);
  });
});
