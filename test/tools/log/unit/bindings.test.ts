/** The leaves of releases against a model in memory, with hardly any memory to sort in. */
import { describe, expect, it } from "vitest";
import { fileSystem } from "../../../../generator/effects/file-system.ts";
import type { ReleasedExpressions } from "../../../../generator/registry/memory.ts";
import { bindingKey, type Leaf, leafIn, nextLeaves, type Released } from "../../../../generator/tools/log/bindings.ts";
import { parseBinding } from "../../../../generator/tools/log/verifier.ts";
import { memoryEffects } from "../../../support/memory-effects.ts";
import { random } from "../../../support/random.ts";

const TAGS = ["en", "de", "zh-Hant-TW"];

/** Pairs of few words and many codes: some are of two codes at once, and move between releases. */
function releaseOf(chance: (below: number) => number, version: string, reassigned: Released["reassigned"]): Released {
  const concepts = Array.from({ length: 120 }, (_, i): ReleasedExpressions => {
    const words = TAGS.filter(() => chance(2) === 0).map((tag) => [
      tag,
      [`word ${chance(200)}`, `e\u0301 ${chance(50)}`],
    ]);
    return { code: `C-${i}`, expressions: Object.fromEntries(words) as Record<string, string[]> };
  });
  return { registryVersion: version, concepts, bytes: JSON.stringify(concepts).length, reassigned };
}

function textsOf(leaves: Iterable<Leaf>): string[] {
  return Array.from(leaves, ({ data }) => Buffer.from(data).toString());
}

/** By expression and tag, as the page about the log says it. */
function model(releases: readonly Released[]): string[] {
  const known = new Map<string, { codes: [string, string][]; expression: string; language: string | null }>();
  const add = (expression: string, language: string | null, [code, version]: [string, string]): void => {
    const name = `${expression}\0${language ?? ""}`;
    const binding = known.get(name) ?? { codes: [], expression, language };
    if (binding.codes.at(-1)?.[0] !== code) binding.codes.push([code, version]);
    known.set(name, binding);
  };
  for (const { registryVersion, concepts, reassigned } of releases) {
    for (const { expression, language, from, to } of reassigned)
      for (const code of [from, to]) add(expression.normalize("NFC"), language, [code, registryVersion]);
    const now = new Map<string, Set<string>>();
    for (const { code, expressions } of concepts)
      for (const [tag, texts] of Object.entries(expressions))
        for (const text of texts) {
          const name = `${text.normalize("NFC")}\0${tag}`;
          now.set(name, (now.get(name) ?? new Set()).add(code));
        }
    for (const [name, [code = "", ...others]] of now) {
      const [expression = "", tag = ""] = name.split("\0");
      if (others.length === 0) add(expression, tag, [code, registryVersion]);
    }
  }
  return [...known.values()]
    .sort((a, b) => Buffer.compare(bindingKey(a.expression, a.language), bindingKey(b.expression, b.language)))
    .map((binding) => JSON.stringify(binding));
}

describe.each([1, 2, 3])("the leaves of five random releases (seed %i)", (seed) => {
  const chance = random(seed);
  const versions = ["2026.1", "2026.2", "2026.3", "2026.4", "2026.5"];
  const releases = versions.map((version, i) =>
    releaseOf(
      chance,
      version,
      i === 0 ? [] : [{ expression: `word ${i}`, language: null, from: "C-1", to: `C-${i + 5}` }],
    ),
  );
  const made: Leaf[][] = [];
  for (const release of releases) made.push([...nextLeaves(made.at(-1) ?? [], release, memoryEffects({}))]);

  it("are those of the model, in order, whatever memory there is", () => {
    expect(textsOf(made[4] ?? [])).toEqual(model(releases));
    expect(textsOf(nextLeaves(made[3] ?? [], releases[4] as Released, fileSystem))).toEqual(model(releases));
    expect(made[4]?.length).toBeGreaterThan(300);
  });

  it("of every release follow from those of the last, and lead to it again", () => {
    const all = made[4] ?? [];
    const leavesIn = (known: ReadonlySet<string>): Leaf[] =>
      all.flatMap(({ key, data }) => {
        const then = leafIn(parseBinding(data), known);
        return then === undefined ? [] : [{ key, data: then }];
      });
    for (const [i, leaves] of made.entries())
      expect(textsOf(leavesIn(new Set(versions.slice(0, i + 1))))).toEqual(textsOf(leaves));
    const before = leavesIn(new Set(versions.slice(0, 4)));
    expect(textsOf(nextLeaves(before, releases[4] as Released, fileSystem))).toEqual(textsOf(all));
  });
});
