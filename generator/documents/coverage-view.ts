/**
 * What `/coverage` prints of the coverage document: as much of it as one page can show, names beside the codes, and where
 * each part of the picture stands. All of it is in the document; the page only shows.
 */
import type { AmbiguousExpression, Coverage, LanguageCoverage } from "../contract/coverage.ts";
import { textDirection } from "../../runtime/text/direction.ts";
import { compareCodePoints } from "../text/order.ts";
import { drawPicture } from "./coverage-picture.ts";
import type { View } from "../view/view.ts";

/** How many of each the page shows at most. */
const LANGUAGES_SHOWN = 40;
const DOMAINS_SHOWN = 25;
const LACKING_SHOWN = 25;
const AMBIGUOUS_SHOWN = 300;

/** A language and, of each domain shown, how many of its concepts are covered. */
export interface Row {
  readonly language: string;
  readonly concepts: number;
  readonly cells: readonly { readonly domain: string; readonly concepts: number; readonly of: number }[];
}

export function coverageView(view: View, document: Coverage) {
  const nameOf = namesOf(view, document);
  const languages = largest(document.languages.listed, LANGUAGES_SHOWN);
  const domains = new Set(largest(document.domains.listed, DOMAINS_SHOWN));
  const rows = languages.map(({ language, concepts, byDomain }): Row => ({
    language,
    concepts,
    cells: document.domains.listed.flatMap((column, i) =>
      domains.has(column) ? [{ domain: column.domain, concepts: byDomain[i] ?? 0, of: column.concepts }] : [],
    ),
  }));
  const { withinLanguage, acrossLanguages } = document.ambiguous;
  return {
    limits: document.limits,
    concepts: document.concepts,
    languages: document.languages.total,
    domains: document.domains.total,
    rows,
    picture: rows.length === 0 ? null : drawPicture(rows),
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
      tags: tags(one.tags),
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
  const names = new Map(Array.from(registry.concepts.find(codes), ([code, { name }]) => [code, name]));
  return (code) => names.get(code) ?? code;
}
