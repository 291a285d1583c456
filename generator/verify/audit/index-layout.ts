/**
 * Checks the layout of an index byte for byte (runtime/registry/index-format.ts): sections without
 * gaps and zeros in the padding, after which the size of the file bounds every later walk; and each
 * page, whose keys must be where a lookup seeks them.
 */
import { createHash } from "node:crypto";
import { viewOf } from "../../../runtime/text/bytes.ts";
import { pieces, type Span } from "../../../runtime/registry/byte-source.ts";
import {
  compareBytes,
  CONCEPT_RECORD,
  DIGEST_BYTES,
  FOOTER_BYTES,
  FOOTER_FIELDS,
  FORMAT_VERSION,
  hashKey,
  MAGIC,
  pageOf,
  POSTING_BYTES,
  SECTIONS,
} from "../../../runtime/registry/index-format.ts";
import type { RegistryIndex } from "../../../runtime/registry/index.ts";
import type { Faults } from "./parts.ts";

export interface StoredKey {
  readonly page: number;
  readonly fingerprint: number;
  readonly key: Uint8Array;
  /** Their bytes, concatenated. */
  readonly postings: Uint8Array;
}

type Footer = Readonly<Record<(typeof FOOTER_FIELDS)[number], number>>;

/** The numbers in the footer, read again independently of the runtime. */
export function footerOf({ source }: RegistryIndex): Footer {
  const bytes = source.read(source.length - DIGEST_BYTES - FOOTER_BYTES, FOOTER_BYTES);
  const view = viewOf(bytes);
  const fields = FOOTER_FIELDS.map((name, i) => [name, view.getUint32(SECTIONS.length * 16 + i * 4, true)]);
  return Object.fromEntries(fields) as Footer;
}

/** Faults of the layout; if there are any, the concepts are not read. */
export function checkLayout(index: RegistryIndex): Faults {
  const { source, sections } = index;
  const { formatVersion, conceptCount, pageCount, nearPageCount } = footerOf(index);
  if (formatVersion !== FORMAT_VERSION) return [`has format ${formatVersion}, not ${FORMAT_VERSION}`];
  const end = source.length - DIGEST_BYTES - FOOTER_BYTES;
  if (sections.bundle.offset !== 0) return ["its bundle is not where its own file is read"];
  let at = sections.bundle.length + MAGIC.length;
  for (const name of SECTIONS.filter((section) => section !== "bundle")) {
    const { offset, length } = sections[name];
    if (offset !== at) return [`its section ${name} does not begin where the one before it ends`];
    at = offset + length;
    const padding = -at & 7;
    if (at + padding > end || source.read(at, padding).some((byte) => byte !== 0))
      return [`has extra bytes after its section ${name}`];
    at += padding;
  }
  if (at !== end) return ["has extra bytes between its sections and its footer"];
  const faults: Faults = [];
  if (sections.concepts.length !== conceptCount * CONCEPT_RECORD.bytes)
    faults.push("has another number of concepts than it says");
  for (const [section, pages] of [
    ["directory", pageCount],
    ["nearDirectory", nearPageCount],
  ] as const) {
    if (sections[section].length !== (pages + 1) * 4) faults.push("has another number of pages than it says");
  }
  return faults;
}

/**
 * Whether the trailer is the digest of all bytes before it; and the digest of the bundle, which
 * comes first.
 */
export function readSeal({ source, sections }: RegistryIndex): { isRight: boolean; bundleSha256: string } {
  const end = source.length - DIGEST_BYTES;
  const bundleEnd = Math.min(sections.bundle.length, end);
  const running = createHash("sha256");
  for (const piece of pieces(source, { offset: 0, length: bundleEnd })) running.update(piece);
  const bundleSha256 = running.copy().digest("hex");
  for (const piece of pieces(source, { offset: bundleEnd, length: end - bundleEnd })) running.update(piece);
  return { isRight: running.digest().equals(source.read(end, DIGEST_BYTES)), bundleSha256 };
}

/** Lowercase hex SHA-256 of the bytes of a span. */
export function digestOf({ source }: RegistryIndex, span: Span): string {
  const running = createHash("sha256");
  for (const piece of pieces(source, span)) running.update(piece);
  return running.digest("hex");
}

/** The hash pages of keys, or those of near forms. */
export interface KeySpace {
  readonly pages: Span;
  readonly directory: Span;
  readonly seed: number;
  readonly pageCount: number;
}

export function keySpacesOf(index: RegistryIndex): Readonly<Record<"keys" | "near", KeySpace>> {
  const { pages, directory, near, nearDirectory } = index.sections;
  const { seed, pageCount, nearSeed, nearPageCount } = footerOf(index);
  return {
    keys: { pages, directory, seed, pageCount },
    near: { pages: near, directory: nearDirectory, seed: nearSeed, pageCount: nearPageCount },
  };
}

/** Every key of every page, or the fault of a page. */
export function* storedKeys(
  { source, conceptCount }: RegistryIndex,
  { pages, directory: starts, seed, pageCount }: KeySpace,
): Generator<StoredKey | string, void> {
  const directory = viewOf(source.read(starts.offset, starts.length));
  let end = directory.getUint32(0, true) * 4;
  if (end !== 0) yield "its first page does not begin with its section";
  for (let number = 0; number < pageCount; number++) {
    const start = end;
    end = directory.getUint32(number * 4 + 4, true) * 4;
    if (end < start || end > pages.length) {
      yield `its page ${number} is outside its section`;
      return;
    }
    yield* keysOf(source.read(pages.offset + start, end - start), { number, pageCount, seed, conceptCount });
  }
  if (end !== pages.length) yield "has extra bytes after its last page";
}

/** The keys of the page with this number. */
function* keysOf(
  page: Uint8Array,
  {
    number,
    pageCount,
    seed,
    conceptCount,
  }: Pick<Footer, "pageCount" | "seed" | "conceptCount"> & {
    readonly number: number;
  },
): Generator<StoredKey | string, void> {
  const view = viewOf(page);
  const hash = { page: 0, fingerprint: 0 };
  const count = view.getUint32(0, true);
  let at = 4 + count * 4 + (count + 1) * 4;
  if (at > page.length) {
    yield "has a page with more keys than it can hold";
    return;
  }
  let previous = { fingerprint: -1, key: new Uint8Array() };
  for (let i = 0; i < count; i++) {
    const next = view.getUint32(4 + (count + i + 1) * 4, true);
    const key = page.slice(at + 2, at + 2 + view.getUint16(at, true));
    const postings = (next - at - 2 - key.length) / POSTING_BYTES;
    const stored = view.getUint32(4 + i * 4, true);
    const { fingerprint } = hashKey(key, seed, hash);
    const isHere = pageOf(hash.page, pageCount) === number;
    const isOrdered = (fingerprint - previous.fingerprint || compareBytes(key, previous.key)) > 0;
    const isTiled = view.getUint32(4 + (count + i) * 4, true) === at && next <= page.length && postings >= 1;
    if (!isHere || !isOrdered || !isTiled || stored !== fingerprint || !Number.isInteger(postings)) {
      yield "has a page whose keys are not where a lookup seeks them";
      return;
    }
    for (let posting = next - postings * POSTING_BYTES; posting < next; posting += POSTING_BYTES) {
      if (view.getUint32(posting + 4, true) >= conceptCount) {
        yield "has a key that leads to a concept it does not hold";
        return;
      }
    }
    if (!areOrdered(view, next - postings * POSTING_BYTES, next)) {
      yield "has a key whose postings are not in their order";
      return;
    }
    previous = { fingerprint, key };
    at = next;
    yield { page: number, fingerprint, key, postings: page.subarray(next - postings * POSTING_BYTES, next) };
  }
  if (page.length - at > 3 || page.subarray(at).some((byte) => byte !== 0))
    yield "has extra bytes after the keys of a page";
}

/** Whether postings are sorted by language, concept and strength, without duplicates. */
function areOrdered(view: DataView, start: number, end: number): boolean {
  let previous = { language: -1, concept: 0, strength: 0 };
  for (let at = start; at < end; at += POSTING_BYTES) {
    const language = view.getUint16(at, true);
    const strength = view.getUint16(at + 2, true);
    const concept = view.getUint32(at + 4, true);
    const order = language - previous.language || concept - previous.concept || strength - previous.strength;
    if (order <= 0) return false;
    previous = { language, concept, strength };
  }
  return true;
}
