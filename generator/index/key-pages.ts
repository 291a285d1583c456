/**
 * The hash pages of the index: keys to postings. Every key stands once in one run of bytes, with numbers beside it, so that
 * a page is made without going back to the concepts it came from; it is handed on and forgotten.
 */
import { keyOf } from "../../runtime/text/expression.ts";
import { CODE_KEY_PREFIX, compareBytes, hashKey, pageOf, POSTING_BYTES } from "../../runtime/registry/index-format.ts";
import { compareCodePoints } from "../text/order.ts";
import { type Concept, tagOf } from "../registry/checked.ts";

/** Postings a page holds on average: a page stays within one or two disk blocks. */
const POSTINGS_PER_PAGE = 64;
/** A page of more distinct hashes than this makes the builder try another seed. */
const CROWDED_PAGE = 8 * POSTINGS_PER_PAGE;
const SEEDS_TRIED = 8;

export interface KeyPages {
  readonly seed: number;
  readonly pageCount: number;
  /** Lower-cased tags by language id. */
  readonly languages: readonly string[];
  readonly strengths: readonly number[];
  /** Makes the pages in order; returns the number of distinct keys (codes included) and the directory section. */
  pages(): Generator<Uint8Array, { keyCount: number; directory: Uint8Array }>;
}

/** Plans the pages of concepts given in code order. */
export function planKeyPages(concepts: readonly Concept[]): KeyPages {
  const survey = surveyExpressions(concepts);
  const { languages, strengths, count } = survey;
  const postings = new Postings(concepts, survey);
  const pageCount = Math.ceil(count / POSTINGS_PER_PAGE);
  const { seed, order, starts, fingerprints } = chooseSeed(postings, pageCount);
  return {
    seed,
    pageCount,
    languages,
    strengths,
    *pages() {
      const directory = new Uint8Array((pageCount + 1) * 4);
      const directoryView = new DataView(directory.buffer);
      let length = 0;
      let keyCount = 0;
      for (let page = 0; page < pageCount; page++) {
        const numbers = [...order.subarray(starts[page], starts[page + 1])];
        const entries = groupByKey(postings, fingerprints, numbers);
        keyCount += entries.length;
        const bytes = formatPage(postings, fingerprints, entries);
        length += bytes.length;
        directoryView.setUint32((page + 1) * 4, length / 4, true);
        yield bytes;
      }
      return { keyCount, directory };
    },
  };
}

interface Survey {
  readonly languages: string[];
  readonly strengths: number[];
  /** Postings: one a code, one an expression. */
  readonly count: number;
  /** Room that their keys need at most. */
  readonly bytes: number;
}

/** What the ids in postings stand for, and how many postings there are. */
function surveyExpressions(concepts: readonly Concept[]): Survey {
  const tags = new Set<string>();
  const values = new Set<number>();
  let count = concepts.length;
  let units = 0;
  for (const { code, expressions } of concepts) {
    count += expressions.length;
    units += 1 + code.length;
    for (const expression of expressions) {
      tags.add(tagOf(expression).toLowerCase());
      values.add(expression.equivalenceStrength);
      units += keyOf(expression.expression).length;
    }
  }
  if (Math.max(tags.size, values.size) > 0xffff) {
    throw new RangeError("A registry index holds at most 65535 language tags and as many different strengths");
  }
  const languages = [...tags].sort(compareCodePoints);
  return { languages, strengths: [...values].sort((a, b) => a - b), count, bytes: units * 3 };
}

/** All postings by number, in code order, with their keys. */
class Postings {
  readonly count: number;
  readonly #bytes: Uint8Array;
  /** Where each key begins; a double holds more than 4 GiB. */
  readonly #starts: Float64Array;
  readonly #concepts: Uint32Array;
  readonly #languages: Uint16Array;
  readonly #strengths: Uint16Array;

  constructor(concepts: readonly Concept[], { languages, strengths, count, bytes }: Survey) {
    this.count = count;
    this.#bytes = new Uint8Array(bytes);
    this.#starts = new Float64Array(count + 1);
    this.#concepts = new Uint32Array(count);
    this.#languages = new Uint16Array(count);
    this.#strengths = new Uint16Array(count);
    const languageIds = new Map(languages.map((tag, id) => [tag, id]));
    const strengthIds = new Map(strengths.map((strength, id) => [strength, id]));
    let n = 0;
    let at = 0;
    const add = (key: string, conceptId: number): void => {
      at += encoder.encodeInto(key, this.#bytes.subarray(at)).written;
      this.#concepts[n++] = conceptId;
      this.#starts[n] = at;
    };
    concepts.forEach(({ code, expressions }, conceptId) => {
      this.#bytes[at++] = CODE_KEY_PREFIX;
      add(code, conceptId);
      for (const expression of expressions) {
        this.#languages[n] = languageIds.get(tagOf(expression).toLowerCase()) ?? 0;
        this.#strengths[n] = strengthIds.get(expression.equivalenceStrength) ?? 0;
        add(keyOf(expression.expression), conceptId);
      }
    });
  }

  key(n: number): Uint8Array {
    return this.#bytes.subarray(this.#starts[n], this.#starts[n + 1]);
  }

  /** By language, then concept, then strength. */
  compare(a: number, b: number): number {
    const of = (ids: Uint16Array | Uint32Array): number => (ids[a] ?? 0) - (ids[b] ?? 0);
    return of(this.#languages) || of(this.#concepts) || of(this.#strengths);
  }

  write(n: number, into: DataView, at: number): void {
    into.setUint16(at, this.#languages[n] ?? 0, true);
    into.setUint16(at + 2, this.#strengths[n] ?? 0, true);
    into.setUint32(at + 4, this.#concepts[n] ?? 0, true);
  }
}

interface Distribution {
  readonly seed: number;
  /** Numbers of postings, grouped by page. */
  readonly order: Uint32Array;
  /** Where each page begins in `order`. */
  readonly starts: Uint32Array;
  /** By number of posting. */
  readonly fingerprints: Uint32Array;
}

/** The first seed without a crowded page. Keys that collide under every seed are legal: pages have no size limit. */
function chooseSeed(postings: Postings, pageCount: number): Distribution {
  const { count } = postings;
  for (let seed = 0; ; seed++) {
    const pageNumbers = new Uint32Array(count);
    const fingerprints = new Uint32Array(count);
    const starts = new Uint32Array(pageCount + 1);
    const hash = { page: 0, fingerprint: 0 };
    for (let n = 0; n < count; n++) {
      hashKey(postings.key(n), seed, hash);
      const page = pageOf(hash.page, pageCount);
      pageNumbers[n] = page;
      fingerprints[n] = hash.fingerprint;
      starts[page + 1] = (starts[page + 1] ?? 0) + 1;
    }
    for (let page = 0; page < pageCount; page++) starts[page + 1] = (starts[page + 1] ?? 0) + (starts[page] ?? 0);
    if (seed + 1 < SEEDS_TRIED && isCrowded(pageNumbers, fingerprints, starts)) continue;
    const next = starts.slice();
    const order = new Uint32Array(count);
    pageNumbers.forEach((page, n) => {
      const at = next[page] ?? 0;
      next[page] = at + 1;
      order[at] = n;
    });
    return { seed, order, starts, fingerprints };
  }
}

/** A long page of one ambiguous expression is not crowded; one of many distinct hashes is. */
function isCrowded(pageNumbers: Uint32Array, fingerprints: Uint32Array, starts: Uint32Array): boolean {
  const long = new Map<number, Set<number>>();
  for (let page = 0; page + 1 < starts.length; page++) {
    if ((starts[page + 1] ?? 0) - (starts[page] ?? 0) > CROWDED_PAGE) long.set(page, new Set());
  }
  if (long.size === 0) return false;
  pageNumbers.forEach((page, i) => long.get(page)?.add(fingerprints[i] ?? 0));
  return [...long.values()].some((distinct) => distinct.size > CROWDED_PAGE);
}

/** The postings of a page as its entries: those of one key together, by fingerprint and key. */
function groupByKey(postings: Postings, fingerprints: Uint32Array, numbers: number[]): number[][] {
  const compareKeys = (a: number, b: number): number =>
    (fingerprints[a] ?? 0) - (fingerprints[b] ?? 0) || compareBytes(postings.key(a), postings.key(b));
  numbers.sort((a, b) => compareKeys(a, b) || postings.compare(a, b));
  const entries: number[][] = [];
  for (const n of numbers) {
    const entry = entries.at(-1);
    if (entry?.[0] !== undefined && compareKeys(entry[0], n) === 0) entry.push(n);
    else entries.push([n]);
  }
  return entries;
}

function formatPage(postings: Postings, fingerprints: Uint32Array, entries: readonly number[][]): Uint8Array {
  const head = 4 + entries.length * 4 + (entries.length + 1) * 4;
  const keys = entries.map(([first = 0]) => postings.key(first));
  const size = keys.reduce((sum, key, i) => sum + 2 + key.length + (entries[i]?.length ?? 0) * POSTING_BYTES, head);
  const page = new Uint8Array(Math.ceil(size / 4) * 4);
  const view = new DataView(page.buffer);
  view.setUint32(0, entries.length, true);
  let at = head;
  entries.forEach((entry, i) => {
    const key = keys[i] ?? new Uint8Array();
    view.setUint32(4 + i * 4, fingerprints[entry[0] ?? 0] ?? 0, true);
    view.setUint32(4 + (entries.length + i) * 4, at, true);
    view.setUint16(at, key.length, true);
    page.set(key, at + 2);
    at += 2 + key.length;
    for (const n of entry) {
      postings.write(n, view, at);
      at += POSTING_BYTES;
    }
  });
  view.setUint32(4 + entries.length * 8, at, true);
  return page;
}

const encoder = new TextEncoder();
