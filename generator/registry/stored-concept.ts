/**
 * A published concept as the build keeps it: its published JSON, and the keys of its expressions in
 * another form, so that most readers of one need not parse the other.
 */
import type { SortedRecord } from "../scratch/sorted-records.ts";
import { setUint32s, uint32At } from "../text/uint32.ts";
import type { Concept } from "./concept.ts";

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

/** What the numbers in a record stand for. */
export interface Numbered {
  readonly kinds: { readonly values: readonly Kind[] };
  readonly domains: { readonly values: readonly string[] };
}

/** What is asked of every concept, so that it needs no parsing. */
export interface Marks {
  /** No provenance; one that names concepts elsewhere by absolute IRIs alone; or also otherwise. */
  readonly provenance: (typeof PROVENANCES)[number];
  /** The latest day of a review as YYYYMMDD; 0 if there is none. */
  readonly lastReview: number;
}

const PROVENANCES = ["none", "iris", "names"] as const;

type Body = Pick<Concept, "provenance" | "expressions" | "renderings">;

/** Parses its record only as far as it is asked. */
export class StoredConcept implements Concept {
  readonly code: string;
  readonly domain: string;
  readonly #record: SortedRecord;
  readonly #kinds: readonly Kind[];
  #named: Pick<Concept, "name" | "definition"> | undefined;
  #body: Body | undefined;

  constructor(record: SortedRecord, { domains, kinds }: Numbered) {
    this.code = record.key;
    this.#record = record;
    this.#kinds = kinds.values;
    this.domain = domains.values[this.#field(0)] ?? "";
  }

  get marks(): Marks {
    return { provenance: PROVENANCES[this.#field(12)] ?? "none", lastReview: this.#field(16) };
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
    const found: Entry[] = [];
    for (let at = this.#entriesStart; at < head.length;) {
      const kindId = uint32At(head, at);
      const end = at + 8 + uint32At(head, at + 4);
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
    return uint32At(this.#record.head, offset);
  }

  get #naming(): Pick<Concept, "name" | "definition"> {
    return (this.#named ??= JSON.parse(decoder.decode(this.headJson)) as Concept);
  }

  get #parsed(): Body {
    return (this.#body ??= JSON.parse(decoder.decode(this.bodyJson())) as Body);
  }
}

/** The published content of a concept without version and origin: one line of JSON, in parts. */
export function contentLine(concept: StoredConcept): readonly Uint8Array[] {
  return [concept.headJson.subarray(0, -1), COMMA, concept.bodyJson().subarray(1), LINE_FEED];
}

const COMMA = Uint8Array.of(0x2c);
const LINE_FEED = Uint8Array.of(0x0a);

/** The key of an entry. */
export function keyOfEntry({ bytes, start, end }: Entry): string {
  return decoder.decode(bytes.subarray(start, end));
}

/** Valid until the next call. */
export function encodeBody(json: string): Uint8Array {
  if (json.length * 3 > bodyRoom.length) bodyRoom = new Uint8Array(json.length * 6);
  return bodyRoom.subarray(0, encoder.encodeInto(json, bodyRoom).written);
}

interface Head {
  readonly domainId: number;
  readonly marks: Marks;
  /** The beginning of the JSON. */
  readonly opening: string;
  readonly rest: string;
  readonly entries: readonly { readonly kindId: number; readonly key: string }[];
}

/**
 * Number of the domain, byte length of the opening and of the whole JSON, number of the provenance
 * mark, last review: each a u32.
 */
const HEAD_BYTES = 20;

/** After the JSON, for each expression: number of its kind, byte length and bytes of its key. */
export function encodeHead({ domainId, marks, opening, rest, entries }: Head): Uint8Array {
  const most = entries.reduce(
    (sum, { key }) => sum + 8 + key.length * 3,
    HEAD_BYTES + 3 * (opening.length + rest.length),
  );
  if (most > headRoom.length) headRoom = new Uint8Array(most * 2);
  let at = HEAD_BYTES;
  const write = (text: string): number => {
    const { written } = encoder.encodeInto(text, headRoom.subarray(at));
    at += written;
    return written;
  };
  const openingLength = write(opening);
  const jsonLength = openingLength + write(rest);
  const provenance = PROVENANCES.indexOf(marks.provenance);
  setUint32s(headRoom, 0, [domainId, openingLength, jsonLength, provenance, marks.lastReview]);
  for (const { kindId, key } of entries) {
    const start = at;
    at += 8;
    setUint32s(headRoom, start, [kindId, write(key)]);
  }
  return headRoom.subarray(0, at);
}

let headRoom = new Uint8Array(1 << 12);
let bodyRoom = new Uint8Array(1 << 12);
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
