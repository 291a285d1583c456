/** A buffer that grows as bytes are appended, and that is reused after `clear`. */
export class Growing {
  #budget = new Uint8Array();
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Space for `length` bytes at the end; the caller fills it before the next call. */
  claim(length: number): Uint8Array {
    const start = this.#length;
    this.#length += length;
    if (this.#length > this.#budget.length) {
      const larger = new Uint8Array(Math.max(this.#length, this.#budget.length * 2, ROOM_LEAST));
      larger.set(this.#budget.subarray(0, start));
      this.#budget = larger;
    }
    return this.#budget.subarray(start, this.#length);
  }

  /** The bytes from `start` to `end`; valid until more are claimed. */
  bytes(start = 0, end = this.#length): Uint8Array {
    return this.#budget.subarray(start, end);
  }

  clear(): void {
    this.#length = 0;
  }
}

const ROOM_LEAST = 1 << 10;
