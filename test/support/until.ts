/** Waits for events that are asked for. The time limit of the test ends it otherwise. */
import { constants, openSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Waits until a condition holds. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(20);
}

/** Tries again until it succeeds: for what has a short limit that a busy machine may miss. */
export async function persistently<T>(attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch {
      await sleep(20);
    }
  }
}

/** Opens a pipe for writing once somebody reads it; returns its descriptor. */
export function whenRead(pipe: string): Promise<number> {
  return persistently(async () => openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK));
}
