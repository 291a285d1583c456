/**
 * The layout of an index, byte for byte (runtime/index-format.ts): sections without a gap, nothing in the padding, pages
 * whose keys lie where a lookup seeks them. What holds here bounds every later walk by the size of the file.
 */
import { createHash } from "node:crypto";
import { viewOf } from "../../../runtime/text/bytes.ts";
import { pieces } from "../../../runtime/registry/byte-source.ts";
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
import { readerOf } from "../../../runtime/registry/word-blocks.ts";

/** The hash pages of an index, which its footer counts and its directory places. */
export interface KeyPages {
  readonly footer: Footer;
  /** Where in the section a page begins, or the last one ends. */
  start(number: number): number;
  /** The bytes of a page, until the next one is read. */
  read(number: number): Uint8Array;
}

/** An entry of a page: its key and, one behind the other, its postings. */
export interface StoredKey {
  readonly key: Uint8Array;
  readonly postings: Uint8Array;
  /** Where in the section its postings begin. */
  readonly at: number;
}

type Footer = Readonly<Record<(typeof FOOTER_FIELDS)[number], number>>;

/** The footer's numbers, read here again. */
export function footerOf({ source }: RegistryIndex): Footer {
  const bytes = source.read(source.length - DIGEST_BYTES - FOOTER_BYTES, FOOTER_BYTES);
  const view = viewOf(bytes);
  const fields = FOOTER_FIELDS.map((name, i) => [name, view.getUint32(SECTIONS.length * 16 + i * 4, true)]);
  return Object.fromEntries(fields) as Footer;
}

/** Its pages; or what is wrong with the layout: then neither they nor the concepts are read. */
export function checkLayout(index: RegistryIndex): KeyPages | string {
  const pages = checkSections(index) ?? keyPagesOf(index);
  return typeof pages === "string" ? pages : (checkPages(index, pages) ?? pages);
}

function checkSections(index: RegistryIndex): string | undefined {
  const { source, sections } = index;
  const { formatVersion, conceptCount, pageCount } = footerOf(index);
  if (formatVersion !== FORMAT_VERSION) return `has format ${formatVersion}, not ${FORMAT_VERSION}`;
  const end = source.length - DIGEST_BYTES - FOOTER_BYTES;
  if (sections.bundle.offset !== 0) return "its bundle is not where its own file is read";
  let at = sections.bundle.length + MAGIC.length;
  for (const name of SECTIONS.filter((section) => section !== "bundle")) {
    const { offset, length } = sections[name];
    if (offset !== at) return `its section ${name} does not begin where the one before it ends`;
    at = offset + length;
    const padding = -at & 7;
    if (at + padding > end || source.read(at, padding).some((byte) => byte !== 0))
      return `holds something behind its section ${name}`;
    at += padding;
  }
  if (at !== end) return "holds something between its sections and its footer";
  if (sections.concepts.length !== conceptCount * CONCEPT_RECORD.bytes)
    return "has another number of concepts than it says";
  return sections.directory.length === (pageCount + 1) * 4 ? undefined : "has another number of pages than it says";
}

/** Pages of so many bytes or less are read at once: they are asked for in any order. */
const HELD_BYTES = 1 << 27;

function keyPagesOf(index: RegistryIndex): KeyPages {
  const { source, sections } = index;
  const { offset, length } = sections.pages;
  const starts = viewOf(source.read(sections.directory.offset, sections.directory.length));
  const start = (number: number): number => starts.getUint32(number * 4, true) * 4;
  const held = length <= HELD_BYTES ? source.read(offset, length) : undefined;
  const read = readerOf(source);
  return {
    footer: footerOf(index),
    start,
    read(number) {
      const [from, to] = [start(number), start(number + 1)];
      return held?.subarray(from, to) ?? read(offset + from, to - from);
    },
  };
}

export function isSealed({ source }: RegistryIndex): boolean {
  const end = source.length - DIGEST_BYTES;
  const running = createHash("sha256");
  for (const piece of pieces(source, { offset: 0, length: end })) running.update(piece);
  return running.digest().equals(source.read(end, DIGEST_BYTES));
}

function checkPages({ sections }: RegistryIndex, pages: KeyPages): string | undefined {
  const { pageCount } = pages.footer;
  const { length } = sections.pages;
  if (pages.start(0) !== 0) return "its first page does not begin with its section";
  for (let number = 0; number < pageCount; number++) {
    const end = pages.start(number + 1);
    if (end < pages.start(number) || end > length) return `its page ${number} lies outside of its section`;
    const wrong = checkPage(pages.read(number), number, pages.footer);
    if (wrong !== undefined) return wrong;
  }
  return pages.start(pageCount) === length ? undefined : "holds something behind its last page";
}

function checkPage(page: Uint8Array, number: number, footer: Footer): string | undefined {
  const { pageCount, seed } = footer;
  const view = viewOf(page);
  const hash = { page: 0, fingerprint: 0 };
  const count = view.getUint32(0, true);
  let at = 4 + count * 4 + (count + 1) * 4;
  if (at > page.length) return "has a page with more keys than it can hold";
  let previous: { fingerprint: number; key: Uint8Array } = { fingerprint: -1, key: new Uint8Array() };
  for (let i = 0; i < count; i++) {
    const next = view.getUint32(4 + (count + i + 1) * 4, true);
    const key = page.subarray(at + 2, at + 2 + view.getUint16(at, true));
    const postings = at + 2 + key.length;
    const { fingerprint } = hashKey(key, seed, hash);
    const isHere = pageOf(hash.page, pageCount) === number && view.getUint32(4 + i * 4, true) === fingerprint;
    const isOrdered = (fingerprint - previous.fingerprint || compareBytes(key, previous.key)) > 0;
    const isTiled = view.getUint32(4 + (count + i) * 4, true) === at && next <= page.length && postings < next;
    if (!isHere || !isOrdered || !isTiled || (next - postings) % POSTING_BYTES !== 0)
      return "has a page whose keys do not lie where a lookup seeks them";
    const wrong = checkPostings(page.subarray(postings, next), footer);
    if (wrong !== undefined) return wrong;
    previous = { fingerprint, key };
    at = next;
  }
  const isPadded = page.length - at <= 3 && page.subarray(at).every((byte) => byte === 0);
  return isPadded ? undefined : "holds something behind a page's keys";
}

/** By language, then concept, then strength, each once. */
function checkPostings(postings: Uint8Array, { conceptCount }: Footer): string | undefined {
  const view = viewOf(postings);
  let previous = { language: 0, concept: 0, strength: -1 };
  for (let at = 0; at < postings.length; at += POSTING_BYTES) {
    const language = view.getUint16(at, true);
    const strength = view.getUint16(at + 2, true);
    const concept = view.getUint32(at + 4, true);
    if (concept >= conceptCount) return "has a key that leads to a concept it does not hold";
    const order = language - previous.language || concept - previous.concept || strength - previous.strength;
    if (order <= 0) return "has a key whose postings are not in their order";
    previous = { language, concept, strength };
  }
  return undefined;
}

/** Every key of every page; the layout was checked before. */
export function* storedKeys(pages: KeyPages): Generator<StoredKey, void> {
  for (let number = 0; number < pages.footer.pageCount; number++) {
    const page = pages.read(number);
    const view = viewOf(page);
    const count = view.getUint32(0, true);
    for (let i = 0; i < count; i++) {
      const [at, next] = [view.getUint32(4 + (count + i) * 4, true), view.getUint32(8 + (count + i) * 4, true)];
      const postings = at + 2 + view.getUint16(at, true);
      yield {
        key: page.subarray(at + 2, postings),
        postings: page.subarray(postings, next),
        at: pages.start(number) + postings,
      };
    }
  }
}

/** The postings of a key in its page, by binary search; empty where it has none. */
export function postingsIn(page: Uint8Array, fingerprint: number, key: Uint8Array): Uint8Array {
  const view = viewOf(page);
  const count = view.getUint32(0, true);
  let [low, high] = [0, count - 1];
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const start = view.getUint32(4 + (count + middle) * 4, true) + 2;
    const end = start + view.getUint16(start - 2, true);
    const order = view.getUint32(4 + middle * 4, true) - fingerprint || compareBytes(page.subarray(start, end), key);
    if (order === 0) return page.subarray(end, view.getUint32(8 + (count + middle) * 4, true));
    if (order < 0) low = middle + 1;
    else high = middle - 1;
  }
  return page.subarray(0, 0);
}
