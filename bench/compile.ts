/**
 * The cost of compiling the index of a registry of any size: measured at some sizes, and estimated
 * for others by a line through the smallest and the largest measured size.
 */
import { probe } from "./processes.ts";

const SIZES = [10_000, 100_000, 1_000_000, 3_000_000];
const MODELLED = [10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000];

/** The measurements at one size. */
interface Compiled {
  readonly expressions: number;
  readonly processorSeconds: number;
  readonly memoryMb: number;
  readonly scratchBytes: number;
  readonly bytes: { readonly bundle: number; readonly index: number; readonly blocks: number };
  readonly blocksOfLookup: number;
}

/** The figures that grow linearly with the number of expressions. */
const FIGURES: Readonly<Record<string, (of: Compiled) => number>> = {
  "processor, s": (of) => of.processorSeconds,
  "scratch, MB": (of) => of.scratchBytes / 1e6,
  "bundle, MB": (of) => of.bytes.bundle / 1e6,
  "index, MB": (of) => of.bytes.index / 1e6,
  "digests of blocks, MB": (of) => of.bytes.blocks / 1e6,
};

export async function measureCompile(counts: readonly number[]): Promise<string[][]> {
  const made: Compiled[] = [];
  for (const count of counts.length === 0 ? SIZES : counts)
    made.push(await probe<Compiled>("compile-index.js", [String(count)]));
  const [least, most] = [made.at(0), made.at(-1)];
  if (least === undefined || most === undefined) return [];
  const line = (of: (one: Compiled) => number, count: number): number => {
    const slope = made.length < 2 ? 0 : (of(most) - of(least)) / (most.expressions - least.expressions);
    return of(least) + slope * (count - least.expressions);
  };
  const figures = Object.entries(FIGURES);
  const table = [["expressions", ...figures.map(([name]) => name), "memory at most, MB", "blocks a lookup"]];
  for (const one of made) {
    const cells = figures.map(([, of]) => `${short(of(one))} (${short(line(of, one.expressions))})`);
    table.push([String(one.expressions), ...cells, short(one.memoryMb), one.blocksOfLookup.toFixed(1)]);
  }
  for (const count of MODELLED) {
    table.push([`${count}, by the line`, ...figures.map(([, of]) => short(line(of, count))), "", ""]);
  }
  return table;
}

function short(value: number): string {
  return value < 10 ? value.toFixed(1) : value.toFixed(0);
}
