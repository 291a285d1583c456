/**
 * The files of a compiled registry while they are emitted, seen as one stream: the current offset,
 * the place of each section, and the digests so far.
 */
import { createHash } from "node:crypto";
import type { Span } from "../../runtime/registry/byte-source.ts";
import {
  BLOCK_BYTES,
  FOOTER_BYTES,
  FOOTER_FIELDS,
  MAGIC,
  PIECE_BYTES,
  type Section,
  SECTIONS,
} from "../../runtime/registry/index-format.ts";
import { tap } from "../text/chunks.ts";
import type { MemoryBudget } from "../effects/effects.ts";
import { Spool } from "../scratch/spool.ts";

type Bytes = Generator<Uint8Array, void>;

export class SectionedFiles {
  readonly #spans = new Map<Section, Span>();
  readonly #digest = createHash("sha256");
  readonly #blocks: BlockDigests;
  readonly #pieces: BlockDigests;
  #at = 0;

  constructor(budget: MemoryBudget) {
    this.#blocks = new BlockDigests(BLOCK_BYTES, budget);
    this.#pieces = new BlockDigests(PIECE_BYTES, budget);
  }

  /** The digest of everything emitted so far. */
  digest(): Buffer {
    return this.#digest.copy().digest();
  }

  *emit(chunk: Uint8Array): Bytes {
    this.#count(chunk);
    yield chunk;
  }

  /** Emits a section; returns the value that its generator returned. */
  *section<T>(name: Section, chunks: Generator<Uint8Array, T>): Generator<Uint8Array, T> {
    const offset = this.#at;
    const value = yield* tap(chunks, (chunk) => this.#count(chunk));
    this.#spans.set(name, { offset, length: this.#at - offset });
    return value;
  }

  /** Emits zeros up to the next multiple of 8. */
  *pad(): Bytes {
    yield* this.emit(new Uint8Array(-this.#at & 7));
  }

  #count(chunk: Uint8Array): void {
    this.#digest.update(chunk);
    this.#blocks.add(chunk);
    this.#at += chunk.length;
  }

  *footer(fields: Record<(typeof FOOTER_FIELDS)[number], number>): Bytes {
    const footer = new Uint8Array(FOOTER_BYTES);
    const view = new DataView(footer.buffer);
    SECTIONS.forEach((name, i) => {
      const { offset, length } = this.#spans.get(name) ?? { offset: 0, length: 0 };
      view.setBigUint64(i * 16, BigInt(offset), true);
      view.setBigUint64(i * 16 + 8, BigInt(length), true);
    });
    FOOTER_FIELDS.forEach((name, i) => view.setUint32(SECTIONS.length * 16 + i * 4, fields[name], true));
    footer.set(MAGIC, FOOTER_BYTES - MAGIC.length);
    yield* this.emit(footer);
    yield* this.emit(this.digest());
  }

  blocks(): Bytes {
    return tap(this.#blocks.finish(), (chunk) => this.#pieces.add(chunk));
  }

  root(): Bytes {
    return this.#pieces.finish();
  }
}

/** The digest of each block of a stream. */
class BlockDigests {
  readonly #size: number;
  readonly #digests: Spool;
  #running = createHash("sha256");
  #left: number;

  constructor(size: number, budget: MemoryBudget) {
    this.#size = size;
    this.#left = size;
    this.#digests = new Spool(budget);
  }

  add(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length;) {
      const piece = chunk.subarray(at, at + this.#left);
      this.#running.update(piece);
      this.#left -= piece.length;
      at += piece.length;
      if (this.#left === 0) this.#end();
    }
  }

  *finish(): Bytes {
    if (this.#left < this.#size) this.#end();
    yield* this.#digests.chunks();
  }

  #end(): void {
    this.#digests.append(this.#running.digest());
    this.#running = createHash("sha256");
    this.#left = this.#size;
  }
}
