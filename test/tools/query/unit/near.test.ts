/** What explain says of near forms: evidence with its rule, and never an answer. */
import { describe, expect, it } from "vitest";
import { fileSystem } from "../../../../generator/effects/file-system.ts";
import { said } from "../../../support/review.ts";

const explain = async (...args: string[]) =>
  (await said(fileSystem, ["explain", "--out", "test/golden/dist", ...args])).stdout;

describe("explain", () => {
  it("names what is near and by which rule, and abstains all the same", async () => {
    const { published } = JSON.parse(await explain("hello", "--json")) as { published: { code: string }[] };
    expect(published.length).toBeGreaterThan(0);
    const text = await explain("HELLO");
    expect(text).toContain('Near, not the same: "hello", the same in lower case, score 0.7: ');
    expect(text).toContain(
      "Near expressions are evidence for you, never an answer\nOutcome: abstained (no_reviewed_exact_match)",
    );
    expect(await explain("hello")).not.toContain("Near");
  });

  it("names only what the answer has, and the rule that makes the farther step", async () => {
    const near = async (...args: string[]) =>
      (JSON.parse(await explain(...args, "--json")) as { near: { expression: string; rule: string; score: number }[] })
        .near;
    expect(await near(" H\u00C9llo\u200B")).toMatchObject([{ expression: "hello", rule: "diacritics", score: 0.5 }]);
    expect(await near("HELLO", "--language", "ja")).toEqual([]);
    expect(await near("hello there")).toEqual([]);
  });

  it("names the languages that have the expression", async () => {
    const text = await explain("hello", "--language", "pt");
    expect(text).toContain("Near, not the same: in another language: ");
    expect(text).toContain("Outcome: abstained (language_not_matched)");
  });
});
