/**
 * Bytes that are written once and then read: in memory as long as they are few, in a scratch file beyond that. Whoever
 * writes and reads them does not see which.
 */
import type { Room, Scratch } from "./effects.ts";

const BLOCK_LEAST = 1 << 10;
const BLOCK_MOST = 1 << 20;
/** What is read of a file at once, because what follows is mostly read next. */
export const WINDOW_BYTES = 1 << 18;

/** Room without end, for what is known to be small. */
export const IN_MEMORY: Room = {
  memoryBytes: Infinity,
  scratch: () => {
    throw new Error("What is kept in memory needs no scratch file");
  },
};

export class Spool {
  readonly #room: Room;
  /** What is not in the scratch file. */
  #blocks: Uint8Array[] = [];
  #held = 0;
  #block = new Uint8Array();
  #used = 0;
  #scratch: Scratch | undefined;
  #length = 0;

  constructor(room: Room) {
    this.#room = room;
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

  /** With a window of its own, for what is read at several places in turn. The caller must not change what it gets. */
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

  /** Gives back what it holds; it is not to be used again. */
  close(): void {
    this.#blocks = [];
    this.#scratch?.close();
  }

  #renew(least: number): void {
    const full = this.#block;
    this.#seal();
    if (this.#scratch !== undefined || this.#held > this.#room.memoryBytes) this.#spill();
    const size = Math.max(Math.min(Math.max(BLOCK_LEAST, this.#length), BLOCK_MOST), least);
    // What is in the file by now was never read from here: reading seals it first.
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
    this.#scratch ??= this.#room.scratch();
    for (const block of this.#blocks) this.#scratch.append(block);
    this.#blocks = [];
    this.#held = 0;
  }

  /** Makes one place of all that was written. */
  #settle(): void {
    if (this.#block.length === 0) return;
    this.#seal();
    if (this.#scratch !== undefined || this.#held > this.#room.memoryBytes) this.#spill();
    else if (this.#blocks.length > 1) this.#blocks = [Buffer.concat(this.#blocks)];
  }
}
