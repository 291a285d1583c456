import { expect, it } from "vitest";
import { readJson } from "../../../../../generator/tools/vocabulary/formats/json-read.ts";
import { memoryEffects } from "../../../../support/memory-effects.ts";

const PROVENANCE = { source: "s", license: "MIT", sourceId: "a", reviewedBy: null, reviewedAt: null };
const EXPRESSION = {
  language: "en",
  locale: null,
  expression: "apple",
  type: "preferred",
  equivalenceStrength: 1,
  reviewStatus: "reviewed",
  provenance: PROVENANCE,
};
const RENDERING = { type: "emoji", descriptor: "apple", unicodeSequence: null, confidence: 1 };
const CONCEPT = {
  code: "C-A",
  name: "Apple",
  definition: "",
  domain: "fruit",
  registryVersion: "2026.01.1",
  provenance: PROVENANCE,
  expressions: [EXPRESSION],
  renderings: [RENDERING],
  canonicalUrl: "https://e.org/concepts/C-A",
};

const read = (change: object) =>
  readJson(memoryEffects({ "a.json": `${JSON.stringify({ ...CONCEPT, ...change })}\n` }), ["a.json"]).concepts;

it("a concept that a registry can hold is read from a bundle", () => {
  expect(read({})).toMatchObject([{ code: "C-A", domain: "fruit", expressions: [{ text: "apple" }] }]);
  expect(read({ provenance: null, name: "" })).toMatchObject([{ provenance: null, name: "" }]);
});

it("a provenance may have further members, which are left out and counted", () => {
  const more = { ...PROVENANCE, url: "https://e.org/" };
  const line = JSON.stringify({ ...CONCEPT, provenance: more, expressions: [{ ...EXPRESSION, provenance: more }] });
  const { concepts, leftOut } = readJson(memoryEffects({ "a.json": `${line}\n` }), ["a.json"]);
  expect(concepts[0]?.provenance).toEqual(PROVENANCE);
  expect(leftOut).toEqual({ "further members of a provenance": 2 });
});

it.each(["locale", "provenance"])("an expression must have its %s, as published", (name) => {
  const { [name]: _left, ...rest } = EXPRESSION as Record<string, unknown>;
  expect(() => read({ expressions: [rest] })).toThrow(`expressions[0] lacks the property "${name}"`);
});

it.each([
  ["domain", { domain: "" }],
  ["provenance", { provenance: "a text" }],
  ["provenance", { provenance: [1] }],
  ["provenance.sourceId", { provenance: { ...PROVENANCE, sourceId: 5 } }],
  ["provenance.license", { provenance: { ...PROVENANCE, license: "" } }],
  ["expressions[0].language", { expressions: [{ ...EXPRESSION, language: "" }] }],
  ["expressions[0].type", { expressions: [{ ...EXPRESSION, type: "other" }] }],
  ["expressions[0].equivalenceStrength", { expressions: [{ ...EXPRESSION, equivalenceStrength: 7 }] }],
  ["expressions[0].provenance", { expressions: [{ ...EXPRESSION, provenance: 1 }] }],
  ["renderings[0].descriptor", { renderings: [{ ...RENDERING, descriptor: "" }] }],
])("one whose %s no registry can hold is refused with its line", (where, change) =>
  expect(() => read(change)).toThrow(
    `a.json, line 1 is not a concept of a public bundle that a registry can hold: ${where} `,
  ),
);
