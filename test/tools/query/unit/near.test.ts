/** Near misses of explain: evidence by one rule each, and never an answer. */
import { describe, expect, it } from "vitest";
import { fileSystem } from "../../../../generator/effects/file-system.ts";
import { nearMisses } from "../../../../generator/tools/query/near.ts";
import { said } from "../../../support/review.ts";

describe("a near miss", () => {
  it.each([
    ["Refund Request", "refund request", "case"],
    ["STRASSE", "stra\u00DFe", "case"],
    ["refund  request ", "refund request", "spaces"],
    ["refund\u00A0request", "refund request", "spaces"],
    ["l\u2019\u00E9cole", "l'\u00E9cole", "typography"],
    ['24" rim', "24\u2033 rim", "typography"],
    ["mother-in-law", "mother\u2011in\u2011law", "typography"],
    ["10\u201320", "10-20", "typography"],
    ["100 km", "100\u202Fkm", "spaces"],
    ["reunion", "r\u00E9union", "diacritics"],
    ["re\u0301union", "reunion", "diacritics"],
  ])("of %j is %j by %s", (given, published, differs) => {
    expect(nearMisses([published, "something else"], given)).toEqual([{ expression: published, differs }]);
  });

  it.each([
    ["the same text", "refund request", "refund request"],
    ["two rules at once", "Refundrequest", "refund request"],
    ["a letter more", "refund requests", "refund request"],
    ["nothing but spaces", "  ", " "],
  ])("is not %s", (_, given, published) => {
    expect(nearMisses([published], given)).toEqual([]);
  });

  it("comes by rule and in code-point order, and not without end", () => {
    const keys = Array.from({ length: 32 }, (_, i) =>
      Array.from("abcde", (letter, at) => ((i >> at) & 1 ? letter.toUpperCase() : letter)).join(""),
    );
    const found = nearMisses(["a bcde", ...keys], "abcde");
    expect(found.length).toBe(10);
    expect(found.slice(0, 2).map(({ expression }) => expression)).toEqual(["ABCDE", "ABCDe"]);
  });
});

describe("explain", () => {
  const explain = async (...args: string[]) =>
    (await said(fileSystem, ["explain", "--out", "test/golden/dist", ...args])).stdout;

  it("names what is near, and abstains all the same", async () => {
    const { published } = JSON.parse(await explain("hello", "--json")) as { published: { code: string }[] };
    expect(published.length).toBeGreaterThan(0);
    const text = await explain("HELLO");
    expect(text).toContain('Near, not the same: "hello", only upper and lower case differ: ');
    expect(text).toContain(
      "Near expressions are evidence for you, never an answer\nOutcome: abstained (no_reviewed_exact_match)",
    );
    expect(await explain("hello")).not.toContain("Near");
  });

  it("names the languages that have the expression", async () => {
    const text = await explain("hello", "--language", "pt");
    expect(text).toContain("Near, not the same: in another language: ");
    expect(text).toContain("Outcome: abstained (language_not_matched)");
  });
});
