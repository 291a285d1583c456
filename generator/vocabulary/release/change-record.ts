/**
 * The record of what a release changes: the comparison by diff, against what is recorded of the
 * previous release.
 */
import type { ChangeRecord } from "../../contract/changes.ts";
import type { ResolutionChange } from "../../diff/comparison.ts";
import type { CheckedRegistry } from "../../registry/checked.ts";
import type { StoredConcept } from "../../registry/stored-concept.ts";
import type { RetiredRecord } from "../../registry/record.ts";
import { compareCodePoints } from "../../text/order.ts";
import { contentDigest, type ReleasedConcept, releasedExpressions } from "../../registry/released.ts";
import type { Before } from "./registry-release.ts";

type ConceptChange = ChangeRecord["concepts"][number];

export function changeRecord(
  before: Before,
  registry: CheckedRegistry,
  resolutions: readonly ResolutionChange[],
): ChangeRecord {
  const { registryVersion, contentSha256 } = registry;
  const { concepts, isWhole } = conceptChanges(before.concepts, registry);
  return {
    registryVersion,
    previous: before.release.registryVersion,
    contentSha256,
    compared: isWhole ? "content" : "expressions",
    resolutions: [...resolutions],
    concepts,
  };
}

/**
 * Both sides must be in code order, and so is the result. `isWhole` says whether every concept of
 * the previous release has a content digest.
 */
function conceptChanges(
  before: Iterable<ReleasedConcept>,
  { concepts, retired }: CheckedRegistry,
): { concepts: ConceptChange[]; isWhole: boolean } {
  const changes: ConceptChange[] = [];
  const entries = new Map(retired.map((entry) => [entry.code, entry]));
  let isWhole = true;
  const was = before[Symbol.iterator]();
  const next = (): ReleasedConcept | undefined => {
    const { done, value } = was.next();
    if (done === true) return undefined;
    isWhole &&= value.content !== undefined;
    return value;
  };
  let known = next();
  for (const concept of concepts) {
    const { code, name } = concept;
    for (; known !== undefined && compareCodePoints(known.code, code) < 0; known = next())
      changes.push(retiredChange(known.code, entries));
    if (known?.code !== code) changes.push({ code, change: "added", name, replacedBy: null });
    else {
      if (!isSame(known, concept)) changes.push({ code, change: "changed", name, replacedBy: null });
      known = next();
    }
  }
  for (; known !== undefined; known = next()) changes.push(retiredChange(known.code, entries));
  return { concepts: changes, isWhole };
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

function isSame(before: ReleasedConcept, after: StoredConcept): boolean {
  if (before.content !== undefined) return before.content === contentDigest(after);
  return JSON.stringify(before) === JSON.stringify(releasedExpressions(after));
}
