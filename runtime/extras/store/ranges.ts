/** A store of files: bundle and index, unchanged, on a host that serves ranges of them. */
import { type BlockStore, StorageError } from "../../registry/block-source.ts";
import { BUNDLE_FILE, INDEX_FILE } from "../../contract/files.ts";
import { rangeFile } from "./range-file.ts";
import { readBoth } from "./remote-registry.ts";
import { fetchReason } from "./fetch-reason.ts";

export interface Hosted {
  /** The URL of a dist. */
  readonly base: string;
  /** The sizes from the release's manifest. */
  readonly bundleBytes: number;
  readonly indexBytes: number;
  readonly timeoutMs: number;
}

export function readRanges({ base, bundleBytes, indexBytes, timeoutMs }: Hosted): BlockStore["read"] {
  const fetching = { fetch: askPlain, timeoutMs, wholeMaxBytes: 0 };
  const fileAt = (name: string, bytes: number): Readable => {
    const url = new URL(name, base.replace(/\/*$/, "/")).href;
    return {
      async read(start, end) {
        // A new one each time, because it keeps the first length that the host sends.
        const file = rangeFile(url, fetching);
        const part = await file.read(start, end);
        if (file.length === bytes) return part;
        throw new StorageError(url, `it has ${file.length} bytes instead of ${bytes}; it is of another release`);
      },
    };
  };
  return readBoth(fileAt(BUNDLE_FILE, bundleBytes), fileAt(INDEX_FILE, indexBytes), bundleBytes);
}

type Readable = Parameters<typeof readBoth>[0];

/** A host that compresses would send ranges of the compressed file. */
const askPlain: typeof fetch = async (url, init) => {
  const headers = { ...(init?.headers as Record<string, string>), "accept-encoding": "identity" };
  const response = await fetch(url, { ...init, headers }).catch((error: unknown) => {
    if (init?.signal?.aborted === true) throw error;
    throw new StorageError(url as string, `the host cannot be reached: ${fetchReason(error)}`);
  });
  const coding = response.headers.get("content-encoding") ?? "identity";
  if (coding !== "identity") throw new StorageError(response.url, `the host sends it as ${coding}`);
  return response;
};
