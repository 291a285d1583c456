/** Reads of a file that somebody changes behind the reader's back: right bytes, or an error. */
import { describe, expect, it } from "vitest";
import type { ByteSource } from "../../../../runtime/registry/byte-source.ts";
import { IndexError } from "../../../../runtime/registry/index.ts";
import { BLOCK_BYTES } from "../../../../runtime/registry/index-format.ts";
import { verifiedSource } from "../../../../runtime/release/verified-source.ts";
import { sha256 } from "../../../support/sha256.ts";

const COUNT = 6;
/** The last block is shorter. */
const WHOLE = Uint8Array.from({ length: COUNT * BLOCK_BYTES - 1000 }, (_none, i) => (i * 7 + (i >>> 11)) % 251);

/** A file that can be changed, and counts how often each block is read. */
function changeable(heldBlocks: number) {
  const file = Uint8Array.from(WHOLE);
  const reads = Array<number>(COUNT).fill(0);
  const damage: number[][] = [];
  const read: ByteSource["read"] = (offset, length, into = new Uint8Array(length)) => {
    reads[offset / BLOCK_BYTES]!++;
    into.set(file.subarray(offset, offset + length));
    return into.subarray(0, length);
  };
  const blocks = Array.from({ length: COUNT }, (_none, i) => WHOLE.subarray(i * BLOCK_BYTES, (i + 1) * BLOCK_BYTES));
  const digests = Buffer.concat(blocks.map((block) => Buffer.from(sha256(block), "hex")));
  const onDamage = (...bounds: number[]): void => void damage.push(bounds);
  const source = verifiedSource({ length: WHOLE.length, read }, { digests, heldBytes: heldBlocks * BLOCK_BYTES, onDamage }); // prettier-ignore
  const flip = (at: number): void => void (file[at]! ^= 1);
  return { source, reads, damage, flip };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

describe.each([0, 1, 2, COUNT])("a source that holds %i blocks", (heldBlocks) => {
  it("returns the bytes of the file at every position, into a lent buffer too", () => {
    const { source } = changeable(heldBlocks);
    for (const offset of [0, 1, BLOCK_BYTES - 1, BLOCK_BYTES, 2 * BLOCK_BYTES + 5, WHOLE.length - 3, WHOLE.length]) {
      for (const length of [0, 1, 3, 100, BLOCK_BYTES, 2 * BLOCK_BYTES + 1]) {
        if (offset + length > WHOLE.length) continue;
        const due = Buffer.from(WHOLE.subarray(offset, offset + length));
        expect(due.equals(source.read(offset, length)), `${offset} ${length}`).toBe(true);
        expect(due.equals(source.read(offset, length, new Uint8Array(length + 9))), `${offset} ${length}`).toBe(true);
      }
    }
    expect(() => source.read(WHOLE.length - 1, 2)).toThrow("cut short");
  });

  it("never returns another byte, whatever is changed, changed back and read in between", () => {
    const { source, flip, damage } = changeable(heldBlocks);
    let [state, refused] = [7, 0];
    const below = (limit: number): number => (state = (state * 16_807) % 2_147_483_647) % limit;
    const changed: number[] = [];
    for (let i = 0; i < 3000; i++) {
      if (i % 3 === 0) {
        const at = changed.length > 3 ? changed.shift()! : changed[changed.push(below(WHOLE.length)) - 1]!;
        flip(at);
      }
      const offset = below(WHOLE.length);
      const length = below(Math.min(20_000, WHOLE.length - offset));
      try {
        const bytes = source.read(offset, length);
        if (!Buffer.from(WHOLE.subarray(offset, offset + length)).equals(bytes)) throw new Error(`${offset} ${length}`);
      } catch (error) {
        expect(error).toBeInstanceOf(IndexError);
        refused++;
      }
    }
    expect([refused > 0, damage.length]).toEqual([true, refused]);
  });

  it("reads a block once for what it returns, so that nobody can change it in between", () => {
    const { source, reads } = changeable(heldBlocks);
    source.read(10, WHOLE.length - 20);
    expect(reads).toEqual(Array(COUNT).fill(1));
    expect(source.blockChecks()).toBe(COUNT);
  });
});

describe("a source that holds some blocks", () => {
  it("answers from them however the file changes, and says what is damaged once it reads that again", () => {
    const { source, flip, damage } = changeable(1);
    source.read(BLOCK_BYTES + 5, 1);
    flip(BLOCK_BYTES + 5);
    expect([...source.read(BLOCK_BYTES + 5, 1)]).toEqual([WHOLE[BLOCK_BYTES + 5]]);
    source.read(0, 1);
    expect(() => source.read(BLOCK_BYTES + 6, 1)).toThrow("a block differs from its digest");
    expect(damage).toEqual([[BLOCK_BYTES, 2 * BLOCK_BYTES]]);
    flip(BLOCK_BYTES + 5);
    expect([...source.read(BLOCK_BYTES + 5, 1)]).toEqual([WHOLE[BLOCK_BYTES + 5]]);
  });

  it("replaces the one that was not used for the longest time", () => {
    const { source, reads } = changeable(2);
    for (const block of [0, 1, 0, 2, 0, 1]) source.read(block * BLOCK_BYTES, 1);
    expect(reads).toEqual([1, 2, 1, 0, 0, 0]);
  });

  it("holds none of them with 0", () => {
    const { source, reads } = changeable(0);
    for (let i = 0; i < 5; i++) source.read(3, 1);
    expect(sum(reads)).toBe(5);
  });
});

it("refuses digests of another number of blocks", () => {
  const source = { length: BLOCK_BYTES + 1, read: () => new Uint8Array() };
  const verification = { digests: new Uint8Array(32), heldBytes: 0, onDamage: () => undefined };
  expect(() => verifiedSource(source, verification)).toThrow("its block digests do not match its size");
});
