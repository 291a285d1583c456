/** A comparison as JSON: one element a line, in pieces, so that a million of them are never one text. */
import { printableJson } from "../text/printable.ts";
import type { List } from "./change-list.ts";
import type { Comparison } from "./comparison.ts";

export function* formatJson(comparison: Comparison): Generator<string, void> {
  const members = Object.entries(comparison);
  yield "{";
  for (const [i, [name, value]] of members.entries()) {
    const comma = i < members.length - 1 ? "," : "";
    if (!isList(value)) yield `  "${name}": ${printableJson(value)}${comma}`;
    else if (value.length === 0) yield `  "${name}": []${comma}`;
    else {
      yield `  "${name}": [`;
      let left = value.length;
      for (const element of value) yield `    ${printableJson(element)}${--left > 0 ? "," : ""}`;
      yield `  ]${comma}`;
    }
  }
  yield "}";
}

function isList(value: unknown): value is List<unknown> {
  return typeof value === "object" && value !== null && Symbol.iterator in value;
}
