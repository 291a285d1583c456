/** Counts lines of a text. A line ends with a line feed, with or without a carriage return. */

/** How many lines end in the text. */
export function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
