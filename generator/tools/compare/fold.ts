/**
 * Reports a change that is the same in many places only once: a new version or count shows in every
 * document that names it.
 */
import type { JsonChange } from "./comparison.ts";

/** A concept or document, and its changes. */
export interface Changed {
  readonly place: string;
  readonly changes: readonly JsonChange[];
}

interface Folded {
  /** Changes of several places, most places first. */
  readonly shared: readonly Group[];
  /** The remaining changes, in the given order. */
  readonly own: Iterable<Changed>;
}

interface Group {
  readonly places: Set<string>;
  /** One of them: all have the same kind and the same values. */
  readonly change: JsonChange;
  /** The last parts of their pointers. */
  readonly names: Set<string>;
}

/** Walks `changed` twice before it returns, and again whenever `own` is read. */
export function foldChanges(changed: Iterable<Changed>): Folded {
  const several = keysOfSeveral(changed);
  const groups = new Map<string, Group>();
  for (const { place, changes } of changed) {
    for (const change of changes) {
      const key = changeKey(change);
      if (!several.has(key)) continue;
      const group = groups.get(key) ?? { places: new Set(), change, names: new Set() };
      group.places.add(place);
      group.names.add(change.pointer.slice(change.pointer.lastIndexOf("/") + 1));
      groups.set(key, group);
    }
  }
  return {
    shared: [...groups.values()].sort((a, b) => b.places.size - a.places.size),
    own: {
      *[Symbol.iterator](): Generator<Changed, void> {
        for (const { place, changes } of changed) {
          const left = changes.filter((change) => !several.has(changeKey(change)));
          if (left.length > 0 || changes.length === 0) yield { place, changes: left };
        }
      },
    },
  };
}

/** Most changes are in one place only; just their keys are kept. */
function keysOfSeveral(changed: Iterable<Changed>): Set<string> {
  const places = new Map<string, string>();
  const several = new Set<string>();
  for (const { place, changes } of changed) {
    for (const key of changes.map(changeKey)) {
      const other = places.get(key);
      if (other === undefined) places.set(key, place);
      else if (other !== place) several.add(key);
    }
  }
  return several;
}

function changeKey({ kind, of, before, after }: JsonChange): string {
  return JSON.stringify([kind, kind === "changed" ? null : of, before, after]);
}
