/** Changes that are the same in many places, said once: a new version or count shows in every document that names it. */
import { groupBy } from "../../runtime/text/group-by.ts";
import type { JsonChange } from "./comparison.ts";

/** A concept or document, and what differs in it. */
interface Changed {
  readonly place: string;
  readonly changes: readonly JsonChange[];
}

export interface Folded {
  /** Changes of several places, most places first. */
  readonly shared: readonly Shared[];
  /** What is left, in the order given. */
  readonly own: readonly Changed[];
}

interface Shared {
  readonly places: readonly string[];
  /** One of them: all have the same kind and the same values. */
  readonly change: JsonChange;
  /** The last parts of their pointers, each once. */
  readonly names: readonly string[];
}

export function foldChanges(changed: readonly Changed[]): Folded {
  const all = changed.flatMap(({ place, changes }) => changes.map((change) => ({ place, change, key: keyOf(change) })));
  const shared: Shared[] = [];
  const folded = new Set<string>();
  for (const [key, group] of groupBy(all, (one) => one.key)) {
    const places = [...new Set(group.map(({ place }) => place))];
    if (places.length < 2) continue;
    folded.add(key);
    const names = new Set(group.map(({ change }) => change.pointer.slice(change.pointer.lastIndexOf("/") + 1)));
    shared.push({ places, change: group[0].change, names: [...names] });
  }
  const own = changed.flatMap(({ place, changes }) => {
    const left = changes.filter((change) => !folded.has(keyOf(change)));
    return left.length === 0 && changes.length > 0 ? [] : [{ place, changes: left }];
  });
  return { shared: shared.sort((a, b) => b.places.length - a.places.length), own };
}

function keyOf({ kind, of, before, after }: JsonChange): string {
  return JSON.stringify([kind, kind === "changed" ? null : of, before, after]);
}
