/**
 * Derives coverage and ambiguity again: the coverage of a language from the details of the
 * concepts, ambiguity from the postings that the resolver answers from.
 */
import { type ConceptDetail, EXACT_STRENGTH } from "../../../runtime/contract/concept.ts";
import { type AmbiguousExpression, type Coverage, COVERAGE_LIMITS } from "../../contract/coverage.ts";
import type { RegistryIndex } from "../../../runtime/registry/index.ts";
import { compareCodePoints } from "../../text/order.ts";

/** The members that follow from the registry. */
export type Derived = Pick<Coverage, "limits" | "concepts" | "domains" | "languages" | "ambiguous">;

interface Held {
  /** A bit for each concept. */
  readonly concepts: Uint8Array;
  readonly tags: Map<string, number>;
}

/** Takes every concept, in order, and then derives the coverage. */
export class CoverageTally {
  readonly #codes: string[] = [];
  readonly #domains: string[] = [];
  readonly #languages = new Map<string, Held>();
  /** Tags as they are written, by their form in the index. */
  readonly #written = new Map<string, string>();
  readonly #bytes: number;

  constructor(conceptCount: number) {
    this.#bytes = Math.ceil(conceptCount / 8);
  }

  add({ code, domain, expressions }: Pick<ConceptDetail, "code" | "domain" | "expressions">): void {
    const id = this.#codes.push(code) - 1;
    this.#domains.push(domain);
    const counted = new Set<string>();
    for (const { language, locale, equivalenceStrength } of expressions) {
      const tag = locale ?? language;
      const held = this.#languages.get(language) ?? { concepts: new Uint8Array(this.#bytes), tags: new Map() };
      this.#languages.set(language, held);
      this.#written.set(tag.toLowerCase(), tag);
      if (equivalenceStrength !== EXACT_STRENGTH) continue;
      held.concepts[id >> 3] = (held.concepts[id >> 3] ?? 0) | (1 << (id & 7));
      const place = `${language} ${tag}`;
      if (!counted.has(place)) held.tags.set(tag, (held.tags.get(tag) ?? 0) + 1);
      counted.add(place);
    }
  }

  /** `shared` are the keys that have several postings. */
  derive(index: RegistryIndex, shared: readonly string[]): Derived {
    const sizes = new Map<string, number>();
    for (const domain of this.#domains) sizes.set(domain, (sizes.get(domain) ?? 0) + 1);
    const domains = fullest(sizes, COVERAGE_LIMITS.domains);
    const covered = new Map([...this.#languages].map(([name, { concepts }]) => [name, bitsIn(concepts)]));
    return {
      limits: COVERAGE_LIMITS,
      concepts: this.#codes.length,
      domains: {
        total: sizes.size,
        listed: domains.map((domain) => ({ domain, concepts: sizes.get(domain) ?? 0 })),
      },
      languages: {
        total: covered.size,
        listed: fullest(covered, COVERAGE_LIMITS.languages).map((name) => this.#language(name, domains)),
      },
      ambiguous: this.#ambiguous(index, shared),
    };
  }

  #language(language: string, domains: readonly string[]): Coverage["languages"]["listed"][number] {
    const { concepts, tags } = this.#languages.get(language) ?? { concepts: new Uint8Array(), tags: new Map() };
    const byDomain = new Map(domains.map((domain) => [domain, 0]));
    const lacking: string[] = [];
    let held = 0;
    for (const [id, code] of this.#codes.entries()) {
      const domain = this.#domains[id] ?? "";
      if (((concepts[id >> 3] ?? 0) & (1 << (id & 7))) === 0) lacking.push(code);
      else {
        held++;
        if (byDomain.has(domain)) byDomain.set(domain, (byDomain.get(domain) ?? 0) + 1);
      }
    }
    const names = [...tags.keys()].sort(compareCodePoints).slice(0, COVERAGE_LIMITS.tags);
    return {
      language,
      concepts: held,
      byDomain: [...byDomain.values()],
      tags: { total: tags.size, listed: names.map((tag) => ({ tag, concepts: tags.get(tag) ?? 0 })) },
      lacking: { total: lacking.length, listed: lacking.slice(0, COVERAGE_LIMITS.lacking) },
    };
  }

  #ambiguous(index: RegistryIndex, shared: readonly string[]): Coverage["ambiguous"] {
    const keys = { within: [] as string[], across: [] as string[] };
    for (const key of shared) {
      const { meanings, tags } = this.#meanings(index, key);
      if (meanings.size > 1) keys[tags.length > 0 ? "within" : "across"].push(key);
    }
    const list = (all: string[]) => ({
      total: all.length,
      listed: all
        .toSorted(compareCodePoints)
        .slice(0, COVERAGE_LIMITS.ambiguous)
        .map((key) => this.#expression(index, key)),
    });
    return { withinLanguage: list(keys.within), acrossLanguages: list(keys.across) };
  }

  /** Tags by concept, and the tags that several concepts share. */
  #meanings(index: RegistryIndex, key: string): { meanings: ReadonlyMap<number, Set<string>>; tags: string[] } {
    const meanings = new Map<number, Set<string>>();
    const first = new Map<string, number>();
    const shared = new Set<string>();
    for (const { conceptId, languageId, strength } of index.postings(key)) {
      if (strength !== EXACT_STRENGTH) continue;
      const lower = index.meta.languages[languageId] ?? "";
      const tag = this.#written.get(lower) ?? lower;
      meanings.set(conceptId, (meanings.get(conceptId) ?? new Set()).add(tag));
      if ((first.get(tag) ?? conceptId) !== conceptId) shared.add(tag);
      first.set(tag, conceptId);
    }
    return { meanings, tags: [...shared] };
  }

  #expression(index: RegistryIndex, key: string): AmbiguousExpression {
    const { meanings, tags } = this.#meanings(index, key);
    const concepts = [...meanings]
      .sort(([a], [b]) => a - b)
      .slice(0, COVERAGE_LIMITS.meanings)
      .map(([id, own]) => ({ code: this.#codes[id] ?? "", tags: tagList(own) }));
    return { expression: key, ambiguousIn: tagList(tags), concepts: { total: meanings.size, listed: concepts } };
  }
}

function tagList(tags: Iterable<string>): AmbiguousExpression["ambiguousIn"] {
  const names = [...tags].sort(compareCodePoints);
  return { total: names.length, listed: names.slice(0, COVERAGE_LIMITS.tags) };
}

function bitsIn(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) for (let rest = byte; rest !== 0; rest &= rest - 1) count++;
  return count;
}

/** The names with the highest counts, in order. */
function fullest(counts: ReadonlyMap<string, number>, limit: number): string[] {
  const ordered = [...counts].sort(([a, x], [b, y]) => y - x || compareCodePoints(a, b)).slice(0, limit);
  return ordered.map(([name]) => name).sort(compareCodePoints);
}
