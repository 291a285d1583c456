/**
 * Finds the requests that get another answer, with the one resolver over both indexes.
 *
 * There is a request for every tag under which A or B publishes an expression, and one without a
 * language. No other request can change what is resolved: lookup (RFC 4647 §3.4) tries the levels
 * of the requested tag in order and stops at the first that has the expression. Let T be the tags
 * of the expression in A and in B, and L the first level of a requested tag R that is in T. The
 * levels of R before L are in neither, so both lookups pass them by; and truncation sees only what
 * is left of the tag, so the levels of R, beginning with L, are the levels of L. Both answers to R
 * are therefore those to L, which is in T and asked here. If no level of R is in T, both abstain:
 * with `language_not_matched` if the expression is published at all, else with
 * `no_reviewed_exact_match` (or `registry_empty`), as the request without a language shows.
 */
import { formatLanguageTag } from "../../runtime/text/language.ts";
import type { RegistryIndex } from "../../runtime/registry/index.ts";
import { resolve } from "../../runtime/registry/resolver.ts";
import { kindOf, orderOf, type ResolutionChange, type Answer } from "../contract/changes.ts";
import type { MemoryBudget } from "../effects/effects.ts";
import { ChangeList } from "./change-list.ts";
import { codeOf, type NamedIndex, publishedKeys, refuseDamaged } from "./side-index.ts";

/**
 * The changes from A to B, by kind, expression and language; `progress` gets the number of
 * expressions that are done.
 */
export function compareResolutions(
  budget: MemoryBudget,
  [a, b]: readonly [NamedIndex, NamedIndex],
  progress: (done: number) => void,
): ChangeList<ResolutionChange> {
  const [before, after] = [answersOf(a), answersOf(b)];
  const changes = new ChangeList<ResolutionChange>(budget);
  let done = 0;
  for (const [expression, tags] of requests(a, b)) {
    for (const tag of [undefined, ...tags]) {
      const [was, is] = [before(expression, tag), after(expression, tag)];
      const kind = kindOf(was, is);
      if (kind === undefined) continue;
      const language = tag === undefined ? null : formatLanguageTag(tag);
      const change: ResolutionChange = { kind, expression, language, before: was, after: is };
      changes.add(orderOf(change), change);
    }
    if (++done % 10_000 === 0) progress(done);
  }
  return changes;
}

/** Each expression of A or B with every tag it has in either. */
function* requests(a: NamedIndex, b: NamedIndex): Generator<[string, ReadonlySet<string>], void> {
  for (const key of publishedKeys(a)) yield [key, new Set([...tagsOf(a.index, key), ...tagsOf(b.index, key)])];
  for (const key of publishedKeys(b)) {
    if (a.index.postings(key).length === 0) yield [key, new Set(tagsOf(b.index, key))];
  }
}

function tagsOf(index: RegistryIndex, key: string): string[] {
  return index.postings(key).map(({ languageId }) => index.meta.languages[languageId] ?? "");
}

export type AnswersOf = (expression: string, language: string | undefined) => Answer;

/** Answers as a reply gives them: the code is that of the stored text of the answer. */
export function answersOf(named: NamedIndex): AnswersOf {
  const { index, side } = named;
  // All codes are read at once and in order: any concept can be an answer, and reading in order
  // stays within a cached block.
  const answers = Array.from({ length: index.conceptCount }, (_, id): Answer => ({ code: codeOf(named, id) }));
  return (expression, language) => {
    const resolution = resolve(index, expression, language);
    if (resolution.status === "abstained") return { reason: resolution.reason };
    return answers[resolution.conceptId] ?? refuseDamaged(side.given);
  };
}
