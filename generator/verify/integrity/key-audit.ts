/**
 * Checks the keys of an index against its concepts: every expression and code leads to its concept,
 * and there is no other key. Both sides are compared in the order of the pages, so that each page
 * is read once and memory holds only a part of them.
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
import { Partitions } from "../../effects/partitions.ts";
import type { Room } from "../../effects/effects.ts";
import { footerOf, type StoredKey, storedKeys } from "./index-layout.ts";

const PAGES_PER_PART = 1024;
/** Offsets in a record: page, posting as in an index, length of the key, key. */
const [POSTING, KEY_LENGTH, KEY] = [4, 4 + POSTING_BYTES, 8 + POSTING_BYTES];

/** A posting that a concept requires. */
interface Wanted {
  readonly key: Uint8Array;
  readonly posting: Uint8Array;
}

export class KeyAudit {
  readonly #index: RegistryIndex;
  readonly #parts: Partitions;
  readonly #footer: ReturnType<typeof footerOf>;
  readonly #hash = { page: 0, fingerprint: 0 };
  readonly #strengths: ReadonlyMap<number, number>;
  /** Keys of expressions that have several postings; complete after `faults`. */
  readonly shared: string[] = [];

  constructor(index: RegistryIndex, room: Room) {
    this.#index = index;
    this.#footer = footerOf(index);
    this.#parts = new Partitions(room, Math.ceil(this.#footer.pageCount / PAGES_PER_PART));
    this.#strengths = new Map(index.meta.strengths.map((strength, id) => [strength, id]));
  }

  addCode(conceptId: number, code: string): void {
    this.#add(Uint8Array.of(CODE_KEY_PREFIX, ...Buffer.from(code)), [0, 0, conceptId]);
  }

  /** False if the index cannot have a posting for it. */
  addExpression(conceptId: number, key: string, { tag, strength }: { tag: string; strength: number }): boolean {
    const [languageId, strengthId] = [this.#index.languageId(tag), this.#strengths.get(strength)];
    if (languageId === undefined || strengthId === undefined || this.#footer.pageCount === 0) return false;
    this.#add(Buffer.from(key), [languageId, strengthId, conceptId]);
    return true;
  }

  /** `codes` are those of the concepts, by number. */
  *faults(codes: readonly string[]): Generator<string, void> {
    const stored = storedKeys(this.#index);
    let next = stored.next();
    let [count, expected] = [0, 0];
    for (let part = 0; part * PAGES_PER_PART < this.#footer.pageCount; part++) {
      const wanted = byKey(this.#parts.read(part));
      expected += wanted.size;
      // The layout was checked before, so none is a fault.
      for (; next.done !== true && typeof next.value !== "string"; next = stored.next()) {
        if (next.value.page >= (part + 1) * PAGES_PER_PART) break;
        count++;
        const { key, postings } = next.value;
        if (postings.length > POSTING_BYTES && key[0] !== CODE_KEY_PREFIX) this.shared.push(textOf(key));
        const name = nameOf(key);
        const asked = wanted.get(name) ?? [];
        if (!isOnlyPosting(next.value, asked)) yield* compare(next.value, asked, codes);
        wanted.delete(name);
      }
      for (const postings of wanted.values()) yield* postings.map((one) => lostFault(one, codes));
    }
    if (count !== this.#footer.keyCount || count !== expected)
      yield "the number of its keys is not that of its codes and expressions";
  }

  #add(key: Uint8Array, [languageId, strengthId, conceptId]: readonly [number, number, number]): void {
    const { seed, pageCount } = this.#footer;
    if (pageCount === 0) return;
    const page = pageOf(hashKey(key, seed, this.#hash).page, pageCount);
    const record = this.#parts.claim(Math.floor(page / PAGES_PER_PART), KEY + key.length);
    const view = viewOf(record);
    view.setUint32(0, page, true);
    view.setUint16(POSTING, languageId, true);
    view.setUint16(POSTING + 2, strengthId, true);
    view.setUint32(POSTING + 4, conceptId, true);
    view.setUint32(KEY_LENGTH, key.length, true);
    record.set(key, KEY);
  }
}

function byKey(bytes: Uint8Array): Map<string, Wanted[]> {
  const found = new Map<string, Wanted[]>();
  const view = viewOf(bytes);
  for (let at = 0; at < bytes.length;) {
    const end = at + KEY + view.getUint32(at + KEY_LENGTH, true);
    const wanted = { key: bytes.subarray(at + KEY, end), posting: bytes.subarray(at + POSTING, at + KEY_LENGTH) };
    const name = nameOf(wanted.key);
    const known = found.get(name);
    if (known === undefined) found.set(name, [wanted]);
    else known.push(wanted);
    at = end;
  }
  return found;
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
