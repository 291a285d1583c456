/**
 * What people leave to the program in a table that they made: the character that separates its
 * cells, and how they spelled the names of its columns.
 */

/** The characters that separate cells, by what a person calls them. */
export const SEPARATORS: Readonly<Record<string, string>> = { ",": ",", ";": ";", tab: "\t", "|": "|" };

/** The name of a separator, for a message or an option. */
export function separatorName(separator: string): string {
  return separator === "\t" ? "tab" : `"${separator}"`;
}

/** What a person is told about a separator that the header told. */
export function separatedBy(separator: string): string {
  return `cells are separated by ${separatorName(separator)}, as in the header (--delimiter says otherwise)`;
}

/**
 * The separator that a header has most often outside of quotes; a comma if it has none. The text
 * may go on after the header.
 */
export function separatorOf(text: string): string {
  const counts = new Map<string, number>();
  let isQuoted = false;
  for (const character of text.trimStart()) {
    if (character === '"') isQuoted = !isQuoted;
    else if (character === "\n" && !isQuoted) break;
    else if (!isQuoted && Object.values(SEPARATORS).includes(character))
      counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return most?.[0] ?? ",";
}

/** The name of a column without what people write differently: case, and spaces around it. */
export function columnKey(name: string): string {
  return name.trim().toLowerCase();
}

/** The positions of a column's name: where it is spelled so, else where only the case differs. */
export function columnsNamed(header: readonly string[], name: string): number[] {
  const alike = [...header.keys()].filter((i) => columnKey(header[i] ?? "") === columnKey(name));
  const same = alike.filter((i) => header[i] === name);
  return same.length > 0 ? same : alike;
}
