/**
 * A release of the registry permanently records its version, content digest and retirements. What
 * resolved in the previous release is compared with what resolves now, both by the one resolver, so
 * that no expression changes its code unnoticed.
 */
import { identityOf, type Reassignment, reassignmentsIn } from "../../contract/changes.ts";
import type { ResolutionChange } from "../../diff/comparison.ts";
import { answersOf, compareResolutions } from "../../diff/resolutions.ts";
import { type Effects, readTextIfFile } from "../../effects/effects.ts";
import type { CheckedRegistry } from "../../registry/checked.ts";
import type { EditableSource } from "../edit/edit.ts";
import { withHistoryEntries, withRegistryVersion, withRetired } from "../edit/edit-yaml.ts";
import { HISTORY_FILE, REGISTRY_FILE, RETIRED_FILE } from "../../registry/read.ts";
import type { HistoryRecord } from "../../registry/record.ts";
import { differing } from "./differing.ts";
import { withEarlier } from "./earlier.ts";
import { releasedIndex } from "./released-index.ts";
import { type Memory, publishedLines, releasedExpressions, type ReleasedExpressions } from "../../registry/memory.ts";
import { memoryFile } from "../../registry/read-memory.ts";

export type HistoryEntry = HistoryRecord[number];

/**
 * Returns how requests change between the previous release and this one; `progress` gets the number
 * of expressions done.
 */
export function changesSince(
  before: Memory,
  { registryVersion, concepts }: CheckedRegistry,
  progress: (done: number) => void,
): readonly ResolutionChange[] {
  const { registryVersion: previous } = before.release;
  const now: Iterable<ReleasedExpressions> = {
    *[Symbol.iterator]() {
      for (const concept of concepts) yield releasedExpressions(concept);
    },
  };
  const sides = differing({ before: publishedLines(before), after: now }, concepts.room, progress);
  const was = { index: releasedIndex(previous, sides.before), side: { given: memoryFile(previous) } };
  const is = { index: releasedIndex(registryVersion, sides.after), side: { given: REGISTRY_FILE } };
  return withEarlier([...compareResolutions(concepts.room, [was, is], () => undefined)], before, answersOf(is));
}

/** The reassignments that the release's entry does not acknowledge by name. */
export function unacknowledged(changes: readonly ResolutionChange[], entry: HistoryEntry | undefined): Reassignment[] {
  const known = new Set(entry?.acknowledgement === undefined ? [] : entry.reassigned?.map(identityOf));
  return reassignmentsIn(changes).filter((reassignment) => !known.has(identityOf(reassignment)));
}

/** The files that record a release, without those that would not change. */
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
