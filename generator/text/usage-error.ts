/** A wrong option, directory or value: one line for the person who gave it, exit code 2. */
export class UsageError extends Error {
  override name = "UsageError";
}
