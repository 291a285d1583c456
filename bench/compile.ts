/** Measures what the index of a registry takes to compile, which is the part of a build that grows without end. */
import { probe } from "./processes.ts";

const SIZES = [100_000, 1_000_000];

interface Compiled {
  readonly seconds: number;
  readonly processorSeconds: number;
  readonly memoryMb: number;
  readonly scratchBytes: number;
  readonly indexBytes: number;
}

export async function measureCompile(counts: readonly number[]): Promise<string[][]> {
  const head = ["expressions of 30 languages", "s", "processor, s", "memory at most, MB", "scratch, MB", "index, MB"];
  const table = [head];
  for (const count of counts.length === 0 ? SIZES : counts) {
    const made = await probe<Compiled>("compile-index.js", [String(count)]);
    const sizes = [made.memoryMb, made.scratchBytes / 1e6, made.indexBytes / 1e6].map((mb) => mb.toFixed(0));
    table.push([String(count), made.seconds.toFixed(1), made.processorSeconds.toFixed(1), ...sizes]);
  }
  return table;
}
