/** Runs a long computation step by step, so that other requests can run in between. */

export async function runInSteps<T>(steps: Generator<void, T>): Promise<T> {
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) await new Promise<void>((resolve) => void pause(resolve));
  return step.value;
}

/** Not every host has the faster one. */
const pause: (then: () => void) => unknown = globalThis.setImmediate ?? setTimeout;
