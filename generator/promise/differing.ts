/**
 * Finds the expressions that can resolve differently in two releases: those whose codes, tags or
 * strengths differ, with every concept that has them. Both sides are sorted by expression, so that
 * memory holds only the differences.
 */
import { keyOf } from "../../runtime/text/expression.ts";
import type { MemoryBudget } from "../effects/effects.ts";
import { SortedRecords, textsByKey } from "../scratch/sorted-records.ts";
import type { ReleasedExpressions } from "../registry/memory.ts";

const SIDES = ["before", "after"] as const;
type Side = (typeof SIDES)[number];
export type Sides<T> = Readonly<Record<Side, T>>;

/**
 * A concept that has the expression: the values that decide, kept as JSON that is parsed only if
 * the releases differ.
 */
type Holder = readonly [code: string, part: "expressions" | "inexact", tag: string];
const MARKS: Sides<string> = { before: "-", after: "+" };

/** `progress` gets the number of expressions done. */
export function differing(
  releases: Sides<Iterable<ReleasedExpressions>>,
  budget: MemoryBudget,
  progress: (done: number) => void,
): Sides<ReleasedExpressions[]> {
  const found: Sides<Map<string, ReleasedExpressions>> = { before: new Map(), after: new Map() };
  let done = 0;
  for (const { key, holders } of groups(sortByKey(releases, budget))) {
    if (++done % 10_000 === 0) progress(done);
    // Keep something of each side: an answer says when a registry is empty.
    const isFirst = SIDES.some((side) => found[side].size === 0 && holders[side].length > 0);
    if (signatureOf(holders.before) === signatureOf(holders.after) && !isFirst) continue;
    for (const side of SIDES) {
      for (const [code, part, tag] of holders[side].map((holder) => JSON.parse(holder) as Holder)) {
        const concept = found[side].get(code) ?? { code, expressions: {}, inexact: {} };
        found[side].set(code, concept);
        ((concept[part] ?? {})[tag] ??= []).push(key);
      }
    }
  }
  const inOrder = (side: Side): ReleasedExpressions[] => [...found[side].values()];
  return { before: inOrder("before"), after: inOrder("after") };
}

function sortByKey(releases: Sides<Iterable<ReleasedExpressions>>, budget: MemoryBudget): SortedRecords {
  const sorted = new SortedRecords(budget);
  for (const side of SIDES) {
    for (const concept of releases[side]) {
      for (const part of ["expressions", "inexact"] as const) {
        for (const [tag, expressions] of Object.entries(concept[part] ?? {})) {
          const holder: Holder = [concept.code, part, tag];
          const text = MARKS[side] + JSON.stringify(holder);
          for (const expression of expressions) sorted.addText(keyOf(expression), text);
        }
      }
    }
  }
  return sorted;
}

interface Group {
  readonly key: string;
  readonly holders: Sides<string[]>;
}

function* groups(sorted: SortedRecords): Generator<Group, void> {
  for (const { key, texts } of textsByKey(sorted)) {
    const of = (side: Side): string[] =>
      texts.flatMap((text) => (text.startsWith(MARKS[side]) ? text.slice(MARKS[side].length) : []));
    yield { key, holders: { before: of("before"), after: of("after") } };
  }
}

function signatureOf(holders: readonly string[]): string {
  return holders.length < 2 ? holders.join() : [...new Set(holders)].sort().join();
}
