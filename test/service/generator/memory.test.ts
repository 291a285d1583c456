/**
 * The memory of a registry: what its releases gave is kept, and a memory that is missing or is not
 * the recorded one stops every command that promises something.
 */
import { describe, expect, it } from "vitest";
import type { ConceptRecord, RetiredRecord } from "../../../generator/registry/record.ts";
import type { MemoryEffects } from "../../support/memory-effects.ts";
import { concept, expression, registryFiles } from "../../support/registry.ts";
import { renamable, said, textsOf } from "../../support/review.ts";

const OWL = concept("C-OWL", [expression("en", "owl"), expression("de", "Eule")]);
const ELK = concept("C-ELK", [expression("en", "elk")]);
/** In the registry, and never published. */
const YAK = concept("C-YAK", [expression("en", "yak", { reviewStatus: "in_review" })]);

const waiting = (record: ConceptRecord): ConceptRecord => ({
  ...record,
  expressions: record.expressions.map((one) => ({ ...one, reviewStatus: "in_review" as const })),
});
const without = (record: ConceptRecord, text: string): ConceptRecord => ({
  ...record,
  expressions: record.expressions.filter((one) => one.expression !== text),
});
const withMore = (record: ConceptRecord, language: string, text: string): ConceptRecord => ({
  ...record,
  expressions: [...record.expressions, expression(language, text)],
});
const retirement = (code: string): RetiredRecord[number] => ({ code, retiredIn: "2026.11.1", replacedBy: null });

interface Content {
  readonly concepts: readonly ConceptRecord[];
  readonly retired?: readonly string[];
}

/** The records replaced, and everything that releases wrote kept. */
function edited(effects: MemoryEffects, { concepts, retired = [] }: Content): MemoryEffects {
  const isRecord = (name: string): boolean => name.includes("/concepts/") || name.endsWith("/retired.yaml");
  const kept = Object.entries(textsOf(effects)).filter(([name]) => !isRecord(name));
  const { "registry/registry.yaml": head = "", ...made } = registryFiles({
    concepts,
    retired: retired.map(retirement),
  });
  return renamable({ "registry/registry.yaml": head, ...Object.fromEntries(kept), ...made });
}

const release = (effects: MemoryEffects, version: string, ...args: string[]) =>
  said(effects, ["release-registry", "--version", version, ...args]);

/** The registry after these releases, 2026.11.1 and later ones. */
async function after(...contents: readonly Content[]): Promise<MemoryEffects> {
  let effects = renamable({});
  for (const [i, content] of contents.entries()) {
    effects = edited(effects, content);
    expect(await release(effects, `2026.11.${i + 1}`)).toMatchObject({ code: 0, stderr: "" });
  }
  return effects;
}

describe("a code that a release gave", () => {
  it.each<[string, readonly Content[], Content, string]>([
    [
      "retired since the first release, now another concept's",
      [{ concepts: [OWL], retired: ["C-ELK"] }],
      { concepts: [OWL, ELK] },
      '"C-ELK" is retired in 2026.11.1 and is no longer listed',
    ],
    [
      "retired since the first release, now forgotten",
      [
        { concepts: [OWL], retired: ["C-ELK"] },
        { concepts: [OWL], retired: ["C-ELK"] },
      ],
      { concepts: [OWL] },
      '"C-ELK" is retired in 2026.11.2 and is no longer listed',
    ],
    [
      "never published and retired, now another concept's",
      [{ concepts: [OWL, YAK] }, { concepts: [OWL], retired: ["C-YAK"] }],
      { concepts: [OWL, { ...YAK, name: "Other" }] },
      '"C-YAK" is retired in 2026.11.2 and is no longer listed',
    ],
    [
      "never published and removed, now another concept's",
      [{ concepts: [OWL, YAK] }, { concepts: [OWL] }],
      { concepts: [OWL, { ...YAK, name: "Other" }] },
      '"C-YAK" was given before 2026.11.2 and removed',
    ],
    [
      "published and gone",
      [{ concepts: [OWL, ELK] }],
      { concepts: [OWL] },
      '"C-ELK" was published in 2026.11.1 and is neither in the registry nor retired',
    ],
    [
      "withdrawn in one release and gone in the next",
      [{ concepts: [OWL, ELK] }, { concepts: [OWL, waiting(ELK)] }],
      { concepts: [OWL] },
      '"C-ELK" was published before 2026.11.2 and is neither in the registry nor retired',
    ],
  ])("%s: refused", async (...[, releases, content, text]) => {
    const effects = edited(await after(...releases), content);
    const before = textsOf(effects);
    const lint = await said(effects, ["lint"]);
    expect([lint.code, lint.stderr]).toEqual([1, expect.stringContaining(text)]);
    expect(await release(effects, "2027.01.1", "--acknowledge", "because")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(text) as unknown,
    });
    expect(textsOf(effects)).toEqual(before);
  });

  it("is never minted again, also if it was only ever a draft", async () => {
    const first = renamable(registryFiles({ concepts: [OWL] }));
    const mint = async (effects: MemoryEffects) => (await said(effects, ["mint", "--name", "Yak"])).stdout;
    const code = await mint(first);
    const draft = { ...YAK, code };
    const effects = await after({ concepts: [OWL, draft] }, { concepts: [OWL] });
    expect(await mint(effects)).not.toBe(code);
  });

  it("may wait, come back as it was, or be a draft that is given up", async () => {
    const effects = await after(
      { concepts: [OWL, ELK, YAK] },
      { concepts: [OWL, waiting(ELK)] },
      { concepts: [OWL, ELK] },
    );
    expect((await said(effects, ["lint"])).code).toBe(0);
  });
});

describe("an expression that once resolved", () => {
  const moved = [without(OWL, "owl"), withMore(ELK, "en", "owl")];

  it.each<[string, readonly Content[], Content]>([
    [
      "its concept waited in between",
      [{ concepts: [OWL, ELK] }, { concepts: [waiting(OWL), ELK] }],
      { concepts: [waiting(OWL), withMore(ELK, "en", "owl")] },
    ],
    [
      "it was taken away in between, two releases long",
      [{ concepts: [OWL, ELK] }, { concepts: [without(OWL, "owl"), ELK] }, { concepts: [without(OWL, "owl"), ELK] }],
      { concepts: moved },
    ],
    [
      "it was ambiguous in between",
      [{ concepts: [OWL, ELK] }, { concepts: [OWL, withMore(ELK, "en", "owl")] }],
      { concepts: moved },
    ],
    [
      "its concept was retired in between",
      [{ concepts: [OWL, ELK] }, { concepts: [ELK], retired: ["C-OWL"] }],
      { concepts: [withMore(ELK, "en", "owl")], retired: ["C-OWL"] },
    ],
  ])("is refused another code without an acknowledgement: %s", async (_, releases, content) => {
    const effects = edited(await after(...releases), content);
    const version = `2026.11.${releases.length + 1}`;
    const { code, stdout } = await release(effects, version);
    expect([code, stdout]).toEqual([3, expect.stringContaining('"owl" (en): C-OWL → C-ELK')]);
    expect((await said(effects, ["lint"])).stderr).toContain("error expression-reassigned");
    expect((await release(effects, version, "--acknowledge", "owls are elks")).code).toBe(0);
    const changes = JSON.parse(textsOf(effects)[`registry/changes/${version}.json`] ?? "") as object;
    expect(changes).toMatchObject({
      resolutions: [
        { kind: "reassigned", expression: "owl", language: null, before: { code: "C-OWL", lastIn: "2026.11.1" } },
        { kind: "reassigned", expression: "owl", language: "en" },
      ],
    });
    // Once acknowledged it is the expression's code; going back would be a reassignment again.
    expect(await said(effects, ["lint"])).toMatchObject({ code: 0, stderr: "" });
  });

  it("is refused another code in a narrower language too, and keeps the code that it had without an acknowledgement", async () => {
    const first = await after({ concepts: [OWL, ELK] }, { concepts: [waiting(OWL), ELK] });
    const narrower = { ...ELK, expressions: [...ELK.expressions, expression("de", "Eule", { locale: "de-AT" })] };
    expect((await release(edited(first, { concepts: [waiting(OWL), narrower] }), "2026.11.3")).stdout).toContain(
      '"Eule" (de-AT): C-OWL → C-ELK',
    );
    expect((await release(edited(first, { concepts: [OWL, ELK] }), "2026.11.3")).code).toBe(0);
  });
});

describe("a request in a language that no release has any more", () => {
  /** Without a language the expression is the bat's, so that only the narrower request shows. */
  const BAT = concept("C-BAT", [expression("fr", "Eule")]);
  const austrian = concept("C-OWL", [expression("en", "owl"), expression("de", "Eule", { locale: "de-AT" })]);
  const german = withMore(ELK, "de", "Eule");

  it("is refused another code without an acknowledgement, once, and keeps its own without one", async () => {
    const first = await after({ concepts: [austrian, ELK, BAT] }, { concepts: [without(austrian, "Eule"), ELK, BAT] });
    const moved = edited(first, { concepts: [without(austrian, "Eule"), german, BAT] });
    const { code, stdout } = await release(moved, "2026.11.3");
    expect([code, stdout]).toEqual([3, expect.stringContaining('"Eule" (de-AT): C-OWL → C-ELK')]);
    expect((await release(moved, "2026.11.3", "--acknowledge", "owls are elks")).code).toBe(0);
    const more = edited(moved, { concepts: [without(austrian, "Eule"), german, withMore(BAT, "pt", "Eule")] });
    expect((await release(more, "2026.11.4")).code).toBe(0);
    const own = edited(first, { concepts: [withMore(without(austrian, "Eule"), "de", "Eule"), ELK, BAT] });
    expect((await release(own, "2026.11.3")).code).toBe(0);
  });
});

describe("a memory that is not the recorded one", () => {
  const FILE = "registry/released/2026.11.2.ndjson";
  const CHANGES = "registry/changes/2026.11.2.json";
  const HISTORY = "registry/history.yaml";
  const COMMANDS: readonly (readonly string[])[] = [
    ["lint"],
    ["mint", "--name", "Newt"],
    ["release-registry", "--version", "2026.11.2"],
    ["release-registry", "--version", "2026.12.1", "--acknowledge", "because"],
  ];

  it.each<[string, string, (text: string) => string | undefined]>([
    ["missing", FILE, () => undefined],
    ["empty", FILE, () => ""],
    ["cut after a line", FILE, (text) => text.slice(0, text.lastIndexOf("\n", text.length - 2) + 1)],
    ["changed by hand", FILE, (text) => text.replace('"owl"', '"ow1"')],
    ["that of a conflict", FILE, (text) => `<<<<<<< HEAD\n${text}`],
    ["one that the history does not know", HISTORY, (text) => text.replace(/memorySha256: ./g, "memorySha256: f")],
    [
      "after a release that the history lost",
      HISTORY,
      (text) => text.replace(/- registryVersion: 2026.11.1\n(?: .*\n)+/, ""),
    ],
    ["without the history", HISTORY, () => undefined],
    ["without its changes", CHANGES, () => undefined],
    ["of other changes", CHANGES, (text) => text.replace('"resolutions"', ' "resolutions"')],
  ])("%s: an error for every command, and nothing is written", async (_, file, change) => {
    const effects = await after({ concepts: [OWL, ELK] }, { concepts: [OWL, ELK, YAK] });
    const text = change(textsOf(effects)[file] ?? "");
    expect(text).not.toBe(textsOf(effects)[file]);
    if (text === undefined) effects.files.delete(file);
    else effects.files.set(file, Buffer.from(text));
    const before = textsOf(effects);
    for (const args of COMMANDS) {
      const { code, stderr } = await said(effects, args).catch((error: Error) => ({ code: 1, stderr: error.message }));
      expect([args, code]).toEqual([args, args[0] === "mint" && file === CHANGES ? 0 : 1]);
      expect(stderr).not.toMatch(/remove (?:this|the) file|delete/i);
      expect(textsOf(effects)).toEqual(before);
    }
  });

  it("lost but for the changes: an error, unless they are those of a release that was interrupted", async () => {
    const effects = await after({ concepts: [OWL] }, { concepts: [OWL, ELK] }, { concepts: [OWL, ELK, YAK] });
    for (const name of [HISTORY, "registry/released/2026.11.3.ndjson"]) effects.files.delete(name);
    const { code, stderr } = await release(effects, "2026.11.3");
    expect([code, stderr]).toEqual([1, expect.stringContaining("changes/2026.11.2.json#/contentSha256: error")]);
  });

  it("stops what gives codes or takes the records elsewhere: import, propose, export", async () => {
    const effects = await after({ concepts: [OWL, ELK] }, { concepts: [OWL, ELK, YAK] });
    effects.files.set("words.csv", Buffer.from("code,language,expression\nC-NEWT,en,newt\n"));
    effects.files.set("issue.md", Buffer.from("### Name\n\nNewt\n"));
    effects.files.set(FILE, Buffer.from(""));
    const before = textsOf(effects);
    for (const args of [
      ["import", "--from", "words.csv", "--into", "registry", "--domain", "test"],
      ["propose", "--from", "issue.md"],
      ["export", "--format", "csv"],
    ]) {
      const { code, stderr } = await said(effects, args);
      expect([args, code, stderr]).toEqual([args, 1, expect.stringContaining("error memory-broken")]);
      expect(textsOf(effects)).toEqual(before);
    }
  });

  it("of a history with an entry that nobody released: an error", async () => {
    const effects = edited(await after({ concepts: [OWL, ELK] }), {
      concepts: [without(OWL, "owl"), withMore(ELK, "en", "owl")],
    });
    const digest = "ab".repeat(32);
    const entry = `- { registryVersion: 2026.11.2, contentSha256: ${digest}, memorySha256: ${digest} }\n`;
    effects.files.set(HISTORY, Buffer.from(`${textsOf(effects)[HISTORY] ?? ""}${entry}`));
    const { code, stderr } = await release(effects, "2026.11.2");
    expect([code, stderr]).toEqual([1, expect.stringContaining("error memory-broken")]);
  });

  it("of two branches that each made a release: an error that says what to keep", async () => {
    const first = await after({ concepts: [OWL, ELK] });
    const [ours, theirs] = [
      edited(first, { concepts: [OWL, ELK, YAK] }),
      edited(first, { concepts: [OWL], retired: ["C-ELK"] }),
    ];
    expect((await release(ours, "2026.11.2")).code).toBe(0);
    expect((await release(theirs, "2026.11.3")).code).toBe(0);
    const merged = renamable({ ...textsOf(theirs), ...textsOf(ours), "registry/retired.yaml": "[]\n" });
    const entries = (textsOf(theirs)[HISTORY] ?? "")
      .split("- registryVersion")
      .slice(2)
      .map((entry) => `- registryVersion${entry}`);
    merged.files.set(HISTORY, Buffer.from(`${textsOf(ours)[HISTORY] ?? ""}${entries.join("")}`));
    merged.files.set("registry/registry.yaml", Buffer.from(textsOf(theirs)["registry/registry.yaml"] ?? ""));
    const { code, stderr } = await said(merged, ["lint"]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining("keep history.yaml, released/ and changes/ of one of them"),
    ]);
  });
});
