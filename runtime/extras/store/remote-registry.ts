/**
 * A registry on a static host: the reader itself resolves, from ranges of bundle and index. One
 * digest pins all of it: that of `registry.root`, which has the digests of the pieces of
 * `registry.blocks`, which has the digests of the blocks. Without a pin, the digest comes from
 * SHA256SUMS on the same host: this reveals damage, but not a host that lies about everything.
 * A cold answer takes three rounds of requests: ends of the files, key, concept.
 */
import { formatProblem } from "../../contract/problem.ts";
import { answerRequest } from "../../registry/answer.ts";
import {
  blockSource,
  type BlockStore,
  SilentError,
  sha256,
  StorageError,
  untilHeld,
} from "../../registry/block-source.ts";
import { BLOCK_BYTES, PIECE_BYTES } from "../../registry/index-format.ts";
import { bundleLengthOf, IndexError, openIndex, type RegistryIndex } from "../../registry/index.ts";
import { concat, toHex } from "../../text/bytes.ts";
import { BLOCKS_FILE, BUNDLE_FILE, INDEX_FILE, ROOT_FILE, SUMS_FILE } from "../../contract/files.ts";
import { type Fetching, type RangeFile, rangeFile } from "./range-file.ts";

export interface RemoteOptions {
  /** Lowercase hex SHA-256 that `registry.root` must have. */
  readonly sha256?: string;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch;
  /** For each request. */
  readonly timeoutMs?: number;
  /** The most that is read of a file if the host ignores ranges. */
  readonly wholeMaxBytes?: number;
}

export interface RemoteRegistry {
  readonly registryVersion: string;
  /**
   * Answers a request, `{ expression, language? }`, with the status and, byte for byte, the body of
   * `POST /api/v1/resolve`. Throws StorageError if the registry cannot be read; it never guesses.
   */
  resolve(request: unknown): Promise<{ readonly status: number; readonly body: string }>;
  /** Asks the index itself. Throws as `resolve` does. */
  ask<T>(question: (index: RegistryIndex) => T): Promise<T>;
}

/** The most bytes of blocks that are held, and as many of their digests. */
const HELD_BYTES = 16 * 1024 * 1024;
/**
 * The end of the index: footer, meta and directory of a million expressions, counted from the start
 * of a block.
 */
const INDEX_END_BYTES = 96 * 1024;
const SMALL_FILE_BYTES = 4 * 1024 * 1024;

/** Opens the release below `base`. Throws StorageError. */
export async function openRegistry(base: string, options: RemoteOptions = {}): Promise<RemoteRegistry> {
  /** A host may give two releases one entity tag, so that a cache has the other's bytes. */
  const openPastCache = (error: unknown): Promise<RegistryIndex> => {
    if (!(error instanceof IndexError) || error instanceof SilentError) throw error;
    return openRemoteIndex(base, options, "reload");
  };
  let index = await openRemoteIndex(base, options).catch(openPastCache);
  const ask: RemoteRegistry["ask"] = (question) => {
    const asked = async () => untilHeld(() => question(index));
    return asked().catch(async (error: unknown) => {
      index = await openPastCache(error);
      return asked();
    });
  };
  return {
    registryVersion: index.meta.registryVersion,
    ask,
    async resolve(request) {
      const answer = await ask((opened) => answerRequest(opened, request));
      if (answer.ok) return { status: 200, body: `${answer.envelope}\n` };
      return { status: answer.problem.status, body: formatProblem(answer.problem) };
    },
  };
}

/** Opens the index below `base`; use it inside `untilHeld`. Throws StorageError. */
export async function openRemoteIndex(
  base: string,
  options: RemoteOptions,
  cache?: Fetching["cache"],
): Promise<RegistryIndex> {
  const defaults = { fetch: fetch.bind(globalThis), timeoutMs: 10_000, wholeMaxBytes: 2 * HELD_BYTES };
  const fetching = { ...defaults, ...options, ...(cache && { cache }) };
  const fileAt = (name: string): RangeFile => rangeFile(new URL(name, base.replace(/\/*$/, "/")).href, fetching);
  const [index, blocks, root] = [fileAt(INDEX_FILE), fileAt(BLOCKS_FILE), fileAt(ROOT_FILE)];
  const [pin, roots, indexEnd, blocksEnd] = await Promise.all([
    options.sha256 ?? readPin(fileAt(SUMS_FILE)),
    root.whole(SMALL_FILE_BYTES),
    index.last(INDEX_END_BYTES),
    blocks.last(2 * PIECE_BYTES),
  ]);
  if (toHex(await sha256(roots)) !== pin) throw new StorageError(root.url, `its digest is not ${pin}`);
  const digests = blockSource({
    name: blocks.url,
    length: blocks.length,
    blockBytes: PIECE_BYTES,
    maxBytes: HELD_BYTES,
    read: blocks.read,
    digests: (offset, length) => roots.subarray(offset, offset + length),
  });
  await digests.hold(blocks.length - blocksEnd.length, blocks.length, blocksEnd);
  const bundleLength = bundleLengthOf(indexEnd);
  const source = blockSource({
    name: index.url,
    length: bundleLength + index.length,
    blockBytes: BLOCK_BYTES,
    maxBytes: HELD_BYTES,
    read: readBoth(fileAt(BUNDLE_FILE), index, bundleLength),
    digests: async (offset, length) => untilHeld(() => digests.read(offset, length)),
  });
  await source.hold(source.length - indexEnd.length, source.length, indexEnd);
  return untilHeld(() => openIndex(source, { readsBeginning: false }));
}

/** The digest of `registry.root` in SHA256SUMS. */
async function readPin(sums: RangeFile): Promise<string> {
  const text = new TextDecoder().decode(await sums.whole(SMALL_FILE_BYTES));
  const [, pin] = new RegExp(`^([0-9a-f]{64})  ${ROOT_FILE}$`, "m").exec(text) ?? [];
  if (pin === undefined) throw new StorageError(sums.url, `it does not list ${ROOT_FILE}`);
  return pin;
}

type Readable = Pick<RangeFile, "read">;

/** Reads bundle and index as one source; the index begins at `border`. */
export function readBoth(bundle: Readable, index: Readable, border: number): BlockStore["read"] {
  return async (start, end) => {
    const parts = [];
    if (start < border) parts.push(bundle.read(start, Math.min(end, border)));
    if (end > border) parts.push(index.read(Math.max(start - border, 0), end - border));
    return concat(await Promise.all(parts), end - start);
  };
}
