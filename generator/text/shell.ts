/** Paths and options as words of a command line that people copy. */
import { shellQuote } from "../../runtime/text/shell.ts";

/**
 * A path as one word of a command line that people copy: in quotes only if necessary, and never
 * read as an option.
 */
export function shellPath(path: string): string {
  const safe = path.startsWith("-") ? `./${path}` : path;
  return /^[\w./-]+$/.test(safe) ? safe : shellQuote(safe);
}

/** `--registry words`: also the usual folder is named, because service.yaml may name another. */
export function folderArgument(option: "registry" | "content" | "out", directory: string): string {
  return `--${option} ${shellPath(directory)}`;
}
