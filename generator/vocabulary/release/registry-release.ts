/**
 * A release of the registry permanently records its version, content digest and retirements. What
 * resolved in the previous release is compared with what resolves now, both by the one resolver, so
 * that no expression changes its code unnoticed.
 */
import { identityOf, type Reassignment, reassignmentsIn } from "../../contract/changes.ts";
import type { ResolutionChange } from "../../diff/comparison.ts";
import { compareResolutions } from "../../diff/resolutions.ts";
import { type Effects, readTextIfFile } from "../../effects/effects.ts";
import { SortedRecords } from "../../effects/sorted-records.ts";
import type { CheckedRegistry } from "../../registry/checked.ts";
import type { EditableSource } from "../edit/edit.ts";
import { withHistoryEntries, withRegistryVersion, withRetired } from "../edit/edit-yaml.ts";
import { HISTORY_FILE, REGISTRY_FILE, RELEASED_FILE, type RegistryStream, RETIRED_FILE } from "../../registry/read.ts";
import type { HistoryRecord } from "../../registry/record.ts";
import { differing } from "./differing.ts";
import { releasedIndex } from "./released-index.ts";
import { formatReleased, type Release, type ReleasedConcept, releasedConcepts } from "../../registry/released.ts";
import type { RegistryFiles } from "../edit/write.ts";

export type HistoryEntry = HistoryRecord[number];

/** The release that the registry is compared with, and its published concepts in code order. */
export interface Before {
  readonly release: Release;
  readonly concepts: Iterable<ReleasedConcept>;
}

/**
 * Returns how requests change between the previous release and this one; `progress` gets the number
 * of expressions done.
 */
export function changesSince(
  before: Before,
  { registryVersion, concepts }: CheckedRegistry,
  progress: (done: number) => void,
): ResolutionChange[] {
  const now = releasedConcepts(concepts, false);
  const sides = differing({ before: before.concepts, after: now }, concepts.room, progress);
  const was = { index: releasedIndex(before.release.registryVersion, sides.before), side: { given: RELEASED_FILE } };
  const is = { index: releasedIndex(registryVersion, sides.after), side: { given: REGISTRY_FILE } };
  return [...compareResolutions(concepts.room, [was, is], () => undefined)];
}

/** The reassignments that the release's entry does not acknowledge by name. */
export function unacknowledged(changes: readonly ResolutionChange[], entry: HistoryEntry | undefined): Reassignment[] {
  const known = new Set(entry?.acknowledgement === undefined ? [] : entry.reassigned?.map(identityOf));
  return reassignmentsIn(changes).filter((reassignment) => !known.has(identityOf(reassignment)));
}

/**
 * Codes that the previous release published and that are now neither here in any state nor retired.
 */
export function lostCodes(
  before: Iterable<ReleasedConcept>,
  { source, registry }: { readonly source: RegistryStream; readonly registry: CheckedRegistry },
): string[] {
  const codes = new SortedRecords(registry.concepts.room);
  for (const { code } of registry.concepts) codes.add(code, PUBLISHED);
  for (const { code } of before) codes.add(code, RELEASED);
  const lost = new Set<string>();
  let published: string | undefined;
  for (const { key, head } of codes) {
    if (head[0] === PUBLISHED[0]) published = key;
    else if (key !== published) lost.add(key);
  }
  for (const { code } of source.retired) lost.delete(code);
  // A concept that is no longer published may still be here in another state.
  for (const { record } of lost.size === 0 ? [] : source.concepts) lost.delete(record.code);
  return [...lost];
}

const PUBLISHED = Uint8Array.of(0);
const RELEASED = Uint8Array.of(1);

/** The files that record a release, without those that would not change. */
export function releaseFiles(
  place: { readonly effects: Effects; readonly directory: string },
  { retired }: EditableSource,
  { registry, entry }: { readonly registry: CheckedRegistry; readonly entry: HistoryEntry },
): RegistryFiles {
  const files = new Map<string, string | Iterable<string | Uint8Array>>();
  const edit = (file: string, change: (text: string) => string): void => {
    const text = readTextIfFile(place.effects, `${place.directory}/${file}`) ?? "";
    const changed = change(text);
    if (changed !== text) files.set(file, changed);
  };
  edit(REGISTRY_FILE, (text) => withRegistryVersion(text, entry.registryVersion));
  if (retired.length > 0) edit(RETIRED_FILE, (text) => withRetired(text, retired));
  edit(HISTORY_FILE, (text) => withHistoryEntries(text, [entry]));
  return files.set(RELEASED_FILE, releasedText(registry));
}

/** Without `hasContent`, the text has no digests of concepts, as earlier programs wrote it. */
export function releasedText({ concepts, ...release }: CheckedRegistry, hasContent = true): Iterable<Uint8Array> {
  return formatReleased(release, releasedConcepts(concepts, hasContent), concepts.room);
}
