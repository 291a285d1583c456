/** A comparison as JSON: one element a line, in pieces, so that a million of them are never one text. */
import type { Comparison } from "./comparison.ts";

export function* formatJson(comparison: Comparison): Generator<string, void> {
  const members = Object.entries(comparison);
  yield "{";
  for (const [i, [name, value]] of members.entries()) {
    const comma = i < members.length - 1 ? "," : "";
    if (!Array.isArray(value) || value.length === 0) yield `  "${name}": ${printed(value)}${comma}`;
    else {
      yield `  "${name}": [`;
      for (const [j, element] of value.entries()) yield `    ${printed(element)}${j < value.length - 1 ? "," : ""}`;
      yield `  ]${comma}`;
    }
  }
  yield "}";
}

function printed(value: unknown): string {
  return escapeHidden(JSON.stringify(value));
}

/** JSON in which nothing is invisible: controls, separators and marks that reorder text are escaped (RFC 8259 §7). */
export function escapeHidden(json: string): string {
  return json.replaceAll(
    /[\u007F-\u009F\u00AD\u061C\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
