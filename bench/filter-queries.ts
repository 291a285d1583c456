/**
 * Times the lexical filter over a large index: the time until the matches are known, its longest
 * step, which delays other requests, and the longest time to make a piece of the list.
 */
import { filterConcepts } from "../runtime/registry/filter.ts";
import { openRelease } from "../runtime/release/release.ts";
import { conceptsRoute } from "../runtime/routes/concepts.ts";
import { searchTerms } from "../runtime/text/search-text.ts";
import { median } from "./median.ts";

const release = openRelease(process.argv[2] ?? "dist");
const { index } = release;
const route = conceptsRoute(release);
const QUERIES = ["zebra", "99999", "shipment 42", "definition", "a", "e i o u n s", "number 12 clauses words shipment"];

/**
 * The longest time to make a piece of the list, which delays other requests; no client is waited
 * for.
 */
async function longestPiece(query: string): Promise<number> {
  const { body } = await route({
    method: "GET",
    target: `/api/v1/concepts?q=${encodeURIComponent(query)}`,
    parameters: {},
    connection: {},
    field: () => undefined,
    readBody: () => Promise.resolve(new Uint8Array()),
  });
  let longest = 0;
  if (typeof body !== "object" || !("pieces" in body)) return longest;
  const rest = body.pieces()[Symbol.iterator]();
  for (let done: boolean | undefined = false; done !== true;) {
    const started = performance.now();
    ({ done } = rest.next());
    longest = Math.max(longest, performance.now() - started);
  }
  return longest;
}

interface Search {
  readonly count: number;
  readonly spent: number;
  readonly longest: number;
}

function search(query: string): Search {
  const scan = filterConcepts(index, searchTerms(query));
  let [spent, longest] = [0, 0];
  for (;;) {
    const started = performance.now();
    const step = scan.next();
    const took = performance.now() - started;
    spent += took;
    longest = Math.max(longest, took);
    if (step.done === true) return { count: step.value.count, spent, longest };
  }
}

// Otherwise Node would still be compiling the search during the first measurement.
for (let round = 0; round < 5; round++) for (const query of QUERIES) search(query);
for (const query of QUERIES) await longestPiece(query);
const rows = [];
for (const query of QUERIES) {
  const searches = Array.from({ length: 9 }, () => search(query));
  const count = searches[0]?.count ?? 0;
  const times = searches.map(({ spent }) => spent);
  const held = searches.map(({ longest }) => longest);
  const pieces: number[] = [];
  for (let round = 0; round < 5; round++) pieces.push(await longestPiece(query));
  rows.push({ query, count, ms: median(times), heldMs: median(held), pieceMs: median(pieces) });
}
process.stdout.write(JSON.stringify(rows));
