/** The day of a registry's version, for pages and provenance: never that of a clock, nor of the tool. */
import type { CheckedRegistry } from "./checked.ts";

/** YYYY-MM-DD: of its release, where that is recorded, else of the last review; undefined without either. */
export function releaseDay({ history, registryVersion, concepts }: CheckedRegistry): string | undefined {
  const recorded = history.find((entry) => entry.registryVersion === registryVersion)?.releasedOn;
  return recorded ?? concepts.lastReview;
}
