/**
 * What an expression that abstains meant in an earlier release, by the recorded changes. It is
 * evidence for a person: a successor is another concept, and nothing follows it.
 */
import { keyOf } from "../../../runtime/text/expression.ts";
import { lookupLevels } from "../../../runtime/text/language.ts";
import type { Past } from "../../promise/past.ts";

/** A code that a request had until a release took it away. */
export interface Former {
  readonly code: string;
  /** The release without it. */
  readonly until: string;
  /** Null if the code is published still, for other expressions. */
  readonly retiredIn: string | null;
  readonly replacedBy: string | null;
}

/** The last code that the request had; undefined if the recorded changes tell none. */
export function formerMeaning(
  { changes, retired }: Past,
  { expression, language }: { expression: string; language: string | undefined },
): Former | undefined {
  const key = keyOf(expression);
  const tags = language === undefined ? [] : lookupLevels(language);
  const isAsked = (tag: string | null): boolean =>
    tag === null ? language === undefined : tags.includes(tag.toLowerCase());
  for (const { registryVersion, resolutions } of changes) {
    const lost = resolutions.find(
      (one) => keyOf(one.expression) === key && isAsked(one.language) && "code" in one.before && "reason" in one.after,
    );
    if (lost === undefined || !("code" in lost.before)) continue;
    const { code } = lost.before;
    const { retiredIn = null, replacedBy = null } = retired.get(code) ?? {};
    return { code, until: registryVersion, retiredIn, replacedBy };
  }
  return undefined;
}
