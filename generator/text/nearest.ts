/** What a person may have meant by an unknown option, command or key. */

/** At most this many typing errors, and at most one for every three characters. */
const MOST = 3;

/** The word that differs least, if it differs little. */
export function nearest(written: string, words: readonly string[]): string | undefined {
  const ranked = words.map((word) => ({ word, far: distance(written, word) })).sort((a, b) => a.far - b.far);
  const [best] = ranked;
  if (best === undefined || best.far > MOST) return undefined;
  return best.far * 3 <= Math.max(written.length, best.word.length) ? best.word : undefined;
}

/**
 * ` (did you mean origin?)`, or nothing. `before` is in front of all of them, such as the dashes of
 * options, which would make short ones seem alike.
 */
export function suggestion(written: string, words: readonly string[], before = ""): string {
  const near = nearest(written, words);
  return near === undefined ? "" : ` (did you mean ${before}${near}?)`;
}

/** The Levenshtein distance, in which two neighbours that changed places count once. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_none, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const steps = [(row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (isSame ? 0 : 1)];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwapped) steps.push((before[j - 2] ?? 0) + 1);
      next.push(Math.min(...steps));
    }
    [before, row] = [row, next];
  }
  return row[b.length] ?? 0;
}
