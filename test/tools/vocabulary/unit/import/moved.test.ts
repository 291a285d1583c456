import { describe, expect, it } from "vitest";
import type { Source, SourceConcept } from "../../../../../generator/tools/vocabulary/formats/source.ts";
import type { Plan } from "../../../../../generator/tools/vocabulary/import/plan.ts";
import type { ImportSettings } from "../../../../../generator/tools/vocabulary/import/settings.ts";
import { EMPTY, label, planImport, REVIEWED, source, thing } from "../../../../support/import.ts";

const of = (...names: string[]): Source => source(...names.map((name) => thing(name, [label("en", name)])));
const COLOURS = of("red", "green", "blue");
const FRUITS = of("apple", "pear", "plum", "fig");

const named = (name: string | undefined, more: Partial<ImportSettings> = {}): ImportSettings => ({
  ...REVIEWED,
  domain: undefined,
  source: name,
  fallbackName: name ?? "file",
  ...more,
});

/** Both vocabularies after people moved all colours but the last to the domain of the fruits. */
function moved(): Plan["after"] {
  const first = planImport(COLOURS, EMPTY, named("Colours")).after;
  const { after } = planImport(FRUITS, first, named("Fruits"));
  const concepts = after.concepts.map((concept) =>
    ["red", "green"].includes(concept.record.name)
      ? { file: "concepts/Fruits.ndjson", line: 1, record: { ...concept.record, domain: "Fruits" } }
      : concept,
  );
  return { ...after, concepts };
}

function gone(from: Source, settings: ImportSettings): string[] {
  const { after } = planImport(from, moved(), settings);
  return after.retired.map(({ name = "" }) => name).sort();
}

describe("concepts that people moved to the domain of another source", () => {
  it.each([undefined, "Fruits"])("stay when a newer dump of that is imported into %s", (domain) => {
    expect(gone(FRUITS, named("Fruits", { domain }))).toEqual([]);
    expect(gone(of("apple", "pear", "plum"), named("Fruits", { domain }))).toEqual(["fig"]);
  });

  it("do not make a newer dump of their own source one of that domain's others", () => {
    expect(gone(COLOURS, named("Colours"))).toEqual([]);
    const { domains, after } = planImport({ ...COLOURS, vocabulary: [] }, moved(), named("Colours"));
    // What is said there of the fruits' scheme stays.
    expect([domains, after.concepts.map(({ record }) => record.domain)]).toEqual([
      ["Colours"],
      moved().concepts.map(({ record }) => record.domain),
    ]);
    expect(gone(of("green"), named("Colours", { domain: "Fruits" }))).toEqual(["red"]);
  });
});

it("a concept is gone from a newer dump whatever that is called by now, and where nothing names it", () => {
  expect(gone(of("apple", "pear", "plum"), named("Fruits and nuts", { domain: "Fruits" }))).toEqual(["fig"]);
  expect(gone(of("apple", "pear", "plum"), named(undefined, { domain: "Fruits" }))).toContain("fig");
});

describe("a code of another domain's concept", () => {
  const imported = planImport(FRUITS, EMPTY, named("Fruits")).after;
  /** As a person writes a concept, without a sourceId. */
  const written = {
    ...imported,
    codeMap: [],
    concepts: imported.concepts.map((one) => ({ ...one, record: { ...one.record, provenance: null } })),
  };
  const code = imported.concepts.find(({ record }) => record.name === "pear")?.record.code ?? "";
  const row = (text: string, more: Partial<SourceConcept> = {}): Source =>
    source(thing("1", [label("en", text)], { code, sourceId: null, ...more }));
  const isRefused = (from: Source, settings: ImportSettings, before: Plan["after"]): boolean =>
    planImport(from, before, settings).findings.some(
      ({ rule, outcome }) => rule === "code-of-another" && outcome === "refused",
    );

  it.each([
    ["imported", imported],
    ["written", written],
  ])("is not taken over by a table that names it: %s", (_, before) => {
    expect(isRefused(row("pear tree"), named("Trees"), before)).toBe(true);
    expect(isRefused(row("pear"), named("Trees"), before)).toBe(true);
    expect(isRefused(row("pear tree", { retired: { replacedBy: [] } }), named("Trees"), before)).toBe(true);
    for (const settings of [named("Trees", { domain: "Trees" }), named("Trees")])
      for (const more of [{}, { domain: "Trees" }]) {
        const plan = planImport(row("pear tree", more), before, settings);
        const pear = plan.after.concepts.find(({ record }) => record.code === code)?.record;
        expect(isRefused(row("pear tree", more), settings, before) || pear?.domain === "Fruits").toBe(true);
      }
  });

  it("is that concept's in a table of its domain, or in one that moves it with its words", () => {
    expect(isRefused(row("pear tree"), named("Trees", { domain: "Fruits" }), written)).toBe(false);
    expect(isRefused(row("pear", { domain: "Trees" }), named("Trees"), written)).toBe(false);
  });
});
