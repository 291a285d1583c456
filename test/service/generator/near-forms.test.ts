/**
 * Near forms: what the index finds is what a plain scan over all expressions finds with the same
 * folding, and no exact answer changes.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { compileIndex } from "../../../generator/index/compile.ts";
import { tagOf } from "../../../generator/registry/concept.ts";
import { Concepts } from "../../../generator/registry/concepts.ts";
import { publish } from "../../../generator/registry/publish.ts";
import type { PublishedRegistry } from "../../../generator/registry/published-concept.ts";
import type { ConceptRecord } from "../../../generator/registry/record.ts";
import { answerRequest } from "../../../runtime/registry/answer.ts";
import { memorySource } from "../../../runtime/registry/byte-source.ts";
import { openIndex, type RegistryIndex } from "../../../runtime/registry/index.ts";
import type { ResolutionData } from "../../../runtime/contract/resolution.ts";
import { lookupLevels } from "../../../runtime/text/language.ts";
import { NEAR_RULES, nearForms } from "../../../runtime/registry/near-form.ts";
import { random } from "../../support/random.ts";
import { concept, expression } from "../../support/registry.ts";
import { ORIGIN } from "../../support/release.ts";

type Registry = PublishedRegistry["registry"];

function registryOf(records: readonly ConceptRecord[], isOn = true): Registry {
  const concepts = Concepts.of(records.map((record) => publish(record)).filter((one) => one !== undefined));
  return { registryVersion: "2026.11.1", nearForms: isOn, concepts };
}

function indexOf(registry: Registry): RegistryIndex {
  return openIndex(memorySource(Buffer.concat([...compileIndex({ registry, origin: ORIGIN })])));
}

function ask(index: RegistryIndex, asked: string, language?: string): ResolutionData {
  const answer = answerRequest(index, { expression: asked, ...(language !== undefined && { language }) });
  if (!answer.ok) throw new Error(answer.problem.message);
  return (JSON.parse(answer.envelope) as { data: ResolutionData }).data;
}

const folds = new Map<string, string>();

/** The folding by the rules one after the other, until none changes the text. */
function fold(text: string, last: number): string {
  const known = folds.get(`${last}${text}`);
  if (known !== undefined) return known;
  let before;
  let folded = text.normalize("NFC");
  do {
    before = folded;
    for (const rule of NEAR_RULES.slice(0, last + 1)) folded = rule.fold(folded).normalize("NFC");
  } while (folded !== before);
  folds.set(`${last}${text}`, folded);
  return folded;
}

/** The candidates as code and score, by looking at every expression. */
function scan(registry: Registry, asked: string, language?: string): [string, number][] {
  const near = [...registry.concepts].flatMap(({ code, expressions }) =>
    expressions.flatMap((one) => {
      const last = NEAR_RULES.findIndex((_rule, i) => fold(asked, i) === fold(one.expression, i));
      const common = fold(asked, last);
      if (last < 0 || common === "" || Array.from(common).length > 1000) return [];
      const score = Math.min(NEAR_RULES[last]?.score ?? 0, one.equivalenceStrength);
      return [{ code, tag: tagOf(one).toLowerCase(), score }];
    }),
  );
  const level = lookupLevels(language ?? "").find((tag) => near.some((one) => one.tag === tag));
  const limited = language === undefined ? near : near.filter(({ tag }) => tag === level);
  const best = new Map<string, number>();
  for (const { code, score } of limited) best.set(code, Math.max(score, best.get(code) ?? 0));
  return [...best].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, 10);
}

/** Letters with case, marks and ligatures of twelve scripts, and what stands between them. */
const LETTERS = [
  "aAbéÉe\u0301ßẞſﬁœıİiIǆ", "αΑάσςΣΐ", "иИйЙёе", "אבּשׁ", "اأآبّ\u0640ﷺ", "ܐܒ\u0730", "कखि\u093C", "กำไ", "가각ㄱ", "かがｶﾞ", "漢字⼈", "აႠᲐ",
]; // prettier-ignore
const BETWEEN = [" ", "  ", "\u00A0", "\u3000", "\u200B", "\u200D", "\u00AD", "'", "\u2019", "`", '"', "\u201D", "-", "\u2013", "\u202E", "１", "²", "\u00A8"]; // prettier-ignore

function textOf(next: (below: number) => number): string {
  const letters = Array.from(LETTERS[next(LETTERS.length)] ?? "");
  const characters = Array.from({ length: 1 + next(4) }, () =>
    next(4) === 0 ? BETWEEN[next(BETWEEN.length)] : letters[next(letters.length)],
  );
  return characters.join("");
}

describe("near forms", () => {
  it("O-26: are found by the index as by a scan over every expression, in twelve scripts", () => {
    const next = random(26);
    const tags = ["en", "de", "de-AT", "zh-Hant"];
    const texts = Array.from({ length: 1500 }, () => textOf(next));
    // A registry admits few of these texts; the index has to be right for all of them.
    const registry = registryOf(
      Array.from({ length: 120 }, (_none, i) => {
        const own = new Map(
          Array.from({ length: 4 }, (_one, k) => [texts[(i * 7 + k * 31 + next(9)) % texts.length] ?? "", next(4)]),
        );
        return concept(
          `N-${1000 + i}`,
          Array.from(own, ([text, tag]) =>
            expression(tags[tag] ?? "en", text, next(5) === 0 ? { equivalenceStrength: 0.6 } : {}),
          ),
        );
      }),
    );
    const index = indexOf(registry);
    let found = 0;
    for (const text of texts) {
      for (const form of nearForms(text)) {
        const changed = NEAR_RULES.filter(({ score, fold: rule }) => score >= form.score && rule(form.text).normalize("NFC") !== form.text); // prettier-ignore
        expect([text, form, form.score < 1 ? changed : []]).toEqual([text, form, []]);
      }
      for (const language of [undefined, ...tags]) {
        const data = ask(index, text, language);
        if (data.reason !== "no_reviewed_exact_match") continue;
        const candidates = data.candidates.map(({ code, score }) => [code, score]);
        expect([text, language, candidates]).toEqual([text, language, scan(registry, text, language)]);
        if (candidates.length > 0) found++;
      }
    }
    expect(found).toBeGreaterThan(300);
  });

  it("O-26: never have an exact expression's place, and change no exact answer", () => {
    const concepts = [
      concept("N-A", [expression("en", "us"), expression("de", "Us")]),
      concept("N-B", [expression("en", "US")]),
    ];
    const [on, off] = [true, false].map((isOn) => indexOf(registryOf(concepts, isOn)));
    if (on === undefined || off === undefined) throw new Error("no index");
    for (const [text, language] of [["us"], ["US"], ["Us"], ["Us", "de"], ["Us", "en"]] as const)
      expect(ask(on, text, language)).toEqual(ask(off, text, language));
    expect(ask(on, "uS")).toMatchObject({ status: "abstained", reason: "no_reviewed_exact_match", concept: null, confidence: null }); // prettier-ignore
    expect(ask(on, "uS").candidates.map(({ code, score }) => [code, score])).toEqual([["N-A", 0.7], ["N-B", 0.7]]); // prettier-ignore
    expect(ask(on, "uS", "de").candidates.map(({ code }) => code)).toEqual(["N-A"]);
    expect(ask(off, "uS").candidates).toEqual([]);
  });

  it("are cut after ten, by score and then by code", () => {
    const concepts = Array.from({ length: 30 }, (_none, i) => concept(`N-${10 + i}`, [expression("en", i % 2 === 0 ? "Ab" : "\u00E1b")])); // prettier-ignore
    const { candidates } = ask(indexOf(registryOf(concepts)), "aB");
    expect(candidates.map(({ code }) => code)).toEqual(Array.from({ length: 10 }, (_none, i) => `N-${10 + 2 * i}`));
    expect(new Set(candidates.map(({ score }) => score))).toEqual(new Set([0.7]));
  });

  it.each([
    ["nothing but what nobody sees", "\u200B".repeat(1000)],
    ["one letter under 999 marks", `a${"\u0301".repeat(999)}`],
    ["signs that become eighteen each", "\uFDFA".repeat(1000)],
    ["marks from right to left", "\u202E\u200F\u2066a".repeat(250)],
    ["spaces alone", " \u00A0\u3000".repeat(333)],
    ["a script without case", "\u0E01\u0E33".repeat(500)],
  ])("of %s abstain quickly", (_title, asked) => {
    const index = indexOf(registryOf([concept("N-A", [expression("en", "a")])]));
    expect(ask(index, asked)).toMatchObject({ status: "abstained", concept: null });
    for (const { text } of nearForms(asked).slice(1)) {
      expect(text).not.toBe("");
      expect(Array.from(text).length).toBeLessThanOrEqual(1000);
    }
  });

  it("have the rules and scores that the contract and the reference state", () => {
    const reference = readFileSync(path.join("content", "reference", "22-candidates.md"), "utf8");
    const stated = [...reference.matchAll(/^\| (?<name>[a-z]+) +\|.*\| (?<score>0\.\d+) +\|$/gm)];
    expect(stated.map(({ groups }) => [groups?.["name"], Number(groups?.["score"])])).toEqual(
      NEAR_RULES.map(({ name, score }) => [name, score]),
    );
    const [row = ""] = readFileSync(path.join("docs", "contract.md"), "utf8").match(/^\| <a id="O-26">.*$/m) ?? [];
    expect(row.match(/0\.\d+/g)?.map(Number)).toEqual(NEAR_RULES.map(({ score }) => score));
  });
});
