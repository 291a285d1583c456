/** Which concepts each language covers. */
import { EXACT_STRENGTH } from "../../runtime/contract/concept.ts";
import { COVERAGE_LIMITS } from "../contract/coverage.ts";
import type { Entry } from "../registry/stored-concept.ts";
import type { Passing } from "./passing.ts";

/** What a language covers. */
export interface Covered {
  readonly concepts: number;
  readonly byDomain: ReadonlyMap<string, number>;
  readonly byTag: ReadonlyMap<string, number>;
  /** The first codes that it lacks, as many as the document lists. */
  readonly lacking: readonly string[];
}

interface Tally extends Covered {
  concepts: number;
  readonly byDomain: Map<string, number>;
  readonly byTag: Map<string, number>;
  readonly lacking: string[];
}

export class CoverageTally {
  readonly #tallies = new Map<string, Tally>();
  /**
   * Languages whose list of lacking concepts is not full yet. They are soon few, so not every
   * concept is compared with every language.
   */
  readonly #open: Map<string, Tally>;

  constructor(languages: Iterable<string>) {
    for (const language of languages)
      this.#tallies.set(language, { concepts: 0, byDomain: new Map(), byTag: new Map(), lacking: [] });
    this.#open = new Map(this.#tallies);
  }

  take({ concept: { code, domain }, entries }: Passing): void {
    const held = exactTags(entries);
    for (const [language, tags] of held) {
      const tally = this.#tallies.get(language);
      if (tally === undefined) continue;
      tally.concepts++;
      count(tally.byDomain, domain);
      for (const tag of tags) count(tally.byTag, tag);
    }
    for (const [language, { lacking }] of this.#open) {
      if (held.has(language)) continue;
      if (lacking.push(code) === COVERAGE_LIMITS.lacking) this.#open.delete(language);
    }
  }

  found(): ReadonlyMap<string, Covered> {
    return this.#tallies;
  }
}

/** By language, the tags under which a concept can be resolved. */
function exactTags(entries: readonly Entry[]): ReadonlyMap<string, ReadonlySet<string>> {
  const held = new Map<string, Set<string>>();
  for (const { kind } of entries) {
    if (kind.strength !== EXACT_STRENGTH) continue;
    const tags = held.get(kind.language) ?? new Set();
    held.set(kind.language, tags.add(kind.tag));
  }
  return held;
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
