/** How two texts differ, by lines: which one side has more often than the other. A line that only moved is not a change. */
import type { Line, LineChanges } from "./comparison.ts";

export function lineChanges(before: readonly string[], after: readonly string[]): LineChanges {
  const [removed, added] = [unmatched(before, after), unmatched(after, before)];
  const same = removed.length === 0 && added.length === 0;
  return { removed, added, reordered: same && before.some((line, i) => line !== after[i]) };
}

/** The lines of a text that have no partner in another. */
function unmatched(lines: readonly string[], others: readonly string[]): Line[] {
  const left = new Map<string, number>();
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1);
  return lines.flatMap((text, i) => {
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return count > 0 ? [] : [{ line: i + 1, text }];
  });
}
