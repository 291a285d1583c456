/**
 * Checks the keys of an index against its concepts: every expression and code leads to its concept,
 * likewise every near form, and there is no other key. Both sides are compared in the order of the
 * pages, so that each page is read once and memory holds only a part of them.
 */
import {
  CODE_KEY_PREFIX,
  compareBytes,
  hashKey,
  pageOf,
  POSTING_BYTES,
} from "../../../runtime/registry/index-format.ts";
import type { RegistryIndex } from "../../../runtime/registry/index.ts";
import { viewOf } from "../../../runtime/text/bytes.ts";
import { Partitions } from "../../scratch/partitions.ts";
import type { MemoryBudget } from "../../effects/effects.ts";
import { setUint32s } from "../../text/uint32.ts";
import { type KeySpace, type StoredKey, storedKeys } from "./index-layout.ts";

const PAGES_PER_PART = 1024;
/** Offsets in a record: page, fingerprint, posting as in an index, length of the key, key. */
const [FINGERPRINT, POSTING, KEY_LENGTH, KEY] = [4, 8, 8 + POSTING_BYTES, 12 + POSTING_BYTES];

/** A posting that a concept requires. */
interface Wanted {
  readonly key: Uint8Array;
  readonly posting: Uint8Array;
}

export class KeyAudit {
  readonly #index: RegistryIndex;
  readonly #parts: Partitions;
  readonly #partCount: number;
  readonly #space: KeySpace;
  readonly #hash = { page: 0, fingerprint: 0 };
  readonly #strengths: ReadonlyMap<number, number>;
  /** Whether every key is where a lookup seeks it; known after `faults`. */
  canLookUp = true;

  constructor(index: RegistryIndex, space: KeySpace, budget: MemoryBudget) {
    this.#index = index;
    this.#space = space;
    this.#partCount = Math.max(1, Math.ceil(space.pageCount / PAGES_PER_PART));
    this.#parts = new Partitions(budget, this.#partCount);
    this.#strengths = new Map(index.meta.strengths.map((strength, id) => [strength, id]));
  }

  addCode(conceptId: number, code: string): void {
    this.#add(Uint8Array.of(CODE_KEY_PREFIX, ...Buffer.from(code)), [0, 0, conceptId]);
  }

  /** False if the index cannot have a posting for it. */
  addExpression(conceptId: number, key: string, { tag, strength }: { tag: string; strength: number }): boolean {
    const [languageId, strengthId] = [this.#index.languageId(tag), this.#strengths.get(strength)];
    if (languageId === undefined || strengthId === undefined) return false;
    this.#add(Buffer.from(key), [languageId, strengthId, conceptId]);
    return true;
  }

  /** Returns the number of keys; `codes` are those of the concepts, by number. */
  *faults(codes: readonly string[]): Generator<string, number> {
    const stored = storedKeys(this.#index, this.#space);
    let next = stored.next();
    let count = 0;
    for (let part = 0; part < this.#partCount; part++) {
      const wanted = new InOrder(this.#parts.read(part));
      for (; next.done !== true; next = stored.next()) {
        if (typeof next.value === "string") {
          this.canLookUp = false;
          yield `${next.value}, so nothing was looked up in it`;
          return count;
        }
        const { page } = next.value;
        if (page >= (part + 1) * PAGES_PER_PART) break;
        count++;
        for (let lost = wanted.takeBefore(next.value); lost !== undefined; lost = wanted.takeBefore(next.value))
          yield lostFault(lost, codes);
        const asked = wanted.takeAll(next.value);
        if (!isOnlyPosting(next.value, asked)) yield* compare(next.value, asked, codes);
      }
      for (let lost = wanted.take(); lost !== undefined; lost = wanted.take()) yield lostFault(lost, codes);
    }
    return count;
  }

  #add(key: Uint8Array, [languageId, strengthId, conceptId]: readonly [number, number, number]): void {
    const { seed, pageCount } = this.#space;
    const { page: hash, fingerprint } = hashKey(key, seed, this.#hash);
    const page = pageOf(hash, pageCount);
    const record = this.#parts.claim(Math.floor(page / PAGES_PER_PART), KEY + key.length);
    // A posting begins with two numbers of 16 bits.
    setUint32s(record, 0, [page, fingerprint, languageId + 0x1_0000 * strengthId, conceptId, key.length]);
    record.set(key, KEY);
  }
}

/** The required postings of a part, in the order of the keys of an index. */
class InOrder {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  /** Where each record begins, in order. */
  readonly #starts: Uint32Array;
  #next = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = viewOf(bytes);
    const starts: number[] = [];
    for (let at = 0; at < bytes.length; at = this.#endOf(at)) starts.push(at);
    const hashes = starts.map((at) => this.#hashOf(at));
    const numbers = Uint32Array.from(starts.keys());
    const startOf = (number: number): number => starts[number] ?? 0;
    numbers.sort(
      (a, b) => (hashes[a] ?? 0) - (hashes[b] ?? 0) || compareBytes(this.#keyAt(startOf(a)), this.#keyAt(startOf(b))),
    );
    this.#starts = numbers.map(startOf);
  }

  /** The next one; undefined after the last. */
  take(): Wanted | undefined {
    const at = this.#starts[this.#next];
    if (at === undefined) return undefined;
    this.#next++;
    return { key: this.#keyAt(at), posting: this.#bytes.subarray(at + POSTING, at + KEY_LENGTH) };
  }

  /** The next one if its key comes before this one. */
  takeBefore(stored: StoredKey): Wanted | undefined {
    return this.#compareNext(stored) < 0 ? this.take() : undefined;
  }

  /** All that have this key, if none before it is left. */
  takeAll(stored: StoredKey): Wanted[] {
    const found: Wanted[] = [];
    while (this.#compareNext(stored) === 0) {
      const wanted = this.take();
      if (wanted !== undefined) found.push(wanted);
    }
    return found;
  }

  /** After the last one, it is after every key. */
  #compareNext({ page, fingerprint, key }: StoredKey): number {
    const at = this.#starts[this.#next];
    if (at === undefined) return 1;
    return this.#hashOf(at) - hashOf(page, fingerprint) || compareBytes(this.#keyAt(at), key);
  }

  #hashOf(at: number): number {
    return hashOf(this.#view.getUint32(at, true), this.#view.getUint32(at + FINGERPRINT, true));
  }

  #keyAt(at: number): Uint8Array {
    return this.#bytes.subarray(at + KEY, this.#endOf(at));
  }

  #endOf(at: number): number {
    return at + KEY + this.#view.getUint32(at + KEY_LENGTH, true);
  }
}

/** The keys of a part are ordered by page, then by fingerprint: as one number, which is exact. */
function hashOf(page: number, fingerprint: number): number {
  return (page % PAGES_PER_PART) * 2 ** 32 + fingerprint;
}

/** Whether the key has exactly the one posting that is required, as most keys do. */
function isOnlyPosting({ postings }: StoredKey, [first, ...others]: readonly Wanted[]): boolean {
  return first !== undefined && others.length === 0 && compareBytes(postings, first.posting) === 0;
}

function* compare(
  { key, postings }: StoredKey,
  wanted: readonly Wanted[],
  codes: readonly string[],
): Generator<string, void> {
  const stored = new Set<string>();
  for (let at = 0; at < postings.length; at += POSTING_BYTES)
    stored.add(nameOf(postings.subarray(at, at + POSTING_BYTES)));
  for (const one of wanted) if (!stored.has(nameOf(one.posting))) yield lostFault(one, codes);
  if (postings.length !== wanted.length * POSTING_BYTES)
    yield `${JSON.stringify(textOf(key))} leads to more than its concepts`;
}

function lostFault({ key, posting }: Wanted, codes: readonly string[]): string {
  const code = codes[viewOf(posting).getUint32(4, true)] ?? "";
  if (key[0] === CODE_KEY_PREFIX) return `${code}: not found by its code`;
  return `${code}: ${JSON.stringify(textOf(key))} does not lead back to it`;
}

/** Bytes as a string that can be the key of a map. */
function nameOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}

function textOf(key: Uint8Array): string {
  return decoder.decode(key[0] === CODE_KEY_PREFIX ? key.subarray(1) : key);
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
