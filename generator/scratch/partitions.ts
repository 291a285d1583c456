/**
 * Records in a known number of parts, written in any order and read part by part: in memory if they
 * are few, else in a scratch file. The records of a part keep the order in which they were added.
 */
import type { Span } from "../../runtime/registry/byte-source.ts";
import type { MemoryBudget, Scratch } from "../effects/effects.ts";

const BLOCK_MOST = 1 << 16;
const BLOCK_LEAST = 1 << 8;

interface Part {
  block: Uint8Array;
  used: number;
  /** The full blocks: their places in the scratch file, or their bytes. */
  readonly full: (Uint8Array | Span)[];
}

export class Partitions {
  readonly #budget: MemoryBudget;
  readonly #parts: readonly Part[];
  /** Each part's current block takes memory too. */
  readonly #blockBytes: number;
  #reading = new Uint8Array();
  #held = 0;
  #scratch: Scratch | undefined;
  #written = 0;

  constructor(budget: MemoryBudget, count: number) {
    this.#budget = budget;
    this.#parts = Array.from({ length: count }, () => ({ block: new Uint8Array(), used: 0, full: [] }));
    this.#blockBytes = Math.max(BLOCK_LEAST, Math.min(BLOCK_MOST, Math.floor(budget.memoryBytes / (4 * count))));
  }

  /**
   * Space for a record of `length` bytes at the end of a part; the caller fills it before the next
   * call.
   */
  claim(number: number, length: number): Uint8Array {
    const part = this.#part(number);
    if (length > part.block.length - part.used) this.#renew(part, length);
    part.used += length;
    return part.block.subarray(part.used - length, part.used);
  }

  /** The bytes of a part, valid until the next call: all calls share one buffer. */
  read(number: number): Uint8Array {
    const { full, block, used } = this.#part(number);
    const size = full.reduce((sum, { length }) => sum + length, used);
    if (size > this.#reading.length) this.#reading = new Uint8Array(size);
    const bytes = this.#reading.subarray(0, size);
    let at = 0;
    for (const one of full) {
      if ("offset" in one) this.#scratch?.read(one.offset, bytes.subarray(at, at + one.length));
      else bytes.set(one, at);
      at += one.length;
    }
    bytes.set(block.subarray(0, used), at);
    return bytes;
  }

  #part(number: number): Part {
    const part = this.#parts[number];
    if (part === undefined) throw new RangeError(`There is no part ${number}`);
    return part;
  }

  #renew(part: Part, least: number): void {
    if (part.used > 0) part.full.push(part.block.subarray(0, part.used));
    this.#held += part.used;
    if (this.#scratch !== undefined) this.#spill(part);
    else if (this.#held > this.#budget.memoryBytes) for (const one of this.#parts) this.#spill(one);
    const size = Math.max(Math.min(Math.max(BLOCK_LEAST, part.block.length * 2), this.#blockBytes), least);
    if (this.#scratch === undefined || part.block.length < size) part.block = new Uint8Array(size);
    part.used = 0;
  }

  /** The full blocks that are still in memory are the last ones of a part. */
  #spill({ full }: Part): void {
    this.#scratch ??= this.#budget.scratch();
    for (let i = full.length - 1; i >= 0; i--) {
      const bytes = full[i];
      if (!(bytes instanceof Uint8Array)) break;
      this.#scratch.append(bytes);
      full[i] = { offset: this.#written, length: bytes.length };
      this.#written += bytes.length;
    }
  }
}
