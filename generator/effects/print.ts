/** Output of commands: safe for a terminal, many lines at once, and numbers with their nouns. */
import { printable, printableLines } from "../text/printable.ts";
import type { Console } from "./effects.ts";

/**
 * All output of commands goes through this: text from a file or a name cannot control the terminal.
 */
export function guarded(console: Console): Console {
  return {
    ...console,
    print: (text, as) => console.print(as === "data" ? text : printableLines(text)),
    error: (text) => console.error(printableLines(text)),
    progress: (text) => console.progress(printable(text)),
  };
}

/** The operating system's own message on one line, with a remedy if one is known. */
export function refusalOf({ message, code = "" }: NodeJS.ErrnoException): string {
  const remedy = REMEDIES[code];
  return printable(remedy === undefined ? message : `${message}: ${remedy}`);
}

const NOT_ALLOWED = "name another place, or get the permission for this one";
const NO_FOLDER = "that is a file where a folder has to be, so name another folder";

const REMEDIES: Readonly<Record<string, string>> = {
  ENOSPC: "free space on the disk it writes to and on the one with TMPDIR (/tmp)",
  EACCES: NOT_ALLOWED,
  EBUSY: "what is mounted cannot be replaced: name a folder inside it, or mount the folder around it",
  EPERM: NOT_ALLOWED,
  EROFS: "nothing can be written there, so name another place",
  EEXIST: NO_FOLDER,
  ENOTDIR: NO_FOLDER,
};

const LINES_AT_ONCE = 1000;

/** Prints many lines per write: a hundred thousand lines must not be a hundred thousand writes. */
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
