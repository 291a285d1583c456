/** Values that are met again and again: each once, in the order in which they were met, and how often. */
export class Counted<T> {
  readonly values: T[] = [];
  readonly counts: number[] = [];
  readonly #ids = new Map<string, number>();

  /** Counts what this name names, and returns its number. */
  add(name: string, value: T): number {
    const id = this.#ids.get(name) ?? this.values.push(value) - 1;
    this.#ids.set(name, id);
    this.counts[id] = (this.counts[id] ?? 0) + 1;
    return id;
  }
}
