/**
 * Checks the index against the concepts it publishes: every part of a concept follows from its
 * detail, every key from an expression or a code, and there is nothing else. It also counts what
 * the documents must say about the registry.
 */
import { isUtf8 } from "node:buffer";
import { hash } from "node:crypto";
import { type ConceptDetail, EXACT_STRENGTH } from "../../../runtime/contract/concept.ts";
import { keyOf } from "../../../runtime/text/expression.ts";
import { MARK_CONCEPTS } from "../../../runtime/registry/index-format.ts";
import type { Manifest } from "../../../runtime/contract/inputs.ts";
import { INDEX_FILE } from "../../../runtime/contract/files.ts";
import { paths } from "../../../runtime/contract/paths.ts";
import type { ConceptParts } from "../../../runtime/registry/concept-record.ts";
import { openIndex, type RegistryIndex } from "../../../runtime/registry/index.ts";
import type { MemoryBudget } from "../../effects/effects.ts";
import { readAhead } from "../../scratch/read-ahead.ts";
import { compareCodePoints } from "../../text/order.ts";
import { addressesIn, originsIn } from "./addresses.ts";
import { checkConceptNotes, claimsOf, isByIri, readDetail } from "./concept.ts";
import { checkLayout, digestOf, footerOf, keySpacesOf, readSeal } from "./index-layout.ts";
import { KeyAudit } from "./key-audit.ts";
import { NearAudit } from "./near-audit.ts";
import type { Faults, RegistryFacts } from "./parts.ts";
import { RunningDigest } from "./running-digest.ts";
import { WordAudit } from "./words.ts";

/** Returns no facts if the layout or a page of keys is invalid: a lookup could fail. */
export function checkRegistry(
  given: RegistryIndex,
  manifest: Manifest,
  budget: MemoryBudget,
): { facts?: RegistryFacts; faults: Faults } {
  try {
    const index = openIndex(readAhead(given.source, Object.values(given.sections)));
    const { isRight, bundleSha256 } = readSeal(index);
    const faults = isRight ? [] : [`${INDEX_FILE}: its trailer is not the digest of the bytes before it`];
    const layout = checkLayout(index).map((text) => `${INDEX_FILE}: ${text}, so its concepts were not read`);
    if (layout.length > 0) return { faults: [...faults, ...layout] };
    const audit = new IndexAudit({ index, bundleSha256, manifest }, budget);
    for (let id = 0; id < index.conceptCount; id++) audit.concept(id);
    for (const text of audit.finish()) faults.push(`${INDEX_FILE}: ${text}`);
    return audit.canLookUp ? { facts: audit.facts(), faults } : { faults };
  } catch {
    // Hostile bytes can make the reader of an index fail anywhere; whatever the error is, the index
    // is at fault.
    return { faults: [`${INDEX_FILE}: damaged inside, so it cannot be read`] };
  }
}

type Part = Exclude<keyof ConceptParts, "notes" | "detailDigest">;

/** What is audited: an index, the digest of its bundle, and the manifest next to it. */
interface Audited {
  readonly index: RegistryIndex;
  readonly bundleSha256: string;
  readonly manifest: Manifest;
}

class IndexAudit {
  readonly #index: RegistryIndex;
  readonly #manifest: Manifest;
  readonly #faults: Faults = [];
  readonly #tags = new Set<string>();
  readonly #strengths = new Set<number>();
  readonly #codes: string[] = [];
  readonly #marks: number[] = [];
  readonly #origins = new Set<string>();
  readonly #addresses = new Set<string>();
  readonly #claims = new Set<string>();
  readonly #provenances = { haveProvenance: true, areByIri: true };
  readonly #keys: KeyAudit;
  readonly #near: NearAudit;
  readonly #bundleSha256: string;
  /** The list of the concepts that were read, with the bytes that must be between them. */
  readonly #list = new RunningDigest();
  /** The lengths of the sections up to the concept that was read last. */
  readonly #lengths = { list: 0, bundle: 0, answers: 0 };
  /** The content of the concepts, whatever the version and the origin. */
  readonly #content = new RunningDigest();
  readonly #words: WordAudit;
  #isLost = false;

  constructor({ index, bundleSha256, manifest }: Audited, budget: MemoryBudget) {
    this.#index = index;
    this.#bundleSha256 = bundleSha256;
    const { keys, near } = keySpacesOf(index);
    this.#keys = new KeyAudit(index, keys, budget);
    this.#near = new NearAudit(index, near, budget);
    this.#manifest = manifest;
    this.#words = new WordAudit(index);
    if (index.meta.registryVersion !== manifest.registry.registryVersion) this.#faults.push("another registryVersion");
    this.#addToList(Buffer.from('{"data":['));
  }

  concept(id: number): void {
    if (this.#isLost) return;
    const parts = this.#index.concept(id);
    if (id > 0) this.#addToList(COMMA);
    if (id % MARK_CONCEPTS === 0) this.#marks.push(this.#lengths.answers);
    // Parts in other places could overlap, and be read again for every concept.
    this.#isLost = !this.#isInPlace(parts);
    if (this.#isLost) {
      this.#faults.push(
        `concept ${id}: its parts do not follow those of the concept before it; later concepts were not read`,
      );
      return;
    }
    const line = this.#index.read(parts.detail);
    const text = decoder.decode(line);
    const reading = readDetail(text);
    if (!reading.ok) {
      this.#faults.push(`concept ${id}: ${reading.fault}`);
      this.#codes.push("");
      for (const [part, section] of PARTS) this.#lengths[section] += parts[part].length;
      return;
    }
    const detail = reading.value;
    this.#identity(id, detail);
    this.#parts(parts, detail, { line, text });
    this.#words.concept(id, detail.name, detail.definition);
    for (const piece of without(line, detail, ["registryVersion", "canonicalUrl"])) this.#content.add(piece);
    if (detail.provenance === null) this.#provenances.haveProvenance = false;
    else if (!isByIri(detail.provenance)) this.#provenances.areByIri = false;
    for (const claim of claimsOf(detail)) this.#claims.add(claim);
    for (const origin of originsIn(text)) {
      if (origin !== this.#manifest.origin) this.#origins.add(origin);
    }
    for (const address of addressesIn(text, this.#manifest.origin)) {
      if (this.#manifest.origin + address !== detail.canonicalUrl) this.#addresses.add(address);
    }
    for (const entry of detail.expressions) this.#expression(id, detail.code, entry);
    this.#near.add(id, detail.expressions);
  }

  #addToList(bytes: Uint8Array): void {
    this.#list.add(bytes);
    this.#lengths.list += bytes.length;
  }

  /** Code, version and address must fit this place in this release. */
  #identity(id: number, { code, registryVersion, canonicalUrl }: ConceptDetail): void {
    const fault = (wrong: boolean, text: string): void => void (wrong && this.#faults.push(`${code}: ${text}`));
    this.#keys.addCode(id, code);
    fault(code <= (this.#codes.at(-1) ?? ""), "not in code order");
    fault(registryVersion !== this.#manifest.registry.registryVersion, "another registryVersion");
    fault(canonicalUrl !== this.#url(code), "its address is not that of this release");
    this.#codes.push(code);
  }

  #isInPlace(parts: ConceptParts): boolean {
    const next = { list: 0, bundle: 0, answers: 0 };
    return PARTS.every(([part, section]) => {
      const { offset, length } = this.#index.sections[section];
      const start = this.#lengths[section] + next[section];
      next[section] += parts[part].length;
      return parts[part].offset === offset + start && start + parts[part].length <= length;
    });
  }

  /** The stored parts must follow from the detail, byte for byte. */
  #parts(parts: ConceptParts, detail: ConceptDetail, { line, text }: { line: Uint8Array; text: string }): void {
    const { code, name, definition, domain, registryVersion } = detail;
    const identity = JSON.stringify({ code, name, definition, domain, registryVersion });
    const expected: Record<Exclude<Part, "detail">, string> = {
      summary: `${identity.slice(0, -1)},"url":${JSON.stringify(this.#url(code))}}`,
      resolved: identity,
      candidate: `${JSON.stringify({ code, name }).slice(0, -1)},"score":`,
    };
    for (const [part, section] of PARTS) {
      const stored = part === "detail" ? line : this.#index.read(parts[part]);
      if (section === "list") this.#addToList(stored);
      else this.#lengths[section] += stored.length;
      // A text says as much as its bytes if they are UTF-8.
      const isRight =
        part === "detail"
          ? text === `${JSON.stringify(detail)}\n` && isUtf8(line)
          : Buffer.from(expected[part]).equals(stored);
      if (!isRight) this.#faults.push(`${code}: its ${part} is not what its detail gives`);
    }
    if (!hash("sha256", line, "buffer").equals(parts.detailDigest))
      this.#faults.push(`${code}: its detail differs from its digest`);
  }

  #expression(id: number, code: string, entry: ConceptDetail["expressions"][number]): void {
    const { language, locale, expression, equivalenceStrength } = entry;
    const key = keyOf(expression);
    const tag = (locale ?? language).toLowerCase();
    this.#tags.add(tag);
    this.#strengths.add(equivalenceStrength);
    const isKnown = this.#keys.addExpression(id, key, { tag, strength: equivalenceStrength });
    if (!isKnown) this.#faults.push(`${code}: ${JSON.stringify(expression)} does not lead back to it`);
  }

  #url(code: string): string {
    return `${this.#manifest.origin}${paths.concepts}/${code}`;
  }

  /** Whether lookups in the index can be trusted; known after `finish`. */
  get canLookUp(): boolean {
    return this.#keys.canLookUp && this.#near.canLookUp;
  }

  *#keyFaults(): Generator<string, void> {
    const count = yield* this.#keys.faults(this.#codes);
    if (this.#keys.canLookUp && count !== footerOf(this.#index).keyCount)
      yield "has another number of keys than it says";
    yield* this.#near.faults(this.#codes);
  }

  /** Call it after `finish`. */
  facts(): RegistryFacts {
    return {
      publishedConcepts: this.#index.conceptCount,
      codes: this.#codes,
      origins: this.#origins,
      addresses: this.#addresses,
      claims: this.#claims,
      contentSha256: (lines) => this.#content.sha256(lines.join("")),
      common: { ...this.#provenances, areExact: [...this.#strengths].every((strength) => strength === EXACT_STRENGTH) },
    };
  }

  /**
   * Call it after the last concept. Returns all faults, with those of anything stored that no
   * concept accounts for.
   */
  finish(): Faults {
    const keys = [...this.#keyFaults()];
    // Notes name concepts that are looked up.
    if (!this.canLookUp) return [...this.#faults, ...keys];
    const { meta, conceptCount, sections } = this.#index;
    this.#addToList(Buffer.from(`],"count":${conceptCount}}\n`));
    const answersLength = this.#lengths.answers;
    const notes = this.#isLost ? { faults: [], length: 0, claims: [] } : checkConceptNotes(this.#index, this.#codes);
    for (const claim of notes.claims) this.#claims.add(claim);
    for (const fault of notes.faults) this.#faults.push(fault);
    this.#lengths.answers += notes.length;
    for (const section of ["list", "bundle", "answers"] as const) {
      if (sections[section].length !== this.#lengths[section])
        this.#faults.push(`its section ${section} holds more than its concepts give`);
    }
    const listSha256 = this.#list.sha256();
    // No part has the bytes between the concepts of the list.
    if (digestOf(this.#index, sections.list) !== listSha256)
      this.#faults.push("its section list is not what its concepts give");
    const expected = {
      registryVersion: meta.registryVersion,
      languages: [...this.#tags].sort(compareCodePoints),
      strengths: this.#near.strengthsWith(this.#strengths),
      listSha256,
      bundleSha256: this.#bundleSha256,
      marks: this.#marks,
      notesStart: answersLength,
      ...this.#words.starts,
    };
    if (!this.#words.isSound()) this.#faults.push("its words are not those of its concepts");
    if (decoder.decode(this.#index.read(sections.meta)) !== JSON.stringify(expected))
      this.#faults.push(
        "the languages, strengths, digests, marks or blocks of words in its meta are not those of its concepts",
      );
    return [...this.#faults, ...keys];
  }
}

/** The section of each part of a concept, in the order of storage. */
const PARTS = [
  ["summary", "list"],
  ["detail", "bundle"],
  ["resolved", "answers"],
  ["candidate", "answers"],
] as const;

/**
 * The JSON of an object, in pieces, without some of its members, which must be strings, in their
 * order and not the first. Quotes in a string are escaped, so a match is always a member, and each
 * name has only one.
 */
function* without<T extends object>(
  json: Uint8Array,
  value: T,
  names: readonly (keyof T & string)[],
): Generator<Uint8Array, void> {
  const bytes = Buffer.from(json.buffer, json.byteOffset, json.length);
  let start = 0;
  for (const name of names) {
    const member = Buffer.from(`,"${name}":${JSON.stringify(value[name])}`);
    const at = bytes.indexOf(member, start);
    if (at < 0) continue;
    yield bytes.subarray(start, at);
    start = at + member.length;
  }
  yield bytes.subarray(start);
}

const COMMA = Buffer.from(",");
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
