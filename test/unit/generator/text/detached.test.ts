/** A text without what it was cut from is the same text. */
import { expect, it } from "vitest";
import { detached } from "../../../../generator/text/detached.ts";

it.each([
  "",
  "a",
  "\0",
  "é",
  "ÿ",
  "Ā",
  "Ωmega",
  "\u{1F600}",
  "\uD800",
  "a\uDC00b",
  "long ".repeat(1000),
  "長い".repeat(1000),
])("a text is the same by itself: %j", (text) => {
  expect(detached(`x${text}y`.slice(1, -1))).toBe(text);
});
