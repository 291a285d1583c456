/** The chain of replacements of retired codes. */

/** Whether following the successors of a code comes back to it. */
export function leadsBack(successor: ReadonlyMap<string, string | null>, code: string): boolean {
  const passed = new Set<string>();
  let at = successor.get(code) ?? null;
  while (at !== null && at !== code && !passed.has(at)) {
    passed.add(at);
    at = successor.get(at) ?? null;
  }
  return at === code;
}
