/**
 * The only order for everything that is listed or hashed: by Unicode code point, which is also the
 * byte order of UTF-8. It never depends on the file system, a locale, or UTF-16 units.
 */
export function compareCodePoints(a: string, b: string): number {
  if (a === b) return 0;
  const shared = Math.min(a.length, b.length);
  let i = 0;
  while (i < shared && a.charCodeAt(i) === b.charCodeAt(i)) i++;
  if (i === shared) return a.length - b.length;
  const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)];
  // A surrogate is part of a code point above every other unit.
  return isSurrogate(x) === isSurrogate(y) ? x - y : isSurrogate(x) ? 1 : -1;
}

/** Whether each comes after the one before it; equal ones have no order. */
export function isAscending<T>(all: readonly T[], compare: (a: T, b: T) => number): boolean {
  return all.every((one, i) => {
    const before = all[i - 1];
    return before === undefined || compare(before, one) < 0;
  });
}

/** The largest groups first; groups of one size in the order of their names. */
export function largestFirst<T extends readonly unknown[]>(groups: Iterable<readonly [string, T]>) {
  return [...groups].sort(([a, x], [b, y]) => y.length - x.length || compareCodePoints(a, b));
}

function isSurrogate(unit: number): boolean {
  return (unit & 0xf800) === 0xd800;
}
