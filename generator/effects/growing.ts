/** Bytes one behind the other, in room that grows and is used again. */
export class Growing {
  #room = new Uint8Array();
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Room for so many bytes at the end, which the caller fills before it asks for more. */
  claim(length: number): Uint8Array {
    const start = this.#length;
    this.#length += length;
    if (this.#length > this.#room.length) {
      const larger = new Uint8Array(Math.max(this.#length, this.#room.length * 2, ROOM_LEAST));
      larger.set(this.#room.subarray(0, start));
      this.#room = larger;
    }
    return this.#room.subarray(start, this.#length);
  }

  /** What was put there, until more is. */
  bytes(start = 0, end = this.#length): Uint8Array {
    return this.#room.subarray(start, end);
  }

  clear(): void {
    this.#length = 0;
  }
}

const ROOM_LEAST = 1 << 10;
