/** Why a fetch failed, in one line. Node puts the reason into the cause of the error. */
export function fetchReason(error: unknown): string {
  const { cause, message } = error as Error;
  const reason = cause instanceof Error ? cause.message || (cause as NodeJS.ErrnoException).code : message;
  return (reason ?? "no answer").split("\n", 1)[0] ?? "";
}
