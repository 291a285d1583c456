/** Numbers by chance that are the same in every run (mulberry32). */

/** Each at least 0 and less than 1. */
export function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Whole numbers from 0 to `below` - 1. */
export function random(seed: number): (below: number) => number {
  const next = numbers(seed);
  return (below) => Math.floor(next() * below);
}
