/**
 * The starter registry, resolved expression by expression by the one resolver, and held against
 * what its README promises. That the service gives these answers too:
 * test/service/http/same-answers.test.ts.
 */
import { describe, expect, it } from "vitest";
import { fileSystem } from "../../generator/effects/file-system.ts";
import { checkAmbiguity } from "../../generator/registry/ambiguity.ts";
import { judge } from "../../generator/registry/load.ts";
import { type Concept, tagOf } from "../../generator/registry/concept.ts";
import { readRegistry } from "../../generator/registry/read.ts";
import type { ConceptExpression } from "../../runtime/contract/concept.ts";
import { compileIndex } from "../../generator/index/compile.ts";
import { memorySource } from "../../runtime/registry/byte-source.ts";
import { openIndex } from "../../runtime/registry/index.ts";
import { resolve } from "../../runtime/registry/resolver.ts";

const verdict = judge(readRegistry(fileSystem, "registry", () => undefined));
const { registry } = verdict;
if (registry === undefined) throw new Error("The starter registry has errors: npm run lint:registry");
const concepts: readonly Concept[] = [...registry.concepts];
/** Every published entry with its concept's code. */
const entries: (ConceptExpression & { code: string })[] = concepts.flatMap(({ code, expressions }) =>
  expressions.map((entry) => ({ ...entry, code })),
);
const published = new Set(entries.map(({ expression }) => expression));
/** Codes of strength 1 by expression, in any language and by tag. */
const meanings = new Map<string, Set<string>>();
for (const entry of entries) {
  if (entry.equivalenceStrength < 1) continue;
  for (const key of [entry.expression, `${tagOf(entry)} ${entry.expression}`]) {
    meanings.set(key, (meanings.get(key) ?? new Set()).add(entry.code));
  }
}
const index = openIndex(memorySource(Buffer.concat([...compileIndex({ registry, origin: "https://a.example" })])));

/** The one concept that the entries of strength 1 give an expression, or why there is none. */
function meaningOf(key: string): string | undefined {
  const codes = meanings.get(key) ?? new Set();
  const [only] = codes;
  return codes.size === 1 ? only : codes.size === 0 ? "equivalence_not_exact" : "ambiguous_expression";
}

/** What the resolver says. */
function outcomeOf(expression: string, language?: string): string | undefined {
  const resolution = resolve(index, expression, language);
  return resolution.status === "resolved" ? concepts[resolution.conceptId]?.code : resolution.reason;
}

describe("every published expression of the starter", () => {
  it("A01: resolves without a language, or abstains as ambiguous", () => {
    const wrong = entries.filter(({ expression }) => outcomeOf(expression) !== meaningOf(expression));
    expect(wrong).toEqual([]);
  });

  it("A02: resolves with its own tag, or abstains as ambiguous", () => {
    const wrong = entries.filter(
      (entry) => outcomeOf(entry.expression, tagOf(entry)) !== meaningOf(`${tagOf(entry)} ${entry.expression}`),
    );
    expect(wrong).toEqual([]);
  });

  it("A05: abstains when it is nearly but not exactly said", () => {
    const near = (text: string): string[] =>
      [` ${text}`, `${text} `, `${text}.`, `${text}\u200B`, `x${text}`, text.slice(0, -1)].concat(
        text.toUpperCase(),
        text.replace(" ", "  "),
      );
    const misses = [...published]
      .filter((_, i) => i % 4 === 0)
      .flatMap(near)
      .filter((miss) => miss !== "" && !published.has(miss));
    expect(misses.length).toBeGreaterThan(20_000);
    expect(misses.filter((miss) => outcomeOf(miss) !== "no_reviewed_exact_match")).toEqual([]);
  });
});

describe("the starter registry", () => {
  const LANGUAGES = ["ar", "he", "hi", "ja", "ko", "zh-Hans", "zh-Hant", "ru", "uk", "tr", "vi"];

  it("has no errors, and reports ambiguity as notices only", () => {
    const ambiguous = checkAmbiguity(verdict);
    expect(verdict.findings).toEqual([]);
    expect(new Set(ambiguous.map(({ severity }) => severity))).toEqual(new Set(["notice"]));
    expect(ambiguous.length).toBeGreaterThanOrEqual(15);
  });

  it("has at least 150 concepts in 8 domains, each in 12 languages, 18 in all, 3000 exact expressions", () => {
    expect(concepts.length).toBeGreaterThanOrEqual(150);
    expect(new Set(concepts.map(({ domain }) => domain)).size).toBeGreaterThanOrEqual(8);
    for (const { code, expressions } of concepts) {
      const languages = new Set(
        expressions.filter((entry) => entry.equivalenceStrength === 1).map(({ language }) => language),
      );
      expect([code, languages.size >= 12]).toEqual([code, true]);
    }
    const languages = new Set(entries.map(({ language }) => language));
    expect(languages.size).toBeGreaterThanOrEqual(18);
    expect(LANGUAGES.filter((language) => !languages.has(language))).toEqual([]);
    expect(entries.filter((entry) => entry.equivalenceStrength === 1).length).toBeGreaterThanOrEqual(3000);
  });

  it("has ambiguity within a language and across languages", () => {
    const ambiguous = [...meanings].filter(([, codes]) => codes.size > 1).map(([key]) => key);
    const within = ambiguous.filter((key) => ambiguous.some((other) => other !== key && other.endsWith(` ${key}`)));
    const across = ambiguous.filter((key) => meanings.has(key) && !key.includes(" ") && !within.includes(key));
    expect(within.length).toBeGreaterThanOrEqual(10);
    expect(across.length).toBeGreaterThanOrEqual(2);
  });

  it("has regional variants beside a locale-free entry of the language, strengths below 1, abbreviations, emoji", () => {
    const regional = entries.filter(({ locale }) => locale !== null);
    expect(new Set(regional.map(({ locale }) => locale)).size).toBeGreaterThanOrEqual(6);
    const plain = new Set(entries.filter(({ locale }) => locale === null).map((one) => `${one.code} ${one.language}`));
    expect(regional.filter(({ code, language }) => !plain.has(`${code} ${language}`))).toEqual([]);
    expect(entries.filter(({ equivalenceStrength }) => equivalenceStrength < 1).length).toBeGreaterThanOrEqual(10);
    expect(entries.filter(({ type }) => type === "abbreviation").length).toBeGreaterThanOrEqual(10);
    expect(entries.filter(({ expression }) => expression.normalize("NFD") !== expression).length).toBeGreaterThan(1000);
    const drawn = concepts.filter(({ renderings }) => renderings.some(({ type }) => type === "emoji"));
    expect(drawn.length / concepts.length).toBeGreaterThan(0.5);
  });
});
