/** Waits for events that are asked for. The time limit of the test ends it otherwise. */
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
