/**
 * Checked registry to index bytes (layout: runtime/index-format.ts), as a stream: each section is made piece by piece
 * and forgotten, so memory holds the registry once and never the file. Same registry and origin, same bytes.
 */
import { createHash, hash } from "node:crypto";
import type { Span } from "../../runtime/byte-source.ts";
import {
  CONCEPT_RECORD,
  FOOTER_BYTES,
  FOOTER_FIELDS,
  FORMAT_VERSION,
  HASH_VERSION,
  type IndexMeta,
  MAGIC,
  type Section,
  SECTIONS,
} from "../../runtime/index-format.ts";
import { formatSearchText } from "../../runtime/search-text.ts";
import { once, tap, TextPieces } from "../chunks.ts";
import { conceptDetail, conceptSummary, resolvedConcept } from "../documents/concept.ts";
import type { View } from "../documents/view.ts";
import type { Concept } from "./checked.ts";
import { planKeyPages } from "./key-pages.ts";

type Bytes = Generator<Uint8Array, void>;

/** Yields the index; returns the digest of the public bundle inside it. */
export function* compileIndex(view: View): Generator<Uint8Array, { bundleSha256: string }> {
  const { concepts, registryVersion } = view.registry;
  const plan = planKeyPages(concepts);
  const records = new ConceptRecords(concepts.length);
  const digests = { list: createHash("sha256"), bundle: createHash("sha256") };
  const file = new SectionedFile();

  yield* file.emit(MAGIC);
  yield* file.section(
    "list",
    tap(listDocument(view, records), (chunk) => digests.list.update(chunk)),
  );
  yield* file.section("search", searchTexts(concepts, records));
  yield* file.section(
    "bundle",
    tap(detailLines(view, records), (chunk) => digests.bundle.update(chunk)),
  );
  yield* file.section("answers", answerParts(view, records));
  yield* file.section("concepts", once(records.bytes));
  const { keyCount, directory } = yield* file.section("pages", plan.pages());
  yield* file.section("directory", once(directory));
  const bundleSha256 = digests.bundle.digest("hex");
  const meta: IndexMeta = {
    registryVersion,
    languages: plan.languages,
    strengths: plan.strengths,
    listSha256: digests.list.digest("hex"),
    bundleSha256,
  };
  yield* file.section("meta", once(encoder.encode(JSON.stringify(meta))));
  yield* file.footer({
    formatVersion: FORMAT_VERSION,
    hashVersion: HASH_VERSION,
    seed: plan.seed,
    pageCount: plan.pageCount,
    keyCount,
    conceptCount: concepts.length,
  });
  return { bundleSha256 };
}

/** A file of sections in the making: knows where it is, where each section lies, and its digest so far. */
class SectionedFile {
  readonly #spans = new Map<Section, Span>();
  readonly #digest = createHash("sha256");
  #at = 0;

  *emit(chunk: Uint8Array): Bytes {
    this.#count(chunk);
    yield chunk;
  }

  /** Emits a section, padded to 8 bytes; gives what its generator returned. */
  *section<T>(name: Section, chunks: Generator<Uint8Array, T>): Generator<Uint8Array, T> {
    const offset = this.#at;
    const value = yield* tap(chunks, (chunk) => this.#count(chunk));
    this.#spans.set(name, { offset, length: this.#at - offset });
    yield* this.emit(new Uint8Array(-this.#at & 7));
    return value;
  }

  #count(chunk: Uint8Array): void {
    this.#digest.update(chunk);
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
    yield this.#digest.digest();
  }
}

/** The ConceptList document: `{"data":[...],"count":n}` and a line feed. */
function* listDocument(view: View, records: ConceptRecords): Bytes {
  const { concepts } = view.registry;
  const pieces = new TextPieces();
  let at = (yield* pieces.add('{"data":[')).length;
  for (const [id, concept] of concepts.entries()) {
    if (id > 0) at += (yield* pieces.add(",")).length;
    const { length } = yield* pieces.add(JSON.stringify(conceptSummary(view, concept)));
    records.set64(id, "summaryOffset", at);
    records.set32(id, "summaryLength", length);
    at += length;
  }
  yield* pieces.add(`],"count":${concepts.length}}\n`);
  yield* pieces.rest();
}

function* searchTexts(concepts: readonly Concept[], records: ConceptRecords): Bytes {
  const pieces = new TextPieces();
  let at = 0;
  for (const [id, { name, definition }] of concepts.entries()) {
    const { length } = yield* pieces.add(formatSearchText(name, definition));
    records.set64(id, "searchOffset", at);
    records.set32(id, "searchLength", length);
    at += length;
  }
  yield* pieces.rest();
}

function* detailLines(view: View, records: ConceptRecords): Bytes {
  const pieces = new TextPieces();
  let at = 0;
  for (const [id, concept] of view.registry.concepts.entries()) {
    const line = yield* pieces.add(`${JSON.stringify(conceptDetail(view, concept))}\n`);
    records.set64(id, "detailOffset", at);
    records.set32(id, "detailLength", line.length);
    records.setDigest(id, hash("sha256", line, "buffer"));
    at += line.length;
  }
  yield* pieces.rest();
}

/** Per concept the JSON that an answer is put together from: the resolved concept, and a candidate up to its score. */
function* answerParts(view: View, records: ConceptRecords): Bytes {
  const pieces = new TextPieces();
  let at = 0;
  for (const [id, concept] of view.registry.concepts.entries()) {
    const resolved = yield* pieces.add(JSON.stringify(resolvedConcept(view, concept)));
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

  set64(id: number, field: "summaryOffset" | "searchOffset" | "detailOffset" | "answerOffset", value: number): void {
    this.#view.setBigUint64(id * CONCEPT_RECORD.bytes + CONCEPT_RECORD[field], BigInt(value), true);
  }

  set32(
    id: number,
    field: "summaryLength" | "searchLength" | "detailLength" | "resolvedLength" | "candidateLength",
    value: number,
  ): void {
    this.#view.setUint32(id * CONCEPT_RECORD.bytes + CONCEPT_RECORD[field], value, true);
  }

  setDigest(id: number, digest: Uint8Array): void {
    this.bytes.set(digest, id * CONCEPT_RECORD.bytes + CONCEPT_RECORD.detailDigest);
  }
}

const encoder = new TextEncoder();
