/** A comparison as JSON: one element a line, in pieces, so that a million of them are never one text. */
import { printableJson } from "../text/printable.ts";
import type { Comparison } from "./comparison.ts";

export function* formatJson(comparison: Comparison): Generator<string, void> {
  const members = Object.entries(comparison);
  yield "{";
  for (const [i, [name, value]] of members.entries()) {
    const comma = i < members.length - 1 ? "," : "";
    if (!Array.isArray(value) || value.length === 0) yield `  "${name}": ${printableJson(value)}${comma}`;
    else {
      yield `  "${name}": [`;
      for (const [j, element] of value.entries())
        yield `    ${printableJson(element)}${j < value.length - 1 ? "," : ""}`;
      yield `  ]${comma}`;
    }
  }
  yield "}";
}
