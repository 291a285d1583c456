/** Resolves a table from a file or standard input, and says what came of its rows. */
import type { RegistryIndex } from "../../../../runtime/registry/index.ts";
import { countOf } from "../../../effects/print.ts";
import { separatedBy } from "../../../text/table-head.ts";
import { Batch, type BatchSettings } from "../batch.ts";
import type { Outside } from "../../../commands/command.ts";
import { nameOfInput, streamTable, type TablePlaces } from "../../../commands/stream-table.ts";

interface Table extends TablePlaces {
  readonly settings: BatchSettings;
}

/**
 * Returns the exit code: 0 if every row was answered, whatever the answer; 1 if the table ends in a
 * fault.
 */
export async function resolveTable(
  outside: Outside,
  index: RegistryIndex,
  { settings, ...places }: Table,
): Promise<number> {
  const { console } = outside;
  const batch = new Batch(index, settings);
  if (!(await streamTable(outside, places, batch))) return 1;
  const { rows, resolved, abstained, refused } = batch.counts;
  if (settings.delimiter === undefined && batch.delimiter !== ",")
    console.error(`${nameOfInput(places.from)}: ${separatedBy(batch.delimiter)}`);
  console.error(
    `Complete: ${countOf(rows, "row")}, ${resolved} resolved, ${abstained} abstained, ${refused} refused; ` +
      `registry ${index.meta.registryVersion}`,
  );
  return 0;
}
