/** What a release changes, as a record: what diff says of the two releases, from what is recorded of the one before. */
import type { ChangeRecord } from "../../contract/changes.ts";
import type { ResolutionChange } from "../../diff/comparison.ts";
import type { CheckedRegistry } from "../../registry/checked.ts";
import type { RetiredRecord } from "../../registry/record.ts";
import { compareCodePoints } from "../../text/order.ts";
import { type ReleasedConcept, releasedConcept } from "./released.ts";

type ConceptChange = ChangeRecord["concepts"][number];

interface Before {
  readonly registryVersion: string;
  readonly concepts: readonly ReleasedConcept[];
}

export function changeRecord(
  before: Before,
  registry: CheckedRegistry,
  resolutions: readonly ResolutionChange[],
): ChangeRecord {
  const { registryVersion, contentSha256 } = registry;
  const isWhole = before.concepts.every(({ content }) => content !== undefined);
  return {
    registryVersion,
    previous: before.registryVersion,
    contentSha256,
    compared: isWhole ? "content" : "expressions",
    resolutions: [...resolutions],
    concepts: conceptChanges(before.concepts, registry),
  };
}

/** In code order. */
function conceptChanges(before: readonly ReleasedConcept[], { concepts, retired }: CheckedRegistry): ConceptChange[] {
  const was = new Map(before.map((concept) => [concept.code, concept]));
  const is = new Set(concepts.map(({ code }) => code));
  const here = concepts.flatMap((concept): ConceptChange[] => {
    const { code, name } = concept;
    const known = was.get(code);
    if (known === undefined) return [{ code, change: "added", name, replacedBy: null }];
    return isSame(known, releasedConcept(concept)) ? [] : [{ code, change: "changed", name, replacedBy: null }];
  });
  const gone = before.flatMap(({ code }) => (is.has(code) ? [] : [retiredChange(code, retired)]));
  return [...here, ...gone].sort((a, b) => compareCodePoints(a.code, b.code));
}

/** Not published any more; its successor is whatever the registry names. */
function retiredChange(code: string, retired: RetiredRecord): ConceptChange {
  const entry = retired.find((one) => one.code === code);
  return { code, change: "retired", name: entry?.name ?? null, replacedBy: entry?.replacedBy ?? null };
}

function isSame(before: ReleasedConcept, after: ReleasedConcept): boolean {
  if (before.content !== undefined) return before.content === after.content;
  const { content: _content, ...expressions } = after;
  return JSON.stringify(before) === JSON.stringify(expressions);
}
