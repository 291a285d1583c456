/**
 * `/registry/coverage.json`: which concepts each language covers, and which expressions are ambiguous. Counts cover the
 * whole registry; lists end at the limits of the contract.
 */
import { EXACT_STRENGTH } from "../../runtime/contract/concept.ts";
import {
  type AmbiguousExpression,
  type Coverage,
  COVERAGE_LIMITS as LIMITS,
  type LanguageCoverage,
} from "../contract/coverage.ts";
import { compareCodePoints } from "../text/order.ts";
import { type AmbiguousKey, ambiguousKeys, ambiguousTags } from "../registry/ambiguity.ts";
import type { Concepts, StoredConcept } from "../registry/concepts.ts";
import { documentEnd, documentHead, type View } from "../view/view.ts";

export function coverage(view: View): Coverage {
  const { concepts } = view.registry;
  const { values, counts } = concepts.domains;
  const domains = new Map(values.map((domain, id) => [domain, counts[id] ?? 0]));
  const listed = largest(domains, LIMITS.domains);
  return {
    ...documentHead(view, "registry-coverage", {
      title: "Coverage and ambiguity",
      description:
        "How many concepts each language covers, which ones it lacks, and which expressions several concepts have.",
    }),
    counting:
      "A language covers a concept that has a reviewed expression of strength 1 in it. An expression of a locale counts for its language too, pt-BR for pt, although a request for pt does not find it: tags counts what is found under each tag itself. total counts all, also where a list ends at its limit.",
    limits: { ...LIMITS },
    concepts: concepts.length,
    domains: {
      total: domains.size,
      listed: listed.map((domain) => ({ domain, concepts: domains.get(domain) ?? 0 })),
    },
    languages: {
      total: view.summary.languages.length,
      listed: coverLanguages(concepts, listed, view.summary.languages),
    },
    ambiguous: listAmbiguous(ambiguousKeys(concepts)),
    ...documentEnd,
  };
}

/** The names with the highest counts, in code-point order. */
function largest(counts: ReadonlyMap<string, number>, limit: number): string[] {
  return [...counts]
    .sort(([a, x], [b, y]) => y - x || compareCodePoints(a, b))
    .slice(0, limit)
    .map(([name]) => name)
    .sort(compareCodePoints);
}

/** What a language covers, while the concepts are read. */
interface Tally {
  readonly byDomain: number[];
  readonly tags: Map<string, number>;
  readonly lacking: string[];
  concepts: number;
}

function coverLanguages(
  concepts: Concepts,
  domains: readonly string[],
  languages: readonly string[],
): LanguageCoverage[] {
  const tallies = new Map<string, Tally>();
  for (const language of chooseLanguages(concepts, languages))
    tallies.set(language, { byDomain: domains.map(() => 0), tags: new Map(), lacking: [], concepts: 0 });
  const columns = new Map(domains.map((domain, i) => [domain, i]));
  // Those whose list of what they lack is not full yet: soon few, so that no concept is held against every language.
  const open = new Map(tallies);
  for (const concept of concepts) {
    const held = exactTags(concept);
    for (const [language, tags] of held) cover(tallies.get(language), columns.get(concept.domain), tags);
    for (const [language, { lacking }] of open) {
      if (held.has(language)) continue;
      if (lacking.push(concept.code) === LIMITS.lacking) open.delete(language);
    }
  }
  return [...tallies].map(([language, { byDomain, tags, lacking, concepts: covered }]) => ({
    language,
    concepts: covered,
    byDomain,
    tags: {
      total: tags.size,
      listed: inOrder(tags.keys(), LIMITS.tags).map((tag) => ({ tag, concepts: tags.get(tag) ?? 0 })),
    },
    lacking: { total: concepts.length - covered, listed: lacking },
  }));
}

/** Those that cover most, all of them in nearly every registry. */
function chooseLanguages(concepts: Concepts, languages: readonly string[]): readonly string[] {
  if (languages.length <= LIMITS.languages) return languages;
  const counts = new Map(languages.map((language) => [language, 0]));
  for (const concept of concepts) {
    for (const language of exactTags(concept).keys()) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  return largest(counts, LIMITS.languages);
}

/** By language, the tags under which a concept can be resolved. */
function exactTags(concept: StoredConcept): ReadonlyMap<string, ReadonlySet<string>> {
  const held = new Map<string, Set<string>>();
  for (const { kind } of concept.entries()) {
    if (kind.strength !== EXACT_STRENGTH) continue;
    const tags = held.get(kind.language) ?? new Set();
    held.set(kind.language, tags.add(kind.tag));
  }
  return held;
}

function cover(tally: Tally | undefined, column: number | undefined, tags: ReadonlySet<string>): void {
  if (tally === undefined) return;
  tally.concepts++;
  if (column !== undefined) tally.byDomain[column] = (tally.byDomain[column] ?? 0) + 1;
  for (const tag of tags) tally.tags.set(tag, (tally.tags.get(tag) ?? 0) + 1);
}

function listAmbiguous(found: Iterable<AmbiguousKey>): Coverage["ambiguous"] {
  const withinLanguage = { total: 0, listed: [] as AmbiguousExpression[] };
  const acrossLanguages = { total: 0, listed: [] as AmbiguousExpression[] };
  for (const one of found) {
    const list = ambiguousTags(one).length > 0 ? withinLanguage : acrossLanguages;
    if (list.total++ < LIMITS.ambiguous) list.listed.push(ambiguousExpression(one));
  }
  return { withinLanguage, acrossLanguages };
}

function ambiguousExpression(found: AmbiguousKey): AmbiguousExpression {
  const { key, meanings } = found;
  return {
    expression: key,
    ambiguousIn: listTags(ambiguousTags(found)),
    concepts: {
      total: meanings.length,
      listed: meanings.slice(0, LIMITS.meanings).map(({ code, tags }) => ({ code, tags: listTags(tags) })),
    },
  };
}

function listTags(tags: readonly string[]): AmbiguousExpression["ambiguousIn"] {
  return { total: tags.length, listed: inOrder(tags, LIMITS.tags) };
}

function inOrder(names: Iterable<string>, limit: number): string[] {
  return [...names].sort(compareCodePoints).slice(0, limit);
}
