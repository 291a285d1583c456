/** Caches a function of a text: for few different texts that are asked for often. */
export function remembering<T>(answer: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const given = answer(text);
    known.set(text, given);
    return given;
  };
}
