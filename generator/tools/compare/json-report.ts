/**
 * Prints a comparison as JSON: one element per line, in pieces, so that a million of them are never
 * one string.
 */
import { escapeJson, printableJson } from "../../text/printable.ts";
import { ChangeList, type List } from "../../promise/change-list.ts";
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
      for (const json of value instanceof ChangeList ? value.json() : jsonOf(value))
        yield `    ${escapeJson(json)}${--left > 0 ? "," : ""}`;
      yield `  ]${comma}`;
    }
  }
  yield "}";
}

function* jsonOf(list: List<unknown>): Generator<string, void> {
  for (const element of list) yield JSON.stringify(element);
}

function isList(value: unknown): value is List<unknown> {
  return typeof value === "object" && value !== null && Symbol.iterator in value;
}
