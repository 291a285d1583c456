/**
 * Records in the order of their keys, more of them than memory holds: sorted as they come, in runs that are merged when
 * they are read. Records of one key stay in the order in which they came. A record has a part that every reader looks at,
 * and a body that is read only when it is asked for.
 */
import { compareCodePoints } from "../text/order.ts";
import type { Room } from "./effects.ts";
import { Growing } from "./growing.ts";
import { Spool } from "./spool.ts";

export interface SortedRecord {
  readonly key: string;
  readonly head: Uint8Array;
  readonly body: () => Uint8Array;
}

/** A record that waits to be sorted, and where its bytes lie. */
interface Pending {
  readonly key: string;
  readonly start: number;
  readonly middle: number;
  readonly end: number;
}

/** Lengths of key, head and body. */
const LENGTHS_BYTES = 12;
/** What a record costs in memory beyond its bytes, about. */
const RECORD_COST = 100;

export class SortedRecords implements Iterable<SortedRecord> {
  readonly #room: Room;
  readonly #runs: Run[] = [];
  #pending: Pending[] = [];
  /** The bytes of the pending records. */
  #waiting = new Growing();
  #count = 0;

  constructor(room: Room) {
    this.#room = room;
  }

  get count(): number {
    return this.#count;
  }

  /** The bytes are copied. */
  add(key: string, head: Uint8Array, body: Uint8Array = NOTHING): void {
    const start = this.#waiting.length;
    const middle = start + head.length;
    const end = middle + body.length;
    const room = this.#waiting.claim(end - start);
    room.set(head);
    room.set(body, head.length);
    this.#count++;
    this.#pending.push({ key, start, middle, end });
    if (end + this.#pending.length * RECORD_COST > this.#room.memoryBytes) this.#flush();
  }

  /** One whose head is a text. */
  addText(key: string, text: string): void {
    // Of such a Buffer, many share one piece of memory.
    this.add(key, Buffer.from(text));
  }

  *[Symbol.iterator](): Generator<SortedRecord, void> {
    this.#flush();
    this.#waiting = new Growing();
    // In the order of what each has next; of equal keys the earlier run's comes first.
    const cursors = this.#runs.flatMap((run, number) => openCursor(run, number) ?? []).sort(compareCursors);
    for (let first = cursors[0]; first !== undefined; first = cursors[0]) {
      yield first.next;
      const step = first.rest.next();
      if (step.done === true) {
        cursors.shift();
        continue;
      }
      first.next = step.value;
      for (let i = 1; i < cursors.length; i++) {
        const other = cursors[i];
        if (other === undefined || compareCursors(first, other) < 0) break;
        cursors[i - 1] = other;
        cursors[i] = first;
      }
    }
  }

  #flush(): void {
    if (this.#pending.length === 0) return;
    const sorted = isSorted(this.#pending)
      ? this.#pending
      : this.#pending.sort((a, b) => compareCodePoints(a.key, b.key));
    let run = this.#runs.at(-1);
    // Records that come in order are one run, however many they are.
    if (run === undefined || compareCodePoints(run.lastKey, sorted[0]?.key ?? "") > 0) {
      run = new Run(this.#room);
      this.#runs.push(run);
    }
    const waiting = this.#waiting;
    for (const { key, start, middle, end } of sorted)
      run.append(key, waiting.bytes(start, middle), waiting.bytes(middle, end));
    this.#pending = [];
    waiting.clear();
  }
}

/** What the records of each key say in their heads, in the order in which they came. */
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

function isSorted(records: readonly Pending[]): boolean {
  return records.every(({ key }, i) => i === 0 || compareCodePoints(records[i - 1]?.key ?? "", key) <= 0);
}

interface Cursor {
  readonly number: number;
  readonly rest: Iterator<SortedRecord>;
  next: SortedRecord;
}

function openCursor(run: Run, number: number): Cursor | undefined {
  const rest = run.records();
  const first = rest.next();
  return first.done === true ? undefined : { number, rest, next: first.value };
}

function compareCursors(a: Cursor, b: Cursor): number {
  return compareCodePoints(a.next.key, b.next.key) || a.number - b.number;
}

/** Records in order: lengths, key and head of each in one place, bodies in another. */
class Run {
  lastKey = "";
  readonly #heads: Spool;
  readonly #bodies: Spool;
  readonly #lengths = new Uint8Array(LENGTHS_BYTES);
  readonly #lengthsView = new DataView(this.#lengths.buffer);

  constructor(room: Room) {
    this.#heads = new Spool(room);
    this.#bodies = new Spool(room);
  }

  append(key: string, head: Uint8Array, body: Uint8Array): void {
    const keyBytes = encoder.encode(key);
    [keyBytes, head, body].forEach(({ length }, i) => this.#lengthsView.setUint32(i * 4, length, true));
    for (const bytes of [this.#lengths, keyBytes, head]) this.#heads.append(bytes);
    this.#bodies.append(body);
    this.lastKey = key;
  }

  *records(): Generator<SortedRecord, void> {
    const [heads, bodies] = [this.#heads, this.#bodies];
    let bodyAt = 0;
    for (let at = 0; at < heads.length;) {
      const lengths = heads.read(at, LENGTHS_BYTES);
      const view = new DataView(lengths.buffer, lengths.byteOffset);
      const [keyLength, headLength] = [view.getUint32(0, true), view.getUint32(4, true)];
      const [offset, bodyLength] = [bodyAt, view.getUint32(8, true)];
      at += LENGTHS_BYTES;
      yield {
        key: decoder.decode(heads.read(at, keyLength)),
        head: heads.read(at + keyLength, headLength),
        body: () => bodies.read(offset, bodyLength),
      };
      at += keyLength + headLength;
      bodyAt += bodyLength;
    }
  }
}

const NOTHING: Uint8Array<ArrayBuffer> = new Uint8Array();
const encoder = new TextEncoder();
const decoder = new TextDecoder();
