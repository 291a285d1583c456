/** The filter of the list finds exactly the concepts whose name or definition has each term. */
import { describe, expect, it } from "vitest";
import { compileIndex } from "../../../../generator/index/compile.ts";
import type { MemoryBudget } from "../../../../generator/effects/effects.ts";
import { fileSystem } from "../../../../generator/effects/file-system.ts";
import { IN_MEMORY } from "../../../../generator/scratch/spool.ts";
import { wordBlocks } from "../../../../generator/index/words.ts";
import { type ByteSource, memorySource, type Span } from "../../../../runtime/registry/byte-source.ts";
import { filterConcepts, firstOf, type Matches, summariesOf } from "../../../../runtime/registry/filter.ts";
import { openIndex, type RegistryIndex } from "../../../../runtime/registry/index.ts";
import { searchTerms } from "../../../../runtime/text/search-text.ts";
import { checkedRegistry, concept, expression } from "../../../support/registry.ts";

type Described = readonly [name: string, definition: string];

function indexOf(described: readonly Described[]): RegistryIndex {
  const concepts = described.map(([name, definition], i) =>
    concept(`C-${String(i).padStart(5, "0")}`, [expression("en", `expression ${i}`)], { name, definition }),
  );
  const published = { registry: checkedRegistry({ concepts }), origin: "https://registry.example" };
  return openIndex(memorySource(Buffer.concat([...compileIndex(published)])));
}

function filtered(index: RegistryIndex, query: string): Matches {
  const steps = filterConcepts(index, searchTerms(query));
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The concepts of the list, by reading it. */
function listed(index: RegistryIndex, query: string): string[] {
  const matches = filtered(index, query);
  const texts = Array.from(summariesOf(index, matches), (run) => Buffer.from(index.read(run as Span)).toString());
  const { data } = JSON.parse(`{"data":[${texts.join(",")}]}`) as { data: { name: string }[] };
  expect(matches.count).toBe(data.length);
  return data.map(({ name }) => name);
}

describe("the filter", () => {
  const index = indexOf(["alpha one", "beta two", "beta three", "gamma alpha"].map((name) => [name, "Nothing."]));

  it.each<[query: string, ids: number[]]>([
    ["alpha", [0, 3]],
    ["beta", [1, 2]],
    ["gamma", [3]],
    ["alpha gamma", [3]],
    ["beta three", [2]],
    ["NOTHING.", [0, 1, 2, 3]],
    ["one beta", []],
    ["delta", []],
    ["ph", [0, 3]],
    ["a a", [0, 1, 2, 3]],
  ])("lists for %j the concepts that have every term", (query, ids) => {
    expect(firstOf(filtered(index, query), 10)).toEqual(ids);
  });

  // Words of few letters, so that terms are parts of many words, in lists of every form.
  let state = 7;
  const random = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below;
  const letters = ["a", "b", "C", "é", "é", "Σ", "ß", "\u{10400}", "中", "."];
  const word = (): string => Array.from({ length: 1 + random(4) }, () => letters[random(letters.length)]).join("");
  const sentence = (words: number): string => Array.from({ length: words }, word).join([" ", "  ", " "][random(3)]);
  const described = Array.from({ length: 5000 }, (_none, i): Described => [
    `${sentence(2)} ${i}`,
    `All ${sentence(3)}`,
  ]);

  it("lists for any query what a scan of all texts finds", () => {
    const large = indexOf(described);
    const texts = described.map(([name, definition]) => `${name}\n${definition}`.normalize("NFC").toLowerCase());
    for (const query of ["all", "1", "499", ...Array.from({ length: 60 }, () => sentence(1 + random(3)))]) {
      const terms = searchTerms(query);
      const expected = described.filter((_one, i) => terms.every((term) => texts[i]?.includes(term)));
      expect([query, listed(large, query)]).toEqual([query, expected.map(([name]) => name)]);
    }
    // A list begins soon, also where one run would be all of it.
    expect([...summariesOf(large, filtered(large, "all"))].length).toBe(Math.ceil(described.length / 2048));
  });
});

it("finds the same, however a host searches bytes", () => {
  const index = indexOf(["crème brûlée", "creme", "中国 – “東京”"].map((name) => [name, "Ÿ\u0152\u20AC."]));
  const ofHost: ByteSource["indexOf"] = (bytes, needle, from) => Buffer.from(bytes).indexOf(needle, from);
  for (const query of ["è", "é", "中", "“東", "ÿœ€", "e"]) {
    const found = filtered({ ...index, source: { ...index.source, indexOf: ofHost } }, query);
    expect([query, found]).toEqual([query, filtered(index, query)]);
    expect(found.count).toBeGreaterThan(0);
  }
});

describe("the words of the index", () => {
  it.each([0, 40])("are all found, however many a concept has, and however often; beside %d others", (count) => {
    const words = Array.from({ length: 11_000 }, (_none, i) => `w${i}.`);
    const others = Array.from({ length: count }, (): Described => ["other", "Nothing."]);
    const index = indexOf([["one", [...words, ...words].join(" ")], ["two", "w10999. w0."], ...others]);
    for (const word of ["w0.", "w9999.", "w10999."])
      expect([word, firstOf(filtered(index, word), 10)]).toEqual([word, word === "w9999." ? [0] : [0, 1]]);
  });

  it("are found behind a word that is longer than what is read of a block at once", () => {
    const index = indexOf([
      ["one", `${"x".repeat(33_500)}tail ${"y".repeat(34_000)}end`],
      ["two", "tail"],
    ]);
    for (const [term, ids] of [
      ["tail", [0, 1]],
      ["yend", [0]],
      ["two", [1]],
    ] as const)
      expect([term, firstOf(filtered(index, term), 10)]).toEqual([term, ids]);
  });

  it("are found in lists that take several steps", () => {
    // The distance to 4294 takes two bytes, which a step of 4096 bytes would divide.
    const isMarked = (i: number): boolean => i < 4095 || (i >= 4294 && i < 4400);
    const names = Array.from({ length: 40_000 }, (_none, i) => (isMarked(i) ? "mark" : "other"));
    const described = Object.assign(
      names.map((name) => ({ name, definition: "." })),
      { budget: IN_MEMORY },
    );
    const chunks = wordBlocks(described);
    const parts: Uint8Array[] = [];
    let step = chunks.next();
    for (; step.done !== true; step = chunks.next()) parts.push(step.value);
    const source = memorySource(Buffer.concat(parts));
    const sections = { words: { offset: 0, length: source.length } };
    const index = { source, sections, meta: step.value, conceptCount: names.length } as unknown as RegistryIndex;
    for (const [query, name] of [
      ["mark", "mark"],
      ["other", "other"],
      ["ma", "mark"],
      ["th", "other"],
    ] as const) {
      const ids = Array.from(names.keys()).filter((i) => names[i] === name);
      expect([query, firstOf(filtered(index, query), Infinity)]).toEqual([query, ids]);
    }
  });

  it("are the same bytes, however little budget there is", () => {
    const concepts = Array.from({ length: 300 }, (_none, i) => ({
      name: `a${i} b${i % 7}`,
      definition: `all c${i % 3} é${i % 5}`,
    }));
    // More than are remembered.
    concepts.push({ name: "many", definition: Array.from({ length: 11_000 }, (_none, i) => `w${i}`).join(" ") });
    const made = (budget: MemoryBudget): Buffer =>
      Buffer.concat([...wordBlocks(Object.assign([...concepts], { budget }))]);
    for (const memoryBytes of [600, 10_000, 100_000]) {
      expect(made({ ...fileSystem, memoryBytes }).equals(made(IN_MEMORY))).toBe(true);
    }
  });
});
