/**
 * Values that occur repeatedly: each kept once, in the order of first occurrence, with its count.
 */
export interface Counts<T> {
  readonly values: T[];
  readonly counts: number[];
}

export class Counted<T> implements Counts<T> {
  readonly values: T[] = [];
  readonly counts: number[] = [];
  readonly #ids = new Map<string, number>();

  /** Counts the value that has this name, and returns its number. */
  add(name: string, value: T): number {
    const id = this.#ids.get(name) ?? this.values.push(value) - 1;
    this.#ids.set(name, id);
    this.counts[id] = (this.counts[id] ?? 0) + 1;
    return id;
  }
}
