import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { checkAmbiguity } from "../../../../generator/registry/ambiguity.ts";
import { checkRegistry, findingsOf } from "../../../../generator/registry/check.ts";
import { type CodeLine, digestHistory } from "../../../../generator/registry/memory.ts";
import { readRegistry } from "../../../../generator/registry/read.ts";
import { memoryEffects } from "../../../support/memory-effects.ts";
import {
  checkedRegistry,
  checkFiles,
  concept,
  expression,
  type RegistryFiles,
  registryFiles,
} from "../../../support/registry.ts";
import type { RetiredRecord } from "../../../../generator/registry/record.ts";
import { nasty } from "../../../support/nasty.ts";
import { formatFinding } from "../../../../generator/text/finding.ts";

/** `rule file#pointer` of every finding, with and without the registry. */
function found(files: RegistryFiles): string[] {
  const source = readRegistry(memoryEffects(registryFiles(files)), "registry", () => undefined);
  const { findings } = checkRegistry(source);
  expect(findingsOf(source)).toEqual(findings);
  return findings.map(({ rule, file, pointer }) => `${rule} ${file}#${pointer}`);
}

function retiredEntry(code: string, replacedBy: string | null = null): RetiredRecord[number] {
  return { code, retiredIn: "2026.10.1", replacedBy };
}

/** The pointer of every part of a value. */
function placesIn(value: unknown, at = ""): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => [`${at}/${name}`, ...placesIn(part, `${at}/${name}`)]);
}

function withValue(record: object, pointer: string, value: unknown): unknown {
  const copy = structuredClone(record) as Record<string, unknown>;
  const names = pointer.split("/").slice(1);
  let part = copy;
  for (const name of names.slice(0, -1)) part = part[name] as Record<string, unknown>;
  part[names.at(-1) ?? ""] = value;
  return copy;
}

/** Whether a finding, as `found` names it, is about a part or what other parts make of it. */
function dependsOn(finding: string, place: string): boolean {
  const [rule = "", pointer = ""] = [finding.split(" ")[0], finding.split("#")[1]];
  if (`${pointer}/`.startsWith(`${place}/`)) return true;
  const needs: Readonly<Record<string, RegExp>> = {
    "expression-duplicate": /^\/expressions\/[01](?:\/(?:expression|language|reviewStatus))?$/,
    "code-case-conflict": /^\/code$/,
    "relation-dangling": /^\/code$/,
    "locale-mismatch": /^\/expressions\/2\/language$/,
    "language-not-admitted": /^\/expressions\/2\/language$/,
  };
  return needs[rule]?.test(place) === true;
}

const good = concept("GOOD", [expression("en", "good")]);
const at = (code: string, pointer: string): string => `concepts/test/${code}.yaml#${pointer}`;
/** A concept X with these expressions, beside nothing else. */
const withExpressions = (...expressions: unknown[]): RegistryFiles => ({
  concepts: [{ ...good, code: "X", expressions }],
});
const withText = (text: string, language = "en"): RegistryFiles => withExpressions(expression(language, text));

describe("a registry", () => {
  it("without faults has no findings", () => {
    expect(found({ concepts: [good] })).toEqual([]);
    expect(checkFiles(nasty).registry).toBeDefined();
    expect(checkFiles({ concepts: [] }).registry?.concepts.length).toBe(0);
  });

  it("gets every finding, also where they are more than a function has arguments", () => {
    const source = readRegistry(memoryEffects(registryFiles({ concepts: [good] })), "registry", () => undefined);
    const codeMap = Array.from({ length: 70_000 }, (_none, i) => ({ sourceId: `s${i}`, code: "NOBODY" }));
    expect(checkRegistry({ ...source, codeMap }).findings.length).toBe(139_999);
    const many = Array.from({ length: 70_000 }, (_none, i) => expression("xx", ` x${i}`));
    const one = { ...good, expressions: many };
    const concepts = [{ file: "concepts/test/GOOD.yaml", record: one }];
    expect(checkRegistry({ ...source, concepts }).findings.length).toBe(140_000);
  });

  it("is refused whole when one rule is broken, and every fault is named", () => {
    const verdict = checkFiles({ concepts: [good, { ...good, code: "bad" }, concept("X", [expression("en", " x")])] });
    expect(verdict.registry).toBeUndefined();
    expect(verdict.findings.map(({ rule }) => rule)).toEqual(["expression-spaces", "code-syntax"]);
  });

  it("tells each finding with file, pointer, text and remedy in two lines", () => {
    const [finding] = checkFiles(withText("a\u200Bb")).findings;
    expect(finding && formatFinding(finding)).toBe(
      "concepts/test/X.yaml#/expressions/0/expression: error expression-invisible-character\n" +
        '  "a\\u{200B}b" has U+200B, which no reader can see. Remove it; joiners are only allowed in emoji and in scripts that need them.',
    );
  });

  it("is refused without a registry.yaml, or with one of another shape", () => {
    const nothing = checkRegistry(readRegistry(memoryEffects({}), "registry", () => undefined));
    expect(nothing.findings.map(({ rule, file }) => [rule, file])).toEqual([["file-missing", "registry.yaml"]]);
    expect(found({ concepts: [good], registry: { registryVersion: "1.0" } })).toEqual([
      "record-schema registry.yaml#/registryVersion",
    ]);
    expect(found({ concepts: [good], registry: { languages: ["en", "EN", "xx-YY"] } })).toEqual([
      "language-not-canonical registry.yaml#/languages/1",
      "language-not-registered registry.yaml#/languages/2",
    ]);
  });
});

describe("a record file", () => {
  const file = (content: string | Uint8Array, name = "x.yaml"): string[] =>
    found({ concepts: [], files: { [`registry/concepts/test/${name}`]: content } });

  it("is refused as yaml-syntax, with line and column", () => {
    expect(file("a: [1\n")).toEqual(["yaml-syntax concepts/test/x.yaml#"]);
    expect(file("a: 1\na: 2\n")).toEqual(["yaml-syntax concepts/test/x.yaml#"]);
    expect(file("")).toEqual(["yaml-syntax concepts/test/x.yaml#"]);
    const { findings } = checkFiles({ concepts: [], files: { "registry/concepts/x.yaml": "a: 1\nb: @" } });
    expect(findings[0]?.text).toMatch(/line 2, column 4/);
  });

  it("is refused as file-encoding, file-unexpected or record-schema", () => {
    expect(file(Uint8Array.of(0x61, 0xff))).toEqual(["file-encoding concepts/test/x.yaml#"]);
    expect(file("a: 1", "x.yml")).toEqual(["file-unexpected concepts/test/x.yml#"]);
    expect(file("notes", "README.md")).toEqual([]);
    expect(file("a: 1", ".editor.yaml")).toEqual([]);
    const beside = { "registry/retired.yml": "[]", "registry/LICENSE": "x" };
    expect(found({ concepts: [], files: beside })).toEqual(["file-unexpected retired.yml#"]);
    const misspelled = { "registry/concept/test/X.yaml": JSON.stringify(good), "registry/README.md": "x" };
    expect(found({ concepts: [], files: misspelled })).toEqual(["file-unexpected concept#"]);
    expect(found({ concepts: [], files: { "registry/concepts": "x" } })).toEqual(["file-unexpected concepts#"]);
    for (const content of ["1", "[]", "null", "text"])
      expect(file(content)).toEqual(["record-schema concepts/test/x.yaml#"]);
  });

  it("names every part that breaks record-schema, once each", () => {
    const record = {
      ...good,
      name: 1,
      extra: true,
      expressions: [{ ...expression("en", "x"), type: "hidden", equivalenceStrength: 1.5, reviewStatus: "ok" }],
    };
    expect(found({ concepts: [record] })).toEqual([
      `record-schema ${at("GOOD", "")}`,
      `record-schema ${at("GOOD", "/expressions/0/equivalenceStrength")}`,
      `record-schema ${at("GOOD", "/expressions/0/reviewStatus")}`,
      `record-schema ${at("GOOD", "/expressions/0/type")}`,
      `record-schema ${at("GOOD", "/name")}`,
    ]);
    const provenance = { source: "\ud800", license: "CC0-1.0", sourceId: null, reviewedBy: null, reviewedAt: null };
    expect(found({ concepts: [{ ...good, provenance }] })).toEqual([
      `provenance-lone-surrogate ${at("GOOD", "/provenance")}`,
    ]);
    const dated = { ...provenance, source: "x", reviewedAt: "2026-02-30" };
    expect(found({ concepts: [{ ...good, provenance: dated }] })).toEqual([`reviewed-at ${at("GOOD", "/provenance")}`]);
    expect(found({ concepts: [{ ...good, provenance: { source: "x", email: "a@b" } }] })).toEqual([
      `record-schema ${at("GOOD", "/provenance")}`,
    ]);
  });

  it("may leave out type, equivalenceStrength, locale and the provenance of the concept", () => {
    const short = { language: "en", expression: "short", reviewStatus: "reviewed" };
    const full = { ...short, locale: null, type: "alternate", equivalenceStrength: 1, provenance: null };
    const { provenance: _none, ...unsaid } = { ...good, expressions: [short] };
    const digest = (record: object): string => checkedRegistry({ concepts: [record] }).contentSha256;
    expect(digest(unsaid)).toBe(digest({ ...good, provenance: null, expressions: [full] }));
    const lines = { "registry/concepts/test.ndjson": `${JSON.stringify(unsaid)}\n` };
    expect(checkedRegistry({ concepts: [], files: lines }).contentSha256).toBe(digest(unsaid));
    expect(found({ concepts: [{ ...unsaid, expressions: [{ ...short, type: null }] }] })).toEqual([
      `record-schema ${at("GOOD", "/expressions/0/type")}`,
    ]);
  });

  /** Faults of texts, between expressions, between records, and of what a code names. */
  const faulty = {
    ...good,
    code: "old",
    name: " spaced",
    definition: "",
    broader: ["NOBODY"],
    expressions: [expression("en", "twice"), expression("en", "twice"), expression("xx", "a  b", { locale: "xx-YY" })],
  };
  const judged = (record: unknown): string[] =>
    found({
      concepts: [{ ...good, code: "OLD" }],
      retired: [retiredEntry("OLD")],
      files: { "registry/concepts/test/old.yaml": JSON.stringify(record) },
    });

  it.each([5, null, [true], { more: [] }])("does not hide another fault by %j, whichever part it replaces", (wrong) => {
    const all = judged(faulty);
    expect(all).toHaveLength(11);
    for (const place of placesIn(faulty)) {
      const now = judged(withValue(faulty, place, wrong));
      const missing = all.filter((one) => !dependsOn(one, place) && !now.includes(one));
      const more = now.filter((one) => !all.includes(one) && !one.startsWith("record-schema"));
      expect({ place, missing, more }).toEqual({ place, missing: [], more: [] });
    }
  });

  it("names every fault of registry.yaml, retired.yaml and history.yaml in one run", () => {
    const files = {
      "registry/registry.yaml": JSON.stringify({ name: " x", registryVersion: 5, languages: ["EN"], owner: 1 }),
      "registry/retired.yaml": JSON.stringify([{ code: "a b", replacedBy: "GONE" }, retiredEntry("OLD", "NOBODY")]),
      "registry/history.yaml": JSON.stringify([
        {
          registryVersion: "2026.11.2",
          contentSha256: "0".repeat(64),
          memorySha256: "0".repeat(64),
          releasedOn: "today",
        },
        { registryVersion: "2026.11.1", contentSha256: 1, memorySha256: "0".repeat(64) },
      ]),
    };
    expect(found({ concepts: [concept("X", [expression("en", " x")])], files })).toEqual([
      `expression-spaces ${at("X", "/expressions/0/expression")}`,
      `language-not-admitted ${at("X", "/expressions/0/language")}`,
      "record-schema history.yaml#/0/releasedOn",
      "record-schema history.yaml#/1/contentSha256",
      "history-not-ascending history.yaml#/1/registryVersion",
      "record-schema registry.yaml#",
      "language-not-canonical registry.yaml#/languages/0",
      "name-spaces registry.yaml#/name",
      "record-schema registry.yaml#/registryVersion",
      "record-schema retired.yaml#/0",
      "code-syntax retired.yaml#/0/code",
      "replaced-by-dangling retired.yaml#/0/replacedBy",
      "replaced-by-dangling retired.yaml#/1/replacedBy",
    ]);
  });

  it("reads YAML 1.2: no is a word, a date is text, a quoted number is text", () => {
    const text =
      'code: X\nname: no\ndefinition: "yes"\ndomain: test\nprovenance: { source: s, license: CC0-1.0, sourceId: null, reviewedBy: null, reviewedAt: 2026-11-21 }\nexpressions:\n  - { language: no, expression: "404", type: alternate, equivalenceStrength: 1, reviewStatus: reviewed }\n';
    const verdict = checkFiles({
      concepts: [],
      registry: { languages: ["no"] },
      files: { "registry/concepts/test/X.yaml": text },
    });
    expect(verdict.findings).toEqual([]);
    expect(verdict.registry?.concepts.first(1)[0]).toMatchObject({
      name: "no",
      expressions: [{ language: "no", expression: "404" }],
    });
  });
});

describe("the name of a registry", () => {
  it("and its licence and description break the rules of texts that documents quote", () => {
    const registry = { license: "x\uFFFF", description: " see https://other.example" };
    expect(found({ concepts: [good], registry })).toEqual([
      "description registry.yaml#/description",
      "license-not-a-character registry.yaml#/license",
    ]);
  });

  it("breaks name-spaces and the text rules, as a concept's name does", () => {
    for (const name of [" A", "   ", "A\u001b[31m", "A\u202eB", "A\u0000"]) {
      const { registry, findings } = checkFiles({ concepts: [], registry: { name } });
      expect([name, registry]).toEqual([name, undefined]);
      expect(findings.map(({ file, pointer }) => `${file}${pointer}`)).toContain("registry.yaml/name");
    }
  });
});

describe("a code", () => {
  it("breaks code-syntax, code-duplicate, code-case-conflict or code-retired", () => {
    expect(found({ concepts: [{ ...good, code: "a b" }] })).toEqual([`code-syntax concepts/test/a b.yaml#/code`]);
    expect(
      found({ concepts: [good, { ...good, name: "other" }] }).filter((one) => !one.startsWith("file-misplaced")),
    ).toEqual([`code-duplicate ${at("GOOD", "/code").replace("GOOD", "GOOD")}`]);
    const lower = { concepts: [good, { ...good, code: "GooD" }] };
    expect(found(lower)).toContain(`code-case-conflict ${at("GooD", "/code")}`);
    expect(found({ concepts: [good], retired: [{ code: "GOOD", retiredIn: "2026.10.1", replacedBy: null }] })).toEqual([
      `code-retired ${at("GOOD", "/code")}`,
    ]);
  });

  it("is misplaced in another folder or file: a notice", () => {
    const verdict = checkFiles({ concepts: [], files: { "registry/concepts/elsewhere.yaml": JSON.stringify(good) } });
    expect(verdict.findings.map(({ rule, severity }) => [rule, severity])).toEqual([["file-misplaced", "notice"]]);
    expect(verdict.registry).toBeDefined();
  });

  it.each([
    ["x", "concepts/x/GOOD.yaml"],
    [".x", "concepts/%2Ex/GOOD.yaml"],
    ["a/.x.y", "concepts/a/%2Ex.y/GOOD.yaml"],
    ["..", "concepts/%2E./GOOD.yaml"],
  ])("of domain %s belongs where it is read", (domain, file) => {
    const text = JSON.stringify({ ...good, domain });
    const [finding] = checkFiles({ concepts: [], files: { "registry/concepts/test.yaml": text } }).findings;
    expect(finding?.remedy).toBe(`Move it to ${file}`);
    const moved = checkFiles({ concepts: [], files: { [`registry/${file}`]: text } });
    expect([moved.findings, moved.registry?.concepts.length]).toEqual([[], 1]);
  });
});

describe("a note", () => {
  it.each([
    ["note-not-text", "/text", { text: "a\u0000b" }],
    ["note-not-text", "/text", { language: "en", text: "\u009B31m" }],
    ["note-not-text", "/text", { text: "\ud800" }],
    ["note-language", "/language", { language: "a b", text: "a" }],
    ["note-language", "/language", { language: "zh_CN", text: "a" }],
  ])("breaks %s, as a notice, at its %s: %j", (rule, pointer, note) => {
    const notes = { scopeNote: [{ language: "en-GB-x-own", text: "tab\t, lines\r\nand e\u0301" }, note] };
    const { findings, registry } = checkFiles({ concepts: [{ ...good, notes }] });
    expect(findings.map((one) => [one.rule, one.severity, one.pointer])).toEqual([[rule, "notice", `/notes/scopeNote/1${pointer}`]]); // prettier-ignore
    expect(registry).toBeDefined();
    const notations = [{ notation: "1" }, { notation: "1\u007F" }];
    expect(found({ concepts: [{ ...good, notations }] })).toEqual([
      `note-not-text ${at("GOOD", "/notations/1/notation")}`,
    ]);
  });
});

describe("a hidden label", () => {
  it("breaks language-not-well-formed, as a notice, and no other rule of a tag", () => {
    const hiddenLabels = ["zh_CN", "und", "iw", "en-GB"].map((language) => ({ language, label: "a" }));
    const { findings, registry } = checkFiles({ concepts: [{ ...good, hiddenLabels }] });
    const notice = ["language-not-well-formed", "notice", "/hiddenLabels/0/language"];
    expect(findings.map(({ rule, severity, pointer }) => [rule, severity, pointer])).toEqual([notice]);
    expect(registry).toBeDefined();
  });
});

describe("a language", () => {
  const language = (text: string, locale?: string | null): string[] =>
    found(withExpressions({ ...expression(text, "x"), ...(locale === undefined ? {} : { locale }) })).map(
      (one) => one.split(" ")[0] ?? "",
    );

  it("breaks language-not-well-formed, -canonical, -registered, -admitted or -too-narrow", () => {
    for (const [text, rule] of [
      ["en_US", "language-not-well-formed"],
      ["e", "language-not-well-formed"],
      ["*", "language-not-well-formed"],
      ["EN", "language-not-canonical"],
      ["iw", "language-not-canonical"],
      ["zh-cmn", "language-not-canonical"],
      ["zh-hant", "language-not-canonical"],
      ["xx", "language-not-registered"],
      ["und", "language-not-registered"],
      ["mul", "language-not-registered"],
      ["x-private", "language-not-registered"],
      ["i-klingon", "language-not-canonical"],
      ["en-Zzzx", "language-not-registered"],
      ["ja", "language-not-admitted"],
      ["pt-BR", "language-too-narrow"],
      ["de-1996", "language-too-narrow"],
      ["de-1996-1996", "language-not-valid"],
      ["de-u-co-phonebk-u-ca-gregory", "language-not-valid"],
    ] as const)
      expect([text, language(text)]).toEqual([text, [rule]]);
  });

  it("is admitted by itself or by its locale", () => {
    const registry = { languages: ["fr", "pt-BR"] };
    const entries = [expression("fr", "x"), expression("pt", "y", { locale: "pt-BR" }), expression("pt", "z")];
    expect(found({ ...withExpressions(...entries), registry })).toEqual([
      `language-not-admitted ${at("X", "/expressions/2/language")}`,
    ]);
  });

  it("breaks a rule in its locale too: locale-outside-language and the tag rules", () => {
    expect(language("pt", "pt-BR")).toEqual([]);
    expect(language("pt", null)).toEqual([]);
    expect(language("de", "de-CH-1996")).toEqual([]);
    expect(language("pt", "pt")).toEqual(["locale-outside-language"]);
    expect(language("pt", "en-GB")).toEqual(["locale-outside-language"]);
    expect(language("pt", "pt-br")).toEqual(["language-not-canonical"]);
    expect(language("de", "de-DD")).toEqual(["language-not-canonical"]);
    expect(language("pt", "pt-QX1")).toEqual(["language-not-well-formed"]);
    expect(language("pt", "pt-YY")).toEqual(["language-not-registered"]);
  });

  // Without the rule: `expected [] to deeply equal [ [ 'language-too-long', …(2) ] ]`.
  it("B16: breaks language-too-long, as a notice, if its locale is longer than a request may send", () => {
    const longest = "de-Latn-DE-1996-u-co-phonebk-nu-lat";
    expect([longest.length, language("de", longest)]).toEqual([35, []]);
    const { findings, registry } = checkFiles(withExpressions(expression("de", "x", { locale: `${longest}n` })));
    const notice = ["language-too-long", "notice", "/expressions/0/locale"];
    expect(findings.map(({ rule, severity, pointer }) => [rule, severity, pointer])).toEqual([notice]);
    expect(registry).toBeDefined();
  });
});

describe("an expression", () => {
  const rules = (text: string, language?: string): string[] =>
    found(withText(text, language)).map((one) => one.split(" ")[0] ?? "");

  it("breaks expression-empty or expression-too-long, counted in code points", () => {
    expect(rules("")).toEqual(["expression-empty"]);
    expect(rules("😀".repeat(1000))).toEqual([]);
    expect(rules("a".repeat(1001))).toEqual(["expression-too-long"]);
  });

  it("breaks expression-not-nfc", () => {
    for (const text of ["cafe\u0301", "\u212B", "한국".normalize("NFD"), "q\u0307\u0323"])
      expect(rules(text)).toEqual(["expression-not-nfc"]);
  });

  it("breaks expression-spaces: around, double, no-break", () => {
    for (const text of [
      " a",
      "a ",
      "a  b",
      "a\u00A0b",
      "a\u202Fb",
      "\u3000a",
      " ",
      "a \u2009b",
      "a\u3000b",
      "東京\u3000",
    ]) {
      expect([text, rules(text)]).toEqual([text, ["expression-spaces"]]);
    }
    expect(rules("東京\u3000タワー")).toEqual([]);
  });

  it("breaks expression-control-character or expression-bidi-control", () => {
    for (const text of ["a\tb", "a\nb", "a\u0000", "a\u0085b", "a\u2028b"])
      expect(rules(text)).toEqual(["expression-control-character"]);
    for (const text of ["a\u200F", "\u202Ea", "a\u2066b", "\u061Ca"])
      expect(rules(text)).toEqual(["expression-bidi-control"]);
  });

  it("breaks expression-lone-surrogate", () => {
    const verdict = checkFiles({
      concepts: [],
      files: {
        "registry/concepts/test/X.yaml": JSON.stringify({
          ...good,
          code: "X",
          expressions: [expression("en", "\ud800")],
        }),
      },
    });
    expect(verdict.findings.map(({ rule }) => rule)).toEqual(["expression-lone-surrogate"]);
  });

  it("breaks expression-invisible-character, but not where its script needs it", () => {
    for (const text of [
      "a\u200Bb",
      "a\u200Db",
      "a\u200Cb",
      "a\uFEFF",
      "a\u00ADb",
      "a\u2060b",
      "\u3164",
      "a\u034Fb",
      "q\uFE0Fb",
      "x\u{E0041}",
      "🏴\u{E0067}",
      "🏴\u{E007F}",
      "🏴\u{E0069}\u{E0067}\u{E006E}\u{E006F}\u{E0072}\u{E0065}\u{E0020}\u{E006D}\u{E0065}\u{E007F}",
      "budget 5\uFE0F",
      "5\u200D😀",
      "❤️\uFE0F",
      "५\u200D",
      "،\u200C،",
      "می\u200C\u200Cخواهم",
      "\u1820\u180B\u180B",
      "。\u{E0100}",
      // Selectors that are not registered for the character before them.
      "葛\u{E01EF}",
      "葛\uFE00",
      "葛\u{E0100}\u{E0101}",
      "字\u3164",
      "\u1843\u180B",
      "😀\uFE0F",
      "一\uFE0F",
      // Joined, but not an emoji of several that is registered.
      "😀\u200D😀",
      "👩️\u200D💻",
      "🏴\u{E0075}\u{E0073}\u{E0063}\u{E0061}\u{E007F}",
      // Blank glyphs.
      "a\u{1D159}b",
      "𓀀\u{13441}𓀀",
      "ក\u17B4",
      "a\u115Fb",
    ]) {
      expect([text, rules(text)]).toEqual([text, ["expression-invisible-character"]]);
    }
    for (const text of [
      "می‌خواهم",
      "क्‍ष",
      "👩‍💻",
      "❤️",
      "❤️‍🔥",
      "🏳️‍🌈",
      "1️⃣",
      "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
      "👩🏽‍🚀",
      "ក\u200Bខ",
      "ក\u200B ខ",
      "API\u200Cها",
      "24\u200Cساعته",
      "کورده\u200C",
      "👁\u200D🗨",
      "ᠠ\u180B",
      "葛\u{E0100}",
      "辻\u{E0101}",
      "不\uFE00",
      "0\uFE00",
      "က\uFE00",
      "☎\uFE0E",
      "ᠠ\u180Eᠠ",
      "👩🏿‍❤️‍💋‍👨🏻",
      "🕵🏻‍♂️",
      "🏃🏽‍♀️‍➡️",
      "🐦‍🔥",
      "\u0600",
    ]) {
      expect([text, rules(text)]).toEqual([text, []]);
    }
  });

  it("breaks expression-not-a-character", () => {
    for (const text of ["a\uFFFD", "\uFFFC", "\uFDD0", "\u{10FFFF}", "\u{50000}"]) {
      expect([text, rules(text)]).toEqual([text, ["expression-not-a-character"]]);
    }
  });

  it("breaks expression-duplicate: the same text twice in one concept and tag", () => {
    expect(found(withExpressions(expression("en", "x"), expression("en", "x", { type: "symbol" })))).toEqual([
      `expression-duplicate ${at("X", "/expressions/1/expression")}`,
    ]);
    expect(
      found(
        withExpressions(
          expression("en", "x"),
          expression("de", "x"),
          expression("pt", "x"),
          expression("pt", "x", { locale: "pt-BR" }),
        ),
      ),
    ).toEqual([]);
    expect(found(withExpressions(expression("en", "x", { reviewStatus: "rejected" }), expression("en", "x")))).toEqual(
      [],
    );
  });

  it("breaks preferred-not-unique: two preferred in one concept and tag", () => {
    const preferred = { type: "preferred" } as const;
    expect(found(withExpressions(expression("en", "x", preferred), expression("en", "y", preferred)))).toEqual([
      `preferred-not-unique ${at("X", "/expressions/1/type")}`,
    ]);
    expect(
      found(
        withExpressions(expression("pt", "x", preferred), expression("pt", "y", { ...preferred, locale: "pt-BR" })),
      ),
    ).toEqual([]);
  });
});

describe("a concept", () => {
  it("breaks definition-missing without a definition", () => {
    for (const definition of [undefined, null, "", "  "]) {
      expect(found({ concepts: [{ ...good, definition }] })).toEqual([
        `definition-missing ${at("GOOD", "/definition")}`,
      ]);
    }
  });

  it("breaks the text rules in its name, domain and renderings", () => {
    expect(found({ concepts: [{ ...good, name: " x" }] })).toEqual([`name-spaces ${at("GOOD", "/name")}`]);
    expect(found({ concepts: [{ ...good, name: "cafe\u0301" }] })).toEqual([`name-not-nfc ${at("GOOD", "/name")}`]);
    expect(found({ concepts: [{ ...good, name: "a\uFFFF", definition: "a\u{1FFFE}b" }] })).toEqual([
      `definition-not-a-character ${at("GOOD", "/definition")}`,
      `name-not-a-character ${at("GOOD", "/name")}`,
    ]);
    expect(found({ concepts: [{ ...good, definition: "a\u202Eb" }] })).toEqual([
      `definition-bidi-control ${at("GOOD", "/definition")}`,
    ]);
    const renderings = [{ type: "emoji", descriptor: "x", unicodeSequence: "\ud83d", confidence: 1 }];
    expect(found({ concepts: [{ ...good, renderings }] })).toEqual([
      `rendering-lone-surrogate ${at("GOOD", "/renderings/0/unicodeSequence")}`,
    ]);
  });

  it("O-18 D11: is published only with a reviewed expression, and only that is published", () => {
    const { registry } = checkFiles({
      concepts: [
        concept("A", [expression("en", "a"), expression("en", "b", { reviewStatus: "draft" })]),
        concept("B", [expression("en", "c", { reviewStatus: "in_review" })]),
      ],
    });
    expect(
      registry &&
        Array.from(registry.concepts, ({ code, expressions }) => [code, expressions.map((one) => one.expression)]),
    ).toEqual([["A", ["a"]]]);
  });
});

describe("ambiguity", () => {
  it("C08: is a notice that names every concept and tag, and never an error", () => {
    const verdict = checkFiles({
      concepts: [
        concept("A", [expression("en", "x"), expression("de", "y"), expression("en", "z")]),
        concept("B", [
          expression("en", "x"),
          expression("fr", "y"),
          expression("en", "z", { equivalenceStrength: 0.5 }),
        ]),
      ],
    });
    expect(verdict.registry).toBeDefined();
    expect(checkAmbiguity(verdict).map(({ severity, text }) => [severity, text])).toEqual([
      ["notice", '"x" means A (en), B (en)'],
      ["notice", '"y" means A (de), B (fr)'],
    ]);
  });
});

const versionOf = (files: RegistryFiles): string | undefined => checkFiles(files).registry?.registryVersion;

/** A registry whose one release remembers these codes. */
function remembering(...lines: readonly CodeLine[]): Pick<RegistryFiles, "history" | "files"> {
  const head = { registryVersion: "2026.10.1", contentSha256: "0".repeat(64), historySha256: digestHistory([]) };
  const memory = [head, ...lines].map((line) => `${JSON.stringify(line)}\n`).join("");
  const { historySha256: _, ...release } = head;
  return {
    history: [{ ...release, memorySha256: createHash("sha256").update(memory).digest("hex") }],
    files: { "registry/released/2026.10.1.ndjson": memory },
  };
}

describe("retired codes and history", () => {
  const retirement = (code: string, replacedBy: string | null) => ({ code, retiredIn: "2026.10.1", replacedBy });
  const entry = (registryVersion: string) => ({ registryVersion, contentSha256: "0".repeat(64) });

  it("breaks name-, provenance- or reason- rules of texts where an entry has such a text", () => {
    const texts = { name: " a", sourceId: "b\u0007", reason: "One line,\nand another \u202Eone" };
    expect(found({ concepts: [good], retired: [{ code: "A", retiredIn: "2026.10.1", replacedBy: null, ...texts }] })).toEqual([
      "name-spaces retired.yaml#/0/name",
      "reason-bidi-control retired.yaml#/0/reason",
      "provenance-control-character retired.yaml#/0/sourceId",
    ]); // prettier-ignore
  });

  it("breaks replaced-by-dangling or retired-duplicate", () => {
    expect(
      found({ concepts: [good], retired: [retirement("A", "GOOD"), retirement("B", "A"), retirement("C", null)] }),
    ).toEqual([]);
    expect(
      found({ concepts: [good], retired: [retirement("A", "NONE"), retirement("B", "B"), retirement("B", null)] }),
    ).toEqual([
      "replaced-by-dangling retired.yaml#/0/replacedBy",
      "replaced-by-dangling retired.yaml#/1/replacedBy",
      "retired-duplicate retired.yaml#/2/code",
    ]);
  });

  describe("are not missed where the file cannot be read that may have them", () => {
    const merged = "- a\n<<<<<<< HEAD\n";
    const retired = [{ code: "A", retiredIn: "2026.10.1", replacedBy: "B" }];
    const history = ["2026.09.1", "2026.10.1"].map(entry);
    const change = { ...history[1], previous: "2026.09.1", resolutions: [], concepts: [] };
    const changes = { "registry/changes/2026.10.1.json": JSON.stringify(change) };
    const B = "registry/concepts/test/B.yaml";

    it.each<[string, Partial<RegistryFiles>, string]>([
      ["code-map-dangling", { files: { "registry/code-map.ndjson": '{"sourceId":"urn:a","code":"A"}\n' } }, "registry/retired.yaml"],
      ["relation-dangling", { concepts: [{ ...good, broader: ["B"] }] }, B],
      ["replaced-by-dangling", { retired }, B],
      ["retired-gone", remembering({ code: "A", state: "retired" }), "registry/retired.yaml"],
      ["concept-gone", remembering({ code: "A", state: "withdrawn" }), B],
      ["changes-unrecorded", { files: changes }, "registry/history.yaml"],
    ])("%s", (rule, { files, ...rest }, unread) => {
      const registry = { concepts: [good], ...rest };
      const rules = (more = {}): string[] => found({ ...registry, files: { ...files, ...more } });
      expect(rules()).toEqual([expect.stringContaining(`${rule} `)]);
      expect(rules({ [unread]: merged })).toEqual([`yaml-syntax ${unread.replace("registry/", "")}#`]);
    }); // prettier-ignore
  });

  it("breaks replaced-by-cycle, code-syntax, or code-retired also where only the case differs", () => {
    expect(
      found({ concepts: [good], retired: [retirement("A", "B"), retirement("B", "A"), retirement("C", "A")] }),
    ).toEqual(["replaced-by-cycle retired.yaml#/0/replacedBy", "replaced-by-cycle retired.yaml#/1/replacedBy"]);
    expect(found({ concepts: [good], retired: [retirement("good", null)] })).toEqual([
      `code-retired ${at("GOOD", "/code")}`,
      "code-syntax retired.yaml#/0/code",
    ]);
  });

  it("are told together with faults of records: every fault, not the first", () => {
    const files = { concepts: [{ ...good, definition: "" }], history: [entry("2026.10.2"), entry("2026.10.1")] };
    expect(found(files)).toEqual([
      `definition-missing ${at("GOOD", "/definition")}`,
      "history-not-ascending history.yaml#/1/registryVersion",
    ]);
    const { findings } = checkFiles({ ...files, files: { "registry/registry.yaml": "{" } });
    expect(findings.map(({ rule }) => rule)).toEqual(["definition-missing", "history-not-ascending", "yaml-syntax"]);
  });

  it("O-16: never changes content under its version: content that differs belongs to the next one", () => {
    const recorded = checkFiles({ concepts: [good] }).registry?.contentSha256 ?? "";
    const history = [
      { registryVersion: "2026.9.1".replace(".9.", ".09."), contentSha256: "0".repeat(64) },
      { registryVersion: "2026.11.1", contentSha256: recorded },
    ];
    expect(found({ concepts: [good], history })).toEqual([]);
    for (const changed of [
      { ...good, name: "New" },
      { ...good, expressions: [expression("en", "good"), expression("en", "more")] },
      { ...good, renderings: [{ type: "text", descriptor: "x", unicodeSequence: null, confidence: 1 }] },
    ]) {
      expect(versionOf({ concepts: [changed], history })).toBe("2026.11.2");
      expect(versionOf({ concepts: [changed], history, registry: { registryVersion: "2026.12.5" } })).toBe("2026.12.5");
    }
    expect(versionOf({ concepts: [good], history })).toBe("2026.11.1");
    // That of an earlier release: what comes next comes after the last one.
    expect(versionOf({ concepts: [good], history, registry: { registryVersion: "2026.09.1" } })).toBe("2026.11.2");
    // What is not published is not content.
    const draft = { ...good, expressions: [...good.expressions, expression("en", "draft", { reviewStatus: "draft" })] };
    expect(versionOf({ concepts: [draft], history })).toBe("2026.11.1");
  });

  it("notices a day before that of the last release that has one, which stops nothing", () => {
    const days = [undefined, "2026-06-02", undefined, "2026-06-01", "2026-06-01", "2026-06-03"];
    const history = days.map((day, i) => ({ ...entry(`2026.06.${i + 1}`), ...(day === undefined ? {} : { releasedOn: day }) })); // prettier-ignore
    expect(found({ concepts: [good], history })).toEqual(["history-day-earlier history.yaml#/3/releasedOn"]);
    expect(checkFiles({ concepts: [good], history }).registry).toBeDefined();
  });

  it("O-16: breaks version-too-low or history-not-ascending", () => {
    expect(found({ concepts: [good], history: [entry("2026.11.2")] })).toEqual([
      "version-too-low registry.yaml#/registryVersion",
    ]);
    expect(found({ concepts: [good], history: [entry("2026.10.10"), entry("2026.10.9")] })).toEqual([
      "history-not-ascending history.yaml#/1/registryVersion",
    ]);
    expect(found({ concepts: [good], history: [entry("2026.10.9"), entry("2026.10.10")] })).toEqual([]);
    expect(found({ concepts: [good], history: [entry("2026.10.9"), entry("2026.10.9")] })).toEqual([
      "changes-unrecorded changes/2026.10.9.json#/previous",
      "history-not-ascending history.yaml#/1/registryVersion",
    ]);
  });
});

describe("lines that are not in order of code", () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ["in order", ["A", "B", "C"], []],
    ["one", ["A", "C", "B"], ['3 "B" comes after "C"']],
    ["several", ["B", "A", "D", "C", "C-1", "B-1"], ['2 "A" comes after "B", and 2 more lines after a later code']],
  ])("are one notice for a file: %s", (_what, codes, expected) => {
    const records = codes.map((code) => concept(code, [expression("en", code.toLowerCase())]));
    const files = {
      ...registryFiles({ concepts: [] }),
      "registry/concepts/test.ndjson": records.map((record) => `${JSON.stringify(record)}\n`).join(""),
    };
    const { registry, findings } = checkRegistry(readRegistry(memoryEffects(files), "registry", () => undefined));
    expect(registry?.concepts.length).toBe(codes.length);
    expect(findings.map(({ line, text }) => `${line} ${text}`)).toEqual(expected);
  });
});

describe("code-map.ndjson", () => {
  const provenance = { source: "test", license: "CC0-1.0", sourceId: "urn:a", reviewedBy: null, reviewedAt: null };
  const withMap = (...lines: readonly (readonly [sourceId: string, code: string])[]): RegistryFiles => ({
    concepts: [{ ...good, provenance }, concept("OTHER", [expression("en", "other")])],
    files: {
      "registry/code-map.ndjson": lines.map(([sourceId, code]) => `${JSON.stringify({ sourceId, code })}\n`).join(""),
    },
  });

  it.each<[why: string, lines: [string, string][], rules: string[]]>([
    ["agrees with the concepts", [["urn:a", "GOOD"], ["urn:b", "OTHER"]], []],
    ["gives a code to two sources", [["urn:a", "GOOD"], ["urn:b", "GOOD"]], ["code-map-duplicate"]],
    ["gives a source two codes", [["urn:b", "GOOD"], ["urn:b", "OTHER"]], ["code-map-duplicate"]],
    ["has a code of no concept", [["urn:b", "NONE"]], ["code-map-dangling"]],
    ["gives a concept's source another code", [["urn:a", "OTHER"]], ["code-map-disagrees"]],
  ])("%s", (_why, lines, rules) => {
    expect(checkFiles(withMap(...lines)).findings.map(({ rule }) => rule)).toEqual(rules);
  }); // prettier-ignore
});

describe("what is published", () => {
  it("has the provenance of its concept where an expression has none of its own, and null where it says null", () => {
    const provenance = { source: "test", license: "CC0-1.0", sourceId: null, reviewedBy: null, reviewedAt: null };
    const expressions = [expression("en", "good"), expression("de", "gut", { provenance: null })];
    const { registry } = checkFiles({ concepts: [{ ...good, expressions, provenance }] });
    expect(registry?.concepts.first(1)[0]?.expressions.map((one) => one.provenance)).toEqual([provenance, null]);
  });
});
