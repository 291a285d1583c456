/** How commands say much: many lines at once, and numbers with their nouns. */
import { printable, printableLines } from "../text/printable.ts";
import type { Console } from "./effects.ts";

/** Where all that commands say goes through: what a file or a name holds cannot steer the terminal. */
export function guarded(console: Console): Console {
  return {
    ...console,
    print: (text, as) => console.print(as === "data" ? text : printableLines(text)),
    error: (text) => console.error(printableLines(text)),
    progress: (text) => console.progress(printable(text)),
  };
}

/** What the operating system refuses, in its own words, on one line; and what to do, where that is known. */
export function refusalOf({ message, code = "" }: NodeJS.ErrnoException): string {
  const remedy = REMEDIES[code];
  return printable(remedy === undefined ? message : `${message}: ${remedy}`);
}

const NOT_ALLOWED = "name another place, or get the permission for this one";
const NO_FOLDER = "that is a file where a folder has to be, so name another folder";

const REMEDIES: Readonly<Record<string, string>> = {
  ENOSPC: "make room where it writes, and where TMPDIR (/tmp) is",
  EACCES: NOT_ALLOWED,
  EPERM: NOT_ALLOWED,
  EROFS: "nothing can be written there, so name another place",
  EEXIST: NO_FOLDER,
  ENOTDIR: NO_FOLDER,
};

const LINES_AT_ONCE = 1000;

/** Prints lines many at once: a hundred thousand of them are not as many writes. */
export async function printLines(console: Console, lines: Iterable<string>, as?: "data"): Promise<void> {
  let some: string[] = [];
  for (const line of lines) {
    if (some.push(line) < LINES_AT_ONCE) continue;
    console.print(some.join("\n"), as);
    await console.drained?.();
    some = [];
  }
  if (some.length > 0) console.print(some.join("\n"), as);
}

/** `1 concept`, `2 concepts`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
