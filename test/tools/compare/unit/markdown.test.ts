/** `diff --markdown`: the comment on a pull request. */
import { describe, expect, it } from "vitest";
import type { Comparison, DocumentChange, JsonChange } from "../../../../generator/tools/compare/comparison.ts";
import type { ResolutionChange } from "../../../../generator/contract/changes.ts";
import { foldChanges } from "../../../../generator/tools/compare/fold.ts";
import { formatMarkdown } from "../../../../generator/tools/compare/markdown.ts";
import { renderMarkdown } from "../../../../generator/content/markdown.ts";

const side = {
  given: "a",
  kind: "directory",
  origin: null,
  registryVersion: "2026.11.1",
  concepts: 58,
  expressions: 900,
} as const;
const comparison = (more: Partial<Comparison>): Comparison => ({
  schema: "service-semantics.diff.v1",
  verdict: "different",
  meaningful: true,
  compatibility: "breaking",
  a: side,
  b: { ...side, registryVersion: "2026.12.1", concepts: 57 },
  warnings: [],
  resolutions: [],
  concepts: [],
  facts: [],
  documents: [],
  ...more,
});
const text = (more: Partial<Comparison>): string => [...formatMarkdown(comparison(more))].join("\n");
const reassigned = (expression: string, language: string | null): ResolutionChange => ({
  kind: "reassigned",
  expression,
  language,
  before: { code: "C-1" },
  after: { code: "C-2" },
});
const count = (pointer: string): JsonChange => ({ pointer, kind: "changed", before: 58, after: 57 });
const document = (path: string, ...changes: JsonChange[]): DocumentChange => ({
  path,
  change: "changed",
  follows: 0,
  changes,
});

describe("diff --markdown", () => {
  it("begins with what is reassigned, one line an expression", () => {
    const resolutions: ResolutionChange[] = [
      reassigned("un", null),
      reassigned("un", "fr"),
      {
        kind: "now_abstains",
        expression: "zwei",
        language: "de",
        before: { code: "C-2" },
        after: { reason: "language_not_matched" },
      },
      {
        kind: "now_resolves",
        expression: "uno",
        language: "es",
        before: { reason: "no_reviewed_exact_match" },
        after: { code: "C-1" },
      },
    ];
    expect(text({ verdict: "reassigned", resolutions })).toBe(
      [
        "## Registry `2026.11.1` → `2026.12.1`",
        "",
        "**The promise of stability is broken: 2 requests would get another code.** 58 concepts → 57, reviewed exact expressions 900 → 900.",
        "",
        "Compatibility: **breaking**, something is reassigned, retired, or abstains now.",
        "",
        "### Reassigned: lead to another code (1)",
        "",
        '- `"un"` (no language, `fr`): `C-1` → `C-2`',
        "",
        "### Abstaining: resolved before (1)",
        "",
        '- `"zwei"` (`de`): `C-2` → `language_not_matched`',
        "",
        "### New: abstained before (1)",
        "",
        '- `"uno"` (`es`): `no_reviewed_exact_match` → `C-1`',
      ].join("\n"),
    );
  });

  it("says a change once that is the same in many documents, so that another one is seen", () => {
    const many = Array.from({ length: 33 }, (_, i) => document(`api/${i}.json`, count("/readiness/publishedConcepts")));
    const sentence: JsonChange = { pointer: "/rule", kind: "changed", before: "may", after: "must" };
    const found = text({ documents: [...many, document("other.json", count("/data/count"), sentence)] });
    expect(found).toContain(
      "### Documents changed (2)\n\n- in 34 documents: `publishedConcepts`, `count`: `58` → `57`\n",
    );
    expect(found).toContain('- `other.json`\n  - `/rule`: `"may"` → `"must"`');
    expect(found.length).toBeLessThan(400);
  });

  it("lists concepts that are retired, new and changed", () => {
    const concepts = [
      { code: "C-1", change: "retired", name: "One", changes: [] },
      { code: "C-2", change: "added", name: "Two", changes: [] },
      {
        code: "C-3",
        change: "changed",
        name: "Three",
        changes: [{ pointer: "/definition", kind: "changed", before: "a", after: "b" }],
      },
    ] as const;
    const found = text({ concepts });
    expect(found).toContain('### Concepts retired (1)\n\n- `C-1` `"One"`\n');
    expect(found).toContain('### Concepts new (1)\n\n- `C-2` `"Two"`\n');
    expect(found).toContain('### Concepts changed (1)\n\n- `C-3` `"Three"`\n  - `/definition`: `"a"` → `"b"`');
  });

  it.each([
    "<img src=x onerror=alert(1)>",
    "[a](javascript:x)",
    "`` ` ```",
    "a\n\n# b",
    "**b** | c",
    "\u202Eevil",
    "@team #1 \\",
  ])("shows %j as text and nothing else", (hostile) => {
    const html = renderMarkdown(text({ verdict: "reassigned", resolutions: [reassigned(hostile, "en")] }));
    expect(html.match(/<(?!\/)[a-z0-9]+/g)?.filter((tag) => !/^<(?:h2|h3|p|strong|ul|li|code)$/.test(tag))).toEqual([]);
    expect(html.match(/<li>/g)?.length).toBe(1);
    expect(html).not.toContain("\u202E");
  });

  it("cuts what is long, and stays within a comment", () => {
    const resolutions = Array.from({ length: 5000 }, (_, i) => reassigned(`${i} ${"x".repeat(900)}`, "en"));
    const documents = Array.from({ length: 500 }, (_, i) =>
      document(
        `${i}.json`,
        ...Array.from({ length: 50 }, (__, j): JsonChange => ({
          pointer: `/${j}`,
          kind: "added",
          after: `${i} ${j} ${"y".repeat(900)}`,
        })),
      ),
    );
    const found = text({ verdict: "reassigned", resolutions, documents });
    expect(found).toContain("- … and 4980 more (`--json` lists all)");
    expect(found.length).toBeLessThan(65_536);
  });
});

describe("folding", () => {
  it("leaves what differs by a value, and what one place alone has", () => {
    const other: JsonChange = { ...count("/a"), after: 56 };
    const changed = [
      { place: "x", changes: [count("/a"), count("/b")] },
      { place: "y", changes: [other] },
    ];
    const { shared, own } = foldChanges(changed);
    expect(shared).toEqual([]);
    expect([...own]).toEqual(changed);
  });
});
