/** Bytes that are read in blocks and kept for a while: a comparison walks an index in order, in very many small reads. */
import type { ByteSource } from "../../runtime/registry/byte-source.ts";

const BLOCK_BYTES = 1 << 18;
const BLOCKS_MAX = 64;

export function cachedSource(source: ByteSource): ByteSource {
  const blocks = new Map<number, Uint8Array>();
  const blockAt = (number: number): Uint8Array => {
    const known = blocks.get(number);
    if (known !== undefined) return known;
    const start = number * BLOCK_BYTES;
    const block = source.read(start, Math.min(BLOCK_BYTES, source.length - start));
    // A map keeps the order in which its keys came: the first is the oldest.
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
