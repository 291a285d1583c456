/**
 * Guards the reads of a store that may be slow, gone or wrong. Each read has a time limit and is
 * retried after a pause; concurrent readers of a block share its read; a block is accepted only if
 * it matches its digest. If the store does not answer, only a probe still asks it, which also
 * notices when it recovers.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { sha256 } from "../../http/digest.ts";
import { type BlockStore, StorageError } from "../../registry/block-source.ts";
import type { StoreState } from "../../release/release.ts";
import { concat } from "../../text/bytes.ts";

/** The limits of reading from a store, as docs/scale.md lists them. */
export const STORE_LIMITS = {
  /** For each attempt, including the connection. */
  timeoutMs: 1000,
  /** The most attempts of a read. */
  attempts: 4,
  /** The pause before the second attempt is random, at most twice this; the limit then doubles. */
  pauseMs: 25,
  /** After this many attempts in a row without an answer, only the probe asks the store. */
  silentMax: 8,
  /** The interval at which the probe asks for the blocks that could not be read. */
  probeMs: 1000,
  /** How long after an attempt without an answer the Redis client starts again. */
  renewMs: 5000,
  /** The most blocks that the probe asks for; only requests ask for any others. */
  probedMax: 1000,
} as const;

/** The store answered, but not with the block. */
export class BlockError extends Error {
  readonly block: number;

  constructor(block: number, reason: string) {
    super(reason);
    this.block = block;
  }
}

/** A failed read; the guard reported the first failure. */
export class StoreError extends StorageError {
  override name = "StoreError";
}

export interface Guarded {
  /** Reads whole blocks, which are not trusted. */
  readonly store: Pick<BlockStore, "name" | "length" | "blockBytes" | "read">;
  /** The digest of a block, in lowercase hex. */
  readonly digestOf: (block: number) => string;
  /** A number from 0 to 1. */
  readonly chance: () => number;
  /** Receives one line when a block cannot be read, and one when all can be read again. */
  readonly report: (line: string) => void;
  /** Called after each attempt without an answer. */
  readonly onSilence?: () => void;
  readonly limits?: Readonly<Record<keyof typeof STORE_LIMITS, number>>;
}

export class Guard implements StoreState {
  readonly reads = { ok: 0, retried: 0, failed: 0, refused: 0 };
  readonly #own: Guarded;
  readonly #limits: NonNullable<Guarded["limits"]>;
  readonly #coming = new Map<number, Promise<Uint8Array>>();
  /** Blocks that could not be read, and why. */
  readonly #failing = new Map<number, string>();
  /** The attempts since the last answer, and why the latest of them had none. */
  #silent = 0;
  #silence = "";
  #probe: NodeJS.Timeout | undefined;

  constructor(own: Guarded) {
    this.#own = own;
    this.#limits = own.limits ?? STORE_LIMITS;
  }

  get fault(): string | undefined {
    const [reason] = this.#failing.values();
    return reason;
  }

  /** Reads whole blocks. Throws StoreError. */
  readonly read: BlockStore["read"] = async (start, end) => {
    const { blockBytes } = this.#own.store;
    const [first, behind] = [start / blockBytes, Math.ceil(end / blockBytes)];
    const blocks = Array.from({ length: behind - first }, (_none, i) => first + i);
    let from: number | undefined;
    for (const block of [...blocks, behind]) {
      if (block < behind && !this.#coming.has(block)) from ??= block;
      else if (from !== undefined) {
        this.#begin(from, block);
        from = undefined;
      }
    }
    const parts = await Promise.all(blocks.map(async (block) => (await this.#coming.get(block)) ?? new Uint8Array()));
    return concat(parts, end - start);
  };

  close(): void {
    clearTimeout(this.#probe);
    this.#probe = undefined;
  }

  #begin(from: number, behind: number): void {
    const { blockBytes } = this.#own.store;
    const all = this.#readBlocks(from, behind);
    for (let block = from; block < behind; block++) {
      const at = (block - from) * blockBytes;
      const own = all.then((bytes) => bytes.subarray(at, at + blockBytes));
      this.#coming.set(block, own.finally(() => this.#coming.delete(block))); // prettier-ignore
    }
  }

  async #readBlocks(from: number, behind: number): Promise<Uint8Array> {
    const { attempts, pauseMs, silentMax } = this.#limits;
    for (let attempt = 1; ; attempt++) {
      if (this.#silent >= silentMax) {
        this.reads.refused++;
        throw this.#fail(from, new Error(`the store does not answer: ${this.#silence}`));
      }
      try {
        return await this.#attempt(from, behind);
      } catch (error) {
        if (attempt < attempts) {
          this.reads.retried++;
          await sleep(this.#own.chance() * pauseMs * 2 ** attempt);
          continue;
        }
        this.reads.failed++;
        throw this.#fail(from, error as Error);
      }
    }
  }

  async #attempt(from: number, behind: number): Promise<Uint8Array> {
    const { store, digestOf } = this.#own;
    const [start, end] = [from * store.blockBytes, Math.min(behind * store.blockBytes, store.length)];
    let bytes: Uint8Array;
    try {
      bytes = await within(this.#limits.timeoutMs, store.read(start, end));
      this.#silent = 0;
    } catch (error) {
      this.#silent = error instanceof BlockError ? 0 : this.#silent + 1;
      this.#silence = (error as Error).message;
      if (this.#silent > 0) this.#own.onSilence?.();
      throw error;
    }
    for (let block = from; block < behind; block++) {
      const at = (block - from) * store.blockBytes;
      if (sha256(bytes.subarray(at, at + store.blockBytes)) !== digestOf(block))
        throw new BlockError(block, "it differs from its digest");
    }
    this.reads.ok++;
    return bytes;
  }

  #fail(from: number, cause: Error): StoreError {
    const { store, digestOf, report } = this.#own;
    const block = cause instanceof BlockError ? cause.block : from;
    const error = new StoreError(store.name, `block ${block}, ${digestOf(block)}: ${oneLine(cause.message)}`);
    const { size } = this.#failing;
    // If the store does not answer, one block represents all.
    if (size === 0 || (cause instanceof BlockError && size < this.#limits.probedMax && !this.#failing.has(block))) {
      this.#failing.set(block, error.message);
      report(error.message);
    }
    this.#probe ??= setTimeout(() => void this.#look(), this.#limits.probeMs).unref();
    return error;
  }

  /** Asks for the blocks that could not be read; ends when all can be read. */
  async #look(): Promise<void> {
    for (const block of this.#failing.keys()) {
      try {
        await this.#attempt(block, block + 1);
        this.#failing.delete(block);
      } catch (error) {
        if (!(error instanceof BlockError)) break;
      }
    }
    if (this.#failing.size > 0) return void this.#probe?.refresh();
    this.#probe = undefined;
    this.#own.report(`${this.#own.store.name} can be read again`);
  }
}

/** A store may send any text as an error: it must not forge log lines or control a terminal. */
function oneLine(text: string): string {
  return text.slice(0, REASON_MAX).replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, escaped);
}

const REASON_MAX = 1000;

function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`;
}

/** Returns the answer; throws if there is none in time. */
export async function within<T>(milliseconds: number, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    const late = new Error(`there is no answer within ${milliseconds} ms`);
    timer = setTimeout(() => reject(late), milliseconds);
  });
  try {
    return await Promise.race([answer, limit]);
  } finally {
    clearTimeout(timer);
  }
}
