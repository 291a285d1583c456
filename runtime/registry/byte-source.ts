/**
 * Bytes that can be read at a position: the index reader needs nothing else from its host. A host
 * may offer a file in memory, positioned reads or HTTP ranges.
 */
export interface ByteSource {
  /** Size in bytes. */
  readonly length: number;
  /**
   * The bytes at `[offset, offset + length)`; the caller must not change them. Throws if they
   * cannot be read. A caller that reads a lot can lend the buffer `into`; the source may use it
   * instead of allocating one.
   */
  read(offset: number, length: number, into?: Uint8Array): Uint8Array;
  /**
   * The first position of `needle` in `bytes`, at or after `from`, or -1. Only for hosts that
   * search faster than a loop.
   */
  indexOf?(this: void, bytes: Uint8Array, needle: Uint8Array, from: number): number;
  /**
   * Only for sources whose reads may lack bytes (block-source.ts). Throws BytesMissing if part of
   * `spans` is not held; its `get` then also loads `ahead`.
   */
  need?(this: void, spans: readonly Span[], ahead?: readonly Span[]): void;
  /** Size of the pieces of a long read, if not 64 KiB: larger if each read is slow. */
  readonly pieceBytes?: number;
}

/** A source over bytes in memory; reads return views, never copies. */
export function memorySource(bytes: Uint8Array): ByteSource {
  return { length: bytes.length, read: (offset, length) => bytes.subarray(offset, offset + length) };
}

/** A range of bytes in a source. */
export interface Span {
  readonly offset: number;
  readonly length: number;
}

/**
 * Reads a span in pieces of at most `size` bytes, so that a large answer is never held as a whole.
 */
export function* pieces(source: ByteSource, span: Span, size?: number): Generator<Uint8Array> {
  for (const { offset, length } of split(span, size)) yield source.read(offset, length);
}

/** Splits a span into spans of at most `size` bytes. */
export function* split({ offset, length }: Span, size = 65_536): Generator<Span> {
  for (let at = 0; at < length; at += size) yield { offset: offset + at, length: Math.min(size, length - at) };
}
