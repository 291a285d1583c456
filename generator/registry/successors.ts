/** The chains of replacements of retired codes. */

/** The codes that following their successors comes back to. */
export function leadingBack(successor: ReadonlyMap<string, string | null>): ReadonlySet<string> {
  const found = new Set<string>();
  const passed = new Set<string>();
  for (const start of successor.keys()) {
    const path = new Set<string>();
    let at: string | null = start;
    for (; at !== null && !passed.has(at); at = successor.get(at) ?? null) {
      passed.add(at);
      path.add(at);
    }
    // What is passed again on the same way is in a circle.
    for (; at !== null && path.has(at) && !found.has(at); at = successor.get(at) ?? null) found.add(at);
  }
  return found;
}
