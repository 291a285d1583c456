/**
 * Opens the files of a compiled registry (layout: index-format.ts), bundle and index as one source.
 * A small registry is held in memory and checked as a whole at once. A large one is read by
 * position through verified-source.ts, and checked as a whole in the background.
 * Source: ruling O-35; decision 002.
 */
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { runInSteps } from "../registry/block-source.ts";
import { type ByteSource, memorySource } from "../registry/byte-source.ts";
import { DIGEST_BYTES, MAGIC } from "../registry/index-format.ts";
import { BUNDLE_FILE, INDEX_FILE } from "../contract/files.ts";
import { damaged, openFile, ReleaseError, stampOf } from "./plain-file.ts";
import { hasMagic, IndexError, openIndex, type RegistryIndex } from "../registry/index.ts";
import { verifiedSource } from "./verified-source.ts";

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
  /** How often a block was compared with its digest; each block of a small registry, once. */
  blockChecks(): number;
  close(): void;
}

/**
 * A registry up to this size is read into memory. A larger one is read by position, and as much of
 * it is held.
 */
export const MEMORY_MAX_BYTES = 32 * 1024 * 1024;

/**
 * Opens the registry. Without `expected` only its structure is checked. Throws ReleaseError.
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
    if (expected === undefined) return { ...common, index: openIndex(source), blockChecks: () => 0 };
    const steps = checkParts(source, parts, expected);
    checks = steps;
    if (isSmall) {
      const index = openIndex(source);
      const damage = atOnce(steps);
      if (damage !== undefined) throw new ReleaseError(damage);
      return { ...common, index, blockChecks: () => expected.blocks.length / DIGEST_BYTES };
    }
    let checked: Promise<string | undefined> | undefined;
    const check = (): Promise<string | undefined> => (checked ??= runInSteps(steps));
    let tell: (fault: string) => void;
    const damage = new Promise<string>((resolve) => (tell = resolve));
    const onDamage = (start: number, end: number): void => tell(damaged(filesAt(parts, start, end)));
    const verified = verifiedSource(source, { digests: expected.blocks, heldBytes: memoryMaxBytes, onDamage });
    return { ...common, index: openIndex(verified), check, damage, blockChecks: () => verified.blockChecks() };
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

/** The files of a block, which may hold the end of one and the beginning of the next. */
function filesAt(parts: readonly Part[], start: number, end: number): string {
  const files = parts.filter(({ offset, size }) => offset < end && offset + size > start);
  return files.map(({ file }) => file).join(" or ");
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
