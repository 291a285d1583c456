/** Writes several files of an owner: all are complete before one of them is in its place. */
import type { Effects } from "./effects.ts";

/**
 * Writes the files next to their places, then moves them there in the given order. If one cannot be
 * written, those that exist stay as they were.
 */
export function writeTogether(effects: Effects, files: ReadonlyMap<string, Iterable<Uint8Array>>): void {
  // A link stays: the file that it leads to is written.
  const places = [...files].map(([file, chunks]) => [effects.realPath(file), chunks] as const);
  try {
    for (const [place, chunks] of places) effects.write(`${place}.new`, chunks);
    for (const [place] of places) effects.rename(`${place}.new`, place);
  } finally {
    for (const [place] of places) effects.remove(`${place}.new`);
  }
}
