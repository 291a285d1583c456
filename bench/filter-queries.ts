/**
 * Times the lexical filter over a large index: all of it, and the longest step, which others wait
 * for.
 */
import { filterConcepts } from "../runtime/registry/filter.ts";
import { openRelease } from "../runtime/release/release.ts";
import { searchTerms } from "../runtime/text/search-text.ts";

const { index } = openRelease(process.argv[2] ?? "dist");
const QUERIES = ["zebra", "99999", "shipment 42", "definition", "a", "e i o u n s", "number 12 clauses words shipment"];

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1] ?? 0;
}

const rows = QUERIES.map((query) => {
  const times: number[] = [];
  const held: number[] = [];
  let count = 0;
  for (let round = 0; round < 9; round++) {
    const scan = filterConcepts(index, searchTerms(query));
    let spent = 0;
    let longest = 0;
    for (let done = false; !done;) {
      const started = performance.now();
      const step = scan.next();
      const took = performance.now() - started;
      spent += took;
      longest = Math.max(longest, took);
      if (step.done === true) {
        done = true;
        ({ count } = step.value);
      }
    }
    times.push(spent);
    held.push(longest);
  }
  return { query, count, ms: median(times), heldMs: median(held) };
});
process.stdout.write(JSON.stringify(rows));
