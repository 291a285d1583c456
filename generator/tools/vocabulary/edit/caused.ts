/** The findings that a change would cause: those that the registry does not have already. */
import { type Finding, formatLocation } from "../../../text/finding.ts";
import { findingsOf } from "../../../registry/check.ts";
import type { RegistrySource } from "../../../registry/read.ts";

/** Of the findings after a change, those that are new. */
export function causedBy(before: RegistrySource, after: readonly Finding[]): readonly Finding[] {
  if (after.length === 0) return [];
  const known = new Set(findingsOf(before).map(placeAndRule));
  return after.filter((finding) => !known.has(placeAndRule(finding)));
}

function placeAndRule(finding: Finding): string {
  return `${formatLocation(finding)}#${finding.pointer} ${finding.rule}`;
}
