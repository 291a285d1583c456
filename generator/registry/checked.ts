/**
 * The checked registry: the output of check.ts, and the only registry that the rest of the
 * generator sees.
 */
import type { Collection } from "../../runtime/contract/collection.ts";
import type { ChangeRecord } from "../contract/changes.ts";
import { draftOf } from "../contract/version.ts";
import type { Concepts } from "./concepts.ts";
import type { HistoryRecord, RetiredRecord } from "./record.ts";

export interface CheckedRegistry {
  readonly name: string;
  /** Left out if the registry was made from concepts only. */
  readonly license?: string;
  /** A sentence on what its words are about. */
  readonly description?: string | undefined;
  /** Whether an abstention names concepts whose expressions differ only in form. */
  readonly nearForms: boolean;
  /** The version that this content has, or would be released as. */
  readonly registryVersion: string;
  /** In code order. */
  readonly concepts: Concepts;
  /** The content digest of history.ts. */
  readonly contentSha256: string;
  /** In code order. */
  readonly retired: RetiredRecord;
  /** Oldest first. */
  readonly history: HistoryRecord;
  /** The changes of each release that recorded them, oldest first. */
  readonly changes: readonly ChangeRecord[];
  /** Of its vocabularies; left out if it was made from concepts only. */
  readonly collections?: readonly Collection[];
}

/**
 * The day of the registry's version, YYYY-MM-DD, for pages and provenance: the recorded day of its
 * release, else the day of the last review, else undefined. It never comes from a clock or from the
 * tool.
 */
export function releaseDay(
  { history, registryVersion }: CheckedRegistry,
  { lastReview }: { readonly lastReview: string | undefined },
): string | undefined {
  return history.find((entry) => entry.registryVersion === registryVersion)?.releasedOn ?? lastReview;
}

/** Whether the history has the version, and so this content: any other has a later version. */
export function isRecorded({ history, registryVersion }: CheckedRegistry): boolean {
  return history.some((entry) => entry.registryVersion === registryVersion);
}

/**
 * Whether it differs from every release. Before the first one there is nothing that it could be
 * mistaken for.
 */
export function isDraft(registry: CheckedRegistry): boolean {
  return registry.history.length > 0 && !isRecorded(registry);
}

/** The registry under the version that is shown: that of a draft is not one of a release. */
export function shown(registry: CheckedRegistry): CheckedRegistry {
  return isDraft(registry) ? { ...registry, registryVersion: draftOf(registry.registryVersion) } : registry;
}

/** How many releases before the registry's version were recorded on the same day. */
export function earlierOnDay({ history, registryVersion }: CheckedRegistry): number {
  const at = history.findIndex((entry) => entry.registryVersion === registryVersion);
  return history.slice(0, Math.max(at, 0)).filter(({ releasedOn }) => releasedOn === history[at]?.releasedOn).length;
}
