/** The system functions that a server needs: stop signal, clock, random nonce, error output. */
import { randomBytes } from "node:crypto";
import { logError, makeLog } from "./log.ts";

/** Resolves at SIGTERM, SIGINT or one of the other named signals. */
export function stopSignal(...others: readonly NodeJS.Signals[]): Promise<void> {
  return new Promise((resolve) => {
    // The handlers stay while draining: npm forwards a signal that the terminal has already sent to
    // the whole process group.
    for (const signal of ["SIGTERM", "SIGINT", ...others] as const) process.on(signal, () => resolve());
  });
}

/** A monotonic clock. */
export function seconds(): number {
  return process.uptime();
}

/** 128 random bits (CSP 3 §8.2). */
export function nonce(): string {
  return randomBytes(16).toString("base64");
}

/** Reports an unexpected error on standard error. */
export function reportError(error: unknown): void {
  logError(makeLog(process, false), error);
}
