/**
 * What resolved in the previous release of a registry is compared with what resolves now, both by
 * the one resolver, so that no expression changes its code unnoticed.
 */
import { identityOf, type Reassignment, reassignmentsIn, type ResolutionChange } from "../contract/changes.ts";
import { answersOf, compareResolutions } from "./resolutions.ts";
import type { CheckedRegistry } from "../registry/checked.ts";
import { REGISTRY_FILE } from "../registry/read.ts";
import type { HistoryEntry } from "../registry/record.ts";
import { differing } from "./differing.ts";
import { withEarlier } from "./earlier.ts";
import { releasedIndex } from "./released-index.ts";
import { type Memory, publishedLines, releasedExpressions, type ReleasedExpressions } from "../registry/memory.ts";
import { memoryFile } from "../registry/read-memory.ts";

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
  const sides = differing({ before: publishedLines(before), after: now }, concepts.budget, progress);
  const was = { index: releasedIndex(previous, sides.before), side: { given: memoryFile(previous) } };
  const is = { index: releasedIndex(registryVersion, sides.after), side: { given: REGISTRY_FILE } };
  return withEarlier([...compareResolutions(concepts.budget, [was, is], () => undefined)], before, answersOf(is));
}

/** The reassignments that the release's entry does not acknowledge by name. */
export function unacknowledged(changes: readonly ResolutionChange[], entry: HistoryEntry | undefined): Reassignment[] {
  const known = new Set(entry?.acknowledgement === undefined ? [] : entry.reassigned?.map(identityOf));
  return reassignmentsIn(changes).filter((reassignment) => !known.has(identityOf(reassignment)));
}
