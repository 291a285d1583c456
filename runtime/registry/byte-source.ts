/**
 * Bytes that can be read at a position: all that the index reader needs from its host. A host may
 * offer a file in memory, positioned reads or HTTP ranges.
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
  /** Where `needle` begins in `bytes`, from a position on, or -1: for hosts that search faster than a loop. */
  indexOf?(this: void, bytes: Uint8Array, needle: Uint8Array, from: number): number;
  /**
   * Only where reads may lack bytes (block-source.ts): throws BytesMissing for what is not held of `spans`, and gets
   * with it what is not held of `ahead`.
   */
  need?(this: void, spans: readonly Span[], ahead?: readonly Span[]): void;
  /** How much of something long is read at once, if not 64 KiB: more where each read takes its time. */
  readonly pieceBytes?: number;
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

/** A span in pieces of at most `size` bytes, so that a large answer is never held as a whole. */
export function* pieces(source: ByteSource, span: Span, size?: number): Generator<Uint8Array> {
  for (const { offset, length } of split(span, size)) yield source.read(offset, length);
}

/** A span as spans of at most `size` bytes. */
export function* split({ offset, length }: Span, size = 65_536): Generator<Span> {
  for (let at = 0; at < length; at += size) yield { offset: offset + at, length: Math.min(size, length - at) };
}
