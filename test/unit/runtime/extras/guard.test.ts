/** Reads of a store that is slow, gone, wrong or short: what is retried, refused and believed. */
import { afterEach, describe, expect, it } from "vitest";
import { sha256 } from "../../../../runtime/http/digest.ts";
import { Guard, BlockError, StoreError } from "../../../../runtime/extras/store/guard.ts";
import { until } from "../../../support/until.ts";

const BLOCK = 4;
const WHOLE = Uint8Array.from({ length: 4 * BLOCK - 1 }, (_none, i) => i);
const LIMITS = { timeoutMs: 30, attempts: 3, pauseMs: 1, silentMax: 9, probeMs: 20, renewMs: 1, probedMax: 2 };

type Spoil = (block: number, right: Uint8Array) => Uint8Array | Promise<Uint8Array>;

const guards: Guard[] = [];
afterEach(() => guards.splice(0).forEach((guard) => guard.close()));

function guarded(spoil: Spoil = (_block, right) => right, limits = LIMITS) {
  const [asked, lines]: [string[], string[]] = [[], []];
  const store = { spoil, asked, lines };
  const read = async (start: number, end: number): Promise<Uint8Array> => {
    asked.push(`${start}-${end}`);
    // An answer that is there is taken before any limit, however late the process gets to run.
    await Promise.resolve();
    return store.spoil(start / BLOCK, WHOLE.slice(start, end));
  };
  const digestOf = (block: number): string => sha256(WHOLE.slice(block * BLOCK, (block + 1) * BLOCK));
  const own = { name: "store", length: WHOLE.length, blockBytes: BLOCK, read };
  const report = (line: string): void => void lines.push(line);
  const guard = new Guard({ store: own, digestOf, chance: () => 1, report, limits });
  guards.push(guard);
  return Object.assign(store, { guard, block: (n: number) => guard.read(n * BLOCK, Math.min((n + 1) * BLOCK, WHOLE.length)) }); // prettier-ignore
}

const wrong: Spoil = (_block, right) => right.map((byte) => byte ^ 1);
const absent: Spoil = (block) => Promise.reject(new BlockError(block, "it is not in the store"));
const short: Spoil = (_block, right) => right.subarray(1);
const gone: Spoil = () => Promise.reject(new Error("nobody listens"));
const forging: Spoil = () => Promise.reject(new Error("LOADING\nServing \u001B[2J\u2028it"));
const silent: Spoil = () => new Promise(() => undefined);

describe("the guard of a store", () => {
  it("reads following blocks at once, and each once for all who wait for it", async () => {
    const { guard, asked, block } = guarded();
    const parts = await Promise.all([guard.read(4, 15), guard.read(0, 12), block(3), block(2)]);
    expect(parts).toEqual([WHOLE.slice(4), WHOLE.slice(0, 12), WHOLE.slice(12), WHOLE.slice(8, 12)]);
    expect(asked).toEqual(["4-15", "0-4"]);
    await block(3);
    expect(asked).toHaveLength(3);
    expect(guard).toMatchObject({ fault: undefined, reads: { ok: 3, retried: 0, failed: 0, refused: 0 } });
  });

  it.each([
    ["wrong bytes", wrong, "it differs from its digest"],
    ["an absent block", absent, "it is not in the store"],
    ["a short block", short, "it differs from its digest"],
    ["an error", gone, "nobody listens"],
    ["an error that forges a log line", forging, "LOADING\\u{A}Serving \\u{1B}[2J\\u{2028}it"],
    ["silence", silent, "there is no answer within 30 ms"],
  ])("tries again after %s, then names the block until it can be read", async (_name, spoil, reason) => {
    let faults = 2;
    const store = guarded((block, right) => (faults-- > 0 ? spoil(block, right) : right));
    expect(await store.block(1)).toEqual(WHOLE.slice(4, 8));
    expect([store.guard.reads.retried, store.lines]).toEqual([2, []]);

    store.spoil = (block, right) => (block === 1 ? spoil(block, right) : right);
    const line = `store cannot be read: block 1, ${sha256(WHOLE.slice(4, 8))}: ${reason}`;
    await expect(store.block(1)).rejects.toThrow(new StoreError("store", line.split(": ").slice(1).join(": ")));
    await expect(store.block(1)).rejects.toThrow(StoreError);
    expect([store.lines, store.guard.fault]).toEqual([[line], line]);
    expect(await store.block(2)).toEqual(WHOLE.slice(8, 12));

    store.spoil = (_block, right) => right;
    await until(() => store.guard.fault === undefined);
    expect(store.lines).toEqual([line, "store can be read again"]);
    expect(await store.block(1)).toEqual(WHOLE.slice(4, 8));
  });

  it("leaves a store alone that does not answer, and reports it once", async () => {
    const store = guarded(gone);
    const blocks = [0, 1, 2, 3];
    expect((await Promise.allSettled(blocks.map(store.block))).every(({ status }) => status === "rejected")).toBe(true);
    const { length } = store.asked;
    await expect(store.block(0)).rejects.toThrow("the store does not answer");
    expect([store.asked.length, store.lines.length]).toEqual([length, 1]);
    expect(store.guard.reads.refused).toBeGreaterThan(0);
    store.spoil = (_block, right) => right;
    await until(() => store.guard.fault === undefined);
    expect(await Promise.all(blocks.map(store.block))).toHaveLength(4);
  });

  it("says why the store does not answer, however many ask at once", async () => {
    // So few that none of the reads is tried as often as it may be.
    const { lines, block } = guarded(gone, { ...LIMITS, silentMax: 4 });
    await Promise.allSettled([0, 1, 2, 3].map(block));
    expect(lines).toEqual([expect.stringMatching(/: the store does not answer: nobody listens$/)]);
  });

  it("never leaves a store alone for wrong blocks, of which it remembers some", async () => {
    const store = guarded((block, right) => (block < 3 ? wrong(block, right) : right));
    for (let round = 0; round < 4; round++) await Promise.allSettled([0, 1, 2].map(store.block));
    expect(store.guard.reads).toMatchObject({ failed: 12, refused: 0 });
    expect(store.lines).toHaveLength(LIMITS.probedMax);
    expect(await store.block(3)).toEqual(WHOLE.slice(12));
  });
});
