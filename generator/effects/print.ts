/** How commands say much: many lines at once, and numbers with their nouns. */
import type { Console } from "./effects.ts";

const LINES_AT_ONCE = 1000;

/** Prints lines many at once: a hundred thousand of them are not as many writes. */
export function printLines(console: Console, lines: Iterable<string>): void {
  let some: string[] = [];
  for (const line of lines) {
    if (some.push(line) < LINES_AT_ONCE) continue;
    console.print(some.join("\n"));
    some = [];
  }
  if (some.length > 0) console.print(some.join("\n"));
}

/** `1 concept`, `2 concepts`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
