/**
 * Agreement as a table of rules: a member of a document must have the value that follows from
 * another source.
 */
import { isDeepStrictEqual } from "node:util";
import { memberAt } from "../integrity/json.ts";
import type { Documents, Faults } from "../integrity/parts.ts";

/**
 * `member` is a path of names with dots. A rule is skipped if the document or the value is missing.
 */
export type Rule = readonly [path: string, member: string, value: unknown];

export function checkRules(documents: Documents, rules: readonly Rule[]): Faults {
  return rules.flatMap(([path, member, value]) => {
    const document = documents.get(path);
    if (document === undefined || value === undefined) return [];
    const found = memberAt(document, ...member.split("."));
    return isDeepStrictEqual(found, value) ? [] : [`${path.slice(1)}: its "${member}" does not agree with the release`];
  });
}
