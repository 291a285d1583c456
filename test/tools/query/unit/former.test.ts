/** What an expression meant in an earlier release, as explain tells it. */
import { describe, expect, it } from "vitest";
import type { Past } from "../../../../generator/promise/past.ts";
import { formerMeaning } from "../../../../generator/tools/query/former.ts";

type Change = Past["changes"][number];

function change(registryVersion: string, ...resolutions: Change["resolutions"]): Change {
  return { registryVersion, resolutions } as unknown as Change;
}

function lost(expression: string, language: string | null, code: string): Change["resolutions"][number] {
  return { kind: "now_abstains", expression, language, before: { code }, after: { reason: "no_reviewed_exact_match" } };
}

const past = {
  retired: new Map([["C-1", { retiredIn: "2026.12.1", replacedBy: "C-9", reason: null, name: "Fox" }]]),
  changes: [
    change("2027.1.1", { ...lost("fox", null, "C-7"), before: { reason: "ambiguous_expression" } }),
    change("2026.12.1", lost("fox", null, "C-1"), lost("fox", "en", "C-1"), lost("caf\u00E9", null, "C-2")),
    change("2026.11.2", lost("fox", null, "C-0")),
  ],
} as unknown as Past;

describe("what an expression meant before", () => {
  const fox = { code: "C-1", until: "2026.12.1", retiredIn: "2026.12.1", replacedBy: "C-9" };
  it.each([
    ["the retired code that it had last, with its successor", "fox", undefined, fox],
    ["the same for a narrower language", "fox", "en-GB", fox],
    ["nothing for another language", "fox", "de", undefined],
    ["nothing for another form", "Fox", undefined, undefined],
    ["a code that is published still", "cafe\u0301", undefined, { code: "C-2", until: "2026.12.1", retiredIn: null, replacedBy: null }],
  ])("is %s", (...[, expression, language, former]) => {
    expect(formerMeaning(past, { expression, language })).toEqual(former);
  }); // prettier-ignore
});
