/** The starter registry, resolved over HTTP expression by expression, and held against what its README promises. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fileSystem } from "../../generator/effects/effects.ts";
import { checkRegistry, type Verdict } from "../../generator/registry/check.ts";
import { type Concept, tagOf } from "../../generator/registry/checked.ts";
import { readRegistry } from "../../generator/registry/read.ts";
import type { ConceptExpression } from "../../runtime/contract/concept.ts";
import { type ResolutionData, ResolveEnvelope } from "../../runtime/contract/resolution.ts";
import { expectSchema } from "../support/schemas.ts";
import { type Service, startService } from "../support/service.ts";

let verdict: Verdict;
let concepts: readonly Concept[];
let service: Service;
/** Every published entry with its concept's code. */
let entries: (ConceptExpression & { code: string })[];
let published: Set<string>;
/** Codes of strength 1 by expression, in any language and by tag. */
const meanings = new Map<string, Set<string>>();

beforeAll(async () => {
  verdict = checkRegistry(readRegistry(fileSystem, "registry", () => undefined));
  if (verdict.registry === undefined) throw new Error("The starter registry has errors: npm run lint:registry");
  concepts = verdict.registry.concepts;
  entries = concepts.flatMap(({ code, expressions }) => expressions.map((entry) => ({ ...entry, code })));
  published = new Set(entries.map(({ expression }) => expression));
  for (const entry of entries) {
    if (entry.equivalenceStrength < 1) continue;
    for (const key of [entry.expression, `${tagOf(entry)} ${entry.expression}`]) {
      meanings.set(key, (meanings.get(key) ?? new Set()).add(entry.code));
    }
  }
  service = await startService(verdict.registry);
});
afterAll(() => service.close());

async function resolution(expression: string, language?: string): Promise<ResolutionData> {
  const reply = await service.resolve({ expression, language });
  expect(reply.status).toBe(200);
  return expectSchema(ResolveEnvelope, reply.json()).data;
}

/** Runs `check` over all items, some at a time. */
async function each<T>(items: readonly T[], check: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      for (const item of rest) await check(item);
    }),
  );
}

/** Expects what the entries of strength 1 say: their one concept, or abstention. */
async function expectMeaning(expression: string, key: string, language?: string): Promise<void> {
  const { concept, reason } = await resolution(expression, language);
  const codes = meanings.get(key) ?? new Set();
  const [only] = codes;
  if (codes.size === 1) expect([expression, language, concept?.code]).toEqual([expression, language, only]);
  else
    expect([key, concept, reason]).toEqual([
      key,
      null,
      codes.size === 0 ? "equivalence_not_exact" : "ambiguous_expression",
    ]);
}

describe("every published expression of the starter", () => {
  it("A01: resolves without a language, or abstains as ambiguous", { timeout: 120_000 }, () =>
    each(entries, ({ expression }) => expectMeaning(expression, expression)),
  );

  it("A02: resolves with its own tag, or abstains as ambiguous", { timeout: 120_000 }, () =>
    each(entries, (entry) => expectMeaning(entry.expression, `${tagOf(entry)} ${entry.expression}`, tagOf(entry))),
  );

  it("A05: abstains when it is nearly but not exactly said", { timeout: 120_000 }, () =>
    each([...published], async (expression) => {
      const misses = [
        ` ${expression}`,
        `${expression} `,
        `${expression}.`,
        `${expression}\u200B`,
        expression.slice(0, -1),
      ];
      for (const miss of [...misses, expression.toUpperCase(), expression.replace(" ", "  "), `x${expression}`]) {
        if (miss === "" || published.has(miss)) continue;
        expect([miss, (await resolution(miss)).status]).toEqual([miss, "abstained"]);
      }
    }),
  );
});

describe("the starter registry", () => {
  const LANGUAGES = ["ar", "he", "hi", "ja", "ko", "zh-Hans", "zh-Hant", "ru", "uk", "tr", "vi"];

  it("has no errors, and reports ambiguity as notices only", () => {
    expect(new Set(verdict.findings.map(({ rule, severity }) => `${severity} ${rule}`))).toEqual(
      new Set(["notice ambiguous-expression"]),
    );
    expect(verdict.findings.length).toBeGreaterThanOrEqual(15);
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
    for (const { code, language } of regional) {
      expect(entries.some((entry) => entry.code === code && entry.language === language && entry.locale === null)).toBe(
        true,
      );
    }
    expect(entries.filter(({ equivalenceStrength }) => equivalenceStrength < 1).length).toBeGreaterThanOrEqual(10);
    expect(entries.filter(({ type }) => type === "abbreviation").length).toBeGreaterThanOrEqual(10);
    expect(entries.filter(({ expression }) => expression.normalize("NFD") !== expression).length).toBeGreaterThan(1000);
    const drawn = concepts.filter(({ renderings }) => renderings.some(({ type }) => type === "emoji"));
    expect(drawn.length / concepts.length).toBeGreaterThan(0.5);
  });
});
