/** What documents quote from the registry follows from it; the same numbers elsewhere do not. */
import { describe, expect, it } from "vitest";
import { Sizes } from "../../../../generator/tools/compare/follow.ts";
import { Quotes } from "../../../../generator/tools/compare/quotes.ts";
import type { Snapshot } from "../../../../generator/tools/compare/snapshot.ts";

const STATUS = "api/v1/status";

function release(registryVersion: string, concepts: number, status: unknown): Snapshot {
  const text = JSON.stringify({ data: status });
  return {
    side: { registryVersion, concepts },
    files: [{ path: STATUS, bytes: text.length, sha256: "" }],
    read: () => new TextEncoder().encode(text),
  } as unknown as Snapshot;
}

const quotes = new Quotes(new Sizes(), [
  release("2027.1.9", 2041, { publishedConcepts: 2041, reviewedExactExpressions: 7300, languages: ["en", "fr"] }),
  release("2027.1.10-draft", 2042, { publishedConcepts: 2042, reviewedExactExpressions: 7311, languages: ["en"] }),
]);

describe("what follows from the concepts", () => {
  it.each([
    ["the version", "C-1 of 2027.1.9.", "C-1 of 2027.1.10-draft."],
    ["the version in a path", "/contexts/2027.1.9.jsonld", "/contexts/2027.1.10-draft.jsonld"],
    ["a count in a sentence", "has 2041 concepts", "has 2042 concepts"],
    ["a count in bold", "<strong>7,300</strong> reviewed exact expressions", "<strong>7,311</strong> reviewed exact expressions"],
    ["plural and singular", "in 2 languages.", "in 1 language."],
    ["a count in a body", String.raw`{\"publishedConcepts\":2041}`, String.raw`{\"publishedConcepts\":2042}`],
    ["a count in colored JSON", "&quot;publishedConcepts&quot;</span>: 2041,", "&quot;publishedConcepts&quot;</span>: 2042,"],
    ["triples", "void:triples 91 ;", "void:triples 87 ;"],
    ["the day of the version", 'x">2027.1.9</span> of <time datetime="2027-01-03">2027-01-03</time>', 'x">2027.1.10-draft</span> of <time datetime="2027-02-01">2027-02-01</time>'],
  ])("is %s", (_, before, after) => {
    expect(quotes.mask(before, "before")).toBe(quotes.mask(after, "after"));
    expect(quotes.explain({ pointer: "/text", before, after })).toBe(true);
  }); // prettier-ignore

  it.each([
    ["another version", "since 2026.12.1", "since 2027.1.10-draft"],
    ["the beginning of a version", "2027.1.90", "2027.1.10-draft0"],
    ["a number of something else", "waits 2041 seconds", "waits 2042 seconds"],
    ["a count that the registry does not have", "at most 10 concepts", "at most 20 concepts"],
    ["another day", '<time datetime="2027-01-03">2027-01-03</time>', '<time datetime="2027-02-01">2027-02-01</time>'],
    ["another word on the same line", "2041 concepts, some", "2042 concepts, most"],
  ])("is not %s", (_, before, after) => {
    expect(quotes.mask(before, "before")).not.toBe(quotes.mask(after, "after"));
    expect(quotes.explain({ pointer: "/text", before, after })).toBe(false);
  });

  it("is a count in a member for counts, and nowhere else", () => {
    const [before, after] = [2041, 2042];
    expect(quotes.explain({ pointer: "/readiness/publishedConcepts", before, after })).toBe(true);
    expect(quotes.explain({ pointer: "/limits/wait", before, after })).toBe(false);
    expect(quotes.explain({ pointer: "/readiness/publishedConcepts", before, after: 5 })).toBe(false);
  });
});
