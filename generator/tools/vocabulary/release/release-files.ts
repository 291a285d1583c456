/** The files that record a release of a registry. */
import { type Effects, readTextIfFile } from "../../../effects/effects.ts";
import { type EditableSource, HISTORY_FILE, REGISTRY_FILE, RETIRED_FILE } from "../../../registry/read.ts";
import type { HistoryEntry } from "../../../registry/record.ts";
import { withHistoryEntries, withRegistryVersion, withRetired } from "../edit/edit-yaml.ts";

/** Their texts by name, without those that would not change. */
export function releaseFiles(
  place: { readonly effects: Effects; readonly directory: string },
  { retired }: EditableSource,
  entry: HistoryEntry,
): Map<string, string | Iterable<string | Uint8Array> | undefined> {
  const files = new Map<string, string | Iterable<string | Uint8Array> | undefined>();
  const edit = (file: string, change: (text: string) => string): void => {
    const text = readTextIfFile(place.effects, `${place.directory}/${file}`) ?? "";
    const changed = change(text);
    if (changed !== text) files.set(file, changed);
  };
  edit(REGISTRY_FILE, (text) => withRegistryVersion(text, entry.registryVersion));
  if (retired.length > 0) edit(RETIRED_FILE, (text) => withRetired(text, retired));
  edit(HISTORY_FILE, (text) => withHistoryEntries(text, [entry]));
  return files;
}
