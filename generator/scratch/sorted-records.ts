/**
 * Records sorted by key, more than memory holds. They are sorted in runs as they are added, and the
 * runs are merged when they are read. Records of one key keep the order in which they were added. A
 * record has a head that every reader gets, and a body that is read only on request.
 */
import { compareCodePoints } from "../text/order.ts";
import { setUint32s, uint32At } from "../text/uint32.ts";
import type { MemoryBudget } from "../effects/effects.ts";
import { Growing } from "./growing.ts";
import { Spool, WINDOW_BYTES } from "./spool.ts";

export interface SortedRecord {
  readonly key: string;
  readonly head: Uint8Array;
  readonly body: () => Uint8Array;
}

/** Lengths of key, head and body. */
const LENGTHS_BYTES = 12;
/** The approximate memory of a record beyond its bytes. */
const RECORD_COST = 100;
/** At least this much of each run is read at once, however many runs there are. */
const WINDOW_LEAST = 1 << 12;

export class SortedRecords implements Iterable<SortedRecord> {
  readonly #budget: MemoryBudget;
  /** The runs follow each other in `#stored`. */
  #runs: Run[] = [];
  #stored: Stored;
  #pending = new Pending();
  #count = 0;

  constructor(budget: MemoryBudget) {
    this.#budget = budget;
    this.#stored = new Stored(budget);
  }

  get count(): number {
    return this.#count;
  }

  /** Copies the bytes. */
  add(key: string, head: Uint8Array, body: Uint8Array = NOTHING): void {
    this.#pending.add(key, head, body);
    this.#count++;
    if (this.#pending.cost > this.#budget.memoryBytes) this.#flush();
  }

  /** Adds a record whose head is a text. */
  addText(key: string, text: string): void {
    // Small Buffers share one pool of memory.
    this.add(key, Buffer.from(text));
  }

  *[Symbol.iterator](): Generator<SortedRecord, void> {
    this.#sort();
    yield* this.#stored.records();
  }

  #sort(): void {
    this.#flush();
    this.#pending = new Pending();
    if (this.#runs.length > 1) this.#merge();
  }

  #flush(): void {
    const pending = this.#pending;
    if (pending.count === 0) return;
    const order = pending.order();
    let run = this.#runs.at(-1);
    // Records added in order are one run, however many they are.
    if (run === undefined || compareCodePoints(run.lastKey, pending.key(order[0])) > 0) {
      run = { start: this.#stored.end, lastKey: "" };
      this.#runs.push(run);
    }
    run.lastKey = pending.key(order.at(-1));
    for (const number of order) this.#stored.append(pending.key(number), pending.head(number), pending.body(number));
    pending.clear();
  }

  /** Merges only once, so that every reader reads one file from start to end. */
  #merge(): void {
    const [runs, before] = [this.#runs, this.#stored];
    const windowBytes = Math.max(
      WINDOW_LEAST,
      Math.min(WINDOW_BYTES, Math.floor(this.#budget.memoryBytes / runs.length / 2)),
    );
    const cursors = runs.flatMap(({ start }, number) => {
      const rest = before.records({ start, end: runs[number + 1]?.start, windowBytes });
      const first = rest.next();
      return first.done === true ? [] : [{ number, rest, next: first.value }];
    });
    cursors.sort(compareCursors);
    this.#stored = new Stored(this.#budget);
    for (let first = cursors.shift(); first !== undefined; first = cursors.shift()) {
      const { key, head, body } = first.next;
      this.#stored.append(key, head, body());
      const step = first.rest.next();
      if (step.done === true) continue;
      first.next = step.value;
      cursors.splice(placeOf(cursors, first), 0, first);
    }
    before.close();
    this.#runs = [{ start: BEGINNING, lastKey: runs.map(({ lastKey }) => lastKey).reduce(later) }];
  }
}

function later(a: string, b: string): string {
  return compareCodePoints(a, b) > 0 ? a : b;
}

/** The heads of each key's records as texts, in the order in which they were added. */
export function* textsByKey(
  records: Iterable<SortedRecord>,
): Generator<{ readonly key: string; readonly texts: readonly string[] }, void> {
  let group: { readonly key: string; readonly texts: string[] } | undefined;
  for (const { key, head } of records) {
    const text = decoder.decode(head);
    if (group?.key === key) group.texts.push(text);
    else {
      if (group !== undefined) yield group;
      group = { key, texts: [text] };
    }
  }
  if (group !== undefined) yield group;
}

/**
 * Records that wait to be sorted, by number. An object for each would cost the garbage collector
 * more than sorting them.
 */
class Pending {
  readonly #keys: string[] = [];
  /** Where the head and the body of each record end; it begins where the one before ends. */
  readonly #headEnds: number[] = [];
  readonly #ends: number[] = [];
  readonly #bytes = new Growing();

  get count(): number {
    return this.#keys.length;
  }

  get cost(): number {
    return this.#bytes.length + this.count * RECORD_COST;
  }

  /** Copies the bytes. */
  add(key: string, head: Uint8Array, body: Uint8Array): void {
    const budget = this.#bytes.claim(head.length + body.length);
    budget.set(head);
    budget.set(body, head.length);
    this.#keys.push(key);
    this.#headEnds.push(this.#bytes.length - body.length);
    this.#ends.push(this.#bytes.length);
  }

  key(number = 0): string {
    return this.#keys[number] ?? "";
  }
  head(number: number): Uint8Array {
    return this.#bytes.bytes(this.#ends[number - 1] ?? 0, this.#headEnds[number]);
  }
  body(number: number): Uint8Array {
    return this.#bytes.bytes(this.#headEnds[number], this.#ends[number]);
  }

  order(): Uint32Array {
    const order = Uint32Array.from(this.#keys.keys());
    const isSorted = order.every((number) => compareCodePoints(this.key(number - 1), this.key(number)) <= 0);
    return isSorted ? order : order.sort((a, b) => compareCodePoints(this.key(a), this.key(b)) || a - b);
  }

  clear(): void {
    for (const list of [this.#keys, this.#headEnds, this.#ends]) list.length = 0;
    this.#bytes.clear();
  }
}

/** A run of sorted records. */
interface Run {
  readonly start: Offsets;
  lastKey: string;
}

/** A run while it is read. */
interface Cursor {
  readonly number: number;
  readonly rest: Iterator<SortedRecord>;
  next: SortedRecord;
}

/** In the order of their next records; for equal keys, the earlier run comes first. */
function compareCursors(a: Cursor, b: Cursor): number {
  return compareCodePoints(a.next.key, b.next.key) || a.number - b.number;
}

/** The index at which the cursor belongs. */
function placeOf(cursors: readonly Cursor[], one: Cursor): number {
  let [low, high] = [0, cursors.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = cursors[middle];
    if (other !== undefined && compareCursors(other, one) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The offsets of a record's head and body. */
interface Offsets {
  readonly head: number;
  readonly body: number;
}

const BEGINNING: Offsets = { head: 0, body: 0 };

/** The part of the records to read, by default all; and how many bytes are read at once. */
interface Range {
  readonly start?: Offsets;
  readonly end?: Offsets | undefined;
  readonly windowBytes?: number;
}

/** Records in sequence: lengths, key and head of each in one spool, bodies in another. */
class Stored {
  readonly #heads: Spool;
  readonly #bodies: Spool;
  /** The lengths and the key of the record that is added. */
  #opening = new Uint8Array(1 << 10);

  constructor(budget: MemoryBudget) {
    this.#heads = new Spool(budget);
    this.#bodies = new Spool(budget);
  }

  get end(): Offsets {
    return { head: this.#heads.length, body: this.#bodies.length };
  }

  append(key: string, head: Uint8Array, body: Uint8Array): void {
    if (LENGTHS_BYTES + 3 * key.length > this.#opening.length) this.#opening = new Uint8Array(6 * key.length);
    const { written } = encoder.encodeInto(key, this.#opening.subarray(LENGTHS_BYTES));
    setUint32s(this.#opening, 0, [written, head.length, body.length]);
    this.#heads.append(this.#opening.subarray(0, LENGTHS_BYTES + written));
    this.#heads.append(head);
    this.#bodies.append(body);
  }

  *records({ start = BEGINNING, end = this.end, windowBytes }: Range = {}): Generator<SortedRecord, void> {
    const [readHead, readBody] = [this.#heads.reader(windowBytes), this.#bodies.reader(windowBytes)];
    let bodyAt = start.body;
    for (let at = start.head; at < end.head;) {
      const lengths = readHead(at, LENGTHS_BYTES);
      const [keyLength, headLength] = [uint32At(lengths, 0), uint32At(lengths, 4)];
      const [offset, bodyLength] = [bodyAt, uint32At(lengths, 8)];
      at += LENGTHS_BYTES;
      yield {
        key: decoder.decode(readHead(at, keyLength)),
        head: readHead(at + keyLength, headLength),
        body: () => readBody(offset, bodyLength),
      };
      at += keyLength + headLength;
      bodyAt += bodyLength;
    }
  }

  close(): void {
    this.#heads.close();
    this.#bodies.close();
  }
}

const NOTHING: Uint8Array<ArrayBuffer> = new Uint8Array();
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
