/**
 * What `/coverage` prints of the coverage document: as much of it as one page can show, names next to the codes, and
 * shares in per cent. All of it is in the document; the page only shows.
 */
import type { AmbiguousExpression, Coverage, LanguageCoverage } from "../contract/coverage.ts";
import { textDirection } from "../../runtime/text/direction.ts";
import { compareCodePoints } from "../text/order.ts";
import type { View } from "../view/view.ts";

/** How many of each the page shows at most. */
const LANGUAGES_SHOWN = 40;
const DOMAINS_SHOWN = 25;
const LACKING_SHOWN = 10;
const AMBIGUOUS_SHOWN = 100;

export function coverageView(view: View, document: Coverage) {
  const nameOf = namesOf(view, document);
  const languages = largest(document.languages.listed, LANGUAGES_SHOWN);
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
    rows,
    lacking: languages.flatMap(({ language, lacking }) =>
      lacking.total === 0
        ? []
        : [{ language, ...shown(lacking, LACKING_SHOWN, (code) => ({ code, name: nameOf(code) })) }],
    ),
    ambiguous: {
      withinLanguage: shown(withinLanguage, AMBIGUOUS_SHOWN, (one) => ambiguousView(one, nameOf)),
      acrossLanguages: shown(acrossLanguages, AMBIGUOUS_SHOWN, (one) => ambiguousView(one, nameOf)),
    },
  };
}

/** In per cent, rounded down, with a decimal near the whole: only all is 100. Of ten parts of a bar, only nothing has none. */
function share(concepts: number, of: number): { readonly percent: string; readonly tenths: number } {
  const thousandths = of === 0 ? 0 : Math.floor((concepts / of) * 1000);
  const isNearly = thousandths >= 990 && thousandths < 1000;
  return {
    percent: isNearly ? (thousandths / 10).toFixed(1) : String(Math.floor(thousandths / 10)),
    tenths: concepts === 0 ? 0 : Math.max(1, Math.floor(thousandths / 100)),
  };
}

/** Those with the most concepts, in the order they have. */
function largest<T extends { readonly concepts: number }>(all: readonly T[], limit: number): T[] {
  const chosen = new Set(all.toSorted((a, b) => b.concepts - a.concepts).slice(0, limit));
  return all.filter((one) => chosen.has(one));
}

/** The first of a list, and how many more there are. */
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
  // Where it is ambiguous in no language, the first that has it stands for all.
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
      // Those of the expression are said next to it.
      tags: one.tags.listed.join() === ambiguousIn.listed.join() ? undefined : tags(one.tags),
    })),
  };
}

/** Names of the concepts that the document lists, and of no others: a registry can have very many. */
function namesOf({ registry }: View, { languages, ambiguous }: Coverage): (code: string) => string {
  const expressions = [ambiguous.withinLanguage, ambiguous.acrossLanguages].flatMap(({ listed }) => listed);
  const codes = new Set([
    ...languages.listed.flatMap(({ lacking }: LanguageCoverage) => lacking.listed),
    ...expressions.flatMap(({ concepts }) => concepts.listed.map(({ code }) => code)),
  ]);
  const names = new Map(Array.from(registry.concepts.find(codes), ({ code, name }) => [code, name]));
  return (code) => names.get(code) ?? code;
}
