/** The difference of two short texts, character by character. */
import { countCodePoints } from "./expression.ts";

/** A run of code points: in both texts, only in the first, or only in the second. */
export interface Run {
  readonly in: "both" | "first" | "second";
  readonly text: string;
}

/** Time and memory grow with the product of the lengths: longer texts, in code points, get none. */
export const DIFFERENCE_MAX_LENGTH = 200;

/** Runs in order, by a longest common subsequence; undefined if a text is too long. */
export function differenceOf(first: string, second: string): readonly Run[] | undefined {
  if (Math.max(countCodePoints(first), countCodePoints(second)) > DIFFERENCE_MAX_LENGTH) return undefined;
  const [a, b] = [Array.from(first), Array.from(second)];
  const common = commonLengths(a, b);
  const runs: { in: Run["in"]; text: string }[] = [];
  const add = (where: Run["in"], character: string): void => {
    const last = runs.at(-1);
    if (last?.in === where) last.text += character;
    else runs.push({ in: where, text: character });
  };
  for (let i = 0, j = 0; i < a.length || j < b.length;) {
    const [mine, theirs] = [a[i], b[j]];
    if (mine !== undefined && mine === theirs) {
      add("both", mine);
      i++;
      j++;
    } else if (theirs === undefined || (mine !== undefined && common(i + 1, j) >= common(i, j + 1))) {
      add("first", mine ?? "");
      i++;
    } else {
      add("second", theirs);
      j++;
    }
  }
  return runs;
}

/** The length of the longest common subsequence of what begins at two places. */
function commonLengths(a: readonly string[], b: readonly string[]): (i: number, j: number) => number {
  const width = b.length + 1;
  const lengths = new Uint8Array((a.length + 1) * width);
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  }
  return at;
}
