/** The terminal, or whatever reads the two output streams of this process. */
import { once } from "node:events";
import { createInterface } from "node:readline/promises";
import { setImmediate } from "node:timers/promises";
import { isatty } from "node:tty";
import { refusalOf } from "./print.ts";
import type { Console } from "./effects.ts";

export const terminal: Console = {
  print: (text) => void process.stdout.write(`${text}\n`),
  async drained() {
    if (process.stdout.writableNeedDrain) await once(process.stdout, "drain");
    // Lets an error event arrive if nobody reads any more.
    else await setImmediate();
  },
  error: (text) => void process.stderr.write(`${text}\n`),
  progress(text) {
    if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${text}`);
  },
  ask: isatty(0) ? ask : undefined,
};

async function ask(question: string): Promise<string> {
  const line = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await line.question(question);
  } finally {
    line.close();
  }
}

/**
 * Ends the process when nobody reads its output any more, as with `head`, or when output cannot be
 * written.
 */
export function endWithOutput(exitCode: number): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
    terminal.error(refusalOf(error));
    process.exit(exitCode);
  });
}
