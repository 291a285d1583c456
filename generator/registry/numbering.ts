/** Numbers values that occur repeatedly: each is kept once, in the order of first occurrence. */
export class Numbering<T> {
  readonly values: T[] = [];
  readonly #ids = new Map<string, number>();

  /** The number of the value that has this name. */
  add(name: string, value: T): number {
    const known = this.#ids.get(name);
    if (known !== undefined) return known;
    const id = this.values.push(value) - 1;
    this.#ids.set(name, id);
    return id;
  }
}
