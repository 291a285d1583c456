/**
 * The digests of regular files. A large file is not hashed as a whole in each pass: it is compared
 * by its metadata, and PASS_BYTES of it are hashed again. So a change that leaves no trace in the
 * metadata, as a write through a memory map may, is found after a round over the file.
 * Source: ruling O-35.
 */
import { createHash } from "node:crypto";
import { constants, type FileHandle, lstat, open } from "node:fs/promises";
import { sha256 } from "../http/digest.ts";
import { stampOf } from "./plain-file.ts";

/** How much of a file a pass hashes again: few milliseconds, and all of a registry of this size. */
const PASS_BYTES = 8 * 1024 * 1024;

/** What was known of a file when it was opened. */
export interface Known {
  readonly stamp: string;
  readonly sha256: string | undefined;
}

export class WatchedFile {
  readonly #file: string;
  readonly #passBytes: number;
  #stamp: string;
  /** Of the last whole file. */
  #sha256: string | undefined;
  #running = createHash("sha256");
  /** Where the round is. */
  #at = 0;

  constructor(file: string, known: Known, passBytes = PASS_BYTES) {
    this.#file = file;
    this.#passBytes = passBytes;
    [this.#stamp, this.#sha256] = [known.stamp, known.sha256];
  }

  /** One pass. Resolves to the last known digest; undefined if it is not a regular file. */
  async digest(): Promise<string | undefined> {
    const before = await this.#stampOnDisk();
    if (before === undefined) return undefined;
    const isSame = before === this.#stamp;
    if (!isSame) this.#startRound();
    const digest = await this.#hashOn(isSame ? this.#passBytes : Infinity);
    // A file that changes while it is read is read again next time.
    if (!isSame && digest !== undefined && (await this.#stampOnDisk()) === before) this.#stamp = before;
    return digest;
  }

  /** Hashes at most `most` bytes more. */
  async #hashOn(most: number): Promise<string | undefined> {
    try {
      return await withFile(this.#file, async (handle, { size }) => {
        const end = Math.min(this.#at + most, size);
        for await (const chunk of chunksOf(handle, this.#at, end)) {
          this.#running.update(chunk);
          this.#at += chunk.length;
        }
        if (this.#at >= size) {
          this.#sha256 = this.#running.digest("hex");
          this.#startRound();
        }
        return this.#sha256;
      });
    } catch {
      return undefined;
    }
  }

  #startRound(): void {
    this.#running = createHash("sha256");
    this.#at = 0;
  }

  async #stampOnDisk(): Promise<string | undefined> {
    try {
      const stats = await lstat(this.#file, { bigint: true });
      return stats.isFile() ? stampOf(stats) : undefined;
    } catch {
      return undefined;
    }
  }
}

/** Files up to this size are read as a whole, which costs less than a stream. */
const WHOLE_MAX_BYTES = 1024 * 1024;

/** Size and digest of a regular file; undefined if it is something else or cannot be read. */
export async function digestFile(file: string): Promise<{ bytes: number; sha256: string } | undefined> {
  try {
    return await withFile(file, async (handle, { size }) => {
      if (size <= WHOLE_MAX_BYTES) {
        const whole = await handle.readFile();
        return { bytes: whole.length, sha256: sha256(whole) };
      }
      const running = createHash("sha256");
      let bytes = 0;
      for await (const chunk of chunksOf(handle, 0, Infinity)) {
        running.update(chunk);
        bytes += chunk.length;
      }
      return { bytes, sha256: running.digest("hex") };
    });
  } catch {
    return undefined;
  }
}

interface Stats {
  readonly mode: number;
  readonly size: number;
}

/** Opens a regular file, without waiting on a pipe. Throws if it is anything else. */
export async function withFile<T>(file: string, use: (handle: FileHandle, stats: Stats) => Promise<T>): Promise<T> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new Error("Not a regular file");
    return await use(handle, stats);
  } finally {
    await handle.close();
  }
}

/** The bytes at `[start, end)`, in pieces. */
function chunksOf(handle: FileHandle, start: number, end: number): AsyncIterable<Buffer> | readonly Buffer[] {
  return start < end ? handle.createReadStream({ autoClose: false, start, end: end - 1 }) : [];
}
