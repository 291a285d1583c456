/**
 * Bytes that can be read at a position: the one thing the index reader asks of its host. A host gives it a file in
 * memory, positioned reads, HTTP ranges; the reader neither knows nor cares.
 */
export interface ByteSource {
  /** Size in bytes. */
  readonly length: number;
  /**
   * The bytes at `[offset, offset + length)`; the caller must not change them. Throws where they cannot be read. Who reads
   * much lends `into` for what a source would have to make room for; it may leave that alone.
   */
  read(offset: number, length: number, into?: Uint8Array): Uint8Array;
}

/** A source over bytes held in memory; reads are views, never copies. */
export function memorySource(bytes: Uint8Array): ByteSource {
  return { length: bytes.length, read: (offset, length) => bytes.subarray(offset, offset + length) };
}

/** Where bytes lie in a source. */
export interface Span {
  readonly offset: number;
  readonly length: number;
}

/** A span as pieces of at most `size` bytes, so that a large answer is never held whole. */
export function* pieces(source: ByteSource, { offset, length }: Span, size = 65_536): Generator<Uint8Array> {
  for (let at = 0; at < length; at += size) yield source.read(offset + at, Math.min(size, length - at));
}
