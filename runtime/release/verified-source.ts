/**
 * A byte source that trusts no file: each block that is read from it is compared with its digest,
 * and what is returned comes from the very bytes that were compared. So bytes that were changed in
 * place are never returned, even if neither the size nor the times of the file show the change.
 * Verified blocks are held in memory up to a limit, where no file can change them.
 * Source: ruling O-35; decision 002.
 */
import { hash } from "node:crypto";
import type { ByteSource } from "../registry/byte-source.ts";
import { IndexError } from "../registry/index.ts";
import { BLOCK_BYTES, DIGEST_BYTES, digestAt } from "../registry/index-format.ts";

export interface Verification {
  /** The digests of the blocks, concatenated. */
  readonly digests: Uint8Array;
  /** The most bytes of verified blocks that are held. With 0, each read verifies its blocks. */
  readonly heldBytes: number;
  /** Called with the bounds of a block that differs from its digest. */
  readonly onDamage: (start: number, end: number) => void;
}

export interface VerifiedSource extends ByteSource {
  /** How often a block was compared with its digest. */
  blockChecks(): number;
}

/** A read throws IndexError if a block differs from its digest, or cannot be read. */
export function verifiedSource(source: ByteSource, { digests, heldBytes, onDamage }: Verification): VerifiedSource {
  if (digests.length !== Math.ceil(source.length / BLOCK_BYTES) * DIGEST_BYTES)
    throw new IndexError("Registry index is damaged: its block digests do not match its size");
  const most = Math.floor(heldBytes / BLOCK_BYTES);
  /** In the order of their last use. */
  const held = new Map<number, Uint8Array>();
  let room: Uint8Array = new Uint8Array(BLOCK_BYTES);
  let checks = 0;

  const verify = (block: number): Uint8Array => {
    const [start, end] = [block * BLOCK_BYTES, Math.min((block + 1) * BLOCK_BYTES, source.length)];
    // A block that cannot be read now may be readable later, so that is not damage.
    room.set(source.read(start, end - start, room));
    checks++;
    if (!hash("sha256", room.subarray(0, end - start), "buffer").equals(digestAt(digests, block))) {
      onDamage(start, end);
      throw new IndexError("Registry index is damaged: a block differs from its digest");
    }
    return room;
  };
  /** Holds a block, and takes the room of the one that was not used for the longest time. */
  const hold = (block: number, bytes: Uint8Array): void => {
    held.set(block, bytes);
    const [[oldest, its] = [block, bytes]] = held;
    if (held.size > most && held.delete(oldest)) room = its;
    else room = new Uint8Array(BLOCK_BYTES);
  };
  const blockAt = (block: number): Uint8Array => {
    const known = held.get(block);
    if (known === undefined) {
      const bytes = verify(block);
      hold(block, bytes);
      return bytes;
    }
    held.delete(block);
    held.set(block, known);
    return known;
  };

  return {
    ...source,
    blockChecks: () => checks,
    read(offset, length, into = Buffer.allocUnsafe(length)) {
      if (offset + length > source.length) throw new IndexError("Registry index is cut short");
      const wanted = into.subarray(0, length);
      for (let at = 0; at < length;) {
        const [block, from] = [Math.floor((offset + at) / BLOCK_BYTES), (offset + at) % BLOCK_BYTES];
        const part = blockAt(block).subarray(from, from + length - at);
        wanted.set(part, at);
        at += part.length;
      }
      return wanted;
    },
  };
}
