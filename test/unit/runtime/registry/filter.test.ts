/** The filter of the concept list over an index in memory: where a term begins and ends in the run of search texts. */
import { describe, expect, it } from "vitest";
import { compileIndex } from "../../../../generator/index/compile.ts";
import { memorySource } from "../../../../runtime/registry/byte-source.ts";
import { filterConcepts } from "../../../../runtime/registry/filter.ts";
import { openIndex } from "../../../../runtime/registry/index.ts";
import { checkedRegistry, concept, expression } from "../../../support/registry.ts";

const names = ["alpha one", "beta two", "beta three", "gamma alpha"];
const concepts = names.map((name, i) => concept(`C-${i}`, [expression("en", name)], { name, definition: "Nothing." }));
const published = { registry: checkedRegistry({ concepts }), origin: "https://registry.example" };
const index = openIndex(memorySource(Buffer.concat([...compileIndex(published)])));

/** Ids of the concepts that match. */
function found(...terms: string[]): readonly number[] {
  const steps = filterConcepts(index, terms);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value.first;
  }
}

describe("the filter", () => {
  it.each<[terms: string[], ids: number[]]>([
    [["alpha"], [0, 3]],
    [["beta"], [1, 2]],
    [["gamma"], [3]],
    [["alpha", "gamma"], [3]],
    [["beta", "three"], [2]],
    [["nothing."], [0, 1, 2, 3]],
    [["one", "beta"], []],
    [["delta"], []],
  ])("lists for %j the concepts that have every term, and not their neighbours", (terms, ids) => {
    expect(found(...terms)).toEqual(ids);
  });
});
