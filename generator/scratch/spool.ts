/**
 * Bytes that are written once and then read: in memory if they are few, else in a scratch file.
 * Users of a spool do not see which.
 */
import type { MemoryBudget, Scratch } from "../effects/effects.ts";

const BLOCK_LEAST = 1 << 10;
const BLOCK_MOST = 1 << 20;
/** Bytes read from a file at once: the next read mostly continues where this one ends. */
export const WINDOW_BYTES = 1 << 18;

/** Unlimited memory, for data that is known to be small. */
export const IN_MEMORY: MemoryBudget = {
  memoryBytes: Infinity,
  scratch: () => {
    throw new Error("A budget without a limit has no scratch files");
  },
};

export class Spool {
  readonly #budget: MemoryBudget;
  /** The bytes that are not in the scratch file. */
  #blocks: Uint8Array[] = [];
  #held = 0;
  #block = new Uint8Array();
  #used = 0;
  #scratch: Scratch | undefined;
  #length = 0;

  constructor(budget: MemoryBudget) {
    this.#budget = budget;
  }

  get length(): number {
    return this.#length;
  }

  append(bytes: Uint8Array): void {
    if (bytes.length > this.#block.length - this.#used) this.#renew(bytes.length);
    this.#block.set(bytes, this.#used);
    this.#used += bytes.length;
    this.#length += bytes.length;
  }

  /** Appends a text as UTF-8. */
  appendText(text: string): void {
    const most = 3 * text.length;
    if (most > this.#block.length - this.#used) this.#renew(most);
    const { written } = encoder.encodeInto(text, this.#block.subarray(this.#used));
    this.#used += written;
    this.#length += written;
  }

  /**
   * A reader has its own window, for reading at several places in turn. The caller must not change
   * the result.
   */
  reader(windowBytes = WINDOW_BYTES): (offset: number, length: number) => Uint8Array {
    let start = 0;
    let window = new Uint8Array();
    return (offset, length) => {
      this.#settle();
      if (this.#scratch === undefined) return (this.#blocks[0] ?? new Uint8Array()).subarray(offset, offset + length);
      if (offset < start || offset + length > start + window.length) {
        const end = Math.min(this.#length, offset + Math.max(length, windowBytes));
        window = Buffer.allocUnsafeSlow(end - offset);
        start = offset;
        this.#scratch.read(start, window);
      }
      return window.subarray(offset - start, offset - start + length);
    };
  }

  *chunks(): Generator<Uint8Array, void> {
    const read = this.reader();
    for (let at = 0; at < this.length; at += WINDOW_BYTES) yield read(at, Math.min(WINDOW_BYTES, this.length - at));
  }

  /** Releases memory and file; the spool must not be used afterwards. */
  close(): void {
    this.#blocks = [];
    this.#scratch?.close();
  }

  #renew(least: number): void {
    const full = this.#block;
    this.#seal();
    if (this.#scratch !== undefined || this.#held > this.#budget.memoryBytes) this.#spill();
    const size = Math.max(Math.min(Math.max(BLOCK_LEAST, this.#length), BLOCK_MOST), least);
    // A block that is in the file by now was never handed to a reader: reading seals it first.
    const isFree = this.#scratch !== undefined && full.length >= size;
    this.#block = isFree ? full : new Uint8Array(size);
  }

  #seal(): void {
    if (this.#used > 0) this.#blocks.push(this.#block.subarray(0, this.#used));
    this.#held += this.#used;
    this.#block = new Uint8Array();
    this.#used = 0;
  }

  #spill(): void {
    this.#scratch ??= this.#budget.scratch();
    for (const block of this.#blocks) this.#scratch.append(block);
    this.#blocks = [];
    this.#held = 0;
  }

  /** Brings everything that was written together: into one block, or into the scratch file. */
  #settle(): void {
    if (this.#block.length === 0) return;
    this.#seal();
    if (this.#scratch !== undefined || this.#held > this.#budget.memoryBytes) this.#spill();
    else if (this.#blocks.length > 1) this.#blocks = [Buffer.concat(this.#blocks)];
  }
}

const encoder = new TextEncoder();
