/**
 * Opens the index of a side, which need not be one that this version would serve. It is read in
 * blocks, every expression it answers to can be listed, and bytes that no builder wrote are refused
 * as damage, wherever they make a reader fail.
 */
import type { ByteSource } from "../../runtime/registry/byte-source.ts";
import { CODE_KEY_PREFIX } from "../../runtime/registry/index-format.ts";
import { openIndex, type RegistryIndex } from "../../runtime/registry/index.ts";
import { INDEX_FILE } from "../../runtime/contract/files.ts";
import { openRegistryFiles } from "../../runtime/release/registry-files.ts";
import { viewOf } from "../../runtime/text/bytes.ts";
import { UsageError } from "../text/usage-error.ts";

/** An index, and the name that people use for it. */
export interface NamedIndex {
  readonly index: RegistryIndex;
  readonly side: { readonly given: string };
}

/**
 * The index is read by position, whatever its size: two large ones must leave memory for the
 * findings.
 */
const MEMORY_MAX_BYTES = 0;

/**
 * Opens the index of a release folder that is named `given`. Throws ReleaseError, or UsageError for
 * damage.
 */
export function openSideIndex(directory: string, given: string): { readonly index: RegistryIndex; close(): void } {
  const files = openRegistryFiles(directory, MEMORY_MAX_BYTES);
  const index = openIndex(cachedSource(files.index.source));
  return { index: guarded(index, given), close: () => files.close() };
}

/** Reports an index that no builder wrote. */
export function refuseDamaged(given: string): never {
  throw new UsageError(`${given}: ${INDEX_FILE} is damaged: restore the file or build again`);
}

/** The code that replies have for a concept. */
export function codeOf({ index, side }: NamedIndex, id: number): string {
  try {
    const { code } = JSON.parse(decoder.decode(index.read(index.concept(id).resolved))) as { code?: unknown };
    if (typeof code === "string") return code;
  } catch {
    // Refused below.
  }
  return refuseDamaged(side.given);
}

/**
 * Bytes that no builder wrote can make a reader fail anywhere: whatever the error is, it is
 * reported as damage.
 */
function guarded(index: RegistryIndex, given: string): RegistryIndex {
  const guard =
    <Args extends unknown[], T>(read: (...args: Args) => T) =>
    (...args: Args): T => {
      try {
        return read(...args);
      } catch {
        return refuseDamaged(given);
      }
    };
  return {
    ...index,
    source: { length: index.source.length, read: guard((offset, length) => index.source.read(offset, length)) },
    read: guard((span) => index.read(span)),
    postings: guard(lastKnown((key) => index.postings(key))),
    concept: guard((id) => index.concept(id)),
  };
}

/** A comparison asks for the same key several times in a row. */
function lastKnown<T>(read: (key: string) => T): (key: string) => T {
  let last: { readonly key: string; readonly value: T } | undefined;
  return (key) => {
    if (last?.key !== key) last = { key, value: read(key) };
    return last.value;
  };
}

const BLOCK_BYTES = 1 << 18;
const BLOCKS_MAX = 64;

/**
 * Reads bytes in blocks and keeps some of them: a comparison walks an index in order, in very many
 * small reads.
 */
export function cachedSource(source: ByteSource): ByteSource {
  const blocks = new Map<number, Uint8Array>();
  const blockAt = (number: number): Uint8Array => {
    const known = blocks.get(number);
    if (known !== undefined) return known;
    const start = number * BLOCK_BYTES;
    const block = source.read(start, Math.min(BLOCK_BYTES, source.length - start));
    // A map keeps the order in which keys were added: the first is the oldest.
    for (const oldest of blocks.keys()) if (blocks.size >= BLOCKS_MAX) blocks.delete(oldest);
    blocks.set(number, block);
    return block;
  };
  return {
    length: source.length,
    read(offset, length) {
      if (offset + length > source.length) throw new RangeError("Read past the end");
      const number = Math.floor(offset / BLOCK_BYTES);
      const start = offset - number * BLOCK_BYTES;
      if (start + length > BLOCK_BYTES) return source.read(offset, length);
      return blockAt(number).subarray(start, start + length);
    },
  };
}

/**
 * The key of each published expression, once, in no meaningful order. It is read from the key pages
 * themselves (layout: runtime/registry/index-format.ts): an index resolves the keys they contain,
 * whatever its concepts say.
 */
export function* publishedKeys({ index, side }: NamedIndex): Generator<string, void> {
  const { source, sections } = index;
  const directory = viewOf(index.read(sections.directory));
  for (let at = 0; at + 8 <= directory.byteLength; at += 4) {
    const [start, end] = [directory.getUint32(at, true) * 4, directory.getUint32(at + 4, true) * 4];
    const page = source.read(sections.pages.offset + start, end - start);
    try {
      yield* keysOf(page);
    } catch (error) {
      if (error instanceof RangeError) refuseDamaged(side.given);
      throw error;
    }
  }
}

function keysOf(page: Uint8Array): string[] {
  const view = viewOf(page);
  const count = view.getUint32(0, true);
  const keys: string[] = [];
  for (let i = 0; i < count; i++) {
    const entry = view.getUint32(4 + (count + i) * 4, true);
    const key = page.subarray(entry + 2, entry + 2 + view.getUint16(entry, true));
    if (key[0] !== CODE_KEY_PREFIX) keys.push(decoder.decode(key));
  }
  return keys;
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
