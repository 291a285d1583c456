/**
 * Opens the files of a compiled registry (layout: index-format.ts), bundle and index as one source.
 * A small registry is held in memory and checked as a whole at once. Each block of a large one is
 * checked when it is first read and again soon after a change of its file (LOOK_MS); the whole is
 * checked in the background.
 * Source: ruling O-35; decision 002.
 */
import { createHash, hash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { runInSteps } from "../registry/block-source.ts";
import { type ByteSource, memorySource } from "../registry/byte-source.ts";
import { BLOCK_BYTES, DIGEST_BYTES, digestAt, MAGIC, READABLE_FORMATS } from "../registry/index-format.ts";
import { BUNDLE_FILE, INDEX_FILE } from "./manifest.ts";
import { damaged, openFile, ReleaseError, stampOf } from "./plain-file.ts";
import { hasMagic, IndexError, openIndex, type RegistryIndex } from "../registry/index.ts";

/** The digests that the release has of these files. */
export interface Expected {
  /** Lowercase hex SHA-256, by path. */
  readonly digests: ReadonlyMap<string, string>;
  /** The digests of the blocks, concatenated. */
  readonly blocks: Uint8Array;
}

export interface RegistryFiles {
  readonly index: RegistryIndex;
  /** By path; a stamp changes whenever its file is written. */
  readonly stamps: ReadonlyMap<string, string>;
  /**
   * Checks the files that were not yet checked as a whole, yielding to other work. Resolves to the
   * fault, on one line, or to undefined.
   */
  check(): Promise<string | undefined>;
  /** Resolves to the fault as soon as a block that is read differs from its digest. */
  readonly damage: Promise<string>;
  /** How many blocks of a large registry have been read and checked; all blocks of a small one. */
  checkedBlocks(): number;
  close(): void;
}

/** A registry up to this size is read into memory; a larger one by position, via the page cache. */
export const MEMORY_MAX_BYTES = 32 * 1024 * 1024;

/**
 * Opens the registry. Without `expected` only its structure is checked, and it may have a former
 * format. Throws ReleaseError.
 */
export function openRegistryFiles(
  directory: string,
  memoryMaxBytes = MEMORY_MAX_BYTES,
  expected?: Expected,
): RegistryFiles {
  const parts = openParts(directory);
  let checks: Generator<void, string | undefined> | undefined;
  const close = (): void => {
    checks?.return(undefined);
    // Only once, and nothing reads afterwards: the system reuses the number for another file.
    for (const { descriptor } of parts.splice(0)) fs.closeSync(descriptor);
  };
  try {
    const stamps = new Map(parts.map(({ name, stamp }) => [name, stamp]));
    const files = positionedSource(parts);
    const isSmall = files.length <= memoryMaxBytes;
    const source = isSmall ? memorySource(files.read(0, files.length, new Uint8Array(files.length))) : files;
    assertIndex(parts, source);
    const common = { stamps, check: nothingWrong, damage: NEVER, close };
    if (expected === undefined)
      return { ...common, index: openIndex(source, { formats: READABLE_FORMATS }), checkedBlocks: () => 0 };
    const steps = checkParts(source, parts, expected);
    checks = steps;
    if (isSmall) {
      const index = openIndex(source);
      const damage = atOnce(steps);
      if (damage !== undefined) throw new ReleaseError(damage);
      return { ...common, index, checkedBlocks: () => expected.blocks.length / DIGEST_BYTES };
    }
    let checked: Promise<string | undefined> | undefined;
    const check = (): Promise<string | undefined> => (checked ??= runInSteps(steps));
    const { damage, checkedBlocks, ...blocks } = checkedSource(source, parts, expected.blocks);
    return { ...common, index: openIndex(blocks), check, damage, checkedBlocks };
  } catch (error) {
    close();
    if (error instanceof ReleaseError) throw error;
    // Hostile bytes can make the reader fail anywhere; any error refuses the file.
    const reason = error instanceof IndexError ? error.message : "Registry index is damaged";
    throw new ReleaseError(`${path.join(directory, INDEX_FILE)}: ${reason}; restore the file or build again`);
  }
}

const nothingWrong = (): Promise<undefined> => Promise.resolve(undefined);
/** Bytes in memory do not change. */
export const NEVER = new Promise<never>(() => undefined);

/** A file as a part of the source. */
interface Part {
  readonly name: string;
  readonly file: string;
  readonly descriptor: number;
  readonly stamp: string;
  /** Where it begins in the source. */
  readonly offset: number;
  readonly size: number;
}

/** Opens the files in order. */
function openParts(directory: string): Part[] {
  const parts: Part[] = [];
  let offset = 0;
  try {
    for (const name of [BUNDLE_FILE, INDEX_FILE]) {
      const file = path.join(directory, name);
      const descriptor = openFile(file);
      const stats = fs.fstatSync(descriptor, { bigint: true });
      const size = Number(stats.size);
      parts.push({ name, file, descriptor, stamp: stampOf(stats), offset, size });
      offset += size;
    }
    return parts;
  } catch (error) {
    for (const { descriptor } of parts) fs.closeSync(descriptor);
    throw error;
  }
}

/** Recognizes a foreign file by its first bytes, before its footer is read. */
function assertIndex(parts: readonly Part[], source: ByteSource): void {
  const { offset = 0, size = 0 } = parts.at(-1) ?? {};
  if (size < MAGIC.length || !hasMagic(source.read(offset, MAGIC.length)))
    throw new IndexError("Not a registry index: the first bytes are not its magic number");
}

/** Yields after hashing each piece; returns the fault. */
function* checkParts(
  source: ByteSource,
  parts: readonly Part[],
  { digests }: Expected,
): Generator<void, string | undefined> {
  const room = new Uint8Array(HASH_BYTES);
  for (const { name, file, offset, size } of parts) {
    const running = createHash("sha256");
    try {
      for (let at = 0; at < size; at += HASH_BYTES) {
        running.update(source.read(offset + at, Math.min(HASH_BYTES, size - at), room));
        yield;
      }
    } catch {
      return damaged(file);
    }
    if (running.digest("hex") !== digests.get(name)) return damaged(file);
  }
  return undefined;
}

/** Bytes hashed at once: they stay in the processor's cache between reading and hashing. */
const HASH_BYTES = 256 * 1024;

/** Runs all steps at once. */
function atOnce<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** How long a change of the files may go unnoticed. */
const LOOK_MS = 100;

/**
 * Checks each block when it is first read, and again after a write to the files. A read throws
 * IndexError if a block is damaged.
 */
function checkedSource(
  source: ByteSource,
  parts: readonly Part[],
  blocks: Uint8Array,
): ByteSource & Pick<RegistryFiles, "checkedBlocks" | "damage"> {
  const count = Math.ceil(source.length / BLOCK_BYTES);
  if (blocks.length !== count * DIGEST_BYTES)
    throw new IndexError("Registry index is damaged: its block digests do not match its size");
  const isChecked = new Uint8Array(count);
  const room = new Uint8Array(BLOCK_BYTES);
  let checked = 0;
  let [stamps, isLookedAt] = [parts.map(({ stamp }) => stamp).join(), false];
  const look = (): void => {
    isLookedAt = true;
    setTimeout(() => (isLookedAt = false), LOOK_MS).unref();
    const found = parts.map(({ descriptor }) => stampOf(fs.fstatSync(descriptor, { bigint: true }))).join();
    if (found === stamps) return;
    stamps = found;
    isChecked.fill(0);
    checked = 0;
  };
  let tell: ((what: string) => void) | undefined;
  const damage = new Promise<string>((resolve) => (tell = resolve));
  const checkBlock = (block: number): void => {
    const [from, to] = [block * BLOCK_BYTES, Math.min((block + 1) * BLOCK_BYTES, source.length)];
    // A block that cannot be read now may be readable later, so that is not damage.
    const bytes = source.read(from, to - from, room);
    if (!hash("sha256", bytes, "buffer").equals(digestAt(blocks, block))) {
      // A block may hold the end of one file and the beginning of the next.
      const files = parts.filter(({ offset, size }) => offset < to && offset + size > from).map(({ file }) => file);
      tell?.(damaged(files.join(" or ")));
      throw new IndexError("Registry index is damaged: a block differs from its digest");
    }
    isChecked[block] = 1;
    checked++;
  };
  return {
    ...source,
    damage,
    checkedBlocks: () => checked,
    read(offset, length, into) {
      if (!isLookedAt) look();
      const end = Math.ceil((offset + length) / BLOCK_BYTES);
      for (let block = Math.floor(offset / BLOCK_BYTES); block < end; block++) {
        if (isChecked[block] !== 1) checkBlock(block);
      }
      return source.read(offset, length, into);
    },
  };
}

/** The files as one source, in order. */
function positionedSource(parts: readonly Part[]): ByteSource {
  return {
    length: parts.reduce((sum, { size }) => sum + size, 0),
    indexOf: (bytes, needle, from) => Buffer.prototype.indexOf.call(bytes, needle, from),
    read(offset, length, into = Buffer.allocUnsafe(length)) {
      const bytes = into.subarray(0, length);
      for (let at = 0; at < length;) {
        const position = offset + at;
        const part = parts.find((one) => position < one.offset + one.size);
        if (part === undefined) throw new IndexError("Registry index is cut short");
        const inPart = bytes.subarray(at, at + part.offset + part.size - position);
        const read = readAt(part.descriptor, inPart, position - part.offset);
        if (read === 0) throw new IndexError("Registry index is cut short");
        at += read;
      }
      return bytes;
    },
  };
}

/** One read call cannot exceed 2 GiB. */
const READ_MAX_BYTES = 1024 * 1024 * 1024;

function readAt(descriptor: number, into: Uint8Array, position: number): number {
  try {
    return fs.readSync(descriptor, into, 0, Math.min(into.length, READ_MAX_BYTES), position);
  } catch {
    throw new IndexError("Registry index cannot be read");
  }
}
