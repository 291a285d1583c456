/**
 * Changes in the order of their keys: outside memory if there are many, and read again by each
 * walk.
 */
import type { MemoryBudget } from "../effects/effects.ts";
import { SortedRecords } from "../scratch/sorted-records.ts";

export interface List<T> extends Iterable<T> {
  readonly length: number;
}

export class ChangeList<T> implements List<T> {
  readonly #records: SortedRecords;

  constructor(budget: MemoryBudget) {
    this.#records = new SortedRecords(budget);
  }

  get length(): number {
    return this.#records.count;
  }

  /** `change` is kept as JSON. */
  add(key: string, change: T): void {
    this.#records.addText(key, JSON.stringify(change));
  }

  *[Symbol.iterator](): Generator<T, void> {
    for (const json of this.json()) yield JSON.parse(json) as T;
  }

  /** Each as it is kept. */
  *json(): Generator<string, void> {
    for (const { head } of this.#records) yield decoder.decode(head);
  }
}

/** How many there are of a kind, and the first of them. */
export interface Some<T> {
  readonly count: number;
  readonly first: readonly T[];
}

/** Finds the first `most` of each kind in one walk. */
export function someOfEach<T, K>(items: Iterable<T>, kindOf: (item: T) => K, most: number): (kind: K) => Some<T> {
  const found = new Map<K, { count: number; readonly first: T[] }>();
  for (const item of items) {
    const kind = kindOf(item);
    const some = found.get(kind) ?? { count: 0, first: [] };
    if (some.count++ < most) some.first.push(item);
    found.set(kind, some);
  }
  return (kind) => found.get(kind) ?? { count: 0, first: [] };
}

export function someOf<T>(items: Iterable<T>, most: number): Some<T> {
  return someOfEach(items, () => "any", most)("any");
}

const decoder = new TextDecoder();
