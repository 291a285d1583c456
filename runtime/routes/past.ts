/**
 * What the documents of a release say of its past: its retired codes, and what an expression meant
 * before. Both are read when first needed.
 */
import { changesPath } from "../contract/added-resources.ts";
import { paths } from "../contract/paths.ts";
import type { Past } from "../pages/resolution.ts";
import type { RetiredCode } from "../pages/retired.ts";
import { type FindFormer, formerMeanings, type RecordedChange } from "../registry/former.ts";
import { documentText, type Served } from "../release/served.ts";

export function pastOf(release: Pick<Served, "index" | "documents">): Past {
  const { documents } = release;
  const read = (path: string): unknown => JSON.parse(documentText({ documents }, path));
  let retired: ReadonlyMap<string, RetiredCode> | undefined;
  let former: FindFormer | undefined;
  return {
    former(request) {
      return (former ??= formerMeanings(recordedChanges(documents, read)))(request);
    },
    retired(code) {
      retired ??= new Map((read(paths.retired) as { retired: RetiredCode[] }).retired.map((one) => [one.code, one]));
      const found = retired.get(code);
      if (found === undefined || found.replacedBy === null) return found;
      return { ...found, isFollowed: release.index.conceptId(found.replacedBy) !== undefined };
    },
  };
}

interface History {
  readonly current: { readonly recorded: boolean };
  readonly releases: readonly { readonly registryVersion: string }[];
}

/** Newest first, as far as they are without a gap; a draft has none that lead to it. */
function* recordedChanges(documents: Served["documents"], read: (path: string) => unknown): Generator<RecordedChange> {
  const { current, releases } = read(paths.history) as History;
  if (!current.recorded) return;
  for (const { registryVersion } of releases.toReversed()) {
    const path = changesPath(registryVersion);
    if (!documents.has(path)) return;
    yield read(path) as RecordedChange;
  }
}
