/** A compiled index taken apart, to be changed and put together again by its layout, with every digest of it made to fit. */
import { createHash } from "node:crypto";
import { memorySource } from "../../runtime/registry/byte-source.ts";
import {
  BLOCK_BYTES,
  compareBytes,
  CONCEPT_RECORD,
  DIGEST_BYTES,
  FOOTER_BYTES,
  FOOTER_FIELDS,
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

export interface Parts {
  concepts: Record<"summary" | "search" | "detail" | "resolved" | "candidate", string>[];
  keys: Key[];
  meta: Loose;
  seed: number;
  pageCount: number;
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
    const { summary, search, detail, resolved, candidate } = index.concept(id);
    return { summary: text(summary), search: text(search), detail: text(detail), resolved: text(resolved), candidate: text(candidate) }; // prettier-ignore
  });
  const { pages, directory } = index.sections;
  const keys: Key[] = [];
  for (let page = 0; page < field("pageCount"); page++) {
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
  return { concepts, keys, meta: { ...index.meta }, seed: field("seed"), pageCount: field("pageCount") };
}

export function putTogether({ concepts, keys, meta, seed, pageCount, keyCount = keys.length }: Parts): Buffer {
  const records = Buffer.alloc(concepts.length * CONCEPT_RECORD.bytes);
  const R = CONCEPT_RECORD;
  const at = { list: 9, search: 0, bundle: 0, answers: 0 };
  concepts.forEach((concept, id) => {
    const size = (part: keyof typeof concept): number => Buffer.byteLength(concept[part]);
    const u64 = (offset: number, value: number) => records.writeBigUInt64LE(BigInt(value), id * R.bytes + offset);
    const u32 = (offset: number, value: number) => records.writeUInt32LE(value, id * R.bytes + offset);
    if (id > 0) at.list++;
    u64(R.summaryOffset, at.list);
    u64(R.searchOffset, at.search);
    u64(R.detailOffset, at.bundle);
    u64(R.answerOffset, at.answers);
    u32(R.summaryLength, size("summary"));
    u32(R.searchLength, size("search"));
    u32(R.detailLength, size("detail"));
    u32(R.resolvedLength, size("resolved"));
    u32(R.candidateLength, size("candidate"));
    createHash("sha256")
      .update(concept.detail)
      .digest()
      .copy(records, id * R.bytes + R.detailDigest);
    at.list += size("summary");
    at.search += size("search");
    at.bundle += size("detail");
    at.answers += size("resolved") + size("candidate");
  });
  const join = (make: (concept: Parts["concepts"][number]) => string, by = ""): Buffer =>
    Buffer.from(concepts.map(make).join(by));
  const list = Buffer.from(
    `{"data":[${concepts.map(({ summary }) => summary).join(",")}],"count":${concepts.length}}\n`,
  );
  const bundle = join(({ detail }) => detail);
  const pages = Array.from({ length: pageCount }, (_none, page) => formatPage(keys.filter(({ key }) => pageOf(hashOf(key, seed).page, pageCount) === page), seed)); // prettier-ignore
  const directory = Buffer.alloc((pageCount + 1) * 4);
  pages.reduce((length, page, i) => {
    directory.writeUInt32LE((length + page.length) / 4, (i + 1) * 4);
    return length + page.length;
  }, 0);
  const digests = { listSha256: digest(list).toString("hex"), bundleSha256: digest(bundle).toString("hex") };
  const sections: Record<Section, Buffer> = {
    list,
    search: join(({ search }) => search),
    bundle,
    answers: join(({ resolved, candidate }) => resolved + candidate),
    concepts: records,
    pages: Buffer.concat(pages),
    directory,
    meta: Buffer.from(JSON.stringify({ ...meta, ...digests })),
  };
  return seal(sections, { formatVersion: 2, hashVersion: 1, seed, pageCount, keyCount, conceptCount: concepts.length });
}

/** The bundle, then the other sections one behind the other, each padded, then the footer and the digest of it all. */
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
