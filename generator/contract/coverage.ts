/**
 * Which concepts each language covers, and which expressions are ambiguous. Counts are exact; lists
 * are cut at a limit, so that a registry of any size gives a readable document.
 * Source: contract §1 rule 2; rulings O-04, O-19.
 */
import * as Type from "../../runtime/contract/type.ts";
import { endSchema, headSchema, Text } from "../../runtime/contract/document.ts";
import { closed } from "../../runtime/contract/schema.ts";

/** The most items in each list; the `total` next to a list counts all. */
export const COVERAGE_LIMITS = {
  /** The languages with the most concepts. */
  languages: 1000,
  /** The domains with the most concepts. */
  domains: 100,
  /** Tags of a language, or of an expression. */
  tags: 20,
  /** Codes that a language lacks: the first ones. */
  lacking: 250,
  /** Expressions in each of the two lists. */
  ambiguous: 3000,
  /** Codes of an ambiguous expression: the first ones. */
  meanings: 10,
} as const;

const Count = Type.Integer({ minimum: 0 });

function listed<T extends Type.TSchema>(item: T, maxItems: number) {
  return closed({ total: Count, listed: Type.Array(item, { maxItems }) });
}

const Tags = listed(Text, COVERAGE_LIMITS.tags);

/** A concept counts for a language if it has an expression of strength 1 in it, in any locale. */
export const LanguageCoverage = closed({
  language: Text,
  concepts: Count,
  /** In the order of `domains.listed`. */
  byDomain: Type.Array(Count, { maxItems: COVERAGE_LIMITS.domains }),
  /** The concepts that lookup finds under each tag itself. */
  tags: listed(closed({ tag: Text, concepts: Count }), COVERAGE_LIMITS.tags),
  lacking: listed(Text, COVERAGE_LIMITS.lacking),
});
export type LanguageCoverage = Type.Static<typeof LanguageCoverage>;

/** An expression, in its comparison form, that several concepts have at strength 1. */
export const AmbiguousExpression = closed({
  expression: Text,
  /**
   * The tags under which several concepts have it; empty if it is ambiguous only for a request
   * without a language.
   */
  ambiguousIn: Tags,
  concepts: listed(closed({ code: Text, tags: Tags }), COVERAGE_LIMITS.meanings),
});
export type AmbiguousExpression = Type.Static<typeof AmbiguousExpression>;

const Ambiguous = listed(AmbiguousExpression, COVERAGE_LIMITS.ambiguous);

export const Coverage = closed({
  ...headSchema("registry-coverage"),
  counting: Text,
  limits: closed({
    languages: Count,
    domains: Count,
    tags: Count,
    lacking: Count,
    ambiguous: Count,
    meanings: Count,
  }),
  concepts: Count,
  domains: listed(closed({ domain: Text, concepts: Count }), COVERAGE_LIMITS.domains),
  languages: listed(LanguageCoverage, COVERAGE_LIMITS.languages),
  ambiguous: closed({ withinLanguage: Ambiguous, acrossLanguages: Ambiguous }),
  ...endSchema,
});
export type Coverage = Type.Static<typeof Coverage>;
