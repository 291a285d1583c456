/** Why a fetch failed, in one line: Node says it in the cause, and in the error itself only that it did. */
export function fetchReason(error: unknown): string {
  const { cause, message } = error as Error;
  const reason = cause instanceof Error ? cause.message || (cause as NodeJS.ErrnoException).code : message;
  return (reason ?? "no answer").split("\n", 1)[0] ?? "";
}
