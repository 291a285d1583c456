/**
 * The record of what a release changes: the comparison by diff, against what is recorded of the
 * previous release.
 */
import type { ChangeRecord, ResolutionChange } from "../../../contract/changes.ts";
import type { CheckedRegistry } from "../../../registry/checked.ts";
import type { RetiredRecord } from "../../../registry/record.ts";
import { compareCodePoints } from "../../../text/order.ts";
import { contentDigest, type Memory, type PublishedLine, publishedLines } from "../../../registry/memory.ts";

type ConceptChange = ChangeRecord["concepts"][number];

export function changeRecord(
  before: Memory,
  registry: CheckedRegistry,
  resolutions: readonly ResolutionChange[],
): ChangeRecord {
  const { registryVersion, contentSha256 } = registry;
  return {
    registryVersion,
    previous: before.release.registryVersion,
    contentSha256,
    resolutions: [...resolutions],
    concepts: conceptChanges(publishedLines(before), registry),
  };
}

/** Both sides must be in code order, and so is the result. */
function conceptChanges(before: Iterable<PublishedLine>, { concepts, retired }: CheckedRegistry): ConceptChange[] {
  const changes: ConceptChange[] = [];
  const entries = new Map(retired.map((entry) => [entry.code, entry]));
  const was = before[Symbol.iterator]();
  const next = (): PublishedLine | undefined => {
    const { done, value } = was.next();
    return done === true ? undefined : value;
  };
  let known = next();
  for (const concept of concepts) {
    const { code, name } = concept;
    for (; known !== undefined && compareCodePoints(known.code, code) < 0; known = next())
      changes.push(retiredChange(known.code, entries));
    if (known?.code !== code) changes.push({ code, change: "added", name, replacedBy: null });
    else {
      if (known.content !== contentDigest(concept)) changes.push({ code, change: "changed", name, replacedBy: null });
      known = next();
    }
  }
  for (; known !== undefined; known = next()) changes.push(retiredChange(known.code, entries));
  return changes;
}

/**
 * No longer published; the registry names the successor, if there is one. A retired code without a
 * name is its own: only a concept that is no longer published and not retired has none.
 */
function retiredChange(code: string, entries: ReadonlyMap<string, RetiredRecord[number]>): ConceptChange {
  const entry = entries.get(code);
  const name = entry === undefined ? null : (entry.name ?? code);
  return { code, change: "retired", name, replacedBy: entry?.replacedBy ?? null };
}
