/** The words of a command line that people copy. Source: POSIX.1, Shell §2.2. */

/** A text as one word of a POSIX shell: always in quotes. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
