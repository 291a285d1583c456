/** Push and gc over a store in memory: what is sent, what is found wrong, what is removed. */
import { beforeEach, describe, expect, it } from "vitest";
import { collect, push } from "../../../../generator/tools/store/blocks.ts";
import { sha256 } from "../../../../runtime/http/digest.ts";
import { memorySource } from "../../../../runtime/registry/byte-source.ts";
import { BLOCK_BYTES } from "../../../../runtime/registry/index-format.ts";
import type { Redis, RedisConnection } from "../../../../runtime/extras/store/redis.ts";

/** So many that a sample leaves some out; the last one is short. */
const BLOCKS = 600;
const bytes = new Uint8Array(BLOCKS * BLOCK_BYTES - 5);
// Two are alike.
for (let i = 0; i < BLOCKS; i++) bytes.set(i === 4 ? [5, 0] : [i % 256, i >> 8], i * BLOCK_BYTES);
const digests = Array.from({ length: BLOCKS }, (_none, i) =>
  sha256(bytes.subarray(i * BLOCK_BYTES, (i + 1) * BLOCK_BYTES)),
);

let held: Map<string, Uint8Array>;
let sent: number;
let redis: Redis;
beforeEach(() => {
  held = new Map();
  sent = 0;
  redis = {
    get: (key) => Promise.resolve(held.get(key) ?? null),
    exists: (key) => Promise.resolve(Number(held.has(key))),
    unlink: (key) => Promise.resolve(Number(held.delete(key))),
    set(key, value) {
      sent++;
      return Promise.resolve(held.set(key, value));
    },
  };
});

const progress = (): void => undefined;
const all = (check: "sample" | "all" = "sample") =>
  push(redis, { source: memorySource(bytes), digests, check, progress });
const isWhole = (): boolean => [...held].every(([key, value]) => key === `srs:${sha256(value)}`);
/** The key of a block that no sample of these has. */
const keyBetween = `srs:${digests[1]}`;

describe("push", () => {
  it("writes each block under its digest, and no block that the store has", async () => {
    expect(await all()).toEqual({ written: BLOCKS, checked: 201, replaced: 0 });
    expect([held.size, isWhole()]).toEqual([BLOCKS - 1, true]);
    expect(await all()).toMatchObject({ written: 0, replaced: 0 });
    expect(sent).toBe(BLOCKS);
    held.delete(keyBetween);
    expect(await all()).toMatchObject({ written: 1, replaced: 0 });
    expect([isWhole(), held.has(keyBetween)]).toEqual([true, true]);
  });

  it("finds what is wrong in a sample, or in all of them, and writes it again", async () => {
    await all();
    held.set(keyBetween, new Uint8Array(7));
    expect(await all()).toMatchObject({ checked: 201, replaced: 0 });
    expect(await all("all")).toEqual({ written: 0, checked: BLOCKS, replaced: 1 });
    expect(isWhole()).toBe(true);
    held.set(`srs:${digests.at(-1)}`, new Uint8Array(BLOCK_BYTES));
    expect(await all()).toMatchObject({ replaced: 1 });
  });
});

describe("gc", () => {
  const others = ["srs:notes", `srs:${"A".repeat(64)}`, `srs:${"a".repeat(63)}`, `srs:${"a".repeat(65)}`, "other"];
  const gone = [`srs:${"a".repeat(64)}`, `srs:${"0".repeat(64)}`];
  async function* keys(): AsyncIterable<readonly string[]> {
    yield await Promise.resolve([...held.keys()]);
    yield [];
  }
  const connection = (): RedisConnection => ({ redis, keys, close: () => undefined });

  it("removes the blocks that no release has, and no other key; first it only counts", async () => {
    await all();
    const { size } = held;
    for (const key of [...others, ...gone]) held.set(key, new Uint8Array(1));
    expect(await collect(connection(), digests, { remove: false })).toEqual({ kept: size, unneeded: 2 });
    expect(held.size).toBe(size + 7);
    expect(await collect(connection(), digests, { remove: true })).toEqual({ kept: size, unneeded: 2 });
    expect([held.size, ...others.map((key) => held.has(key))]).toEqual([size + 5, ...others.map(() => true)]);
    expect(await collect(connection(), digests, { remove: true })).toEqual({ kept: size, unneeded: 0 });
  });
});
