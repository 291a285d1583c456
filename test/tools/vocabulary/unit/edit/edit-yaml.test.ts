import { readFileSync } from "node:fs";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import {
  withHistoryEntries,
  withLanguages,
  withRegistryVersion,
  withRetired,
  withValues,
} from "../../../../../generator/tools/vocabulary/edit/edit-yaml.ts";

const starter = (name: string): string => readFileSync(`registry/${name}`, "utf8");

/** The lines that only one of two texts has, as `- old` and `+ new`. */
function changed(before: string, after: string): string[] {
  const [old, now] = [before.split("\n"), after.split("\n")];
  return [
    ...old.filter((line) => !now.includes(line)).map((line) => `- ${line}`),
    ...now.filter((line) => !old.includes(line)).map((line) => `+ ${line}`),
  ];
}

describe("registry.yaml", () => {
  it("changes the line of its version alone", () => {
    const text = starter("registry.yaml");
    const { registryVersion } = load(text) as { registryVersion: string };
    expect(changed(text, withRegistryVersion(text, "2027.01.1"))).toEqual([
      `- registryVersion: ${registryVersion}`,
      "+ registryVersion: 2027.01.1",
    ]);
    expect(withRegistryVersion(text, registryVersion)).toBe(text);
    const feeds = text.replaceAll("\n", "\r\n");
    expect(withRegistryVersion(feeds, registryVersion), "with comments of several lines").toBe(feeds);
  });

  it("takes languages into an ordered list at their places, into another at its end", () => {
    const text = "# admitted\nlanguages: [de, fr] # two\nname: x\n";
    expect(withLanguages(text, ["fr", "en", "aa", "zu"])).toBe(
      "# admitted\nlanguages: [aa, de, en, fr, zu] # two\nname: x\n",
    );
    expect(withLanguages("languages: [fr, de]\n", ["en"])).toBe("languages: [fr, de, en]\n");
    expect(withLanguages("languages:\n  - de # first\n  - fr\n# end\n", ["en", "aa"])).toBe(
      "languages:\n  - aa\n  - de # first\n  - en\n  - fr\n\n# end\n",
    );
    expect(load(withLanguages("languages: []\n", ["no", "en"]))).toEqual({ languages: ["en", "no"] });
    expect(withLanguages(text, ["fr"])).toBe(text);
    expect(withLanguages('languages: ["de", "fr"]\n', ["ar"]), "in quotes").toBe('languages: ["ar", "de", "fr"]\n');
    expect(withLanguages("languages: []\n", ["en"]), "as an import").toBe('languages: ["en"]\n');
  });
});

describe("a concept", () => {
  const text = starter("concepts/billing/C-3XCWD4.yaml");

  it("keeps comments, styles and every other line", () => {
    const commented = text.replace("expressions:\n", "expressions:\n  # people write these\n  # the first language\n");
    const edited = withValues(commented, [
      { path: ["expressions", 1, "reviewStatus"], value: "rejected" },
      { path: ["provenance", "reviewedBy"], value: "terminology board" },
      { path: ["expressions", 2, "provenance"], value: { source: "a: b", license: "CC0-1.0", sourceId: null } },
    ]);
    expect(changed(commented, edited)).toEqual([
      "-   reviewedBy: editorial review of the starter registry",
      '-   - { language: en, expression: "paid subscription", type: alternate, equivalenceStrength: 1, reviewStatus: reviewed }',
      '-   - { language: de, expression: "Abonnement", type: preferred, equivalenceStrength: 1, reviewStatus: reviewed }',
      "+   reviewedBy: terminology board",
      '+   - { language: en, expression: "paid subscription", type: alternate, equivalenceStrength: 1, reviewStatus: rejected }',
      '+   - { language: de, expression: "Abonnement", type: preferred, equivalenceStrength: 1, reviewStatus: reviewed, provenance: { source: "a: b", license: CC0-1.0, sourceId: null } }',
    ]);
  });

  it("keeps words that only YAML 1.1 would read as numbers, also below %YAML 1.1", () => {
    const old = "%YAML 1.1\n---\nname: 1_000\ndefinition: 12:30\ndomain: no # d\ncode: C-1\n";
    const edited = withValues(old, [{ path: ["code"], value: "C-2" }]);
    // Without a fixed schema: `name: 1000`, and the registry's reader refuses the record.
    expect(edited).toBe(old.replace("C-1", "C-2"));
    expect(load(edited)).toEqual({ ...(load(old) as object), code: "C-2" });
  });

  it("is edited if its lines end with CR only, as the registry's reader reads it", () => {
    const old = text.replaceAll("\n", "\r");
    // Before, the edit stopped: a file of the registry was changed while this command read it.
    expect(load(withValues(old, [{ path: ["name"], value: "x" }]))).toEqual({ ...(load(old) as object), name: "x" });
  });

  it("with an anchor is not edited where the YAML library would print another value", () => {
    const empty = "name: a\ndefinition: |  # to do\ncode: C-1\n";
    expect(withValues(empty, [{ path: ["code"], value: "C-2" }])).toBe(empty.replace("C-1", "C-2"));
    expect(() => withValues(empty.replace("C-1", "&c C-1"), [{ path: ["code"], value: "C-2" }])).toThrow(
      'write empty values as ""',
    );
  });

  it("keeps every other byte in any layout: blocks, quotes, empty values, CR LF", () => {
    const blocks =
      "provenance:\n  reviewedBy: # nobody yet\nexpressions:\n  - language: en # l\n    reviewStatus: draft # s\n\n  - {language: de, reviewStatus: 'draft', }\n# end\n";
    const edits = [
      { path: ["provenance", "reviewedBy"], value: "board" },
      ...[0, 1].flatMap((i) => [
        { path: ["expressions", i, "reviewStatus"], value: "reviewed" },
        { path: ["expressions", i, "provenance"], value: null },
      ]),
    ];
    const expected =
      "provenance:\n  reviewedBy: board # nobody yet\nexpressions:\n  - language: en # l\n    reviewStatus: reviewed # s\n    provenance: null\n\n  - {language: de, reviewStatus: 'reviewed', provenance: null, }\n# end\n";
    expect(withValues(blocks, edits)).toBe(expected);
    const feeds = (lines: string): string => lines.replaceAll("\n", "\r\n");
    expect(withValues(feeds(blocks), edits)).toBe(feeds(expected));
    const again = [{ path: ["provenance", "reviewedBy"], value: "owner" }];
    expect(withValues(expected, [...edits.slice(0, 1), ...again])).toBe(expected.replace("board", "owner"));
  });

  const entry = { language: "fr", expression: "trois: 3", reviewStatus: "draft" };
  it.each([
    [
      'expressions:\n  - { language: "en", expression: "three" } # first\n  # last\nrenderings: []\n',
      'expressions:\n  - { language: "en", expression: "three" } # first\n  - { language: "fr", expression: "trois: 3", reviewStatus: draft }\n  # last\nrenderings: []\n',
    ],
    [
      "name: x\nexpressions:\n- language: en\n  expression: three\n  provenance:\n    source: s # t",
      'name: x\nexpressions:\n- language: en\n  expression: three\n  provenance:\n    source: s # t\n- language: fr\n  expression: "trois: 3"\n  reviewStatus: draft',
    ],
    [
      '{ "expressions": [\n  { "language": "en" }\n] }\n',
      '{ "expressions": [\n  { "language": "en" }, { language: "fr", expression: "trois: 3", reviewStatus: draft }\n] }\n',
    ],
  ])("gets an element that is laid out like the one before: %j", (before, after) => {
    const edited = withValues(before, [{ path: ["expressions", 1], value: entry }]);
    expect(edited).toBe(after);
    expect((load(edited) as { expressions: unknown[] }).expressions[1]).toEqual(entry);
  });

  it("gives values of their own to what only pointed at them, and keeps the comments", () => {
    const edited = withValues("# head\na: &x { n: 1 } # first\nb: *x\nc: [&s draft, *s]\n", [
      { path: ["b", "n"], value: 2 },
      { path: ["c", 0], value: "reviewed" },
    ]);
    expect(load(edited)).toEqual({ a: { n: 1 }, b: { n: 2 }, c: ["reviewed", "draft"] });
    expect(edited).toMatch(/^# head\n.*# first/);
  });

  it("writes any text so that it is read back", () => {
    for (const value of [
      "null",
      "1",
      "1e5",
      "- a",
      "a: b",
      "a #b",
      "é",
      "",
      " ",
      "\u2028",
      "\n",
      "'",
      '"',
      "0x1f",
      "~",
      "no",
      "[",
      "a,b",
      "@x",
      "\uFEFFx",
    ]) {
      expect(
        load(
          withValues("a: x\nb: { c: y }\n", [
            { path: ["a"], value },
            { path: ["b", "c"], value },
          ]),
        ),
      ).toEqual({ a: value, b: { c: value } });
    }
  });
});

describe("retired.yaml", () => {
  const one = { code: "C-A", retiredIn: "2026.12.1", replacedBy: null, name: "A thing: old" };
  const two = { code: "C-B", retiredIn: "2026.12.1", replacedBy: "C-A" };

  it("takes its first entries in the place of the empty list, below its comments", () => {
    const text = "# Codes that must never be used again.\n[]\n";
    const lines =
      '- { code: C-A, retiredIn: 2026.12.1, replacedBy: null, name: "A thing: old" }\n- { code: C-B, retiredIn: 2026.12.1, replacedBy: C-A }\n';
    expect(withRetired(text, [one, two])).toBe(`# Codes that must never be used again.\n${lines}`);
    expect(withRetired("", [one, two])).toBe(lines);
    expect(withRetired("# only a comment", [two])).toBe(
      "# only a comment\n\n- { code: C-B, retiredIn: 2026.12.1, replacedBy: C-A }\n",
    );
  });

  it("adds a line, changes a value, removes a line, and touches no other", () => {
    const text = withRetired("# head\n[]\n", [one, two]).replace("\n- { code: C-B", " # why\n# two\n- { code: C-B");
    const three = { code: "C-C", retiredIn: "2027.01.1", replacedBy: null };
    expect(withRetired(text, [one, two, three])).toBe(
      `${text}- { code: C-C, retiredIn: 2027.01.1, replacedBy: null }\n`,
    );
    expect(withRetired(text, [{ ...one, retiredIn: "2027.01.1" }, two])).toBe(text.replace("2026.12.1", "2027.01.1"));
    expect(withRetired(text, [two])).toBe("# head\n\n# two\n- { code: C-B, retiredIn: 2026.12.1, replacedBy: C-A }\n");
    expect(withRetired(text, [two, one])).toBe(text);
    expect(load(withRetired(text, []))).toEqual([]);
  });

  it("may refer to one anchor as often as people like", () => {
    const entries = Array.from({ length: 150 }, (_, i) => `- { code: C-${i}, retiredIn: ${i === 0 ? "&v 2026.12.1" : "*v"}, replacedBy: null }\n`); // prettier-ignore
    const text = entries.join("");
    expect(load(withRetired(text, [...(load(text) as (typeof one)[]), one]))).toHaveLength(151);
  });

  it("edits entries of several lines, and keeps their comments", () => {
    const text =
      "- code: C-A\n  retiredIn: 2026.12.1 # then\n  replacedBy:\n\n# two\n- code: C-B\n  retiredIn: 2026.12.1\n  replacedBy: C-A\n";
    const edited = withRetired(text, [
      { ...two, reason: "so" },
      { code: "C-A", retiredIn: "2027.01.1", replacedBy: null },
    ]);
    const moved = text.replace("2026.12.1 # then", "2027.01.1 # then").replace("# two", "    # two");
    expect(edited).toBe(`${moved}  reason: so\n`);
  });
});

describe("history.yaml", () => {
  it("only ever grows at its end, byte for byte", () => {
    let text = starter("history.yaml");
    for (let i = 1; i < 5; i++) {
      const reassigned = [{ expression: "a # b", language: null, from: "C-A", to: "C-B" }];
      const entry = {
        registryVersion: `2030.01.${i}`,
        contentSha256: String(i).repeat(64),
        memorySha256: "0".repeat(64),
        reassigned,
        acknowledgement: "it: was wrong",
      };
      const grown = withHistoryEntries(text, [entry]);
      expect(grown.startsWith(text)).toBe(true);
      expect((load(grown) as unknown[]).at(-1)).toEqual(entry);
      text = grown;
    }
    const first = { registryVersion: "2026.11.1", contentSha256: "ab".repeat(32), memorySha256: "cd".repeat(32) };
    const lines = `- registryVersion: 2026.11.1\n  contentSha256: ${"ab".repeat(32)}\n  memorySha256: ${"cd".repeat(32)}\n`;
    expect(withHistoryEntries("", [first])).toBe(lines);
    expect(withHistoryEntries("# head\n[]\n", [first])).toBe(`# head\n${lines}`);
  });

  it.each([
    `[{ registryVersion: 2026.10.1, contentSha256: ${"cd".repeat(32)} }] # one\n`,
    `  - registryVersion: 2026.10.1\n    contentSha256: ${"cd".repeat(32)}\n`,
    `- registryVersion: 2026.10.1\n  contentSha256: ${"cd".repeat(32)}\n...\n`,
    `---\n- { registryVersion: 2026.10.1, contentSha256: ${"cd".repeat(32)} }\n`,
  ])("grows in any layout: %j", (text) => {
    const before = load(text) as object[];
    const more = ["2026.11.1", "2026.12.1"].map((registryVersion) => ({
      registryVersion,
      contentSha256: "ab".repeat(32),
      memorySha256: "ef".repeat(32),
    }));
    const grown = withHistoryEntries(text, more);
    expect(load(grown)).toEqual([...before, ...more]);
    expect(load(withHistoryEntries(grown, more))).toEqual([...before, ...more, ...more]);
  });
});
