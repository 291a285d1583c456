import { expect, it } from "vitest";
import type { Source, SourceConcept } from "../../../../../generator/tools/vocabulary/formats/source.ts";
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

it.each([
  ["04", "4"],
  ["007.10", "7.1"],
  ["+5", "5"],
  ["100000", "1.0E+5"],
  ["123456789012", "1.23457E+11"],
  ["123456789012", "1,23457E+11"],
  ["12345678901234567890", "12345678901234500000"],
])("the number %s that a spreadsheet writes as %s does not lose its code", (name, anew) => {
  const { after } = planImport(of(name, "other"), EMPTY, REVIEWED);
  const { findings, after: never } = planImport(of(anew, "other"), after, REVIEWED);
  expect(findings.find(({ rule }) => rule === "source-id-rewritten")).toMatchObject({
    outcome: "refused",
    text: expect.stringMatching(/^"[^"]+" is in the file, and "[^"]+" of .* is gone: a spreadsheet writes/) as string,
  });
  expect(rules(of("8", "other"), never)).not.toContain("source-id-rewritten refused");
});

it("two names of which a spreadsheet makes one are not one concept afterwards", () => {
  const { after } = planImport(of("04", "4", "other"), EMPTY, REVIEWED);
  const both = thing("a", [label("en", "4"), label("en", "04")], { sourceId: "4" });
  expect(rules(source(both, called("other")), after)).toContain("source-id-rewritten refused");
  // One of the two may go.
  expect(rules(of("4", "other"), after)).toEqual(["concept-gone changed"]);
});

it("a number whose digits are lost is refused although nobody knows what it was", () => {
  expect(rules(of("9.87654E+12", "other"), EMPTY)).toEqual(["source-id-rewritten refused"]);
  expect(rules(of("1E5", "3.14", "other"), EMPTY)).toEqual([]);
});
