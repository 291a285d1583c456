/** Names with a typing error. */
import { expect, it } from "vitest";
import type { Name } from "../../../../runtime/registry/names.ts";
import { runInSteps } from "../../../../runtime/registry/block-source.ts";
import { similarNames } from "../../../../runtime/registry/similar.ts";

const names = ["Refund request", "Refused", "Größe", "cat", "refund"].map((name, i): Name => [name, `C-${i}`, 0, i]);
const found = async (text: string, most = 10): Promise<string[]> =>
  (await runInSteps(similarNames({ names }, text.split(" "), most))).map(([name]) => name);

it.each([
  ["a character that is missing", "refnd request", ["Refund request"]],
  ["a character too many", "refundd requesst", ["Refund request"]],
  ["another character", "rofund", ["Refund request", "refund"]],
  ["two that are exchanged", "reufnd", ["Refund request", "refund"]],
  ["a missing one at the end", "größ", ["Größe"]],
  ["a part of a word next to an error", "req refnud", ["Refund request"]],
  ["two errors in a word", "rfnd", []],
  ["two others in place of two", "rfxund", []],
  ["a short word", "car", []],
  ["one word that no name has", "refnd invoice", []],
])("finds the names for %s: %s", async (_what, text, expected) => {
  expect(await found(text)).toEqual(expected);
});

it("finds no more names than are wanted", async () => {
  expect(await found("rofund", 1)).toEqual(["Refund request"]);
});
