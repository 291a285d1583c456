/** Reads gaps files into one collection, and writes one: completely or not at all. */
import type { Effects } from "../effects/effects.ts";
import { encoded } from "../text/chunks.ts";
import { type GatheredGap, gapLines, type GatheredGaps } from "../scratch/gathered-gaps.ts";
import { GapError, readGaps } from "../text/gap.ts";
import type { Outside } from "./command.ts";
import { writeWhole } from "./export-target.ts";

/** Returns false if the file is damaged or not ours, which is reported with its line. */
export function gatherFrom(
  { effects, console }: Outside,
  { file, source }: { readonly file: string; readonly source: number },
  into: GatheredGaps,
): boolean {
  try {
    for (const gap of readGaps(effects.chunks(file))) into.add(gap, source);
    return true;
  } catch (error) {
    if (!(error instanceof GapError)) throw error;
    console.error(`${file}, line ${error.line}: ${error.message}; nothing was written`);
    return false;
  }
}

export async function writeGaps(effects: Effects, file: string, gathered: Iterable<GatheredGap>): Promise<void> {
  await writeWhole(effects, effects.realPath(file), (part) => effects.write(part, encoded(gapLines(gathered))));
}
