/** Resolves a table from a file or standard input, and says what came of its rows. */
import type { RegistryIndex } from "../../../../runtime/registry/index.ts";
import { countOf } from "../../../effects/print.ts";
import { GatheredGaps } from "../../../scratch/gathered-gaps.ts";
import type { Gap } from "../../../text/gap.ts";
import { separatedBy } from "../../../text/table-head.ts";
import { Batch, type BatchSettings } from "../batch.ts";
import type { Outside } from "../../../commands/command.ts";
import { gatherFrom, writeGaps } from "../../../commands/gaps-file.ts";
import { nameOfInput, streamTable, type TablePlaces } from "../../../commands/stream-table.ts";

interface Table extends TablePlaces {
  readonly settings: BatchSettings;
  readonly keep?: Keeping | undefined;
}

/** Where abstentions are kept, and the day of the table. */
export interface Keeping {
  readonly file: string;
  readonly day: string;
}

/**
 * Returns the exit code: 0 if every row was answered, whatever the answer; 1 if the table ends in a
 * fault.
 */
export async function resolveTable(
  outside: Outside,
  index: RegistryIndex,
  { settings, keep, ...places }: Table,
): Promise<number> {
  const { effects, console } = outside;
  const kept = new GatheredGaps(effects);
  // Damage is found before the first answer.
  if (keep !== undefined && effects.kind(keep.file) === "file" && !gatherFrom(outside, { ...keep, source: 0 }, kept))
    return 1;
  const { day = "" } = keep ?? {};
  const keepOne = keep && ((gap: Omit<Gap, "count" | "day">) => kept.add({ ...gap, count: 1, day }, 0));
  const batch = new Batch(index, { ...settings, keep: keepOne });
  if (!(await streamTable(outside, places, batch))) return 1;
  if (keep !== undefined) await writeGaps(effects, keep.file, kept);
  const { rows, resolved, abstained, refused } = batch.counts;
  if (settings.delimiter === undefined && batch.delimiter !== ",")
    console.error(`${nameOfInput(places.from)}: ${separatedBy(batch.delimiter)}`);
  console.error(
    `Complete: ${countOf(rows, "row")}, ${resolved} resolved, ${abstained} abstained, ${refused} refused; ` +
      `registry ${index.meta.registryVersion}` +
      (keep === undefined ? "" : `; abstentions are kept in ${keep.file}`),
  );
  return 0;
}
