/**
 * What documents say of all concepts together, gathered in one stream over them. Its memory grows
 * with languages × domains and with the expressions that several concepts share, not with the
 * concepts; only the lists of names do, up to the limit of names.ts.
 */
import { EXACT_STRENGTH } from "../../runtime/contract/concept.ts";
import { type AmbiguousKey, ambiguousKeys, sharedKeys } from "../registry/ambiguity.ts";
import type { Concepts } from "../registry/concepts.ts";
import { type Keys, keysOf } from "../registry/keys.ts";
import type { Passing } from "./passing.ts";
import { compareCodePoints } from "../text/order.ts";
import { CoverageTally, type Covered } from "./coverage.ts";
import { NameLists, type NamesByLanguage } from "./names.ts";
import { CHOICES, type ChoiceName, FirstsOf, type Firsts } from "./firsts.ts";

export interface Facts {
  readonly concepts: number;
  /** B36: those of strength 1, the ones that can resolve. */
  readonly exactExpressions: number;
  /** Whether every expression is one of those. */
  readonly areAllExact: boolean;
  /** In code-point order. */
  readonly languages: readonly string[];
  /** In code-point order. */
  readonly domains: readonly DomainCount[];
  readonly provenances: Provenances;
  /** YYYY-MM-DD; undefined if no review has a day. */
  readonly lastReview: string | undefined;
  /** By language. */
  readonly coverage: ReadonlyMap<string, Covered>;
  /** In the order of the keys. */
  readonly ambiguous: readonly AmbiguousKey[];
  readonly names: NamesByLanguage;
  readonly firsts: Readonly<Record<ChoiceName, Firsts>>;
}

export interface DomainCount {
  readonly domain: string;
  readonly concepts: number;
}

interface Provenances {
  /** Whether every concept has one. */
  readonly areAll: boolean;
  /** Whether each names concepts elsewhere by absolute IRIs. */
  readonly areByIri: boolean;
}

export function gatherFacts(concepts: Concepts, keys: Keys = keysOf(concepts)): Facts {
  const shared = sharedKeys(concepts, keys);
  const counts = new Counts();
  const coverage = new CoverageTally(new Set(concepts.kinds.values.map(({ language }) => language)));
  const names = new NameLists(concepts);
  const firsts = Object.entries(CHOICES).map(
    ([name, bounds]) => [name, new FirstsOf(concepts, shared, bounds)] as const,
  );
  const codes = new Map<number, string>();
  let id = 0;
  for (const concept of concepts) {
    const passing: Passing = { id, concept, entries: concept.entries() };
    counts.take(passing);
    coverage.take(passing);
    names.take(passing);
    for (const [, one] of firsts) one.take(passing);
    if (shared.ids.has(id)) codes.set(id, concept.code);
    id++;
  }
  return {
    ...counts.found(),
    coverage: coverage.found(),
    ambiguous: [...ambiguousKeys(shared, codes)],
    names: names.found(),
    firsts: Object.fromEntries(firsts.map(([name, one]) => [name, one.found()])) as Record<ChoiceName, Firsts>,
  };
}

class Counts {
  readonly #domains = new Map<string, number>();
  readonly #languages = new Set<string>();
  #concepts = 0;
  #exact = 0;
  #areAllExact = true;
  #areAll = true;
  #areByIri = true;
  #lastReview = 0;

  take({ concept, entries }: Passing): void {
    this.#concepts++;
    this.#domains.set(concept.domain, (this.#domains.get(concept.domain) ?? 0) + 1);
    for (const { kind } of entries) {
      this.#languages.add(kind.language);
      if (kind.strength === EXACT_STRENGTH) this.#exact++;
      else this.#areAllExact = false;
    }
    const { provenance, lastReview } = concept.marks;
    if (provenance === "none") this.#areAll = false;
    if (provenance === "names") this.#areByIri = false;
    this.#lastReview = Math.max(this.#lastReview, lastReview);
  }

  found() {
    const domains = Array.from(this.#domains, ([domain, concepts]): DomainCount => ({ domain, concepts }));
    return {
      concepts: this.#concepts,
      exactExpressions: this.#exact,
      areAllExact: this.#areAllExact,
      languages: [...this.#languages].sort(compareCodePoints),
      domains: domains.sort((a, b) => compareCodePoints(a.domain, b.domain)),
      provenances: { areAll: this.#areAll, areByIri: this.#areByIri },
      lastReview: formatDay(this.#lastReview),
    };
  }
}

/** 20261128 is 2026-11-28, and 0 is none. */
function formatDay(day: number): string | undefined {
  return day === 0
    ? undefined
    : String(day)
        .padStart(8, "0")
        .replace(/^(....)(..)/, "$1-$2-");
}
