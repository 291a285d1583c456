/**
 * The published concepts in code order, in any number: scratch files hold what memory does not. A
 * concept is stored as its published JSON, and its expressions as their keys, so that most readers
 * of one need not parse the other.
 */
import { type ConceptExpression, MATCHES, type Provenance } from "../../runtime/contract/concept.ts";
import { viewOf } from "../../runtime/text/bytes.ts";
import { keyOf } from "../../runtime/text/expression.ts";
import type { Room } from "../effects/effects.ts";
import { type SortedRecord, SortedRecords } from "../effects/sorted-records.ts";
import { IN_MEMORY } from "../effects/spool.ts";
import { type Concept, type Said, tagOf } from "./checked.ts";
import { Counted } from "./counted.ts";
import { Identifiers } from "./identifiers.ts";

/** The properties that, with the key, decide when an expression is found. */
export interface Kind {
  readonly language: string;
  readonly tag: string;
  readonly strength: number;
}

/** An expression of a stored concept. */
export interface Entry {
  readonly kind: Kind;
  /** The number of the kind in `kinds`. */
  readonly kindId: number;
  /** The key in UTF-8 is `bytes` from `start` to `end`. */
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

export class Concepts implements Iterable<StoredConcept> {
  /** Whether every concept has a provenance, and names concepts elsewhere by absolute IRIs. */
  readonly provenances = { areAll: true, areByIri: true };
  /** The kinds of the expressions. */
  readonly kinds = new Counted<Kind>();
  /** The domains of the concepts. */
  readonly domains = new Counted<string>();
  readonly room: Room;
  readonly identifiers: Identifiers;
  readonly #records: SortedRecords;
  /** Further statements of the vocabularies, by code. */
  readonly #said: SortedRecords;
  #lastReview: string | undefined;

  constructor(room: Room) {
    this.room = room;
    this.identifiers = new Identifiers(room);
    this.#records = new SortedRecords(room);
    this.#said = new SortedRecords(room);
  }

  /** For few concepts, in memory. */
  static of(concepts: Iterable<Concept>): Concepts {
    const held = new Concepts(IN_MEMORY);
    for (const concept of concepts) held.add(concept);
    return held;
  }

  get length(): number {
    return this.#records.count;
  }

  get expressionCount(): number {
    return this.kinds.counts.reduce((sum, count) => sum + count, 0);
  }

  /** Whether a vocabulary states more about some concept than the concept's documents publish. */
  get areSaid(): boolean {
    return this.#said.count > 0;
  }

  /** YYYY-MM-DD; undefined if no review has a day. */
  get lastReview(): string | undefined {
    return this.#lastReview;
  }

  /** In any order. */
  add(concept: Concept): void {
    const { code, name, definition, domain, provenance, expressions, renderings, said } = concept;
    this.identifiers.add(concept);
    if (said !== undefined) this.#said.add(code, encoder.encode(JSON.stringify(said)));
    if (provenance === null) this.provenances.areAll = false;
    else if (!namesOf(provenance).every((one) => /^[a-z][a-z0-9+.-]*:/i.test(one))) this.provenances.areByIri = false;
    for (const one of [provenance, ...expressions.map((expression) => expression.provenance)]) {
      const day = one?.reviewedAt ?? undefined;
      if (day !== undefined && (this.#lastReview === undefined || day > this.#lastReview)) this.#lastReview = day;
    }
    const head = encodeHead({
      domainId: this.domains.add(domain, domain),
      opening: JSON.stringify({ code, name }).slice(0, -1),
      rest: `,${JSON.stringify({ definition, domain }).slice(1)}`,
      entries: expressions.map((one) => ({ kindId: this.#kindId(one), key: keyOf(one.expression) })),
    });
    this.#records.add(code, head, encodeBody(JSON.stringify({ provenance, expressions, renderings })));
  }

  *[Symbol.iterator](): Generator<StoredConcept, void> {
    for (const record of this.#records) yield new StoredConcept(record, this);
  }

  /** Each concept with the further statements of its vocabulary. */
  *withSaid(): Generator<readonly [StoredConcept, Said | undefined], void> {
    const others = this.#said[Symbol.iterator]();
    let next = others.next().value;
    for (const concept of this) {
      const own = next?.key === concept.code ? next : undefined;
      yield [concept, own && (JSON.parse(decoder.decode(own.head)) as Said)];
      if (own !== undefined) next = others.next().value;
    }
  }

  first(count: number): StoredConcept[] {
    const found: StoredConcept[] = [];
    if (count > 0) {
      for (const concept of this) {
        found.push(concept);
        if (found.length === count) break;
      }
    }
    return found;
  }

  /**
   * The concepts that have one of these codes. Whoever keeps one also keeps every byte that was
   * read with it.
   */
  *find(codes: Iterable<string>): Generator<StoredConcept, void> {
    const wanted = new Set(codes);
    if (wanted.size === 0) return;
    for (const concept of this) {
      if (wanted.delete(concept.code)) yield concept;
      if (wanted.size === 0) return;
    }
  }

  #kindId(expression: ConceptExpression): number {
    const { language, equivalenceStrength: strength } = expression;
    const tag = tagOf(expression);
    return this.kinds.add(`${language} ${tag} ${strength}`, { language, tag, strength });
  }
}

function namesOf(provenance: Provenance): string[] {
  const { sourceId } = provenance;
  return [...(sourceId === null ? [] : [sourceId]), ...MATCHES.flatMap((match) => provenance[match] ?? [])];
}

type Body = Pick<Concept, "provenance" | "expressions" | "renderings">;

/** Parses its record only as far as it is asked. */
export class StoredConcept implements Concept {
  readonly code: string;
  readonly domain: string;
  readonly #record: SortedRecord;
  readonly #kinds: readonly Kind[];
  #named: Pick<Concept, "name" | "definition"> | undefined;
  #body: Body | undefined;

  constructor(record: SortedRecord, { domains, kinds }: Pick<Concepts, "domains" | "kinds">) {
    this.code = record.key;
    this.#record = record;
    this.#kinds = kinds.values;
    this.domain = domains.values[this.#field(0)] ?? "";
  }

  get name(): string {
    return this.#naming.name;
  }
  get definition(): string {
    return this.#naming.definition;
  }
  get provenance(): Concept["provenance"] {
    return this.#parsed.provenance;
  }
  get expressions(): Concept["expressions"] {
    return this.#parsed.expressions;
  }
  get renderings(): Concept["renderings"] {
    return this.#parsed.renderings;
  }

  /** `{"code":…,"name":…,"definition":…,"domain":…}` */
  get headJson(): Uint8Array {
    return this.#record.head.subarray(HEAD_BYTES, this.#entriesStart);
  }

  /** `{"code":…,"name":…` */
  get openingJson(): Uint8Array {
    return this.#record.head.subarray(HEAD_BYTES, HEAD_BYTES + this.#field(4));
  }

  /** `{"provenance":…,"expressions":…,"renderings":…}` */
  bodyJson(): Uint8Array {
    return this.#record.body();
  }

  /** One entry for each expression, in order. */
  entries(): Entry[] {
    const { head } = this.#record;
    const view = viewOf(head);
    const found: Entry[] = [];
    for (let at = this.#entriesStart; at < head.length;) {
      const kindId = view.getUint32(at, true);
      const end = at + 8 + view.getUint32(at + 4, true);
      const kind = this.#kinds[kindId];
      if (kind === undefined) throw new Error("A concept has an entry of an unknown kind");
      found.push({ kind, kindId, bytes: head, start: at + 8, end });
      at = end;
    }
    return found;
  }

  /** A full copy that does not keep the bytes it was read from. */
  whole(): Concept {
    const { code, name, definition, domain } = this;
    return { code, name, definition, domain, ...this.#parsed };
  }

  get #entriesStart(): number {
    return HEAD_BYTES + this.#field(8);
  }

  #field(offset: number): number {
    return viewOf(this.#record.head).getUint32(offset, true);
  }

  get #naming(): Pick<Concept, "name" | "definition"> {
    return (this.#named ??= JSON.parse(decoder.decode(this.headJson)) as Concept);
  }

  get #parsed(): Body {
    return (this.#body ??= JSON.parse(decoder.decode(this.bodyJson())) as Body);
  }
}

/** The key of an entry. */
export function keyOfEntry({ bytes, start, end }: Entry): string {
  return decoder.decode(bytes.subarray(start, end));
}

/** Valid until the next call. */
function encodeBody(json: string): Uint8Array {
  if (json.length * 3 > bodyRoom.length) bodyRoom = new Uint8Array(json.length * 6);
  return bodyRoom.subarray(0, encoder.encodeInto(json, bodyRoom).written);
}

interface Head {
  readonly domainId: number;
  /** The beginning of the JSON. */
  readonly opening: string;
  readonly rest: string;
  readonly entries: readonly { readonly kindId: number; readonly key: string }[];
}

/** Number of the domain, byte length of the opening and of the whole JSON: each a u32. */
const HEAD_BYTES = 12;

/** After the JSON, for each expression: number of its kind, byte length and bytes of its key. */
function encodeHead({ domainId, opening, rest, entries }: Head): Uint8Array {
  const most = entries.reduce(
    (sum, { key }) => sum + 8 + key.length * 3,
    HEAD_BYTES + 3 * (opening.length + rest.length),
  );
  if (most > headRoom.length) headRoom = new Uint8Array(most * 2);
  const view = viewOf(headRoom);
  let at = HEAD_BYTES;
  const write = (text: string): number => {
    const { written } = encoder.encodeInto(text, headRoom.subarray(at));
    at += written;
    return written;
  };
  const openingLength = write(opening);
  [domainId, openingLength, openingLength + write(rest)].forEach((value, i) => view.setUint32(4 * i, value, true));
  for (const { kindId, key } of entries) {
    const start = at;
    at += 8;
    view.setUint32(start, kindId, true);
    view.setUint32(start + 4, write(key), true);
  }
  return headRoom.subarray(0, at);
}

let headRoom = new Uint8Array(1 << 12);
let bodyRoom = new Uint8Array(1 << 12);
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
