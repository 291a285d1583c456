/** What a release changes, as a record: what diff says of the two releases, from what is recorded of the one before. */
import type { ChangeRecord } from "../../contract/changes.ts";
import type { ResolutionChange } from "../../diff/comparison.ts";
import type { CheckedRegistry } from "../../registry/checked.ts";
import type { StoredConcept } from "../../registry/concepts.ts";
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

/** In code order, as both sides are; `isWhole` says whether every concept before has a digest of its content. */
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

/** Not published any more; its successor is whatever the registry names. */
function retiredChange(code: string, entries: ReadonlyMap<string, RetiredRecord[number]>): ConceptChange {
  const entry = entries.get(code);
  return { code, change: "retired", name: entry?.name ?? null, replacedBy: entry?.replacedBy ?? null };
}

function isSame(before: ReleasedConcept, after: StoredConcept): boolean {
  if (before.content !== undefined) return before.content === contentDigest(after);
  return JSON.stringify(before) === JSON.stringify(releasedExpressions(after));
}
