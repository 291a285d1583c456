/**
 * The bindings of a release: what each pair of expression and language tag has meant in all
 * releases up to it, in the order of their keys. They come from the bindings of the release before
 * and from what this release publishes, in one pass and within the budget of memory. A pair keeps
 * its leaf for ever, and a leaf only ever grows, so the leaves of every earlier release follow from
 * those of the last.
 */
import { formatLanguageTag } from "../../../runtime/text/language.ts";
import { keyOf } from "../../../runtime/text/expression.ts";
import type { Reassignment } from "../../contract/changes.ts";
import type { MemoryBudget } from "../../effects/effects.ts";
import type { ReleasedExpressions } from "../../registry/memory.ts";
import { Partitions } from "../../scratch/partitions.ts";
import { remembering } from "../../text/remembering.ts";
import { uint32At } from "../../text/uint32.ts";
import { ProofError } from "./c2sp.ts";
import { putSha256 } from "./merkle.ts";
import { ENTRY_MOST } from "./tiles.ts";
import { type Binding, parseBinding } from "./verifier.ts";

export interface Leaf {
  /** SHA-256 of expression, zero byte and tag: 32 bytes. */
  readonly key: Uint8Array;
  /** RFC 8785 JSON of a Binding. */
  readonly data: Uint8Array;
}

/** A pair that resolves in a release. */
interface Bound {
  readonly key: Uint8Array;
  /** Its leaf if it has no other code. */
  readonly leaf: Uint8Array;
}

const encoder = new TextEncoder();
/** What a leaf of one code begins with. */
const HEAD = '{"codes":[[';
const KEY_BYTES = 32;
/** A record is the key, the length of the leaf as a u32, and the leaf. */
const LEAF_AT = KEY_BYTES + 4;
/** Memory of a record while its part is sorted, beyond the bytes of its text. */
const SORT_COST = 110;
/** The least bytes of a record, to estimate the parts. */
const RECORD_LEAST = 100;

export interface Released {
  readonly registryVersion: string;
  readonly concepts: Iterable<ReleasedExpressions>;
  /** About how many bytes the concepts have as JSON. */
  readonly bytes: number;
  /** The expressions that lead to another code than in the release before. */
  readonly reassigned: readonly Reassignment[];
}

/** The leaves of a release after those of the one before; both in the order of their keys. */
export function* nextLeaves(before: Iterable<Leaf>, release: Released, budget: MemoryBudget): Generator<Leaf, void> {
  const { registryVersion: version, reassigned } = release;
  const changes = byKey(reassigned);
  const [former, bound] = [new Cursor(before), new Cursor(boundIn(release, budget))];
  const moved = new Cursor(changes);
  while (former.next !== undefined || moved.next !== undefined) {
    const key = least([former.next?.key, bound.next?.key, moved.next?.key]);
    if (key === undefined) return;
    const [leaf, change, now] = [former.take(key), moved.take(key), bound.take(key)];
    yield { key, data: grown({ leaf, change, now }, version) };
  }
  // All leaves of a first release: no JSON is read for them.
  for (const { key, leaf } of bound.rest()) yield { key, data: leaf };
}

interface Growth {
  readonly leaf: Leaf | undefined;
  readonly change: Change | undefined;
  readonly now: Bound | undefined;
}

/** A leaf with the codes that came in this version, and the code that a reassignment took away. */
function grown({ leaf, change, now }: Growth, version: string): Uint8Array {
  // Nearly all leaves of a later release: no JSON is read for them.
  if (leaf !== undefined && change === undefined && (now === undefined || hasSameCode(leaf.data, now.leaf)))
    return leaf.data;
  const known = leaf === undefined ? undefined : parseBinding(leaf.data);
  const codes = [...(known?.codes ?? [])];
  const add = (code: string | undefined): void => {
    if (code !== undefined && codes.at(-1)?.[0] !== code) codes.push([code, version]);
  };
  // A request may have had its code by the rule of lookup, without a leaf of its own.
  add(change?.from);
  add(change?.to);
  const own = now === undefined ? undefined : parseBinding(now.leaf);
  add(own?.codes[0]?.[0]);
  if (leaf !== undefined && codes.length === known?.codes.length) return leaf.data;
  const tail = own === undefined ? change?.tail : tailOf(own.expression, own.language);
  return encoder.encode(`{"codes":${JSON.stringify(codes)}${tail ?? ""}`);
}

/** Whether a leaf has the one code of another and no code besides, from whichever version. */
function hasSameCode(leaf: Uint8Array, other: Uint8Array): boolean {
  const [one, two] = [viewOf(leaf), viewOf(other)];
  const version = two.indexOf('","', HEAD.length) + 3;
  const [end, endOfTwo] = [one.indexOf('"', version), two.indexOf('"', version)];
  return one.subarray(0, version).equals(two.subarray(0, version)) && one.subarray(end).equals(two.subarray(endOfTwo));
}

function viewOf({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}

interface Change extends Pick<Reassignment, "from" | "to"> {
  readonly key: Uint8Array;
  /** The members of its leaf after the codes. */
  readonly tail: string;
}

function byKey(reassigned: readonly Reassignment[]): Change[] {
  const changes = reassigned.map(({ expression, language, from, to }): Change => {
    const text = keyOf(expression);
    return { key: bindingKey(text, language), from, to, tail: tailOf(text, language) };
  });
  return changes.sort((a, b) => Buffer.compare(a.key, b.key));
}

export function bindingKey(expression: string, language: string | null): Buffer {
  const key = Buffer.allocUnsafe(KEY_BYTES);
  putBindingKey(key, expression, language);
  return key;
}

function putBindingKey(target: Buffer, expression: string, language: string | null): void {
  putSha256(target, 0, `${expression}\0${(language ?? "").toLowerCase()}`);
}

function tailOf(expression: string, language: string | null): string {
  return `,"expression":${JSON.stringify(expression)},"language":${language === null ? "null" : tagJson(language)}}`;
}

/** In its conventional case. */
const tagJson = remembering((language) => JSON.stringify(formatLanguageTag(language)));

/** One step ahead of a sorted sequence. */
class Cursor<T extends { readonly key: Uint8Array }> {
  readonly #rest: Iterator<T>;
  next: T | undefined;

  constructor(all: Iterable<T>) {
    this.#rest = all[Symbol.iterator]();
    this.#step();
  }

  /** The next one if it has the key. Of several with one key, such as two changes, the last. */
  take(key: Uint8Array): T | undefined {
    let taken: T | undefined;
    while (this.next !== undefined && Buffer.compare(this.next.key, key) === 0) {
      taken = this.next;
      this.#step();
    }
    return taken;
  }

  *rest(): Generator<T, void> {
    for (; this.next !== undefined; this.#step()) yield this.next;
  }

  #step(): void {
    const { done, value } = this.#rest.next();
    this.next = done === true ? undefined : value;
  }
}

function least(keys: readonly (Uint8Array | undefined)[]): Uint8Array | undefined {
  let found: Uint8Array | undefined;
  for (const key of keys) if (key !== undefined && (found === undefined || Buffer.compare(key, found) < 0)) found = key;
  return found;
}

/** The pairs that lead to exactly one code by expressions of strength 1, in the order of keys. */
function* boundIn({ concepts, bytes, registryVersion }: Released, budget: MemoryBudget): Generator<Bound, void> {
  const most = bytes / RECORD_LEAST;
  const count = Math.max(1, Math.min(4096, Math.ceil((bytes + most * SORT_COST) / (budget.memoryBytes / 2))));
  const parts = new Partitions(budget, count);
  for (const { code, expressions } of concepts) {
    const head = `${HEAD}${JSON.stringify(code)},"${registryVersion}"]]`;
    for (const [tag, texts] of Object.entries(expressions))
      for (const text of texts) addRecord(parts, count, { head, tag, expression: keyOf(text) });
  }
  for (let part = 0; part < count; part++) {
    // A copy: the next part is read into the same memory, and a reader is one step behind.
    const records = parts.read(part).slice();
    for (const at of unambiguous(records)) yield readRecord(records, at);
  }
}

/** The record that is made: its bytes are copied. An entry of the tree is shorter than the rest. */
const record = Buffer.alloc(LEAF_AT + ENTRY_MOST + 1);
const leafOfRecord = record.subarray(LEAF_AT);

function addRecord(
  parts: Partitions,
  count: number,
  { head, tag, expression }: { readonly head: string; readonly tag: string; readonly expression: string },
): void {
  putBindingKey(record, expression, tag);
  const leaf = head + tailOf(expression, tag);
  const { read, written } = encoder.encodeInto(leaf, leafOfRecord);
  if (read < leaf.length) throw new ProofError(`An entry has more than ${ENTRY_MOST} bytes: ${leaf.slice(0, 100)}…`);
  record.writeUInt32LE(written, KEY_BYTES);
  const length = LEAF_AT + written;
  record.copy(parts.claim(Math.floor((record.readUInt32BE(0) / 2 ** 32) * count), length), 0, 0, length);
}

/** Where records begin, in the order of their keys; pairs of several codes are left out. */
function unambiguous(bytes: Uint8Array): number[] {
  const records = viewOf(bytes);
  const starts = inKeyOrder(records);
  const found: number[] = [];
  for (let i = 0; i < starts.length;) {
    const start = starts[i] ?? 0;
    let isAlone = true;
    for (i++; i < starts.length && isSameKey(records, start, starts[i] ?? 0); i++) {
      // The same pair in the same version: the code alone can differ.
      isAlone &&= Buffer.compare(readRecord(bytes, start).leaf, readRecord(bytes, starts[i] ?? 0).leaf) === 0;
    }
    if (isAlone) found.push(start);
  }
  return found;
}

function isSameKey(records: Buffer, one: number, other: number): boolean {
  return records.readUInt32LE(one) === records.readUInt32LE(other) && compareKeys(records, one, other) === 0;
}

/** Of two records at their places. */
function compareKeys(records: Buffer, one: number, other: number): number {
  return records.compare(records, other, other + KEY_BYTES, one, one + KEY_BYTES);
}

/** Where the records begin. Sorts numbers, which a million comparisons of bytes would outlast. */
function inKeyOrder(records: Buffer): number[] {
  const starts: number[] = [];
  for (let at = 0; at < records.length; at += LEAF_AT + records.readUInt32LE(at + KEY_BYTES)) starts.push(at);
  // The first bits of the key and the number of the record share the 53 bits of a number.
  const numbers = 2 ** Math.ceil(Math.log2(starts.length + 1));
  const perHead = 2 ** 48 / (2 ** 53 / numbers);
  const order = new Float64Array(starts.length);
  for (let i = 0; i < starts.length; i++)
    order[i] = Math.floor(records.readUIntBE(starts[i] ?? 0, 6) / perHead) * numbers + i;
  order.sort();
  const startOf = (one: number): number => starts[one % numbers] ?? 0;
  const isAfter = (a: number, b: number): boolean =>
    Math.floor(a / numbers) === Math.floor(b / numbers) && compareKeys(records, startOf(a), startOf(b)) > 0;
  // Different keys with the same first bits are rare, and next to each other.
  for (let i = 1; i < order.length; i++)
    for (let j = i; j > 0 && isAfter(order[j - 1] ?? 0, order[j] ?? 0); j--)
      [order[j - 1], order[j]] = [order[j] ?? 0, order[j - 1] ?? 0];
  const sorted: number[] = [];
  for (const one of order) sorted.push(startOf(one));
  return sorted;
}

function readRecord(bytes: Uint8Array, at: number): Bound {
  const leaf = at + LEAF_AT;
  const end = leaf + uint32At(bytes, at + KEY_BYTES);
  return { key: bytes.subarray(at, at + KEY_BYTES), leaf: bytes.subarray(leaf, end) };
}

/** The leaf of a binding as it was in the given versions; undefined if it was not there yet. */
export function leafIn(binding: Binding, versions: ReadonlySet<string>): Uint8Array | undefined {
  const codes = binding.codes.filter(([, version]) => versions.has(version));
  if (codes.length === 0) return undefined;
  return encoder.encode(JSON.stringify({ codes, expression: binding.expression, language: binding.language }));
}
