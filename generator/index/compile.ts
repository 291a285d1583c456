/**
 * Checked registry to the bytes of its files (layout: runtime/index-format.ts), as a stream: each section is made piece by
 * piece and forgotten, so memory holds the registry once and never a file. Same registry and origin, same bytes.
 */
import { createHash, type Hash, hash } from "node:crypto";
import type { Span } from "../../runtime/registry/byte-source.ts";
import {
  BLOCK_BYTES,
  CONCEPT_RECORD,
  FOOTER_BYTES,
  FOOTER_FIELDS,
  FORMAT_VERSION,
  HASH_VERSION,
  type IndexMeta,
  MAGIC,
  MARK_CONCEPTS,
  PIECE_BYTES,
  type Section,
  SECTIONS,
} from "../../runtime/registry/index-format.ts";
import { once, tap, TextPieces } from "../effects/chunks.ts";
import {
  conceptDetail,
  conceptSummary,
  type PublishedRegistry,
  resolvedConcept,
} from "../registry/published-concept.ts";
import { planKeyPages } from "./key-pages.ts";
import { wordBlocks } from "./words.ts";

type Bytes = Generator<Uint8Array, void>;

/** A compiled registry on its way to its files, which are to be written in this order. */
export interface CompiledRegistry {
  readonly bundle: Bytes;
  readonly index: Bytes;
  /** The digests of the blocks of both. */
  readonly blocks: Bytes;
  /** The digests of the pieces of those. */
  readonly root: Bytes;
}

export function compileRegistry(published: PublishedRegistry): CompiledRegistry {
  const records = new ConceptRecords(published.registry.concepts.length);
  const files = new SectionedFiles();
  const bundle = createHash("sha256");
  return {
    bundle: files.section(
      "bundle",
      tap(detailLines(published, records), (chunk) => bundle.update(chunk)),
    ),
    index: indexSections(published, { records, files, bundle }),
    blocks: files.blocks(),
    root: files.root(),
  };
}

/** Bundle and index one behind the other, as they are read. */
export function* compileIndex(published: PublishedRegistry): Bytes {
  const { bundle, index } = compileRegistry(published);
  yield* bundle;
  yield* index;
}

interface Making {
  readonly records: ConceptRecords;
  readonly files: SectionedFiles;
  readonly bundle: Hash;
}

function* indexSections(published: PublishedRegistry, { records, files, bundle }: Making): Bytes {
  const { concepts, registryVersion } = published.registry;
  const plan = planKeyPages(concepts);
  const list = createHash("sha256");
  yield* files.emit(MAGIC);
  const padded = function* <T>(name: Section, chunks: Generator<Uint8Array, T>): Generator<Uint8Array, T> {
    const value = yield* files.section(name, chunks);
    yield* files.pad();
    return value;
  };
  yield* padded(
    "list",
    tap(listDocument(published, records), (chunk) => list.update(chunk)),
  );
  const words = yield* padded("words", wordBlocks({ count: concepts.length, concepts: () => concepts }));
  yield* padded("answers", answerParts(published, records));
  yield* padded("concepts", once(records.bytes));
  const { keyCount, directory } = yield* padded("pages", plan.pages());
  yield* padded("directory", once(directory));
  const meta: IndexMeta = {
    registryVersion,
    languages: plan.languages,
    strengths: plan.strengths,
    listSha256: list.digest("hex"),
    bundleSha256: bundle.digest("hex"),
    marks: records.marks(),
    words,
  };
  yield* padded("meta", once(encoder.encode(JSON.stringify(meta))));
  yield* files.footer({
    formatVersion: FORMAT_VERSION,
    hashVersion: HASH_VERSION,
    seed: plan.seed,
    pageCount: plan.pageCount,
    keyCount,
    conceptCount: concepts.length,
  });
}

/** Files of sections in the making, as one: knows where it is, where each section lies, and the digests so far. */
class SectionedFiles {
  readonly #spans = new Map<Section, Span>();
  readonly #digest = createHash("sha256");
  readonly #blocks = new BlockDigests(BLOCK_BYTES);
  readonly #pieces = new BlockDigests(PIECE_BYTES);
  #at = 0;

  *emit(chunk: Uint8Array): Bytes {
    this.#count(chunk);
    yield chunk;
  }

  /** Emits a section; gives what its generator returned. */
  *section<T>(name: Section, chunks: Generator<Uint8Array, T>): Generator<Uint8Array, T> {
    const offset = this.#at;
    const value = yield* tap(chunks, (chunk) => this.#count(chunk));
    this.#spans.set(name, { offset, length: this.#at - offset });
    return value;
  }

  /** To the next multiple of 8. */
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
    yield* this.emit(this.#digest.copy().digest());
  }

  *blocks(): Bytes {
    const digests = this.#blocks.finish();
    this.#pieces.add(digests);
    yield digests;
  }

  *root(): Bytes {
    yield this.#pieces.finish();
  }
}

/** The digest of each block of bytes that come in pieces. */
class BlockDigests {
  readonly #size: number;
  readonly #digests: Uint8Array[] = [];
  #running = createHash("sha256");
  #room: number;

  constructor(size: number) {
    this.#size = size;
    this.#room = size;
  }

  add(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length;) {
      const piece = chunk.subarray(at, at + this.#room);
      this.#running.update(piece);
      this.#room -= piece.length;
      at += piece.length;
      if (this.#room === 0) this.#end();
    }
  }

  finish(): Uint8Array {
    if (this.#room < this.#size) this.#end();
    return Buffer.concat(this.#digests);
  }

  #end(): void {
    this.#digests.push(this.#running.digest());
    this.#running = createHash("sha256");
    this.#room = this.#size;
  }
}

/** The ConceptList document: `{"data":[...],"count":n}` and a line feed. */
function* listDocument(published: PublishedRegistry, records: ConceptRecords): Bytes {
  const { concepts } = published.registry;
  const pieces = new TextPieces();
  let at = (yield* pieces.add('{"data":[')).length;
  for (const [id, concept] of concepts.entries()) {
    if (id > 0) at += (yield* pieces.add(",")).length;
    const { length } = yield* pieces.add(JSON.stringify(conceptSummary(published, concept)));
    records.set64(id, "summaryOffset", at);
    records.set32(id, "summaryLength", length);
    at += length;
  }
  yield* pieces.add(`],"count":${concepts.length}}\n`);
  yield* pieces.rest();
}

function* detailLines(published: PublishedRegistry, records: ConceptRecords): Bytes {
  const pieces = new TextPieces();
  let at = 0;
  for (const [id, concept] of published.registry.concepts.entries()) {
    const line = yield* pieces.add(`${JSON.stringify(conceptDetail(published, concept))}\n`);
    records.set64(id, "detailOffset", at);
    records.set32(id, "detailLength", line.length);
    records.setDigest(id, hash("sha256", line, "buffer"));
    at += line.length;
  }
  yield* pieces.rest();
}

/** Per concept the JSON that an answer is put together from: the resolved concept, and a candidate up to its score. */
function* answerParts(published: PublishedRegistry, records: ConceptRecords): Bytes {
  const pieces = new TextPieces();
  let at = 0;
  for (const [id, concept] of published.registry.concepts.entries()) {
    const resolved = yield* pieces.add(JSON.stringify(resolvedConcept(published, concept)));
    const { code, name } = concept;
    const candidate = yield* pieces.add(`${JSON.stringify({ code, name }).slice(0, -1)},"score":`);
    records.set64(id, "answerOffset", at);
    records.set32(id, "resolvedLength", resolved.length);
    records.set32(id, "candidateLength", candidate.length);
    at += resolved.length + candidate.length;
  }
  yield* pieces.rest();
}

/** The `concepts` section in the making: filled by the sections before it. */
class ConceptRecords {
  readonly bytes: Uint8Array;
  readonly #view: DataView;

  constructor(count: number) {
    this.bytes = new Uint8Array(count * CONCEPT_RECORD.bytes);
    this.#view = new DataView(this.bytes.buffer);
  }

  /** Where the answers of every so many concepts begin. */
  marks(): number[] {
    const { bytes, answerOffset } = CONCEPT_RECORD;
    const count = Math.ceil(this.bytes.length / bytes / MARK_CONCEPTS);
    return Array.from({ length: count }, (_none, i) =>
      Number(this.#view.getBigUint64(i * MARK_CONCEPTS * bytes + answerOffset, true)),
    );
  }

  set64(id: number, field: "summaryOffset" | "detailOffset" | "answerOffset", value: number): void {
    this.#view.setBigUint64(id * CONCEPT_RECORD.bytes + CONCEPT_RECORD[field], BigInt(value), true);
  }

  set32(
    id: number,
    field: "summaryLength" | "detailLength" | "resolvedLength" | "candidateLength",
    value: number,
  ): void {
    this.#view.setUint32(id * CONCEPT_RECORD.bytes + CONCEPT_RECORD[field], value, true);
  }

  setDigest(id: number, digest: Uint8Array): void {
    this.bytes.set(digest, id * CONCEPT_RECORD.bytes + CONCEPT_RECORD.detailDigest);
  }
}

const encoder = new TextEncoder();
