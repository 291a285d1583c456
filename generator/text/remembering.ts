/** A function of a text that answers the same text from memory: for texts of which there are few, and each of them often. */
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
