/**
 * Reads the compiled registry (layout: index-format.ts) from any byte source. It uses no Node API,
 * so other hosts can run it. Invariant: a key is found only by comparing all of its bytes. The
 * caller checks digests (registry-files.ts); this file refuses bytes that are not an index, and an
 * index of another version.
 */
import { getUint64, viewOf } from "../text/bytes.ts";
import type { ByteSource, Span } from "./byte-source.ts";
import { type ConceptParts, ConceptRecord } from "./concept-record.ts";
import {
  BLOCK_BYTES,
  CODE_KEY_PREFIX,
  CONCEPT_RECORD,
  compareBytes,
  DIGEST_BYTES,
  FOOTER_BYTES,
  FOOTER_FIELDS,
  FORMAT_VERSION,
  HASH_VERSION,
  hashKey,
  type IndexMeta,
  MAGIC,
  MARK_CONCEPTS,
  pageOf,
  POSTING_BYTES,
  type Section,
  SECTIONS,
} from "./index-format.ts";

/** One published (expression, language tag, concept), with its equivalence strength. */
export interface Posting {
  readonly languageId: number;
  readonly conceptId: number;
  readonly strength: number;
}

export interface RegistryIndex {
  readonly source: ByteSource;
  readonly meta: IndexMeta;
  readonly conceptCount: number;
  /** Distinct expressions. The index has no other answers, so 0 means that nothing can resolve. */
  readonly expressionCount: number;
  readonly sections: Readonly<Record<Section, Span>>;
  /** Postings of a comparison key by language, then concept; empty if the key is not published. */
  postings(key: string): readonly Posting[];
  /** False if the registry has switched near forms off. */
  readonly hasNearForms: boolean;
  /**
   * Likewise the expressions of another key that have this near form, each with the lower of the
   * form's score and its strength.
   */
  nearPostings(form: string): readonly Posting[];
  /** Id of a lower-cased language tag that some published expression has. */
  languageId(tag: string): number | undefined;
  conceptId(code: string): number | undefined;
  concept(id: number): ConceptParts;
  /**
   * If reads may lack bytes, throws BytesMissing until the records of these concepts are held;
   * their answers are loaded with them.
   */
  ahead(concepts: readonly number[]): void;
  read(span: Span): Uint8Array;
}

/** A file is not an index that this runtime can read. */
export class IndexError extends Error {
  override name = "IndexError";
}

// The longest possible key: an expression has at most 1000 code points, so 4000 bytes of UTF-8.
const KEY_MAX_BYTES = 4096;

/** Hash pages of keys, and where each begins and ends in them. */
interface KeySpace {
  readonly seed: number;
  readonly pageCount: number;
  readonly pages: Span;
  bounds(page: number): readonly [start: number, end: number];
}

/** Options of openIndex. */
export interface Openable {
  /** False if digests cover every byte, so that the first bytes need not be read. */
  readonly readsBeginning?: boolean;
}

/** Opens an index. Throws IndexError if it is not one, is cut short, or is of another version. */
export function openIndex(source: ByteSource, options: Openable = {}): RegistryIndex {
  const { sections, fields } = readFooter(source, options);
  const { keyCount, conceptCount, nearPageCount } = fields;
  const read = (span: Span): Uint8Array => source.read(span.offset, span.length);
  const meta = JSON.parse(new TextDecoder().decode(read(sections.meta))) as IndexMeta;
  const languageIds = new Map(meta.languages.map((tag, id) => [tag, id]));
  const scratch = new Uint8Array(KEY_MAX_BYTES);
  const encoder = new TextEncoder();
  const hash = { page: 0, fingerprint: 0 };

  const { keys, near } = keySpacesOf(source, sections, fields);

  const find = (key: Uint8Array, space: KeySpace): readonly Posting[] => {
    if (space.pageCount === 0) return [];
    hashKey(key, space.seed, hash);
    const [start, end] = space.bounds(pageOf(hash.page, space.pageCount));
    const page = source.read(space.pages.offset + start, end - start);
    return readPostings(page, { fingerprint: hash.fingerprint, key }, meta.strengths);
  };

  const codeRoom = scratch.subarray(1);
  const lookUp = (text: string, room: Uint8Array, space: KeySpace): readonly Posting[] => {
    const { read: used, written } = encoder.encodeInto(text, room);
    const end = room.byteOffset - scratch.byteOffset + written;
    return used === text.length ? find(scratch.subarray(0, end), space) : [];
  };

  return {
    source,
    meta,
    conceptCount,
    expressionCount: keyCount - conceptCount,
    sections,
    read,
    postings: (key) => lookUp(key, scratch, keys),
    hasNearForms: nearPageCount > 0,
    nearPostings: (form) => lookUp(form, scratch, near),
    languageId: (tag) => languageIds.get(tag),
    conceptId(code) {
      scratch[0] = CODE_KEY_PREFIX;
      return lookUp(code, codeRoom, keys)[0]?.conceptId;
    },
    concept(id) {
      const bytes = source.read(sections.concepts.offset + id * CONCEPT_RECORD.bytes, CONCEPT_RECORD.bytes);
      if (bytes.length < CONCEPT_RECORD.bytes) throw new IndexError("Registry index is cut short");
      return new ConceptRecord(bytes, { sections, meta });
    },
    ahead(ids) {
      if (source.need === undefined) return;
      const length = CONCEPT_RECORD.bytes;
      const records = ids.map((id) => ({ offset: sections.concepts.offset + id * length, length }));
      const answers = ids.map((id) => guessAnswer(id, { sections, meta, conceptCount }));
      source.need(records, answers);
    },
  };
}

function keySpacesOf(
  source: ByteSource,
  sections: RegistryIndex["sections"],
  { seed, pageCount, nearSeed, nearPageCount }: FooterFields,
): Readonly<Record<"keys" | "near", KeySpace>> {
  const directory = viewOf(source.read(sections.directory.offset, sections.directory.length));
  const startOf = (number: number): number => directory.getUint32(number * 4, true) * 4;
  return {
    keys: { seed, pageCount, pages: sections.pages, bounds: (number) => [startOf(number), startOf(number + 1)] },
    near: {
      seed: nearSeed,
      pageCount: nearPageCount,
      pages: sections.near,
      // Most requests need none of it.
      bounds(number) {
        const starts = viewOf(source.read(sections.nearDirectory.offset + number * 4, 8));
        return [starts.getUint32(0, true) * 4, starts.getUint32(4, true) * 4];
      },
    },
  };
}

/** Estimates from the marks in `meta` where the answers of a concept are; mostly right. */
function guessAnswer(
  id: number,
  {
    sections: { answers },
    meta: { marks = [] },
    conceptCount,
  }: Pick<RegistryIndex, "sections" | "meta" | "conceptCount">,
): Span {
  const mark = id - (id % MARK_CONCEPTS);
  const [from = 0, to = answers.length] = marks.slice(mark / MARK_CONCEPTS);
  const count = Math.min(MARK_CONCEPTS, conceptCount - mark);
  const middle = from + Math.floor(((to - from) * (id - mark)) / count);
  // Half a block on each side of the estimate touches at most two blocks.
  const start = Math.max(0, middle - BLOCK_BYTES / 2);
  return { offset: answers.offset + start, length: Math.min(answers.length, middle + BLOCK_BYTES / 2) - start };
}

/** Reads the length of the bundle that precedes an index from the last bytes of the index. */
export function bundleLengthOf(end: Uint8Array): number {
  return getUint64(viewOf(footerOf(end.subarray(0, -DIGEST_BYTES))), SECTIONS.indexOf("bundle") * 16 + 8);
}

function footerOf(bytes: Uint8Array): Uint8Array {
  const footer = bytes.subarray(-FOOTER_BYTES);
  if (footer.length < FOOTER_BYTES || !hasMagic(footer.subarray(-MAGIC.length)))
    throw new IndexError("Registry index is cut short: its footer is missing");
  return footer;
}

type FooterFields = Record<(typeof FOOTER_FIELDS)[number], number>;

function readFooter(
  source: ByteSource,
  { readsBeginning = true }: Openable,
): { sections: Record<Section, Span>; fields: FooterFields } {
  const end = source.length - DIGEST_BYTES;
  if (end < MAGIC.length + FOOTER_BYTES) throw new IndexError("Registry index is cut short");
  const view = viewOf(footerOf(source.read(end - FOOTER_BYTES, FOOTER_BYTES)));
  const fields = {} as FooterFields;
  FOOTER_FIELDS.forEach((name, i) => (fields[name] = view.getUint32(SECTIONS.length * 16 + i * 4, true)));
  if (fields.formatVersion !== FORMAT_VERSION || fields.hashVersion !== HASH_VERSION) {
    throw new IndexError(
      `The index has format ${fields.formatVersion}.${fields.hashVersion}; ` +
        `this runtime reads ${FORMAT_VERSION}.${HASH_VERSION}: build it again`,
    );
  }
  const sections = {} as Record<Section, Span>;
  SECTIONS.forEach((name, i) => {
    const span = { offset: getUint64(view, i * 16), length: getUint64(view, i * 16 + 8) };
    if (span.offset + span.length > end) throw new IndexError(`Registry index is damaged: ${name} is out of bounds`);
    sections[name] = span;
  });
  const start = sections.bundle.length;
  if (start + MAGIC.length > end || (readsBeginning && !hasMagic(source.read(start, MAGIC.length))))
    throw new IndexError("Registry index is damaged: it does not begin after its bundle");
  return { sections, fields };
}

function readPostings(
  page: Uint8Array,
  wanted: { readonly fingerprint: number; readonly key: Uint8Array },
  strengths: readonly number[],
): Posting[] {
  const view = viewOf(page);
  const count = view.getUint32(0, true);
  const entryAt = (i: number): number => view.getUint32(4 + (count + i) * 4, true);
  const keyAt = (entry: number): Uint8Array => page.subarray(entry + 2, entry + 2 + view.getUint16(entry, true));
  // The first entry whose (fingerprint, key) is not below the wanted one.
  let low = 0;
  for (let high = count; low < high;) {
    const middle = (low + high) >>> 1;
    const difference =
      view.getUint32(4 + middle * 4, true) - wanted.fingerprint || compareBytes(keyAt(entryAt(middle)), wanted.key);
    if (difference < 0) low = middle + 1;
    else high = middle;
  }
  if (low === count || compareBytes(keyAt(entryAt(low)), wanted.key) !== 0) return [];
  const postings: Posting[] = [];
  for (let at = entryAt(low) + 2 + wanted.key.length; at < entryAt(low + 1); at += POSTING_BYTES) {
    postings.push({
      languageId: view.getUint16(at, true),
      strength: strengths[view.getUint16(at + 2, true)] ?? 0,
      conceptId: view.getUint32(at + 4, true),
    });
  }
  return postings;
}

/** Whether the bytes begin with the magic number of an index. */
export function hasMagic(bytes: Uint8Array): boolean {
  return MAGIC.every((byte, i) => bytes[i] === byte);
}
