/**
 * The compiled registry on disk, version 8: constants and hash shared by the writer (generator) and
 * the reader. Two files are read as one source, the public bundle followed by the index; offsets
 * count from the bundle's first byte.
 *
 *   bundle    one ConceptDetail per line; concepts in code order. A separate file that people fetch
 *   prelude   magic[8]: the index begins
 *   list      the ConceptList document
 *   words     every word of folded names and definitions, with the concepts that have it; then
 *             likewise the grams: every character and character pair that occurs in a word
 *   answers   per concept: its ResolvedConcept, then the head of its Candidate (up to the score);
 *             then, from `notesStart` of `meta`, the ConceptNotes of each concept that has any
 *   concepts  one fixed record per concept: the spans of its parts, and the digest of its detail
 *   near, nearDirectory      as pages and directory, of near forms; no pages if these are off
 *   pages     self-contained hash pages of keys, 4-byte aligned
 *   directory (pageCount + 1) * u32: page starts in 4-byte units from the start of `pages`
 *   meta      small JSON: versions, languages, strengths, digests
 *   footer    section table, counts, hash seeds, format and hash version, magic
 *   trailer   SHA-256 of everything before it
 *
 *   page      u32 m | m * u32 fingerprint | (m + 1) * u32 entry offset in the page | entries,
 *             ordered by (fingerprint, key)
 *   entry     u16 key length | key | postings * { u16 language, u16 strength, u32 concept }
 *
 *   words     blocks, whose positions `meta` has; words are ordered by (hash with seed 0, bytes),
 *             and so are grams; a gram's hash determines its block, as a key's determines its page
 *   block     u32 length of text | u32 count of words | text: each word and LF |
 *             count * { u32 end of a word in text, u32 end of its list in lists } | lists;
 *             the words with the longest lists come first in a block
 *   list      ids of concepts, ascending, as LEB128 of the distance of each from the previous one
 *             (the first: from -1); or one bit per concept, if that is not longer
 *
 * A key of `pages` is the UTF-8 of an expression's NFC form, or the byte 0xFF (never UTF-8) and a
 * ConceptCode. A key of `near` is a near form of an expression that differs from its NFC form, and
 * the strength of its posting is the lower of its score and the expression's strength.
 * All numbers are little endian. The entries of a page are ordered, so a lookup is logarithmic even
 * if all keys have the same hash. Sections of the index end at a multiple of 8.
 *
 * A third file has the SHA-256 of each block of the two, so that a block of a large registry can be
 * checked before the whole is. A fourth has the SHA-256 of each piece of the third, for readers
 * that fetch only parts of that too; its own digest pins the registry. The same in hexadecimal:
 *
 *   cat registry/bundle.ndjson registry.index | split -b 16384 --filter=sha256sum
 *   split -b 4096 --filter=sha256sum registry.blocks
 */

/** As in PNG, the first byte is not ASCII, and the line ends reveal a transfer in text mode. */
export const MAGIC = Uint8Array.of(0x89, 0x53, 0x52, 0x49, 0x0d, 0x0a, 0x1a, 0x0a);
export const FORMAT_VERSION = 8;
export const HASH_VERSION = 1;

/** In the order of the footer's table. */
export const SECTIONS = [
  "list",
  "words",
  "bundle",
  "answers",
  "concepts",
  "near",
  "nearDirectory",
  "pages",
  "directory",
  "meta",
] as const;
export type Section = (typeof SECTIONS)[number];

/** Footer: each section's { u64 offset, u64 length }, eight u32, the magic again. */
export const FOOTER_FIELDS = [
  "formatVersion",
  "hashVersion",
  "seed",
  "pageCount",
  "keyCount",
  "conceptCount",
  "nearSeed",
  "nearPageCount",
] as const;
export const FOOTER_BYTES = SECTIONS.length * 16 + FOOTER_FIELDS.length * 4 + MAGIC.length;
export const DIGEST_BYTES = 32;
/** The size of a block in bytes; each block has its own digest. */
export const BLOCK_BYTES = 16_384;
/** The size in bytes of a piece of the blocks' digests; each piece has its own digest. */
export const PIECE_BYTES = 4096;

/** The digest of a block or a piece, from the file of digests. */
export function digestAt(digests: Uint8Array, number: number): Uint8Array {
  return digests.subarray(number * DIGEST_BYTES, (number + 1) * DIGEST_BYTES);
}

/** Offsets in a concept record: u64, u32, the SHA-256 of its detail, then a u64 and a u32. */
export const CONCEPT_RECORD = {
  summaryOffset: 0,
  detailOffset: 8,
  answerOffset: 16,
  summaryLength: 24,
  detailLength: 28,
  resolvedLength: 32,
  candidateLength: 36,
  detailDigest: 40,
  notesOffset: 72,
  notesLength: 80,
  bytes: 84,
} as const;

export const POSTING_BYTES = 8;
/** Marks a key that is a ConceptCode. */
export const CODE_KEY_PREFIX = 0xff;

/** `meta` has the position of the answers of one in this many concepts. */
export const MARK_CONCEPTS = 256;

/** The parsed `meta` section. Languages (lower-case tags) and strengths are listed by id. */
export interface IndexMeta {
  readonly registryVersion: string;
  readonly languages: readonly string[];
  readonly strengths: readonly number[];
  readonly listSha256: string;
  readonly bundleSha256: string;
  /** The position in `answers` of every 256th concept, to find any of them in few bytes. */
  readonly marks?: readonly number[];
  /** The position in `answers` where the notes begin. */
  readonly notesStart?: number;
  /** The positions of the blocks of words, and of grams. */
  readonly words?: readonly number[];
  readonly grams?: readonly number[];
}

/** A block of words ends at the latest with the word that makes its text this long. */
export const WORDS_TEXT_BYTES = 49_152;

/** The hash that orders words and grams, and finds the block of a gram. */
export function wordHash(word: Uint8Array): number {
  return hashKey(word, 0, { page: 0, fingerprint: 0 }).page;
}

/** The number of blocks of grams: enough that each block stays small. */
export function gramBlockCount(conceptCount: number): number {
  return Math.ceil(conceptCount / 1024);
}

/** A 64-bit hash as two u32 lanes: `page` picks the page, `fingerprint` the entry. */
export interface KeyHash {
  page: number;
  fingerprint: number;
}

/**
 * Hash version 1: two multiply-xor lanes over the bytes with a final avalanche (the construction
 * known as cyrb53). It only narrows the search: the reader always compares the whole key.
 */
export function hashKey(key: Uint8Array, seed: number, into: KeyHash): KeyHash {
  let h1 = 0xdeadbeef ^ seed;
  let h2 = 0x41c6ce57 ^ seed;
  for (let i = 0; i < key.length; i++) {
    const byte = key[i] ?? 0;
    h1 = Math.imul(h1 ^ byte, 2_654_435_761);
    h2 = Math.imul(h2 ^ byte, 1_597_334_677);
  }
  h1 = Math.imul(h1 ^ (h1 >>> 16), 2_246_822_507) ^ Math.imul(h2 ^ (h2 >>> 13), 3_266_489_909);
  h2 = Math.imul(h2 ^ (h2 >>> 16), 2_246_822_507) ^ Math.imul(h1 ^ (h1 >>> 13), 3_266_489_909);
  into.page = h1 >>> 0;
  into.fingerprint = h2 >>> 0;
  return into;
}

/** The page of a hash, or its block of grams: floor(hash * pageCount / 2^32). */
export function pageOf(hash: number, pageCount: number): number {
  return Math.floor((hash * pageCount) / 4_294_967_296);
}

/** Compares as unsigned bytes; a prefix sorts before a longer text. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
