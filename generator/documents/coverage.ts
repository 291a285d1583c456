/**
 * `/registry/coverage.json`: which concepts each language covers, and which expressions are
 * ambiguous. Counts cover the whole registry; lists are cut at the limits of the contract. The page
 * `/coverage` shows as much of it as one page can, with names next to the codes and with
 * percentages.
 */
import {
  type AmbiguousExpression,
  type Coverage,
  COVERAGE_LIMITS as LIMITS,
  type LanguageCoverage,
} from "../contract/coverage.ts";
import { textDirection } from "../../runtime/text/direction.ts";
import { compareCodePoints } from "../text/order.ts";
import type { Facts } from "../facts/facts.ts";
import { type AmbiguousKey, ambiguousTags } from "../registry/ambiguity.ts";
import { conceptIn } from "../registry/published-concept.ts";
import { documentEnd, documentHead, type View } from "../view/view.ts";

export function coverage(view: View): Coverage {
  const { concepts, languages, domains, ambiguous } = view.facts;
  const listed = largest(domains, LIMITS.domains);
  return {
    ...documentHead(view, "registry-coverage", {
      title: "Coverage and ambiguity",
      description:
        "How many concepts each language covers, which ones it lacks, and which expressions several concepts have.",
    }),
    counting:
      "A language covers a concept if the concept has a reviewed expression of strength 1 in that language. An expression of a locale also counts for its language, such as pt-BR for pt, although a request for pt does not find it: tags counts the concepts that are found under each tag itself. total counts all items, even if a list ends at its limit.",
    limits: { ...LIMITS },
    concepts,
    domains: { total: domains.length, listed },
    languages: {
      total: languages.length,
      listed: coverLanguages(
        view.facts,
        listed.map(({ domain }) => domain),
      ),
    },
    ambiguous: listAmbiguous(ambiguous),
    ...documentEnd,
  };
}

/** The items with the most concepts, in their given order. */
function largest<T extends { readonly concepts: number }>(all: readonly T[], limit: number): T[] {
  const chosen = new Set(all.toSorted((a, b) => b.concepts - a.concepts).slice(0, limit));
  return all.filter((one) => chosen.has(one));
}

/** The languages that cover most concepts; in nearly every registry, all languages. */
function coverLanguages(
  { concepts, coverage: covered, languages }: Facts,
  domains: readonly string[],
): LanguageCoverage[] {
  const all = languages.flatMap((language) => {
    const own = covered.get(language);
    return own === undefined ? [] : [{ language, ...own }];
  });
  return largest(all, LIMITS.languages).map((own) => ({
    language: own.language,
    concepts: own.concepts,
    byDomain: domains.map((domain) => own.byDomain.get(domain) ?? 0),
    tags: {
      total: own.byTag.size,
      listed: inOrder(own.byTag.keys(), LIMITS.tags).map((tag) => ({ tag, concepts: own.byTag.get(tag) ?? 0 })),
    },
    lacking: { total: concepts - own.concepts, listed: [...own.lacking] },
  }));
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

/** The maximum number of each on the page. */
const COMPLETE_SHOWN = 200;
const LANGUAGES_SHOWN = 40;
const DOMAINS_SHOWN = 25;
const LACKING_SHOWN = 10;
const AMBIGUOUS_SHOWN = 100;

/** The values that the page prints; `rows` are of the languages that lack a concept. */
export function coverageView({ index }: View, document: Coverage) {
  const nameOf = (code: string): string => {
    const id = index.conceptId(code);
    return id === undefined ? code : conceptIn(index, id).name;
  };
  const isComplete = ({ concepts }: LanguageCoverage): boolean => concepts === document.concepts;
  const complete = document.languages.listed.filter(isComplete).map(({ language }) => language);
  const lacking = document.languages.listed.filter((one) => !isComplete(one));
  const languages = largest(lacking, LANGUAGES_SHOWN);
  const domains = new Set(largest(document.domains.listed, DOMAINS_SHOWN));
  const rows = languages.map(({ language, concepts, byDomain }) => ({
    language,
    concepts,
    ...share(concepts, document.concepts),
    cells: document.domains.listed.flatMap((column, i) =>
      domains.has(column)
        ? [{ domain: column.domain, of: column.concepts, ...share(byDomain[i] ?? 0, column.concepts) }]
        : [],
    ),
  }));
  const { withinLanguage, acrossLanguages } = document.ambiguous;
  return {
    limits: document.limits,
    concepts: document.concepts,
    languages: document.languages.total,
    domains: document.domains.total,
    complete: shown({ total: complete.length, listed: complete }, COMPLETE_SHOWN, (language) => language),
    rows,
    lacking: languages.map((one) => ({
      language: one.language,
      ...shown(one.lacking, LACKING_SHOWN, (code) => ({ code, name: nameOf(code) })),
    })),
    ambiguous: {
      withinLanguage: shown(withinLanguage, AMBIGUOUS_SHOWN, (one) => ambiguousView(one, nameOf)),
      acrossLanguages: shown(acrossLanguages, AMBIGUOUS_SHOWN, (one) => ambiguousView(one, nameOf)),
    },
  };
}

/**
 * A percentage, rounded down, with one decimal from 99 up: only full coverage is 100. `tenths` is
 * the length of a bar, which is 0 only if nothing is covered.
 */
function share(concepts: number, of: number): { readonly percent: string; readonly tenths: number } {
  const thousandths = of === 0 ? 0 : Math.floor((concepts / of) * 1000);
  const isNearly = thousandths >= 990 && thousandths < 1000;
  return {
    percent: isNearly ? (thousandths / 10).toFixed(1) : String(Math.floor(thousandths / 10)),
    tenths: concepts === 0 ? 0 : Math.max(1, Math.floor(thousandths / 100)),
  };
}

/** The first items of a list, and the number of the remaining ones. */
function shown<T, U>(
  list: { readonly total: number; readonly listed: readonly T[] },
  limit: number,
  show: (item: T) => U,
) {
  const items = list.listed.slice(0, limit).map(show);
  return { total: list.total, items, more: list.total - items.length };
}

function ambiguousView({ expression, ambiguousIn, concepts }: AmbiguousExpression, nameOf: (code: string) => string) {
  const tags = (list: AmbiguousExpression["ambiguousIn"]) => shown(list, list.listed.length, (tag) => tag);
  // If it is not ambiguous within any language, the first tag that has it represents all.
  const tag =
    ambiguousIn.listed[0] ?? concepts.listed.flatMap((one) => one.tags.listed).sort(compareCodePoints)[0] ?? "";
  return {
    expression,
    tag,
    direction: textDirection(tag),
    tags: tags(ambiguousIn),
    concepts: shown(concepts, concepts.listed.length, (one) => ({
      code: one.code,
      name: nameOf(one.code),
      // Tags equal to those of the expression are already shown next to it.
      tags: one.tags.listed.join() === ambiguousIn.listed.join() ? undefined : tags(one.tags),
    })),
  };
}
