/** Runs a long computation step by step, so that other requests can run in between. */
import type { BytesMissing } from "../registry/block-source.ts";

export async function runInSteps<T>(steps: Generator<BytesMissing | void, T>): Promise<T> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    if (step.value === undefined) await new Promise<void>((resolve) => void pause(resolve));
    else await step.value.get();
  }
}

/** Not every host has the faster one. */
const pause: (then: () => void) => unknown = globalThis.setImmediate ?? setTimeout;
