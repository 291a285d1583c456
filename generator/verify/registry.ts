/**
 * The index against the concepts it publishes: every part of a concept follows from its detail, every key from an
 * expression or a code, and nothing else is in there. What the documents must say of the registry is counted here.
 */
import { createHash } from "node:crypto";
import {
  type ConceptDetail,
  ConceptDetail as ConceptDetailSchema,
  EXACT_STRENGTH,
} from "../../runtime/contract/concept.ts";
import { keyOf } from "../../runtime/expression.ts";
import type { Section } from "../../runtime/index-format.ts";
import { parseJson } from "../../runtime/json.ts";
import { type Manifest, INDEX_FILE } from "../../runtime/manifest.ts";
import { paths } from "../../runtime/policy.ts";
import type { ConceptParts, RegistryIndex } from "../../runtime/registry-index.ts";
import { formatSearchText } from "../../runtime/search-text.ts";
import { compileSchema, firstFault } from "../../runtime/validator.ts";
import type { Faults } from "./dist.ts";

/** What the published registry amounts to. */
export interface RegistryFacts {
  readonly publishedConcepts: number;
  readonly reviewedExactExpressions: number;
  readonly languages: readonly string[];
  readonly domains: readonly string[];
  readonly bundleSha256: string;
  readonly has: (code: string) => boolean;
}

const parseDetail = compileSchema(ConceptDetailSchema);

export function checkRegistry(index: RegistryIndex, manifest: Manifest): { facts: RegistryFacts; faults: Faults } {
  const walk = new Walk(index, manifest);
  for (let id = 0; id < index.conceptCount; id++) walk.concept(id);
  return { facts: walk.facts(), faults: walk.finish() };
}

class Walk {
  readonly #index: RegistryIndex;
  readonly #manifest: Manifest;
  readonly #faults: Faults = [];
  readonly #languages = new Set<string>();
  readonly #domains = new Set<string>();
  /** How many expressions have a key. */
  readonly #keys = new Map<string, number>();
  readonly #sections = { list: new Running(), search: new Running(), bundle: new Running(), answers: new Running() };
  #exact = 0;
  #previous = "";

  constructor(index: RegistryIndex, manifest: Manifest) {
    this.#index = index;
    this.#manifest = manifest;
    if (index.meta.registryVersion !== manifest.registry.registryVersion)
      this.#faults.push(`${INDEX_FILE}: another registryVersion`);
    this.#sections.list.add('{"data":[');
  }

  concept(id: number): void {
    const parts = this.#index.concept(id);
    const bytes = this.#index.read(parts.detail);
    const json = parseJson(bytes);
    const reading = json.ok ? parseDetail(json.value) : undefined;
    if (reading?.ok !== true) {
      this.#faults.push(
        `concept ${id}: ${reading === undefined ? "not JSON" : firstFault(reading.violations, "", "it")}`,
      );
      return;
    }
    const detail = reading.value;
    this.#identity(id, detail);
    if (id > 0) this.#sections.list.add(",");
    this.#parts(parts, detail);
    for (const { language, locale, expression, equivalenceStrength } of detail.expressions) {
      const key = keyOf(expression);
      this.#keys.set(key, (this.#keys.get(key) ?? 0) + 1);
      this.#languages.add(language);
      if (equivalenceStrength === EXACT_STRENGTH) this.#exact++;
      const languageId = this.#index.languageId((locale ?? language).toLowerCase());
      const found = this.#index
        .postings(key)
        .some(
          (posting) =>
            posting.conceptId === id && posting.languageId === languageId && posting.strength === equivalenceStrength,
        );
      if (!found) this.#faults.push(`${detail.code}: ${JSON.stringify(expression)} does not lead back to it`);
    }
  }

  /** Code, version and address are those of this place in this release. */
  #identity(id: number, { code, domain, registryVersion, canonicalUrl }: ConceptDetail): void {
    const fault = (wrong: boolean, text: string): void => void (wrong && this.#faults.push(`${code}: ${text}`));
    fault(this.#index.conceptId(code) !== id, "not found by its code");
    fault(code <= this.#previous, "not in code order");
    fault(registryVersion !== this.#manifest.registry.registryVersion, "another registryVersion");
    fault(canonicalUrl !== this.#url(code), "its address is another one");
    this.#previous = code;
    this.#domains.add(domain);
  }

  /** What is stored for answers follows from the detail, to the byte. */
  #parts(parts: ConceptParts, detail: ConceptDetail): void {
    const { code, name, definition, domain, registryVersion } = detail;
    const identity = { code, name, definition, domain, registryVersion };
    const summary = JSON.stringify({ ...identity, url: this.#url(code) });
    const resolved = JSON.stringify(identity);
    const candidate = `${JSON.stringify({ code, name }).slice(0, -1)},"score":`;
    const search = formatSearchText(name, definition);
    const line = `${JSON.stringify(detail)}\n`;
    const stored = (part: "summary" | "search" | "detail" | "resolved" | "candidate"): string =>
      decoder.decode(this.#index.read(parts[part]));
    const expected = { summary, search, detail: line, resolved, candidate };
    for (const [part, text] of Object.entries(expected)) {
      if (stored(part as keyof typeof expected) !== text)
        this.#faults.push(`${code}: its ${part} is not what its detail gives`);
    }
    const digest = createHash("sha256").update(this.#index.read(parts.detail)).digest("hex");
    if (digest !== Buffer.from(parts.detailDigest).toString("hex"))
      this.#faults.push(`${code}: its detail differs from its digest`);
    this.#sections.list.add(summary);
    this.#sections.search.add(search);
    this.#sections.bundle.add(line);
    this.#sections.answers.add(resolved + candidate);
  }

  #url(code: string): string {
    return `${this.#manifest.origin}${paths.concepts}/${code}`;
  }

  facts(): RegistryFacts {
    return {
      publishedConcepts: this.#index.conceptCount,
      reviewedExactExpressions: this.#exact,
      languages: sorted(this.#languages),
      domains: sorted(this.#domains),
      bundleSha256: this.#sections.bundle.sha256(),
      has: (code) => this.#index.conceptId(code) !== undefined,
    };
  }

  /** After the last concept: nothing is stored that no concept accounts for. */
  finish(): Faults {
    const index = this.#index;
    if (this.#faults.length > 0) return this.#faults;
    const faults: Faults = [];
    this.#sections.list.add(`],"count":${index.conceptCount}}\n`);
    for (const [name, running] of Object.entries(this.#sections)) {
      if (sectionSha256(index, name as Section) !== running.sha256()) {
        faults.push(`${INDEX_FILE}: its section ${name} holds more than its concepts give`);
      }
    }
    const { listSha256, bundleSha256 } = index.meta;
    if (listSha256 !== this.#sections.list.sha256() || bundleSha256 !== this.#sections.bundle.sha256()) {
      faults.push(`${INDEX_FILE}: the digests it carries are not those of its sections`);
    }
    if (index.expressionCount !== this.#keys.size)
      faults.push(`${INDEX_FILE}: it holds other expressions than its concepts`);
    for (const [key, count] of this.#keys) {
      if (index.postings(key).length !== count) faults.push(`${JSON.stringify(key)}: leads to more than its concepts`);
    }
    return faults;
  }
}

/** A digest in the making that can be read at any time. */
class Running {
  readonly #hash = createHash("sha256");

  add(text: string): void {
    this.#hash.update(text);
  }

  sha256(): string {
    return this.#hash.copy().digest("hex");
  }
}

const PIECE_BYTES = 1 << 20;

function sectionSha256({ source, sections }: RegistryIndex, name: Section): string {
  const { offset, length } = sections[name];
  const running = createHash("sha256");
  for (let at = 0; at < length; at += PIECE_BYTES) {
    running.update(source.read(offset + at, Math.min(PIECE_BYTES, length - at)));
  }
  return running.digest("hex");
}

function sorted(set: ReadonlySet<string>): string[] {
  return [...set].sort((a, b) => (a < b ? -1 : 1));
}

const decoder = new TextDecoder();
