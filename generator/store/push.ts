/** Brings the blocks of a release into a store: what is there is not sent again, so that a push may stop and be repeated. */
import { sha256 } from "../../runtime/http/digest.ts";
import { BLOCK_BYTES } from "../../runtime/registry/index-format.ts";
import { keyOf, type Redis } from "../../runtime/store/redis.ts";
import type { ByteSource } from "../../runtime/registry/byte-source.ts";

export interface Pushing {
  /** Bundle and index; a read throws where they are damaged. */
  readonly source: ByteSource;
  /** The hexadecimal digests of their blocks. */
  readonly digests: readonly string[];
  /** Which values are compared with their digests. */
  readonly check: "sample" | "all";
  readonly progress: (text: string) => void;
}

export interface Pushed {
  readonly written: number;
  readonly checked: number;
  /** Values that were not the block of their key. */
  readonly replaced: number;
}

/** Blocks that are on their way at once: the client sends them to each server in one go. */
const BATCH = 256;
/** Blocks of a sample. */
const SAMPLE = 256;

export async function push(redis: Redis, { source, digests, check, progress }: Pushing): Promise<Pushed> {
  const write = (block: number): Promise<unknown> => {
    const at = block * BLOCK_BYTES;
    const bytes = source.read(at, Math.min(BLOCK_BYTES, source.length - at));
    return redis.set(keyOf(digests[block] ?? ""), Buffer.from(bytes));
  };
  /** Writes those of which `isThere` is not true. Returns how many they were. */
  const complete = async (blocks: readonly number[], isThere: (key: string) => Promise<boolean>): Promise<number> => {
    const there = await Promise.all(blocks.map((block) => isThere(keyOf(digests[block] ?? ""))));
    const absent = blocks.filter((_block, i) => there[i] !== true);
    await Promise.all(absent.map(write));
    return absent.length;
  };

  const all = digests.map((_digest, block) => block);
  let written = 0;
  for (const blocks of batches(all)) {
    written += await complete(blocks, async (key) => (await redis.exists(key)) > 0);
    progress(`${(blocks.at(-1) ?? 0) + 1} of ${all.length} blocks`);
  }
  const step = check === "all" ? 1 : Math.ceil(all.length / SAMPLE);
  const checked = all.filter((block) => block % step === 0 || block === all.length - 1);
  let replaced = 0;
  for (const blocks of batches(checked)) {
    replaced += await complete(
      blocks,
      async (key) => keyOf(sha256((await redis.get(key)) ?? new Uint8Array())) === key,
    );
    progress(`${(blocks.at(-1) ?? 0) + 1} of ${all.length} blocks checked`);
  }
  return { written, checked: checked.length, replaced };
}

function* batches(blocks: readonly number[]): Iterable<readonly number[]> {
  for (let at = 0; at < blocks.length; at += BATCH) yield blocks.slice(at, at + BATCH);
}
