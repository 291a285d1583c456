/**
 * The keys of a registry in the order of the index: one posting for every expression and every
 * code, grouped by hash page; and likewise the near forms of its expressions. The postings are
 * partitioned by page, and only one part at a time is in memory.
 */
import { CODE_KEY_PREFIX, compareBytes, hashKey, pageOf } from "../../runtime/registry/index-format.ts";
import { viewOf } from "../../runtime/text/bytes.ts";
import { NEAR_RULES, nearForms } from "../../runtime/registry/near-form.ts";
import { Partitions } from "../scratch/partitions.ts";
import { setUint32s } from "../text/uint32.ts";
import { byGroup, type Grouped, membersOf } from "./by-group.ts";
import type { Concepts } from "./concepts.ts";
import type { Kind, StoredConcept } from "./stored-concept.ts";

/** Postings a page holds on average: a page stays within one or two disk blocks. */
const POSTINGS_PER_PAGE = 64;
/** A page with more distinct hashes than this makes the builder try another seed. */
const CROWDED_PAGE = 8 * POSTINGS_PER_PAGE;
const SEEDS_TRIED = 8;
/** The estimated memory of a posting with its key, in bytes. */
const POSTING_COST = 64;

/** The kind of a posting for a code. */
export const CODE_KIND = 0xffffffff;

export interface Keys {
  readonly seed: number;
  readonly pageCount: number;
  /** In order. Use each page before you ask for the next one or call anything else here. */
  pages(): Generator<KeyPage, void>;
}

/**
 * Postings by number, ordered by fingerprint and key; those of one key keep their order. `ends` has
 * the end of each key.
 */
export interface Ordered {
  readonly numbers: Uint32Array;
  readonly ends: readonly number[];
}

export interface KeyPage {
  readonly postings: Postings;
  /**
   * Whether two of its postings may have the same key. For most pages, this is known without
   * sorting them.
   */
  mayShare(): boolean;
  inOrder(): Ordered;
}

/** Distributes the keys of all concepts, in one pass over them. */
export function keysOf(concepts: Concepts): Keys {
  return distribute(concepts, concepts.length + concepts.expressionCount, exactKeys);
}

/**
 * Distributes the near forms of all expressions. The kind of a posting is a place in `nearKindsOf`.
 * There is a page even if there is no expression: without any, near forms are switched off.
 */
export function nearKeysOf(concepts: Concepts): Keys {
  return distribute(concepts, Math.max(1, concepts.expressionCount), nearKeys);
}

/** For each kind, and then each rule by which a form is near: the strength that a posting has. */
export function nearKindsOf(kinds: readonly Kind[]): Kind[] {
  return kinds.flatMap((kind) =>
    NEAR_RULES.map(({ score }) => ({ ...kind, strength: Math.min(kind.strength, score) })),
  );
}

type Add = (key: Uint8Array, kind: number) => void;

function exactKeys(concept: StoredConcept, add: Add): void {
  add(codeKey(concept.code), CODE_KIND);
  for (const { kindId, bytes, start, end } of concept.entries()) add(bytes.subarray(start, end), kindId);
}

function nearKeys(concept: StoredConcept, add: Add): void {
  for (const { kindId, bytes, start, end } of concept.entries()) {
    const [, ...forms] = nearForms(decoder.decode(bytes.subarray(start, end)));
    for (const { text, score } of forms) {
      const rule = NEAR_RULES.findIndex((one) => one.score === score);
      add(encoder.encode(text), kindId * NEAR_RULES.length + rule);
    }
  }
}

/** `expected` postings, by which pages are made. */
function distribute(concepts: Concepts, expected: number, keys: typeof exactKeys): Keys {
  const pageCount = Math.ceil(expected / POSTINGS_PER_PAGE);
  for (let seed = 0; ; seed++) {
    const partitioned = partition(concepts, keys, { seed, pageCount });
    if (seed + 1 < SEEDS_TRIED && isCrowded(partitioned)) continue;
    return { seed, pageCount, pages: () => pagesOf(partitioned) };
  }
}

interface Partitioned {
  readonly parts: Partitions;
  readonly pagesPerPart: number;
  /** The number of postings on each page. */
  readonly sizes: Uint32Array;
}

/** Page, fingerprint, concept, kind and length of the key: each a u32. */
const HEAD_BYTES = 20;

function partition(
  concepts: Concepts,
  keys: typeof exactKeys,
  { seed, pageCount }: Pick<Keys, "seed" | "pageCount">,
): Partitioned {
  const fitting = Math.floor(concepts.budget.memoryBytes / (POSTING_COST * POSTINGS_PER_PAGE));
  const pagesPerPart = Math.max(1, Math.min(pageCount, fitting));
  const parts = new Partitions(concepts.budget, Math.ceil(pageCount / pagesPerPart));
  const sizes = new Uint32Array(pageCount);
  const hash = { page: 0, fingerprint: 0 };
  const add = (key: Uint8Array, concept: number, kind: number): void => {
    hashKey(key, seed, hash);
    const page = pageOf(hash.page, pageCount);
    sizes[page] = (sizes[page] ?? 0) + 1;
    const record = parts.claim(Math.floor(page / pagesPerPart), HEAD_BYTES + key.length);
    setUint32s(record, 0, [page, hash.fingerprint, concept, kind, key.length]);
    record.set(key, HEAD_BYTES);
  };
  let id = 0;
  for (const concept of concepts) {
    const own = id++;
    keys(concept, (key, kind) => add(key, own, kind));
  }
  return { parts, pagesPerPart, sizes };
}

/** Postings of a part by number, in the order of their concepts and expressions. */
export class Postings {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #starts: Uint32Array;
  /** In an array of their own: they are compared often. */
  readonly #fingerprints: Uint32Array;

  constructor(bytes: Uint8Array, count: number) {
    this.#bytes = bytes;
    this.#view = viewOf(bytes);
    this.#starts = new Uint32Array(count);
    this.#fingerprints = new Uint32Array(count);
    for (let n = 0, at = 0; n < count; n++) {
      this.#starts[n] = at;
      this.#fingerprints[n] = this.#view.getUint32(at + 4, true);
      at += HEAD_BYTES + this.#view.getUint32(at + 16, true);
    }
  }

  page(n: number): number {
    return this.#field(n, 0);
  }
  fingerprint(n: number): number {
    return this.#fingerprints[n] ?? 0;
  }
  concept(n: number): number {
    return this.#field(n, 8);
  }
  kind(n: number): number {
    return this.#field(n, 12);
  }
  key(n: number): Uint8Array {
    const start = (this.#starts[n] ?? 0) + HEAD_BYTES;
    return this.#bytes.subarray(start, start + this.#field(n, 16));
  }

  keyLength(n: number): number {
    return this.#field(n, 16);
  }
  /** Byte by byte: keys are short, and each subarray would allocate an object. */
  copyKey(n: number, into: Uint8Array, at: number): void {
    const [start, length] = [(this.#starts[n] ?? 0) + HEAD_BYTES, this.keyLength(n)];
    for (let i = 0; i < length; i++) into[at + i] = this.#bytes[start + i] ?? 0;
  }

  #field(n: number, offset: number): number {
    return this.#view.getUint32((this.#starts[n] ?? 0) + offset, true);
  }
}

/** The postings of a part, by page. */
interface LoadedPart extends Grouped {
  readonly postings: Postings;
}

function loadPart({ parts, pagesPerPart, sizes }: Partitioned, part: number): LoadedPart {
  const first = part * pagesPerPart;
  const own = sizes.subarray(first, first + pagesPerPart);
  const pages = new Uint32Array(own.reduce((sum, size) => sum + size, 0));
  const postings = new Postings(parts.read(part), pages.length);
  for (let n = 0; n < pages.length; n++) pages[n] = postings.page(n) - first;
  return { postings, ...byGroup(pages, own.length) };
}

/** One page; its whole part is loaded. */
function loadPage(partitioned: Partitioned, page: number): { readonly postings: Postings; readonly own: Uint32Array } {
  const part = loadPart(partitioned, Math.floor(page / partitioned.pagesPerPart));
  return { postings: part.postings, own: membersOf(part, page % partitioned.pagesPerPart) };
}

function* pagesOf(partitioned: Partitioned): Generator<KeyPage, void> {
  for (let part = 0; part * partitioned.pagesPerPart < partitioned.sizes.length; part++) {
    const loaded = loadPart(partitioned, part);
    const { postings } = loaded;
    for (let page = 0; page + 1 < loaded.starts.length; page++) {
      const own = membersOf(loaded, page);
      yield {
        postings,
        mayShare: () =>
          own
            .map((n) => postings.fingerprint(n))
            .sort()
            .some((one, i, all) => one === all[i + 1]),
        inOrder: () => inKeyOrder(postings, own.slice()),
      };
    }
  }
}

function codeKey(code: string): Uint8Array {
  const key = encoder.encode(` ${code}`);
  key[0] = CODE_KEY_PREFIX;
  return key;
}

/** A long page of one ambiguous expression is not crowded; a page of many distinct hashes is. */
function isCrowded(partitioned: Partitioned): boolean {
  const { sizes } = partitioned;
  const long = Array.from(sizes.keys()).filter((page) => (sizes[page] ?? 0) > CROWDED_PAGE);
  return long.some((page) => {
    const { postings, own } = loadPage(partitioned, page);
    return new Set(Array.from(own, (n) => postings.fingerprint(n))).size > CROWDED_PAGE;
  });
}

/** Allocates no array for each key: there are millions. */
function inKeyOrder(postings: Postings, numbers: Uint32Array): Ordered {
  const compareKeys = (a: number, b: number): number =>
    postings.fingerprint(a) - postings.fingerprint(b) || compareBytes(postings.key(a), postings.key(b));
  numbers.sort((a, b) => compareKeys(a, b) || a - b);
  const ends: number[] = [];
  for (let i = 1; i <= numbers.length; i++) {
    if (i === numbers.length || compareKeys(numbers[i - 1] ?? 0, numbers[i] ?? 0) !== 0) ends.push(i);
  }
  return { numbers, ends };
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
