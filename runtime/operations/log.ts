/**
 * The few lines that a service logs: start, state of its identity, unexpected errors, end. As text,
 * or as JSON with one object per line. No line contains any part of a request.
 */
type Streams = Pick<NodeJS.Process, "stdout" | "stderr">;

export interface Log {
  /** `event` is one of a closed set, for programs; `message` is for people. */
  info(event: string, message: string): void;
  error(event: string, message: string): void;
}

export function makeLog({ stdout, stderr }: Streams, asJson: boolean): Log {
  const format = (level: string, event: string, message: string): string =>
    `${asJson ? JSON.stringify({ level, event, message }) : message}\n`;
  return {
    info: (event, message) => void stdout.write(format("info", event, message)),
    error: (event, message) => void stderr.write(format("error", event, message)),
  };
}

/** Only the name and the stack frames: a message could quote part of a request. */
export function logError(log: Log, error: unknown): void {
  const { name, message, stack = "" } = error instanceof Error ? error : new Error("Not an error");
  // The guard of a store has already reported it, once for all requests.
  if (name === "StoreError") return;
  // The message is only about files of the release.
  if (name === "IndexError" || name === "StorageError") return log.error("registry_unreadable", message);
  const frames = stack.split("\n").filter((line) => line.startsWith("    at "));
  log.error("unexpected_error", [`Unexpected error: ${name}`, ...frames].join("\n"));
}
