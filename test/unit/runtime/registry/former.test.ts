/** What an expression meant in an earlier release, by the recorded changes. */
import { describe, expect, it } from "vitest";
import { formerMeanings, type RecordedChange } from "../../../../runtime/registry/former.ts";

type Resolution = RecordedChange["resolutions"][number];

function lost(expression: string, language: string | null, code: string): Resolution {
  return { expression, language, before: { code }, after: { reason: "no_reviewed_exact_match" } };
}

/** Newest first. */
const former = formerMeanings([
  { registryVersion: "2027.1.1", resolutions: [{ ...lost("fox", null, ""), before: { reason: "ambiguous_expression" } }] },
  {
    registryVersion: "2026.12.1",
    resolutions: [lost("fox", null, "C-1"), lost("fox", "en", "C-1"), lost("caf\u00E9", null, "C-2")],
  },
  { registryVersion: "2026.11.2", resolutions: [lost("fox", null, "C-0"), lost("fox", "de", "C-4")] },
  {
    registryVersion: "2026.11.1",
    resolutions: [{ ...lost("hare", null, "C-5"), after: { code: "C-6" } }],
  },
]); // prettier-ignore

describe("what an expression meant before", () => {
  it.each([
    ["the code that it had last", "fox", undefined, { code: "C-1", until: "2026.12.1" }],
    ["the same for a narrower language", "fox", "en-GB", { code: "C-1", until: "2026.12.1" }],
    ["the code that it had in the language", "fox", "DE", { code: "C-4", until: "2026.11.2" }],
    ["nothing for another language", "fox", "fr", undefined],
    ["nothing for another form", "Fox", undefined, undefined],
    ["the same for an equal text", "cafe\u0301", undefined, { code: "C-2", until: "2026.12.1" }],
    ["nothing if it led to another code since", "hare", undefined, undefined],
  ])("is %s", (...[, expression, language, expected]) => {
    expect(former({ expression, language })).toEqual(expected);
  });
});
