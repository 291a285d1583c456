/**
 * The hash pages of the index: keys to postings, and the values that the ids in postings stand for.
 */
import { POSTING_BYTES } from "../../runtime/registry/index-format.ts";
import type { Concepts } from "../registry/concepts.ts";
import { CODE_KIND, type Keys, type Ordered, type Postings } from "../registry/keys.ts";
import { compareCodePoints } from "../text/order.ts";

export interface KeyPages {
  readonly seed: number;
  readonly pageCount: number;
  /** Lower-cased tags by language id. */
  readonly languages: readonly string[];
  readonly strengths: readonly number[];
  /**
   * Makes the pages in order; returns the number of distinct keys (codes included) and the
   * directory section.
   */
  pages(): Generator<Uint8Array, PagesEnd>;
}

/** What is known once all pages are made. */
export interface PagesEnd {
  readonly keyCount: number;
  readonly directory: Uint8Array;
}

export function planKeyPages(concepts: Concepts, keys: Keys): KeyPages {
  const ids = numberKinds(concepts);
  const { seed, pageCount } = keys;
  return {
    seed,
    pageCount,
    languages: ids.languages,
    strengths: ids.strengths,
    *pages() {
      const directory = new Uint8Array((pageCount + 1) * 4);
      const directoryView = new DataView(directory.buffer);
      let length = 0;
      let keyCount = 0;
      let page = 0;
      for (const one of keys.pages()) {
        const ordered = one.inOrder();
        const bytes = formatPage(one.postings, ordered, ids);
        keyCount += ordered.ends.length;
        length += bytes.length;
        if (length / 4 > 0xffffffff) throw new RangeError("A registry index holds at most 16 GiB of keys");
        directoryView.setUint32(++page * 4, length / 4, true);
        yield bytes;
      }
      return { keyCount, directory };
    },
  };
}

/** For each kind, the ids that a posting has. */
interface KindIds {
  readonly languages: readonly string[];
  readonly strengths: readonly number[];
  readonly language: Uint16Array;
  readonly strength: Uint16Array;
}

function numberKinds(concepts: Concepts): KindIds {
  const kinds = concepts.kinds.values;
  const languages = [...new Set(kinds.map(({ tag }) => tag.toLowerCase()))].sort(compareCodePoints);
  const strengths = [...new Set(kinds.map(({ strength }) => strength))].sort((a, b) => a - b);
  if (Math.max(languages.length, strengths.length) > 0xffff) {
    throw new RangeError("A registry index holds at most 65535 language tags and as many different strengths");
  }
  const languageIds = new Map(languages.map((tag, id) => [tag, id]));
  const strengthIds = new Map(strengths.map((strength, id) => [strength, id]));
  return {
    languages,
    strengths,
    language: Uint16Array.from(kinds, ({ tag }) => languageIds.get(tag.toLowerCase()) ?? 0),
    strength: Uint16Array.from(kinds, ({ strength }) => strengthIds.get(strength) ?? 0),
  };
}

function formatPage(postings: Postings, { numbers, ends }: Ordered, ids: KindIds): Uint8Array {
  const head = 4 + ends.length * 4 + (ends.length + 1) * 4;
  const firsts = ends.map((_end, i) => numbers[ends[i - 1] ?? 0] ?? 0);
  const keysLength = firsts.reduce((sum, first) => sum + 2 + postings.keyLength(first), 0);
  const page = new Uint8Array(Math.ceil((head + keysLength + numbers.length * POSTING_BYTES) / 4) * 4);
  const view = new DataView(page.buffer);
  view.setUint32(0, ends.length, true);
  let at = head;
  const add = ({ language, strength, concept }: Posting): void => {
    view.setUint16(at, language, true);
    view.setUint16(at + 2, strength, true);
    view.setUint32(at + 4, concept, true);
    at += POSTING_BYTES;
  };
  firsts.forEach((first, i) => {
    const keyLength = postings.keyLength(first);
    view.setUint32(4 + i * 4, postings.fingerprint(first), true);
    view.setUint32(4 + (ends.length + i) * 4, at, true);
    view.setUint16(at, keyLength, true);
    postings.copyKey(first, page, at + 2);
    at += 2 + keyLength;
    const [start, end] = [ends[i - 1] ?? 0, ends[i]];
    const own = Array.from(numbers.subarray(start, end), (n) => postingOf(postings, n, ids));
    for (const posting of own.sort(comparePostings)) add(posting);
  });
  view.setUint32(4 + ends.length * 8, at, true);
  return page;
}

interface Posting {
  readonly language: number;
  readonly strength: number;
  readonly concept: number;
}

/** A code has neither a language nor a strength. */
function postingOf(postings: Postings, n: number, ids: KindIds): Posting {
  const [kind, concept] = [postings.kind(n), postings.concept(n)];
  if (kind === CODE_KIND) return { language: 0, strength: 0, concept };
  return { language: ids.language[kind] ?? 0, strength: ids.strength[kind] ?? 0, concept };
}

function comparePostings(a: Posting, b: Posting): number {
  return a.language - b.language || a.concept - b.concept || a.strength - b.strength;
}
