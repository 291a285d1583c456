/**
 * The keys of an index against what its concepts say: every expression and code has a posting that leads to its concept, and
 * no posting is there for which nobody asks.
 */
import { CODE_KEY_PREFIX, hashKey, pageOf, POSTING_BYTES } from "../../../runtime/registry/index-format.ts";
import type { RegistryIndex } from "../../../runtime/registry/index.ts";
import { hasBit, setBit, viewOf } from "../../../runtime/text/bytes.ts";
import { type KeyPages, postingsIn, storedKeys } from "./index-layout.ts";

interface Posting {
  readonly languageId: number;
  readonly strengthId: number;
  readonly conceptId: number;
}

export class KeyAudit {
  readonly #index: RegistryIndex;
  readonly #pages: KeyPages;
  readonly #hash = { page: 0, fingerprint: 0 };
  readonly #strengths: ReadonlyMap<number, number>;
  /** The postings that somebody asked for: a bit for each eight bytes of the pages, as many as a posting takes. */
  readonly #asked: Uint8Array;

  constructor(index: RegistryIndex, pages: KeyPages) {
    this.#index = index;
    this.#pages = pages;
    this.#strengths = new Map(index.meta.strengths.map((strength, id) => [strength, id]));
    this.#asked = new Uint8Array(Math.ceil(index.sections.pages.length / POSTING_BYTES / 8));
  }

  /** Whether the code leads to its concept. */
  hasCode(conceptId: number, code: string): boolean {
    const key = Uint8Array.of(CODE_KEY_PREFIX, ...Buffer.from(code));
    return this.#ask(key, { languageId: 0, strengthId: 0, conceptId });
  }

  /** Whether an expression with this comparison form leads to its concept, and did not before. */
  hasExpression(conceptId: number, key: string, { tag, strength }: { tag: string; strength: number }): boolean {
    const [languageId, strengthId] = [this.#index.languageId(tag), this.#strengths.get(strength)];
    if (languageId === undefined || strengthId === undefined) return false;
    return this.#ask(Buffer.from(key), { languageId, strengthId, conceptId });
  }

  /** After every concept: what is there for which nobody asked. */
  *faults(): Generator<string, void> {
    let count = 0;
    for (const { key, postings, at } of storedKeys(this.#pages)) {
      count++;
      for (let from = 0; from < postings.length; from += POSTING_BYTES) {
        if (this.#isAsked(at + from)) continue;
        yield `${JSON.stringify(textOf(key))} leads to more than its concepts`;
        break;
      }
    }
    if (count !== this.#pages.footer.keyCount) yield "the number of its keys is not the one that it says";
  }

  #ask(key: Uint8Array, { languageId, strengthId, conceptId }: Posting): boolean {
    const { seed, pageCount } = this.#pages.footer;
    if (pageCount === 0) return false;
    const number = pageOf(hashKey(key, seed, this.#hash).page, pageCount);
    const page = this.#pages.read(number);
    const postings = postingsIn(page, this.#hash.fingerprint, key);
    const start = this.#pages.start(number) + postings.byteOffset - page.byteOffset;
    const view = viewOf(postings);
    for (let at = 0; at < postings.length; at += POSTING_BYTES) {
      const isThis =
        view.getUint32(at + 4, true) === conceptId &&
        view.getUint16(at, true) === languageId &&
        view.getUint16(at + 2, true) === strengthId;
      if (isThis) return this.#mark(start + at);
    }
    return false;
  }

  /** False where it was asked for before. */
  #mark(at: number): boolean {
    if (this.#isAsked(at)) return false;
    setBit(this.#asked, Math.floor(at / POSTING_BYTES));
    return true;
  }

  #isAsked(at: number): boolean {
    return hasBit(this.#asked, Math.floor(at / POSTING_BYTES));
  }
}

function textOf(key: Uint8Array): string {
  return decoder.decode(key[0] === CODE_KEY_PREFIX ? key.subarray(1) : key);
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
