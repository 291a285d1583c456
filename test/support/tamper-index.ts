/** Takes a compiled index apart and, after a change, writes it again with every digest right. */
import { createHash } from "node:crypto";
import { memorySource, type Span } from "../../runtime/registry/byte-source.ts";
import {
  BLOCK_BYTES,
  compareBytes,
  CONCEPT_RECORD,
  DIGEST_BYTES,
  FOOTER_BYTES,
  FOOTER_FIELDS,
  FORMAT_VERSION,
  gramBlockCount,
  hashKey,
  MAGIC,
  pageOf,
  PIECE_BYTES,
  type Section,
  SECTIONS,
} from "../../runtime/registry/index-format.ts";
import { openIndex } from "../../runtime/registry/index.ts";
import type { Copy, Loose } from "./tamper.ts";

export interface Key {
  key: Buffer;
  postings: { language: number; strength: number; concept: number }[];
}

export interface Word {
  text: string;
  ids: number[];
}

export interface Parts {
  concepts: Record<"summary" | "detail" | "resolved" | "candidate" | "notes", string>[];
  /** In one block. */
  words: Word[];
  /** All in the first of their blocks, which is the only one up to 1024 concepts. */
  grams: Word[];
  keys: Key[];
  near: Key[];
  meta: Loose;
  seed: number;
  pageCount: number;
  nearSeed: number;
  nearPageCount: number;
  /** What the footer says, if not what is so. */
  keyCount?: number;
}

export function takeApart(bytes: Buffer): Parts {
  const index = openIndex(memorySource(bytes));
  const text = (span: { offset: number; length: number }): string => Buffer.from(index.read(span)).toString();
  const at = bytes.length - DIGEST_BYTES - FOOTER_BYTES + SECTIONS.length * 16;
  const field = (name: (typeof FOOTER_FIELDS)[number]): number =>
    bytes.readUInt32LE(at + FOOTER_FIELDS.indexOf(name) * 4);
  const concepts = Array.from({ length: index.conceptCount }, (_none, id) => {
    const { summary, detail, resolved, candidate, notes } = index.concept(id);
    return { summary: text(summary), detail: text(detail), resolved: text(resolved), candidate: text(candidate), notes: text(notes) }; // prettier-ignore
  });
  const [seed, pageCount] = [field("seed"), field("pageCount")];
  const [nearSeed, nearPageCount] = [field("nearSeed"), field("nearPageCount")];
  const { pages, directory, near, nearDirectory } = index.sections;
  const keys = readKeys(bytes, { pages, directory, pageCount });
  const forms = readKeys(bytes, { pages: near, directory: nearDirectory, pageCount: nearPageCount });
  const blocks = Buffer.from(index.read(index.sections.words));
  const [words = [], grams = []] = [index.meta.words, index.meta.grams].map((starts = []) =>
    starts.flatMap((start) => readWords(blocks.subarray(start), index.conceptCount)),
  );
  const counts = { seed, pageCount, nearSeed, nearPageCount };
  return { concepts, words, grams, keys, near: forms, meta: { ...index.meta }, ...counts };
}

function readKeys(
  bytes: Buffer,
  { pages, directory, pageCount }: Record<"pages" | "directory", Span> & { readonly pageCount: number },
): Key[] {
  const keys: Key[] = [];
  for (let page = 0; page < pageCount; page++) {
    const start = pages.offset + bytes.readUInt32LE(directory.offset + page * 4) * 4;
    const count = bytes.readUInt32LE(start);
    for (let i = 0; i < count; i++) {
      const entry = start + bytes.readUInt32LE(start + 4 + (count + i) * 4);
      const end = start + bytes.readUInt32LE(start + 4 + (count + i + 1) * 4);
      const first = entry + 2 + bytes.readUInt16LE(entry);
      const postings = [];
      for (let posting = first; posting < end; posting += 8) {
        postings.push({ language: bytes.readUInt16LE(posting), strength: bytes.readUInt16LE(posting + 2), concept: bytes.readUInt32LE(posting + 4) }); // prettier-ignore
      }
      keys.push({ key: Buffer.from(bytes.subarray(entry + 2, first)), postings });
    }
  }
  return keys;
}

export function putTogether(parts: Parts): Buffer {
  const { concepts, words, grams, keys, near, meta, keyCount = keys.length } = parts;
  const { seed, pageCount, nearSeed, nearPageCount } = parts;
  const records = Buffer.alloc(concepts.length * CONCEPT_RECORD.bytes);
  const R = CONCEPT_RECORD;
  const at = { list: 9, bundle: 0, answers: 0, notes: 0 };
  concepts.forEach((concept, id) => {
    const size = (part: keyof typeof concept): number => Buffer.byteLength(concept[part]);
    const u64 = (offset: number, value: number) => records.writeBigUInt64LE(BigInt(value), id * R.bytes + offset);
    const u32 = (offset: number, value: number) => records.writeUInt32LE(value, id * R.bytes + offset);
    if (id > 0) at.list++;
    u64(R.summaryOffset, at.list);
    u64(R.detailOffset, at.bundle);
    u64(R.answerOffset, at.answers);
    u32(R.summaryLength, size("summary"));
    u32(R.detailLength, size("detail"));
    u32(R.resolvedLength, size("resolved"));
    u32(R.candidateLength, size("candidate"));
    u64(R.notesOffset, at.notes);
    u32(R.notesLength, size("notes"));
    createHash("sha256")
      .update(concept.detail)
      .digest()
      .copy(records, id * R.bytes + R.detailDigest);
    at.list += size("summary");
    at.bundle += size("detail");
    at.answers += size("resolved") + size("candidate");
    at.notes += size("notes");
  });
  const join = (make: (concept: Parts["concepts"][number]) => string, by = ""): Buffer =>
    Buffer.from(concepts.map(make).join(by));
  const list = Buffer.from(
    `{"data":[${concepts.map(({ summary }) => summary).join(",")}],"count":${concepts.length}}\n`,
  );
  const bundle = join(({ detail }) => detail);
  const { pages, directory } = formatPages(keys, { seed, pageCount });
  const forms = formatPages(near, { seed: nearSeed, pageCount: nearPageCount });
  const digests = { listSha256: digest(list).toString("hex"), bundleSha256: digest(bundle).toString("hex") };
  const sections: Record<Section, Buffer> = {
    list,
    words: Buffer.concat(
      [words, grams, ...Array.from({ length: gramBlockCount(concepts.length) - 1 }, () => [])].map((listed) =>
        formatWords(listed, concepts.length),
      ),
    ),
    bundle,
    answers: Buffer.concat([join(({ resolved, candidate }) => resolved + candidate), join(({ notes }) => notes)]),
    concepts: records,
    pages,
    directory,
    near: forms.pages,
    nearDirectory: forms.directory,
    meta: Buffer.from(JSON.stringify({ ...meta, ...digests })),
  };
  return seal(sections, {
    formatVersion: FORMAT_VERSION,
    hashVersion: 1,
    seed,
    pageCount,
    keyCount,
    conceptCount: concepts.length,
    nearSeed,
    nearPageCount,
  });
}

/** A block of words (layout: index-format.ts), by hash. */
function readWords(block: Buffer, conceptCount: number): Word[] {
  const [size, count] = [block.readUInt32LE(0), block.readUInt32LE(4)];
  const [text, ends] = [block.subarray(8, 8 + size), block.subarray(8 + size)];
  const lists = ends.subarray(8 * count);
  const end = (word: number, part: 0 | 4): number => (word < 0 ? 0 : ends.readUInt32LE(8 * word + part));
  const words = Array.from({ length: count }, (_none, i) => ({
    text: text.subarray(end(i - 1, 0), end(i, 0) - 1).toString(),
    ids: readIds(lists.subarray(end(i - 1, 4), end(i, 4)), conceptCount),
  }));
  return words.sort(byHash);
}

function readIds(list: Buffer, conceptCount: number): number[] {
  if (list.length === Math.ceil(conceptCount / 8))
    return Array.from({ length: conceptCount }, (_none, id) => id).filter(
      (id) => ((list[id >> 3] ?? 0) >> (id & 7)) & 1,
    );
  let last = -1;
  return [...list].map((distance) => (last += distance));
}

/** The grams that words have, in their order. */
export function gramsOfWords(words: readonly Word[]): Word[] {
  const grams = new Map<string, Set<number>>();
  for (const { text, ids } of words) {
    const characters = Array.from(text);
    for (const [i, character] of characters.entries()) {
      for (const gram of [character, (characters[i - 1] ?? "") + character])
        grams.set(gram, new Set([...(grams.get(gram) ?? []), ...ids]));
    }
  }
  return Array.from(grams, ([text, ids]) => ({ text, ids: [...ids].sort((a, b) => a - b) })).sort(byHash);
}

/** As words and grams lie in an index. */
export function byHash(a: Word, b: Word): number {
  const [first, second] = [Buffer.from(a.text), Buffer.from(b.text)];
  return hashOf(first, 0).page - hashOf(second, 0).page || compareBytes(first, second);
}

function formatWords(words: readonly Word[], conceptCount: number): Buffer {
  const lines = words.map(({ text, ids }) => {
    const distances = Buffer.from(ids.map((id, i) => id - (ids[i - 1] ?? -1)));
    const bits = Buffer.alloc(Math.ceil(conceptCount / 8));
    for (const id of ids) bits[id >> 3] = (bits[id >> 3] ?? 0) | (1 << (id & 7));
    return { text: Buffer.from(`${text}\n`), list: distances.length < bits.length ? distances : bits };
  });
  lines.sort((a, b) => b.list.length - a.list.length);
  const [texts, lists] = [Buffer.concat(lines.map(({ text }) => text)), Buffer.concat(lines.map(({ list }) => list))];
  const [head, ends] = [Buffer.alloc(8), Buffer.alloc(8 * lines.length)];
  head.writeUInt32LE(texts.length, 0);
  head.writeUInt32LE(lines.length, 4);
  let [textEnd, listEnd] = [0, 0];
  for (const [i, { text, list }] of lines.entries()) {
    ends.writeUInt32LE((textEnd += text.length), 8 * i);
    ends.writeUInt32LE((listEnd += list.length), 8 * i + 4);
  }
  return Buffer.concat([head, texts, ends, lists]);
}

/** The bundle, then the other sections in order, each padded, then the footer and the digest. */
export function seal(
  sections: Readonly<Record<Section, Buffer>>,
  fields: Readonly<Record<(typeof FOOTER_FIELDS)[number], number>>,
): Buffer {
  const chunks: Buffer[] = [sections.bundle, Buffer.from(MAGIC)];
  const footer = Buffer.alloc(FOOTER_BYTES);
  let at = sections.bundle.length + MAGIC.length;
  SECTIONS.forEach((name, i) => {
    if (name === "bundle") return void footer.writeBigUInt64LE(BigInt(sections.bundle.length), i * 16 + 8);
    footer.writeBigUInt64LE(BigInt(at), i * 16);
    footer.writeBigUInt64LE(BigInt(sections[name].length), i * 16 + 8);
    chunks.push(sections[name], Buffer.alloc(-(at + sections[name].length) & 7));
    at += sections[name].length + (-(at + sections[name].length) & 7);
  });
  FOOTER_FIELDS.forEach((name, i) => footer.writeUInt32LE(fields[name] >>> 0, SECTIONS.length * 16 + i * 4));
  Buffer.from(MAGIC).copy(footer, FOOTER_BYTES - MAGIC.length);
  return trailed(Buffer.concat([...chunks, footer]));
}

/** Bytes with their digest behind them. */
export function trailed(body: Buffer): Buffer {
  return Buffer.concat([body, digest(body)]);
}

/** The bundle of a release and the index behind it. */
export function readRegistry(copy: Copy): Buffer {
  return Buffer.concat([copy.read(BUNDLE), copy.read(INDEX)]);
}

/** Writes both, and the digests of their blocks. */
function writeRegistry(copy: Copy, bytes: Buffer, bundleLength: number): void {
  copy.write(BUNDLE, bytes.subarray(0, bundleLength));
  copy.write(INDEX, bytes.subarray(bundleLength));
  const blocks = digestsOf(bytes, BLOCK_BYTES);
  copy.write("registry.blocks", blocks);
  copy.write("registry.root", digestsOf(blocks, PIECE_BYTES));
}

function digestsOf(bytes: Buffer, size: number): Buffer {
  const count = Math.ceil(bytes.length / size);
  return Buffer.concat(Array.from({ length: count }, (_none, i) => digest(bytes.subarray(i * size, (i + 1) * size))));
}

const BUNDLE = "registry/bundle.ndjson";
const INDEX = "registry.index";

/** Changes the registry of a copy part by part. */
export function editIndex(copy: Copy, change: (parts: Parts) => void): void {
  const parts = takeApart(readRegistry(copy));
  change(parts);
  const bundleLength = parts.concepts.reduce((sum, { detail }) => sum + Buffer.byteLength(detail), 0);
  writeRegistry(copy, putTogether(parts), bundleLength);
}

/** Changes the bytes of bundle and index below the trailer, which is made to fit. */
export function patchIndex(copy: Copy, change: (body: Buffer) => Buffer): void {
  const bundleLength = copy.read(BUNDLE).length;
  writeRegistry(copy, trailed(change(readRegistry(copy).subarray(0, -DIGEST_BYTES))), bundleLength);
}

function formatPages(
  keys: readonly Key[],
  { seed, pageCount }: Pick<Parts, "seed" | "pageCount">,
): Record<"pages" | "directory", Buffer> {
  const pages = Array.from({ length: pageCount }, (_none, page) => formatPage(keys.filter(({ key }) => pageOf(hashOf(key, seed).page, pageCount) === page), seed)); // prettier-ignore
  const directory = Buffer.alloc((pageCount + 1) * 4);
  pages.reduce((length, page, i) => {
    directory.writeUInt32LE((length + page.length) / 4, (i + 1) * 4);
    return length + page.length;
  }, 0);
  return { pages: Buffer.concat(pages), directory };
}

function formatPage(keys: readonly Key[], seed: number): Buffer {
  const sorted = keys.toSorted((a, b) => hashOf(a.key, seed).fingerprint - hashOf(b.key, seed).fingerprint || compareBytes(a.key, b.key)); // prettier-ignore
  const u32 = (value: number): Buffer => Buffer.from(Uint32Array.of(value).buffer);
  const u16 = (value: number): Buffer => Buffer.from(Uint16Array.of(value).buffer);
  const entries = sorted.map(
    ({ key, postings }) =>
    Buffer.concat([u16(key.length), key, ...postings.flatMap(({ language, strength, concept }) => [u16(language), u16(strength), u32(concept)])]), // prettier-ignore
  );
  let at = 8 + sorted.length * 8;
  const offsets = [u32(at), ...entries.map((entry) => u32((at += entry.length)))];
  const prints = sorted.map(({ key }) => u32(hashOf(key, seed).fingerprint));
  return Buffer.concat([u32(sorted.length), ...prints, ...offsets, ...entries, Buffer.alloc(-at & 3)]);
}

function hashOf(key: Uint8Array, seed: number): { page: number; fingerprint: number } {
  return hashKey(key, seed, { page: 0, fingerprint: 0 });
}

function digest(bytes: Uint8Array): Buffer {
  return createHash("sha256").update(bytes).digest();
}
