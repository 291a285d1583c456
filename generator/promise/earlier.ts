/**
 * Reassignments that took several releases: a request that led to a code, then abstained, and now
 * leads to another. They break the promise as much as those that took one, so `before` is the code
 * that the request last had.
 */
import { lookupLevels } from "../../runtime/text/language.ts";
import { groupBy } from "../../runtime/text/group-by.ts";
import { orderOf, type ResolutionChange } from "../contract/changes.ts";
import type { AnswersOf } from "./resolutions.ts";
import { type EarlierLine, type Memory, requestOrder } from "../registry/memory.ts";
import { compareCodePoints } from "../text/order.ts";

/**
 * The changes since the last release, also compared with what requests led to before it. `answers`
 * are those of now.
 */
export function withEarlier(
  changes: readonly ResolutionChange[],
  { earlier }: Pick<Memory, "earlier">,
  answers: AnswersOf,
): readonly ResolutionChange[] {
  const resolving = new Set(changes.flatMap(({ kind, expression }) => (kind === "now_resolves" ? expression : [])));
  if (resolving.size === 0) return changes;
  const known = groupBy(
    Array.from(earlier).filter(({ expression }) => resolving.has(expression)),
    ({ expression }) => expression,
  );
  const asked = new Set(changes.map(requestOrder));
  const unasked = [...known.values()].flat().filter((line) => !asked.has(requestOrder(line)));
  const judged = [
    ...changes.map((change) => judge(change, known.get(change.expression) ?? [])),
    ...unasked.flatMap((line) => narrower(line, answers)),
  ];
  return judged.sort((a, b) => compareCodePoints(orderOf(a), orderOf(b)));
}

function judge(change: ResolutionChange, earlier: readonly EarlierLine[]): ResolutionChange {
  if (change.kind !== "now_resolves" || !("code" in change.after)) return change;
  const last = earlierAnswer(change, earlier);
  if (last === undefined || last.code === change.after.code) return change;
  return { ...change, kind: "reassigned", before: { code: last.code, lastIn: last.lastIn } };
}

/**
 * A request in a language that no release has for the expression any more is not among the changes,
 * and can lead to the code of a wider one now.
 */
function narrower({ expression, language, code, lastIn }: EarlierLine, answers: AnswersOf): ResolutionChange[] {
  const after = answers(expression, language ?? undefined);
  if (!("code" in after) || after.code === code) return [];
  return [{ kind: "reassigned", expression, language, before: { code, lastIn }, after }];
}

/** A request in a narrower language was answered by the first level that had an answer. */
function earlierAnswer(
  { language }: Pick<ResolutionChange, "language">,
  earlier: readonly EarlierLine[],
): EarlierLine | undefined {
  if (language === null) return earlier.find((line) => line.language === null);
  for (const level of lookupLevels(language)) {
    const found = earlier.find((line) => line.language?.toLowerCase() === level);
    if (found !== undefined) return found;
  }
  return undefined;
}
