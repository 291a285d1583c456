/** Pushes the blocks of releases to a store, and removes those that no release needs. */
import { sha256 } from "../../../runtime/http/digest.ts";
import type { ByteSource } from "../../../runtime/registry/byte-source.ts";
import { BLOCK_BYTES, DIGEST_BYTES } from "../../../runtime/registry/index-format.ts";
import { blockKey, type Redis, type RedisConnection } from "../../../runtime/extras/store/redis.ts";
import { toHex } from "../../../runtime/text/bytes.ts";

/** The digests in the file of digests, in hexadecimal. */
export function digestsIn(blocks: Uint8Array): string[] {
  const count = blocks.length / DIGEST_BYTES;
  return Array.from({ length: count }, (_none, i) => toHex(blocks.subarray(i * DIGEST_BYTES, (i + 1) * DIGEST_BYTES)));
}

interface Pushing {
  /** Bundle and index; a read throws if they are damaged. */
  readonly source: ByteSource;
  /** The digests of their blocks, in hexadecimal. */
  readonly digests: readonly string[];
  /** Which stored values are compared with their digests. */
  readonly check: "sample" | "all";
  readonly progress: (text: string) => void;
}

interface Pushed {
  readonly written: number;
  readonly checked: number;
  /** The number of values that were not the block of their key. */
  readonly replaced: number;
}

/** The number of blocks in flight: the client sends them to each server in one go. */
const BATCH = 256;
/** The number of blocks in a sample. */
const SAMPLE = 256;

/**
 * Pushes the blocks. Blocks that the store has are not sent again, so a push may stop and be
 * repeated.
 */
export async function push(redis: Redis, { source, digests, check, progress }: Pushing): Promise<Pushed> {
  const write = (block: number): Promise<unknown> => {
    const at = block * BLOCK_BYTES;
    const bytes = source.read(at, Math.min(BLOCK_BYTES, source.length - at));
    return redis.set(blockKey(digests[block] ?? ""), Buffer.from(bytes));
  };
  /** Writes the blocks for which `isThere` is not true. Returns their number. */
  const complete = async (blocks: readonly number[], isThere: (key: string) => Promise<boolean>): Promise<number> => {
    const there = await Promise.all(blocks.map((block) => isThere(blockKey(digests[block] ?? ""))));
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
      async (key) => blockKey(sha256((await redis.get(key)) ?? new Uint8Array())) === key,
    );
    progress(`${(blocks.at(-1) ?? 0) + 1} of ${all.length} blocks checked`);
  }
  return { written, checked: checked.length, replaced };
}

function* batches(blocks: readonly number[]): Iterable<readonly number[]> {
  for (let at = 0; at < blocks.length; at += BATCH) yield blocks.slice(at, at + BATCH);
}

interface Found {
  readonly kept: number;
  readonly unneeded: number;
}

/** Looks only at keys of blocks; with `remove`, it removes those that are not among `digests`. */
export async function collect(
  connection: RedisConnection,
  digests: Iterable<string>,
  { remove }: { readonly remove: boolean },
): Promise<Found> {
  const needed = new Set([...digests].map(blockKey));
  let [kept, unneeded] = [0, 0];
  for await (const piece of connection.keys()) {
    const blocks = piece.filter((key) => /^srs:[0-9a-f]{64}$/.test(key));
    const rest = blocks.filter((key) => !needed.has(key));
    kept += blocks.length - rest.length;
    unneeded += rest.length;
    if (remove) await Promise.all(rest.map((key) => connection.redis.unlink(key)));
  }
  return { kept, unneeded };
}
