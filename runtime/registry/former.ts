/**
 * What an expression that abstains meant in an earlier release, by the recorded changes. It is
 * evidence for a person: a successor is another concept, and nothing follows it.
 */
import { keyOf } from "../text/expression.ts";
import { lookupLevels } from "../text/language.ts";

/** What a change document says of the requests that a release answers otherwise. */
export interface RecordedChange {
  readonly registryVersion: string;
  /** `language` is null for a request that names none. */
  readonly resolutions: readonly {
    readonly expression: string;
    readonly language: string | null;
    readonly before: { readonly code: string } | { readonly reason: string };
    readonly after: { readonly code: string } | { readonly reason: string };
  }[];
}

/** A code that a request had until a release took it away. */
export interface Former {
  readonly code: string;
  /** The release without it. */
  readonly until: string;
}

interface Lost extends Former {
  /** In lower case; undefined for a request that names no language. */
  readonly tag: string | undefined;
}

/** `language` is a well-formed tag; undefined if the request names none. */
export type FindFormer = (request: {
  readonly expression: string;
  readonly language?: string | undefined;
}) => Former | undefined;

/** Finds the last code that a request had. The changes are read once, newest first. */
export function formerMeanings(changes: Iterable<RecordedChange>): FindFormer {
  const lost = new Map<string, Lost[]>();
  for (const { registryVersion, resolutions } of changes) {
    for (const { expression, language, before, after } of resolutions) {
      if (!("code" in before && "reason" in after)) continue;
      const key = keyOf(expression);
      const known = lost.get(key) ?? [];
      known.push({ code: before.code, until: registryVersion, tag: language?.toLowerCase() });
      lost.set(key, known);
    }
  }
  return ({ expression, language }) => {
    const tags: readonly Lost["tag"][] = language === undefined ? [undefined] : lookupLevels(language);
    const found = lost.get(keyOf(expression))?.find(({ tag }) => tags.includes(tag));
    return found && { code: found.code, until: found.until };
  };
}
