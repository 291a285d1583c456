/**
 * The file of the hierarchy, for registries small enough for files of names: one pass over the
 * notes of all concepts, in the index.
 */
import { NAMES_MAX_CONCEPTS } from "../../runtime/contract/limits.ts";
import type { Hierarchy } from "../../runtime/registry/hierarchy.ts";
import type { RegistryIndex } from "../../runtime/registry/index.ts";
import { readNotes } from "../../runtime/registry/read-concept.ts";
import { conceptIn } from "../registry/published-concept.ts";
import { nameKey } from "../text/name-key.ts";
import { compareCodePoints } from "../text/order.ts";
import type { View } from "../view/view.ts";

/** Undefined if no concept has a narrower one, or if there are too many concepts. */
export function printHierarchy({ index }: View): string | undefined {
  if (index.conceptCount > NAMES_MAX_CONCEPTS) return undefined;
  const parents = [...parentsIn(index)];
  if (parents.length === 0) return undefined;
  const top = parents.filter(({ isTop }) => isTop).map(({ code, name }) => ({ key: nameKey(name), code, name }));
  top.sort((a, b) => compareCodePoints(a.key, b.key) || compareCodePoints(a.name, b.name));
  const hierarchy: Hierarchy = {
    top: top.map(({ code, name }) => ({ code, name })),
    narrower: parents.map(({ code, count }) => [code, count]),
  };
  return `${JSON.stringify(hierarchy)}\n`;
}

/** The concepts that have narrower ones, in code order. */
function* parentsIn(index: RegistryIndex) {
  for (let id = 0; id < index.conceptCount; id++) {
    const { broader, narrower } = readNotes(index, id);
    if (narrower === undefined) continue;
    const { code, name } = conceptIn(index, id);
    yield { code, name, count: narrower.count, isTop: broader === undefined };
  }
}
