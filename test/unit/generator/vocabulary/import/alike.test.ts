import { expect, it } from "vitest";
import type { Source, SourceConcept } from "../../../../../generator/vocabulary/formats/source.ts";
import { EMPTY, label, planImport, REVIEWED, source, thing } from "../../../../support/import.ts";

const called = (sourceId: string, more: Partial<SourceConcept> = {}): SourceConcept =>
  thing("a", [label("en", sourceId.trim().toLowerCase())], { sourceId, ...more });
const of = (...names: string[]): Source => source(...names.map((name) => called(name)));
const rules = (from: Source, before: Parameters<typeof planImport>[1]): string[] =>
  planImport(from, before, REVIEWED).findings.flatMap(({ rule, outcome }) =>
    ["source-id-rewritten", "concept-gone"].includes(rule) ? `${rule} ${outcome}` : [],
  );

it.each([
  ["k1", "k1 "],
  ["k1", "K1"],
  ["k 1", "k\u00A01"],
  ["http://example.org/c/d%C3%A9", "http://example.org/c/d%c3%a9"],
  ["http://example.org/c/1", "https://example.org/c/1"],
])("%s that is written anew as %s does not lose its code", (name, anew) => {
  const { after } = planImport(of(name, "other"), EMPTY, REVIEWED);
  expect(rules(of(anew, "other"), after)).toContain("source-id-rewritten refused");
  // Both may be there, and one may go or be deprecated.
  expect(rules(of(name, anew, "other"), after)).toEqual([]);
  const both = planImport(of(name, anew, "other"), after, REVIEWED).after;
  expect(rules(of(anew, "other"), both)).toEqual(["concept-gone changed"]);
  const deprecated = source(called(anew, { retired: { replacedBy: [] } }), called("other"));
  expect(rules(deprecated, after)).toEqual(["concept-gone changed"]);
  // What remains of the way out: the registry takes the new name, and the code stays.
  const renamed = after.concepts.map((located) => {
    const { provenance } = located.record;
    if (provenance?.sourceId !== name) return located;
    return { ...located, record: { ...located.record, provenance: { ...provenance, sourceId: anew } } };
  });
  const again = planImport(of(anew, "other"), { ...after, concepts: renamed }, REVIEWED);
  expect([again.counts.added, again.after.retired]).toEqual([0, []]);
});

it("a code that a table writes anew does not become the id of another concept", () => {
  const { after } = planImport(of("k1", "other"), EMPTY, REVIEWED);
  const code = after.concepts.find(({ record }) => record.provenance?.sourceId === "k1")?.record.code ?? "";
  for (const anew of [`${code} `, code.toLowerCase()]) {
    const table = source(thing("a", [label("en", "k1")], { sourceId: null, code: anew }), called("other"));
    expect(rules(table, after), anew).toContain("source-id-rewritten refused");
  }
});
