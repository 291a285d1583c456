/**
 * The only resolver: a pure function of (index, expression, language). It uses no HTTP, no JSON and
 * no clock. It resolves only if exactly one concept remains, and otherwise says why it abstained.
 * Source: contract §1; rulings O-03 to O-05, O-07, O-19, O-26.
 */
import { type AbstentionReason } from "../contract/resolution.ts";
import { EXACT_STRENGTH } from "../contract/concept.ts";
import { keyOf } from "../text/expression.ts";
import { nearForms } from "./near-form.ts";
import { lookupLevels } from "../text/language.ts";
import type { Posting, RegistryIndex } from "./index.ts";

export type Resolution =
  | { readonly status: "resolved"; readonly conceptId: number }
  | { readonly status: "abstained"; readonly reason: AbstentionReason; readonly candidates: readonly ScoredConcept[] };

/** Evidence, never an assignment. */
export interface ScoredConcept {
  readonly conceptId: number;
  readonly score: number;
}

/**
 * Resolves an expression. `language` is a well-formed tag; without it, all languages are searched
 * (O-04). The candidates are complete; the caller limits them.
 */
export function resolve(index: RegistryIndex, expression: string, language?: string): Resolution {
  if (index.expressionCount === 0) return abstain("registry_empty");
  const found = index.postings(keyOf(expression));
  if (found.length === 0) return abstain("no_reviewed_exact_match", nearConcepts(index, expression, language));
  const considered = language === undefined ? found : atFirstLevel(index, found, language);
  if (considered.length === 0) return abstain("language_not_matched");
  const exact = distinct(considered.filter((posting) => posting.strength === EXACT_STRENGTH));
  const [only] = exact;
  if (only === undefined) return abstain("equivalence_not_exact", distinct(considered));
  return exact.length === 1
    ? { status: "resolved", conceptId: only.conceptId }
    : abstain("ambiguous_expression", exact);
}

/**
 * The concepts that an expression nobody reviewed is near to; a language limits them as it limits
 * exact ones. Each posting is as near as the farther of its two texts.
 */
function nearConcepts(index: RegistryIndex, expression: string, language?: string): ScoredConcept[] {
  if (!index.hasNearForms) return [];
  const found = nearForms(expression).flatMap(({ text, score }) =>
    [...index.postings(text), ...index.nearPostings(text)].map((posting) => ({
      ...posting,
      strength: Math.min(posting.strength, score),
    })),
  );
  return distinct(language === undefined ? found : atFirstLevel(index, found, language));
}

/** RFC 4647 §3.4: the postings at the first level of the tag that has any, at any strength. */
export function atFirstLevel(index: RegistryIndex, postings: readonly Posting[], language: string): readonly Posting[] {
  for (const level of lookupLevels(language)) {
    const languageId = index.languageId(level);
    const matched = postings.filter((posting) => posting.languageId === languageId);
    if (matched.length > 0) return matched;
  }
  return [];
}

/** Each concept once with its highest strength, by score descending, then by id (code order). */
function distinct(postings: readonly Posting[]): ScoredConcept[] {
  const [only] = postings;
  if (only !== undefined && postings.length === 1) return [{ conceptId: only.conceptId, score: only.strength }];
  const scores = new Map<number, number>();
  for (const { conceptId, strength } of postings) {
    scores.set(conceptId, Math.max(strength, scores.get(conceptId) ?? 0));
  }
  return [...scores]
    .map(([conceptId, score]) => ({ conceptId, score }))
    .sort((a, b) => b.score - a.score || a.conceptId - b.conceptId);
}

function abstain(reason: AbstentionReason, candidates: readonly ScoredConcept[] = []): Resolution {
  return { status: "abstained", reason, candidates };
}
