/**
 * The hash pages of the index, of keys and of near forms: texts to postings, and the values that
 * the ids in postings stand for.
 */
import { POSTING_BYTES } from "../../runtime/registry/index-format.ts";
import { CODE_KIND, type Keys, type Ordered, type Postings } from "../registry/keys.ts";
import type { Kind } from "../registry/stored-concept.ts";
import { compareCodePoints } from "../text/order.ts";

/** What is known once all pages are made. */
export interface PagesEnd {
  /** Of distinct keys, codes included. */
  readonly keyCount: number;
  readonly directory: Uint8Array;
}

/** The values of `meta` that postings have by number. */
export interface PostingIds {
  /** Lower-cased tags by language id. */
  readonly languages: readonly string[];
  readonly strengths: readonly number[];
}

/** Numbers the languages and strengths of all kinds that any posting has. */
export function numberPostings(kinds: readonly Kind[]): PostingIds {
  const languages = [...new Set(kinds.map(({ tag }) => tag.toLowerCase()))].sort(compareCodePoints);
  const strengths = [...new Set(kinds.map(({ strength }) => strength))].sort((a, b) => a - b);
  if (Math.max(languages.length, strengths.length) > 0xffff) {
    throw new RangeError("A registry index holds at most 65535 language tags and as many different strengths");
  }
  return { languages, strengths };
}

/** Makes the pages in order. `kinds` are those that the postings of the keys have by number. */
export function* keyPages(
  keys: Keys,
  kinds: readonly Kind[],
  { languages, strengths }: PostingIds,
): Generator<Uint8Array, PagesEnd> {
  const languageIds = new Map(languages.map((tag, id) => [tag, id]));
  const strengthIds = new Map(strengths.map((strength, id) => [strength, id]));
  const ids: KindIds = {
    language: Uint16Array.from(kinds, ({ tag }) => languageIds.get(tag.toLowerCase()) ?? 0),
    strength: Uint16Array.from(kinds, ({ strength }) => strengthIds.get(strength) ?? 0),
  };
  const directory = new Uint8Array((keys.pageCount + 1) * 4);
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
}

/** For each kind, the ids that a posting has. */
interface KindIds {
  readonly language: Uint16Array;
  readonly strength: Uint16Array;
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
    const [start, end] = [ends[i - 1] ?? 0, ends[i] ?? 0];
    // Nearly all keys: what follows would cost each three arrays.
    if (end - start === 1) add(postingOf(postings, first, ids));
    else for (const posting of distinct(numbers.subarray(start, end), (n) => postingOf(postings, n, ids))) add(posting);
  });
  view.setUint32(4 + ends.length * 8, at, true);
  return page.subarray(0, Math.ceil(at / 4) * 4);
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

/** In order. Expressions of a concept that differ only in form have the same near form. */
function distinct(numbers: Uint32Array, posting: (n: number) => Posting): Posting[] {
  const all = Array.from(numbers, posting).sort(comparePostings);
  return all.filter((one, i) => {
    const before = all[i - 1];
    return before === undefined || comparePostings(before, one) !== 0;
  });
}

function comparePostings(a: Posting, b: Posting): number {
  return a.language - b.language || a.concept - b.concept || a.strength - b.strength;
}
