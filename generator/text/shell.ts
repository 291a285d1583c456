/** A text as one word of a POSIX shell, in quotes whatever it holds. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A path as one word of a command line that people copy: in quotes where it needs them, and never taken for an option. */
export function shellPath(path: string): string {
  const safe = path.startsWith("-") ? `./${path}` : path;
  return /^[\w./-]+$/.test(safe) ? safe : shellQuote(safe);
}
