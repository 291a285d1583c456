/** Edits of a value, whatever text it is written as: members and elements get new values. */
import { isDeepStrictEqual } from "node:util";

/**
 * A value and its path: member names and element positions. Only the last step of the path may be
 * missing from the document.
 */
export interface Edit {
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

type Container = Record<string | number, unknown>;

/** A copy of the value with these edits. */
export function withEdits(value: unknown, edits: readonly Edit[]): unknown {
  const edited = structuredClone(value);
  for (const { path, value: part } of edits) {
    let at = edited as Container;
    for (const step of path.slice(0, -1)) at = at[step] as Container;
    at[path.at(-1) ?? ""] = part;
  }
  return edited;
}

/** The edits that make `after` of `before`, which has no member or element that `after` lacks. */
export function editsBetween(before: unknown, after: unknown, path: Edit["path"] = []): Edit[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (!isContainer(before) || !isContainer(after) || Array.isArray(before) !== Array.isArray(after))
    return [{ path, value: after }];
  return Object.entries(after).flatMap(([name, value]) => {
    const step = [...path, Array.isArray(after) ? Number(name) : name];
    if (value === undefined) return [];
    return before[name] === undefined ? [{ path: step, value }] : editsBetween(before[name], value, step);
  });
}

function isContainer(value: unknown): value is Container {
  return typeof value === "object" && value !== null;
}
