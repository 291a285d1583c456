/**
 * The hash pages of the index: keys to postings. Works on positions, not on copies of the text, so memory grows by some
 * bytes a posting; a page is made, handed on and forgotten.
 */
import { CODE_KEY_PREFIX, compareBytes, hashKey, pageOf, POSTING_BYTES } from "../../runtime/index-format.ts";
import { keyOf } from "../../runtime/expression.ts";
import { compareCodePoints } from "../order.ts";
import { type Concept, tagOf } from "./checked.ts";

/** Postings a page holds on average: a page stays within one or two disk blocks. */
const POSTINGS_PER_PAGE = 64;
/** A page of more distinct hashes than this makes the builder try another seed. */
const CROWDED_PAGE = 8 * POSTINGS_PER_PAGE;
const SEEDS_TRIED = 8;
/** The expression number that stands for the concept's code. */
const CODE = 0xffff_ffff;

export interface KeyPages {
  readonly seed: number;
  readonly pageCount: number;
  /** Lower-cased tags by language id. */
  readonly languages: readonly string[];
  readonly strengths: readonly number[];
  /** Makes the pages in order; returns the number of distinct keys (codes included) and the directory section. */
  pages(): Generator<Uint8Array, { keyCount: number; directory: Uint8Array }>;
}

interface Entry {
  readonly key: Uint8Array;
  readonly fingerprint: number;
  readonly postings: Posting[];
}

interface Posting {
  readonly languageId: number;
  readonly strengthId: number;
  readonly conceptId: number;
}

/** Plans the pages of concepts given in code order. */
export function planKeyPages(concepts: readonly Concept[]): KeyPages {
  const { languages, strengths, count } = surveyExpressions(concepts);
  const pageCount = Math.ceil(count / POSTINGS_PER_PAGE);
  const { seed, order, starts } = chooseSeed(concepts, count, pageCount);
  const languageIds = new Map(languages.map((tag, id) => [tag, id]));
  const strengthIds = new Map(strengths.map((strength, id) => [strength, id]));

  const postingOf = (conceptId: number, number: number): Posting => {
    const expression = concepts[conceptId]?.expressions[number];
    if (expression === undefined) return { languageId: 0, strengthId: 0, conceptId };
    const languageId = languageIds.get(tagOf(expression).toLowerCase()) ?? 0;
    return { languageId, strengthId: strengthIds.get(expression.equivalenceStrength) ?? 0, conceptId };
  };
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
      const hash = { page: 0, fingerprint: 0 };
      for (let page = 0; page < pageCount; page++) {
        const entries = new Map<string, Entry>();
        for (let at = starts[page] ?? 0; at < (starts[page + 1] ?? 0); at++) {
          const [conceptId, number] = [order[at * 2] ?? 0, order[at * 2 + 1] ?? 0];
          const text = keyText(concepts, conceptId, number);
          const posting = postingOf(conceptId, number);
          const known = entries.get(text);
          if (known === undefined) {
            const key = encodeKey(text);
            const { fingerprint } = hashKey(key, seed, hash);
            entries.set(text, { key, fingerprint, postings: [posting] });
          } else known.postings.push(posting);
        }
        keyCount += entries.size;
        const bytes = formatPage([...entries.values()]);
        length += bytes.length;
        directoryView.setUint32((page + 1) * 4, length / 4, true);
        yield bytes;
      }
      return { keyCount, directory };
    },
  };
}

/** What the ids in postings stand for, and how many postings there are: one a code, one an expression. */
function surveyExpressions(concepts: readonly Concept[]): { languages: string[]; strengths: number[]; count: number } {
  const tags = new Set<string>();
  const values = new Set<number>();
  let count = concepts.length;
  for (const { expressions } of concepts) {
    count += expressions.length;
    for (const expression of expressions) {
      tags.add(tagOf(expression).toLowerCase());
      values.add(expression.equivalenceStrength);
    }
  }
  if (Math.max(tags.size, values.size) > 0xffff) {
    throw new RangeError("A registry index holds at most 65535 language tags and as many different strengths");
  }
  return { languages: [...tags].sort(compareCodePoints), strengths: [...values].sort((a, b) => a - b), count };
}

interface Distribution {
  readonly seed: number;
  /** Pairs (concept id, expression number), grouped by page. */
  readonly order: Uint32Array;
  /** Where each page begins in `order`, in pairs. */
  readonly starts: Uint32Array;
}

/** The first seed without a crowded page. Keys that collide under every seed are legal: pages have no size limit. */
function chooseSeed(concepts: readonly Concept[], count: number, pageCount: number): Distribution {
  for (let seed = 0; ; seed++) {
    const pageNumbers = new Uint32Array(count);
    const fingerprints = new Uint32Array(count);
    const starts = new Uint32Array(pageCount + 1);
    let position = 0;
    const hash = { page: 0, fingerprint: 0 };
    for (const [conceptId, number] of positions(concepts)) {
      const key = encodeKey(keyText(concepts, conceptId, number));
      hashKey(key, seed, hash);
      const page = pageOf(hash.page, pageCount);
      pageNumbers[position] = page;
      fingerprints[position++] = hash.fingerprint;
      starts[page + 1] = (starts[page + 1] ?? 0) + 1;
    }
    for (let page = 0; page < pageCount; page++) starts[page + 1] = (starts[page + 1] ?? 0) + (starts[page] ?? 0);
    if (seed + 1 < SEEDS_TRIED && isCrowded(pageNumbers, fingerprints, starts)) continue;
    const next = starts.slice();
    const order = new Uint32Array(count * 2);
    position = 0;
    for (const [conceptId, number] of positions(concepts)) {
      const page = pageNumbers[position++] ?? 0;
      const at = next[page] ?? 0;
      next[page] = at + 1;
      order[at * 2] = conceptId;
      order[at * 2 + 1] = number;
    }
    return { seed, order, starts };
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

function* positions(concepts: readonly Concept[]): Generator<[conceptId: number, number: number]> {
  for (let conceptId = 0; conceptId < concepts.length; conceptId++) {
    yield [conceptId, CODE];
    const expressions = concepts[conceptId]?.expressions.length ?? 0;
    for (let number = 0; number < expressions; number++) yield [conceptId, number];
  }
}

/** The key as text; a code carries a lone surrogate in front, which no expression can hold. */
function keyText(concepts: readonly Concept[], conceptId: number, number: number): string {
  const concept = concepts[conceptId];
  return number === CODE ? `\uD800${concept?.code ?? ""}` : keyOf(concept?.expressions[number]?.expression ?? "");
}

const encoder = new TextEncoder();

function encodeKey(text: string): Uint8Array {
  if (!text.startsWith("\uD800")) return encoder.encode(text);
  const code = encoder.encode(text.slice(1));
  const key = new Uint8Array(code.length + 1);
  key[0] = CODE_KEY_PREFIX;
  key.set(code, 1);
  return key;
}

function formatPage(entries: Entry[]): Uint8Array {
  entries.sort((a, b) => a.fingerprint - b.fingerprint || compareBytes(a.key, b.key));
  const head = 4 + entries.length * 4 + (entries.length + 1) * 4;
  const size = entries.reduce((sum, { key, postings }) => sum + 2 + key.length + postings.length * POSTING_BYTES, head);
  const page = new Uint8Array(Math.ceil(size / 4) * 4);
  const view = new DataView(page.buffer);
  view.setUint32(0, entries.length, true);
  let at = head;
  entries.forEach(({ key, fingerprint, postings }, i) => {
    view.setUint32(4 + i * 4, fingerprint, true);
    view.setUint32(4 + (entries.length + i) * 4, at, true);
    view.setUint16(at, key.length, true);
    page.set(key, at + 2);
    at += 2 + key.length;
    postings.sort((a, b) => a.languageId - b.languageId || a.conceptId - b.conceptId || a.strengthId - b.strengthId);
    for (const { languageId, strengthId, conceptId } of postings) {
      view.setUint16(at, languageId, true);
      view.setUint16(at + 2, strengthId, true);
      view.setUint32(at + 4, conceptId, true);
      at += POSTING_BYTES;
    }
  });
  view.setUint32(4 + entries.length * 8, at, true);
  return page;
}
