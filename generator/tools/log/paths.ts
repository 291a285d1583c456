/**
 * Which parts of a tree the paths that prove inclusion and consistency are the roots of. Numbers
 * alone: whoever reads the tree hashes them.
 * Source: RFC 6962 §2.1 (the same trees as RFC 9162 §2.1).
 */

/** The leaves from `start` up to, but not including, `end`. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** The largest power of two below the count (§2.1); 0 for one leaf. */
export function splitOf(count: number): number {
  let half = 1;
  while (half * 2 < count) half *= 2;
  return count === 1 ? 0 : half;
}

/** PATH(m, D[n]), from the leaf's sibling up (§2.1.1). */
export function inclusionPath(index: number, size: number): Range[] {
  const path: Range[] = [];
  for (let [start, end] = [0, size]; end - start > 1;) {
    const middle = start + splitOf(end - start);
    const isLeft = index < middle;
    path.push(isLeft ? { start: middle, end } : { start, end: middle });
    [start, end] = isLeft ? [start, middle] : [middle, end];
  }
  return path.toReversed();
}

/** PROOF(m, D[n]) for 0 < m <= n: that the first `before` leaves are those of `size` (§2.1.2). */
export function consistencyPath(before: number, size: number): Range[] {
  const path: Range[] = [];
  let [start, end, isWhole] = [0, size, true];
  while (end !== before) {
    const middle = start + splitOf(end - start);
    if (before <= middle) {
      path.push({ start: middle, end });
      end = middle;
    } else {
      path.push({ start, end: middle });
      [start, isWhole] = [middle, false];
    }
  }
  // The client knows the root of the old tree if it is one subtree of the new one.
  if (!isWhole) path.push({ start, end });
  return path.toReversed();
}
