/** The pieces of a comparison: pointers, lines, derived digests, origins, and harmless text. */
import { describe, expect, it } from "vitest";
import type { Comparison } from "../../../../generator/tools/compare/comparison.ts";
import { ChangeList } from "../../../../generator/promise/change-list.ts";
import { cachedSource } from "../../../../generator/promise/side-index.ts";
import { maskDigests, originReplacer, Sizes } from "../../../../generator/tools/compare/follow.ts";
import { jsonChanges } from "../../../../generator/tools/compare/json-changes.ts";
import { formatJson } from "../../../../generator/tools/compare/json-report.ts";
import { lineChanges } from "../../../../generator/tools/compare/documents.ts";
import { formatText } from "../../../../generator/tools/compare/report.ts";
import { IN_MEMORY } from "../../../../generator/scratch/spool.ts";
import { memorySource } from "../../../../runtime/registry/byte-source.ts";

describe("changes of JSON", () => {
  it("are pointers (RFC 6901), whatever the order of members", () => {
    expect(jsonChanges({ a: 1, b: [1] }, { b: [1], a: 1 })).toEqual([]);
    expect(jsonChanges({ "a/b": { "~": 1 }, gone: null }, { "a/b": { "~": "1" }, come: {} })).toEqual([
      { pointer: "/a~1b/~0", kind: "changed", before: 1, after: "1" },
      { pointer: "/come", kind: "added", after: {} },
      { pointer: "/gone", kind: "removed", before: null },
    ]);
    expect(jsonChanges([], {})).toEqual([{ pointer: "", kind: "changed", before: [], after: {} }]);
  });

  it("match the elements of an array by what identifies them", () => {
    const list = (...codes: string[]): unknown[] => codes.map((code) => ({ code, name: "same" }));
    expect(jsonChanges(list("a", "b", "c"), list("x", "a", "b", "c"))).toEqual([
      { pointer: "/0", kind: "added", of: "x", after: { code: "x", name: "same" } },
    ]);
    expect(jsonChanges(list("a", "b", "c"), list("a", "c"))).toEqual([
      { pointer: "/1", kind: "removed", of: "b", before: { code: "b", name: "same" } },
    ]);
    expect(jsonChanges(list("a", "b", "c"), list("c", "a", "b"))).toEqual([
      { pointer: "", kind: "reordered", before: ["a", "b", "c"], after: ["c", "a", "b"] },
    ]);
    expect(jsonChanges([{ code: "a", n: 1 }, { code: "b", n: 1 }], [{ code: "b", n: 2 }, { code: "a", n: 1 }])).toContainEqual({
      pointer: "/0/n", kind: "changed", of: "b", before: 1, after: 2,
    }); // prettier-ignore
  });

  it("match expressions by language, locale and text", () => {
    const of = (locale: string | null, type: string): unknown => ({ language: "de", locale, expression: "x", type });
    expect(jsonChanges([of(null, "a"), of("de-AT", "a")], [of("de-AT", "b"), of(null, "a")])).toContainEqual({
      pointer: "/0/type", kind: "changed", of: "de de-AT x", before: "a", after: "b",
    }); // prettier-ignore
  });

  it("keep what is equal at both ends where nothing identifies", () => {
    expect(jsonChanges([1, 1, 2, 1], [1, 3, 1, 2, 1])).toEqual([{ pointer: "/1", kind: "added", after: 3 }]);
    expect(jsonChanges([[1], [2]], [[1], [3]])).toEqual([
      { pointer: "/1/0", kind: "removed", of: "2", before: 2 },
      { pointer: "/1/0", kind: "added", of: "3", after: 3 },
    ]);
    expect(jsonChanges(["a", "b"], ["b", "a"])).toEqual([
      { pointer: "", kind: "reordered", before: ["a", "b"], after: ["b", "a"] },
    ]);
  });

  it("survive values that are nested too deep", () => {
    const deep = (end: string): unknown => JSON.parse(`${"[".repeat(50_000)}${end}${"]".repeat(50_000)}`);
    expect(jsonChanges(deep("1"), deep("2"))).toEqual([{ pointer: "", kind: "changed" }]);
    expect(jsonChanges({}, deep("2"))).toEqual([{ pointer: "", kind: "changed" }]);
  });
});

describe("changes of text", () => {
  it("are the lines that one side has more often", () => {
    expect(lineChanges(["a", "b", "b"], ["b", "c", "a"])).toEqual({
      removed: [{ line: 3, text: "b" }],
      added: [{ line: 2, text: "c" }],
      reordered: false,
    });
    expect(lineChanges(["a", "b"], ["b", "a"])).toEqual({ removed: [], added: [], reordered: true });
    expect(lineChanges(["a"], ["a"])).toEqual({ removed: [], added: [], reordered: false });
  });
});

describe("what follows", () => {
  const [x, y] = ["a".repeat(64), "b".repeat(64)];
  it("is a digest in each of its spellings, and nothing that is longer", () => {
    expect(maskDigests(`${x} "${x}"`)).toBe(maskDigests(`${y} "${y}"`));
    expect(maskDigests(`sha-256=:${"A".repeat(43)}=:`)).toBe(maskDigests(`sha-256=:${"B".repeat(43)}=:`));
    expect(maskDigests(`/assets/site.${"a".repeat(16)}.css`)).toBe(maskDigests(`/assets/site.${"b".repeat(16)}.css`));
    expect(maskDigests(`${x}a`)).toBe(`${x}a`);
    expect(maskDigests(`/assets/site.${"a".repeat(16)}.html`)).toContain("aaaa");
  });

  it("is a size of the same document, and no other number", () => {
    const sizes = new Sizes();
    sizes.add(10, 12);
    expect(sizes.explain({ pointer: "/x/bytes", before: 10, after: 12 })).toBe(true);
    expect(sizes.explain({ pointer: "/x/count", before: 10, after: 12 })).toBe(false);
    expect(sizes.explain({ pointer: "/x/bytes", before: 10, after: 13 })).toBe(false);
    expect(sizes.explain({ pointer: "/x", before: x, after: y })).toBe(true);
    expect(sizes.explain({ pointer: "/x", before: x, after: "none" })).toBe(false);
    expect(sizes.mask(`10 ${x}`, "before")).toBe(sizes.mask(`12 ${y}`, "after"));
    expect(sizes.mask("10 alone", "before")).toBe("10 alone");
    expect(sizes.mask(`11 ${x}`, "before")).not.toBe(sizes.mask(`12 ${y}`, "after"));
  });
});

describe("an origin", () => {
  it("is replaced where it stands whole", () => {
    const replace = originReplacer("http://a.example:80");
    expect(replace("http://a.example:80/x http://a.example:80. <http://a.example:80>")).not.toContain("a.example");
    for (const other of ["http://a.example:8080", "http://a-example:80", "http://axexample:80"])
      expect(replace(other)).toBe(other);
    expect(
      originReplacer("http://a.example")("http://a.example.org http://a.example:8080 http://a.example-b"),
    ).not.toContain("⟨");
    expect(originReplacer("http://[::1]:8080")("http://[::1]:8080/x")).toBe(
      `${originReplacer("http://b")("http://b")}/x`,
    );
    expect(originReplacer(null)("http://b")).toBe("http://b");
  });
});

describe("a cached source", () => {
  it("gives the bytes of its source, across blocks and at its end, and none behind it", () => {
    const bytes = Uint8Array.from({ length: 700_001 }, (_, i) => i % 251);
    const source = cachedSource(memorySource(bytes));
    for (const [offset, length] of [
      [0, 0],
      [0, 5],
      [262_140, 10],
      [262_144, 262_144],
      [100, 600_000],
      [700_000, 1],
      [700_001, 0],
    ] as const) {
      expect(Buffer.compare(source.read(offset, length), bytes.subarray(offset, offset + length))).toBe(0);
    }
    expect(() => source.read(700_000, 2)).toThrow(RangeError);
  });
});

describe("a report", () => {
  const evil = 'x\u001B[2J\u202Ereversed\u2028line\u0085\u009B"\nSame: every file\u2066\u200B';
  const side = {
    given: evil,
    kind: "directory",
    origin: null,
    registryVersion: evil,
    concepts: 1,
    expressions: 1,
  } as const;
  const comparison: Comparison = {
    schema: "service-semantics.diff.v1",
    verdict: "different",
    meaningful: true,
    compatibility: "breaking",
    a: side,
    b: side,
    warnings: [],
    resolutions: [
      {
        kind: "now_abstains",
        expression: evil,
        language: evil,
        before: { code: evil },
        after: { reason: "no_reviewed_exact_match" },
      },
    ],
    concepts: [
      {
        code: evil,
        change: "changed",
        name: evil,
        changes: [{ pointer: `/${evil}`, kind: "changed", of: evil, before: evil, after: [evil] }],
      },
    ],
    facts: [{ file: evil, pointer: "", kind: "added", after: evil }],
    documents: [
      {
        path: evil,
        change: "changed",
        follows: 0,
        lines: { removed: [], added: [{ line: 1, text: evil }], reordered: false },
      },
      { path: `${evil}2`, change: "changed", only: "bytes", follows: 0 },
      ...Array.from({ length: 30 }, (_, i) => ({ path: `removed-${i}`, change: "removed", follows: 0 }) as const),
    ],
  };

  it("has no character in it that hides, reorders or steers", () => {
    for (const lines of [[...formatText(comparison)], [...formatJson(comparison)]]) {
      expect(lines.join("\n")).toMatch(/^[\n\u0020-\u007E→…⟨⟩]*$/);
      expect(lines.join("")).not.toContain("\nSame");
    }
  });

  it("lists all as JSON, and 20 in words", () => {
    expect(JSON.parse([...formatJson(comparison)].join("\n"))).toEqual(comparison);
    const none = { ...comparison, concepts: new ChangeList<never>(IN_MEMORY) };
    expect(JSON.parse([...formatJson(none)].join("\n"))).toEqual({ ...comparison, concepts: [] });
    const text = [...formatText(comparison)].join("\n");
    expect(text).toContain("removed-19\n");
    expect(text).toContain("… and 10 more (--json lists all)");
    expect(text).not.toContain("removed-20");
  });
});
