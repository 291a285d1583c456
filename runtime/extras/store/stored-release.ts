/**
 * Opens a release whose bundle and index are in a store. All other files are in the directory and
 * checked as always; one of them, `registry.blocks`, has the digest of each block of the two. The
 * store is not read before the registry is needed, so everything else is served without it.
 */
import path from "node:path";
import { blockSource, onceHeld, untilHeld } from "../../registry/block-source.ts";
import { BLOCK_BYTES, DIGEST_BYTES, digestAt } from "../../registry/index-format.ts";
import { openIndex, type RegistryIndex } from "../../registry/index.ts";
import { BLOCKS_FILE, BUNDLE_FILE, INDEX_FILE } from "../../contract/files.ts";
import { damaged, ReleaseError } from "../../release/plain-file.ts";
import { readRelease, type Release } from "../../release/release.ts";
import { NEVER } from "../../release/registry-files.ts";
import { toHex } from "../../text/bytes.ts";
import { Guard, type Guarded, STORE_LIMITS } from "./guard.ts";
import { readRanges } from "./ranges.ts";
import { loadClient, nameOf, readRedis } from "./redis.ts";

export interface StoreOptions extends Pick<Guarded, "chance" | "report" | "limits"> {
  /** Servers that speak the Redis protocol, or the one URL of a dist. */
  readonly urls: readonly string[];
  /** The size of the registry's cache in memory, in bytes. */
  readonly cacheBytes: number;
}

/** The size of a piece of a long answer: large, so that it seldom waits for the store. */
const PIECE_BYTES = 512 * 1024;

/** Throws ReleaseError if the directory is at fault, or if the Redis client is not installed. */
export async function openStoredRelease(directory: string, options: StoreOptions): Promise<Release> {
  const { blocks, ...read } = readRelease(directory);
  const sizes = new Map(read.manifest.files.map((file) => [file.path, file.bytes]));
  const [bundleBytes = 0, indexBytes = 0] = [BUNDLE_FILE, INDEX_FILE].map((name) => sizes.get(name));
  const length = bundleBytes + indexBytes;
  if (blocks.length !== Math.ceil(length / BLOCK_BYTES) * DIGEST_BYTES)
    throw new ReleaseError(damaged(path.join(directory, BLOCKS_FILE)));
  const digestOf = (block: number): string => toHex(digestAt(blocks, block));

  const { urls, cacheBytes, limits: { timeoutMs, renewMs } = STORE_LIMITS } = options;
  const [base = ""] = urls;
  const isHttp = base.startsWith("http");
  if (!isHttp) await loadClient();
  const remote = isHttp
    ? {
        read: readRanges({ base, bundleBytes, indexBytes, timeoutMs }),
        onSilence: () => undefined,
        close: () => undefined,
      }
    : readRedis(urls, { blockBytes: BLOCK_BYTES, digestOf, timeoutMs, renewMs });
  const shape = { name: nameOf(urls), length, blockBytes: BLOCK_BYTES };
  const guard = new Guard({
    ...options,
    onSilence: remote.onSilence,
    store: { ...shape, read: remote.read },
    digestOf,
  });
  const source = blockSource({
    ...shape,
    maxBytes: cacheBytes,
    read: guard.read,
    digests: (offset, count) => blocks.subarray(offset, offset + count),
  });
  const open = async (): Promise<RegistryIndex> =>
    untilHeld(() => openIndex({ ...source, pieceBytes: PIECE_BYTES }, { readsBeginning: false }));
  let opening: Promise<RegistryIndex> | undefined;
  const index = onceHeld(shape.name, () => {
    opening ??= open().finally(() => (opening = undefined));
    return opening;
  });
  return {
    ...read,
    get index() {
      return index();
    },
    stamps: new Map(),
    check: () => Promise.resolve(undefined),
    damage: NEVER,
    blockChecks: () => guard.reads.ok,
    store: guard,
    close() {
      guard.close();
      remote.close();
    },
  };
}
