/**
 * What of two releases can resolve otherwise: the expressions whose codes, tags or strengths are not the same in both, with
 * all that has them. Both are brought into one order by expression, so that memory holds the differences alone.
 */
import { keyOf } from "../../../runtime/text/expression.ts";
import type { Room } from "../../effects/effects.ts";
import { SortedRecords } from "../../effects/sorted-records.ts";
import type { ReleasedConcept } from "./released.ts";

const SIDES = ["before", "after"] as const;
type Side = (typeof SIDES)[number];
export type Sides<T> = Readonly<Record<Side, T>>;

/** One concept that has the expression, as the JSON of what decides. */
type Holder = readonly [side: Side, code: string, part: "expressions" | "inexact", tag: string];

/** `progress` gets the number of expressions that are done. */
export function differing(
  releases: Sides<Iterable<ReleasedConcept>>,
  room: Room,
  progress: (done: number) => void,
): Sides<ReleasedConcept[]> {
  const found: Sides<Map<string, ReleasedConcept>> = { before: new Map(), after: new Map() };
  let done = 0;
  for (const { key, holders } of groups(sortByKey(releases, room))) {
    if (++done % 10_000 === 0) progress(done);
    const [before, after] = SIDES.map((side) => signatureOf(holders, side));
    // Something of each stays, for an answer says when a registry is empty.
    const isFirst = SIDES.some((side) => found[side].size === 0 && holders.some(([own]) => own === side));
    if (before === after && !isFirst) continue;
    for (const [side, code, part, tag] of holders) {
      const concept = found[side].get(code) ?? { code, expressions: {}, inexact: {} };
      found[side].set(code, concept);
      ((concept[part] ?? {})[tag] ??= []).push(key);
    }
  }
  const inOrder = (side: Side): ReleasedConcept[] => [...found[side].values()];
  return { before: inOrder("before"), after: inOrder("after") };
}

function sortByKey(releases: Sides<Iterable<ReleasedConcept>>, room: Room): SortedRecords {
  const sorted = new SortedRecords(room);
  for (const side of SIDES) {
    for (const concept of releases[side]) {
      for (const part of ["expressions", "inexact"] as const) {
        for (const [tag, expressions] of Object.entries(concept[part] ?? {})) {
          const holder: Holder = [side, concept.code, part, tag];
          const bytes = encoder.encode(JSON.stringify(holder));
          for (const expression of expressions) sorted.add(keyOf(expression), bytes);
        }
      }
    }
  }
  return sorted;
}

function* groups(sorted: SortedRecords): Generator<{ key: string; holders: Holder[] }, void> {
  let group: { key: string; holders: Holder[] } | undefined;
  for (const { key, head } of sorted) {
    const holder = JSON.parse(decoder.decode(head)) as Holder;
    if (group?.key === key) group.holders.push(holder);
    else {
      if (group !== undefined) yield group;
      group = { key, holders: [holder] };
    }
  }
  if (group !== undefined) yield group;
}

function signatureOf(holders: readonly Holder[], side: Side): string {
  const own = holders.filter(([of]) => of === side).map(([, ...rest]) => JSON.stringify(rest));
  return [...new Set(own)].sort().join();
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
