/**
 * Simulates a thousand million expressions: how evenly their keys are distributed over the pages of
 * one index and over several indexes, and their blocks over the masters of a cluster. Hashes place
 * both, so random numbers can represent them.
 */
const EXPRESSIONS = 1_000_000_000;
const KEYS_OF_PAGE = 64;
/** Bytes of index and bundle per expression, from `bench -- compile`. */
const BYTES_OF_EXPRESSION = 410;
const BLOCK_BYTES = 16_384;
const SLOTS = 16_384;

export function measureShards(): Promise<string[][]> {
  const table = [
    ["1,000,000,000 expressions", "places", "mean of a place", "fullest place", "fullest against the mean"],
  ];
  const add = (what: string, things: number, held: Uint32Array): void => {
    const [mean, fullest] = [things / held.length, held.reduce((a, b) => Math.max(a, b), 0)];
    table.push([what, held.length, mean.toFixed(0), fullest, (fullest / mean).toFixed(4)].map(String));
  };
  const pages = EXPRESSIONS / KEYS_OF_PAGE;
  add("keys on the pages of an index", EXPRESSIONS, throwInto(EXPRESSIONS, pages));
  for (const indexes of [4, 16, 64]) add("keys on indexes", EXPRESSIONS, throwInto(EXPRESSIONS, indexes));
  const blocks = Math.ceil((EXPRESSIONS * BYTES_OF_EXPRESSION) / BLOCK_BYTES);
  const slots = throwInto(blocks, SLOTS);
  for (const masters of [3, 12, 48]) {
    const held = new Uint32Array(masters);
    slots.forEach((count, slot) => {
      const master = Math.floor((slot * masters) / SLOTS);
      held[master] = (held[master] ?? 0) + count;
    });
    add("blocks on masters", blocks, held);
  }
  return Promise.resolve(table);
}

/** How many of `things` each of `places` gets; the same every time. */
function throwInto(things: number, places: number): Uint32Array {
  const counts = new Uint32Array(places);
  let [a, b, c, count] = [0x9e3779b9, 0x243f6a88, 0xb7e15162, 1];
  for (let i = 0; i < things; i++) {
    // The Small Fast Counting generator of PractRand; its period is far longer than needed.
    const drawn = (a + b + count) | 0;
    count = (count + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + drawn) | 0;
    const place = Math.floor(((drawn >>> 0) / 2 ** 32) * places);
    counts[place] = (counts[place] ?? 0) + 1;
  }
  return counts;
}
