/** Runs a long computation step by step, so that other requests can run in between. */
import { setImmediate } from "node:timers/promises";

export async function runInSteps<T>(steps: Generator<void, T>): Promise<T> {
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) await setImmediate();
  return step.value;
}
