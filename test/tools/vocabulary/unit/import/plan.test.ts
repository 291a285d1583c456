import { describe, expect, it } from "vitest";
import type { Source, SourceConcept } from "../../../../../generator/tools/vocabulary/formats/source.ts";
import type { Plan } from "../../../../../generator/tools/vocabulary/import/plan.ts";
import type { ImportSettings } from "../../../../../generator/tools/vocabulary/import/settings.ts";
import { EMPTY, label, planImport, REVIEWED, SETTINGS, source, thing } from "../../../../support/import.ts";
import { type CodeLine, type Memory, publishedLine } from "../../../../../generator/registry/memory.ts";
import { checkRegistry } from "../../../../../generator/registry/check.ts";
import type { RegistrySource } from "../../../../../generator/registry/read.ts";
import type { ConceptRecord } from "../../../../../generator/registry/record.ts";

/** Imports as the command does, up to the writing, into what the checks admit. */
function imported(from: Source, settings = SETTINGS, before = EMPTY): Plan {
  const plan = planImport(from, before, settings);
  expect(plan.verdict.findings.filter(({ severity }) => severity === "error")).toEqual([]);
  return plan;
}

function rules({ findings }: Plan): string[] {
  return findings.map(({ rule, outcome }) => `${rule} ${outcome}`);
}

function recordOf({ after }: Plan, id: string): ConceptRecord {
  const found = after.concepts.find(({ record }) => record.provenance?.sourceId === `http://example.org/${id}`);
  if (found === undefined) throw new Error(`No ${id}`);
  return found.record;
}

function codeOf({ after }: Plan, id: string): string | undefined {
  return after.codeMap.find(({ sourceId }) => sourceId === `http://example.org/${id}`)?.code;
}

/** What the person releases: the version is recorded with what it holds. */
function released({ after }: Plan): RegistrySource {
  const { registry } = checkRegistry(after);
  if (registry === undefined) throw new Error("Cannot be released");
  const { registryVersion, contentSha256 } = registry;
  const release = { registryVersion, contentSha256, memorySha256: "0".repeat(64) };
  const codes: CodeLine[] = [
    ...Array.from(registry.concepts, publishedLine),
    ...after.retired.map(({ code }) => ({ code, state: "retired" as const })),
  ];
  return { ...after, history: [release], memory: { release, codes, earlier: [] } };
}

/** A release that retired these codes. */
function remembering(...codes: readonly string[]): Memory {
  const release = { registryVersion: "2026.10.1", contentSha256: "0".repeat(64) };
  return { release, codes: codes.map((code) => ({ code, state: "retired" })), earlier: [] };
}

describe("what is imported", () => {
  it("waits for review unless the person vouches for it", () => {
    const from = source(thing("a", [label("en", "apple")]));
    expect(recordOf(imported(from), "a").expressions[0]?.reviewStatus).toBe("in_review");
    expect(recordOf(imported(from, REVIEWED), "a").expressions[0]?.reviewStatus).toBe("reviewed");
  });

  it("is reviewed only where the file does not say otherwise, and never on the file's word alone", () => {
    const statuses = ["reviewed", "in_review", "draft", "rejected", "retired"] as const;
    const labels = statuses.map((reviewStatus) => label("en", reviewStatus, { reviewStatus, type: "alternate" }));
    const from = source(thing("a", labels));
    const of = (plan: Plan): (string | undefined)[] =>
      recordOf(plan, "a").expressions.map(({ reviewStatus }) => reviewStatus);
    expect(of(imported(from))).toEqual(["in_review", "in_review", "draft", "rejected", "retired"]);
    expect(of(imported(from, REVIEWED))).toEqual(statuses);
  });

  it("has its tag parted into language and locale, and the registry admits no more than is used", () => {
    const plan = imported(
      source(thing("a", [label("en-US", "color"), label("zh-Hant-TW", "顏色"), label("de", "Farbe")])),
    );
    expect(recordOf(plan, "a").expressions.map(({ language, locale }) => [language, locale])).toEqual([
      ["en", "en-US"],
      ["zh-Hant", "zh-Hant-TW"],
      ["de", undefined],
    ]);
    expect(plan.after.registry.languages).toEqual(["de", "en-US", "zh-Hant-TW"]);
    const more = source(thing("b", [label("en-US", "gray"), label("de-AT", "grau"), label("en-GB", "grey")]));
    expect(imported(more, SETTINGS, plan.after).after.registry.languages).toEqual([
      "de",
      "en-GB",
      "en-US",
      "zh-Hant-TW",
    ]);
    const bare = source(thing("c", [label("en-GB", "colour"), label("en", "hue")]));
    expect(imported(bare).after.registry.languages).toEqual(["en"]);
  });

  it("has a name that nothing is matched with, where its source calls it something and labels it not", () => {
    const retired = { replacedBy: [] };
    const plan = imported(
      source(thing("a", [], { name: "Apple" }), thing("b", [], { name: "Pear", retired })),
      REVIEWED,
    );
    expect(plan.findings.map(({ text }) => text)).toEqual([
      'The concept has no label, so nothing can resolve to it; "Apple" is only its name',
    ]);
    expect(recordOf(plan, "a")).toMatchObject({ name: "Apple", expressions: [] });
    expect(plan.after.retired).toMatchObject([{ name: "Pear" }]);
  });

  it("is named in English where it can be, and defined by what there is", () => {
    const notes = [{ tag: "en", text: "A note." }];
    const plan = imported(
      source(
        thing("a", [label("de", "Apfel"), label("en", "apple")]),
        thing("b", [label("de", "Birne")], { definitions: [], scopeNotes: notes }),
        thing("c", [label("de", "Kirsche")], { definitions: [] }),
        thing("d", [label("fr", "poire")], {
          definitions: [
            { tag: "fr", text: "Un fruit." },
            { tag: "en", text: "A fruit." },
          ],
        }),
      ),
    );
    expect(["a", "b", "c", "d"].map((id) => [recordOf(plan, id).name, recordOf(plan, id).definition])).toEqual([
      ["apple", "What a is."],
      ["Birne", "A note."],
      ["Kirsche", "Kirsche"],
      ["poire", "A fruit."],
    ]);
    expect(rules(plan)).toEqual(["definition-missing changed", "definition-missing changed"]);
    const strict = planImport(source(thing("c", [label("de", "Kirsche")], { definitions: [] })), EMPTY, {
      ...SETTINGS,
      missingDefinition: "error",
    });
    expect(rules(strict)).toEqual(["definition-missing refused"]);
  });

  it("keeps a hidden label whose tag is not well-formed, and reports it", () => {
    const hiddenLabels = ["zh_CN", "en us", "", "iw"].map((tag) => ({ tag, text: "aple" }));
    const plan = imported(source(thing("a", [label("en", "apple")], { hiddenLabels })), REVIEWED);
    const found = plan.findings.filter(({ rule }) => rule.startsWith("language-"));
    // Before, nothing reported these, and the export of the source stopped at the first.
    expect(found.map(({ rule, outcome, language }) => `${rule} ${outcome} ${language}`)).toEqual([
      "language-not-well-formed kept zh_CN",
      "language-not-well-formed kept en us",
    ]);
    expect(recordOf(plan, "a").hiddenLabels?.map(({ language }) => language)).toEqual(["zh_CN", "en us", "und", "iw"]);
  });

  it("keeps hidden labels as evidence and matches as provenance, and publishes neither as an expression", () => {
    const plan = imported(
      source(
        thing("a", [label("en", "apple")], {
          hiddenLabels: [{ tag: "en", text: "aple" }],
          exactMatch: ["http://other.example/2", "http://other.example/1"],
        }),
      ),
      REVIEWED,
    );
    const record = recordOf(plan, "a");
    expect(record.hiddenLabels).toEqual([{ language: "en", label: "aple" }]);
    expect(record.provenance?.exactMatch).toEqual(["http://other.example/2", "http://other.example/1"]);
    const [concept] = checkRegistry(plan.after).registry?.concepts ?? [];
    expect(JSON.stringify(concept)).not.toContain("aple");
    expect(concept?.provenance?.exactMatch).toHaveLength(2);
    expect(concept?.expressions[0]?.provenance).not.toHaveProperty("exactMatch");
  });
});

describe("a fault", () => {
  const odd = source(
    thing("a", [
      label("en", " apple  pie"),
      label("de", "A\u0308pfel"),
      label("en_us", "apple"),
      label("xx", "pomo"),
      label("", "mela"),
      label("fr", "x".repeat(1001)),
    ]),
  );

  it("is reported and not repaired unless asked for, and its expressions stay in review", () => {
    const plan = imported(odd, REVIEWED);
    expect(rules(plan).sort()).toEqual([
      "expression-not-nfc held",
      "expression-spaces held",
      "expression-too-long held",
      "label-without-language held",
      "language-not-registered held",
      "language-not-well-formed held",
    ]);
    const { expressions } = recordOf(plan, "a");
    expect(expressions.map(({ expression }) => expression)).toEqual(
      odd.concepts[0]?.expressions.map(({ text }) => text),
    );
    expect(expressions.every(({ reviewStatus }) => reviewStatus === "in_review")).toBe(true);
  });

  it("is repaired where that was asked for, and each repair is listed", () => {
    const plan = imported(odd, { ...REVIEWED, repairs: new Set(["nfc", "spaces", "tags"]), untagged: "it" });
    expect(rules(plan).sort()).toEqual([
      "expression-not-nfc repaired",
      "expression-spaces repaired",
      "expression-too-long held",
      "language-not-registered held",
      "language-not-well-formed repaired",
    ]);
    const { expressions } = recordOf(plan, "a");
    expect(expressions.slice(0, 3)).toMatchObject([
      { expression: "apple pie", reviewStatus: "reviewed" },
      { expression: "Äpfel", reviewStatus: "reviewed" },
      { expression: "apple", language: "en", locale: "en-US", reviewStatus: "reviewed" },
    ]);
    expect(expressions.find(({ language }) => language === "it")).toMatchObject({ reviewStatus: "reviewed" });
  });

  it("is no part of a name or reason that is made of a label or note", () => {
    const retired = { replacedBy: [], reason: "gone\uFFFE" };
    const plan = imported(
      source(
        thing("a", [label("en", "\u{10FFFF} apple\u202E")], { definitions: [] }),
        thing("b", [label("en", "\uFFFE")], { definitions: [] }),
        thing("c", [label("en", "pear\uFDD0")], { retired }),
      ),
    );
    expect(recordOf(plan, "a")).toMatchObject({ name: "apple", definition: "apple" });
    expect(recordOf(plan, "b").name).toBe(codeOf(plan, "b"));
    expect(plan.after.retired).toMatchObject([{ name: "pear", reason: "gone" }]);
  });

  it("says of as many that --fix repairs them as the next import repairs", () => {
    const texts = (...all: string[]) => all.map((text, i) => ({ tag: ["en", "de", "fr"][i] ?? "", text }));
    const from = source(
      thing("a", [label("en", "a\u00A0a")], { definitions: texts("One.\r\nTwo.", "Eins.\r\nZwei.", "Un.\r") }),
      // Each has one thing that nothing repairs; the last is empty when it is repaired.
      thing("b", [label("en", "b")], { definitions: texts("\u202EO\u0308.\r", "\r\n"), scopeNotes: texts("N.\r", "O.\r") }), // prettier-ignore
      thing("c", [label("en", "c")], { definitions: texts("O\u0308ne.\r\nTwo.", "Eins.") }),
    );
    const repairable = imported(from).findings.filter(({ repairedBy }) => repairedBy !== undefined);
    const repaired = imported(from, { ...SETTINGS, repairs: new Set(["spaces", "nfc"]) }).findings;
    const rulesOf = (all: Plan["findings"]) => all.map(({ rule, concept }) => `${concept} ${rule}`);
    expect(rulesOf(repairable)).toEqual(rulesOf(repaired.filter(({ outcome }) => outcome === "repaired")));
    expect(repairable).toHaveLength(5);
  });

  it("that is a line break inside a label is not repaired_: it may stand for a space, or for none", () => {
    const breaks = source(thing("a", [label("lv", "piem\naisījumi"), label("lt", "žodis\r\n"), label("et", "a\tb")]));
    const plan = imported(breaks, { ...REVIEWED, repairs: new Set(["spaces"]) });
    const { expressions } = recordOf(plan, "a");
    expect(expressions.map(({ expression, reviewStatus }) => [expression, reviewStatus])).toEqual([
      ["piem\naisījumi", "in_review"],
      ["žodis", "reviewed"],
      ["a b", "reviewed"],
    ]);
  });

  it("that is a repetition leaves the better label; a second preferred label becomes an alternate", () => {
    const plan = imported(
      source(
        thing("a", [
          label("en", "apple", { type: "alternate" }),
          label("en", "apple"),
          label("en", "fruit"),
          label("de", "A\u0308pfel"),
          label("de", "Äpfel", { type: "alternate" }),
        ]),
      ),
    );
    expect(recordOf(plan, "a").expressions.map(({ expression, type }) => [expression, type])).toEqual([
      ["apple", "preferred"],
      ["fruit", "alternate"],
      ["Äpfel", "alternate"],
    ]);
    expect(rules(plan).sort()).toEqual([
      "expression-duplicate left out",
      "expression-duplicate left out",
      "expression-not-nfc held",
      "preferred-not-unique changed",
    ]);
  });

  it("that is an ambiguity with a concept of another domain is listed", () => {
    const first = imported(source(thing("a", [label("en", "apple")])), REVIEWED);
    const other = source(thing("b", [label("en", "apple")]));
    expect(rules(imported(other, { ...REVIEWED, domain: "other" }, first.after))).toEqual(["ambiguous-within-language kept"]); // prettier-ignore
    const unlike = source(thing("c", [label("en", "plum")]));
    const before = imported(other, { ...REVIEWED, domain: "other" }, first.after).after;
    expect(rules(imported(unlike, { ...REVIEWED, domain: "third" }, before))).toEqual([]);
  });

  it("that is an ambiguity is listed within a language or across languages", () => {
    const plan = imported(
      source(
        thing("a", [label("de", "Brand"), label("en", "fire")]),
        thing("b", [label("en", "Brand")]),
        thing("c", [label("en", "fire")]),
        // What one concept alone has, in two languages, is none.
        thing("d", [label("de", "Bus"), label("en", "Bus")]),
      ),
    );
    expect(rules(plan)).toEqual(["ambiguous-across-languages kept", "ambiguous-within-language kept"]);
  });
});

describe("codes", () => {
  const two = source(thing("a", [label("en", "apple")]), thing("b", [label("en", "pear")]));

  it("are made of the identifier alone, whatever the order", () => {
    const [first, second] = [imported(two), imported({ ...two, concepts: two.concepts.toReversed() })];
    expect(first.after).toEqual(second.after);
    expect(codeOf(first, "a")).toMatch(/^C-[2-9B-Z]{8}$/);
  });

  it("come from a notation or an IRI where that was asked for; one that is taken or unfit is listed", () => {
    const from = source(
      thing("a", [label("en", "a")], { notations: ["1.2 (x)"] }),
      thing("b", [label("en", "b")], { notations: ["1.2-x"] }),
      thing("c", [label("en", "c")]),
      thing("d-é", [label("en", "d")], { notations: ["é"] }),
    );
    const notation = imported(from, { ...SETTINGS, codeFrom: "notation" });
    expect(codeOf(notation, "a")).toBe("C-1.2-X");
    expect(codeOf(notation, "b")).toMatch(/^C-[2-9B-Z]{8}$/);
    expect(rules(notation)).toEqual(["code-taken changed", "code-missing changed", "code-missing changed"]);
    const uri = imported(from, { ...SETTINGS, codeFrom: "uri" });
    expect(["a", "d-é"].map((id) => codeOf(uri, id))).toEqual(["A", "D"]);
  });

  it("stay when a newer dump comes, which adds, retires and re-labels", () => {
    const first = imported(source(...two.concepts, thing("c", [label("en", "plum")])), REVIEWED);
    const dump = source(
      thing("a", [label("en", "Apple"), label("en", "apple", { type: "alternate" })]),
      thing("b", [label("en", "pear")], {
        retired: { replacedBy: ["http://example.org/d"], reason: "Merged" },
      }),
      thing("d", [label("en", "quince")]),
    );
    const second = imported(dump, REVIEWED, released(first));
    expect(second.after.registry.registryVersion).toBe("2026.11.2");
    expect(codeOf(second, "a")).toBe(codeOf(first, "a"));
    expect(second.counts).toEqual({ added: 1, changed: 1, unchanged: 0, retired: 2, gone: 1, found: 2 });
    const [b, c] = ["b", "c"].map((id) => second.after.retired.find(({ code }) => code === codeOf(first, id)));
    expect(b).toMatchObject({
      retiredIn: "2026.11.2",
      replacedBy: codeOf(second, "d"),
      name: "pear",
      reason: "Merged",
    });
    expect(c).toMatchObject({ retiredIn: "2026.11.2", replacedBy: null, sourceId: "http://example.org/c" });
    expect(rules(second)).toEqual(["concept-gone changed"]);
    // And again: nothing more happens.
    const third = imported(dump, REVIEWED, second.after);
    expect(third.after).toEqual(second.after);
  });

  it.each([undefined, { source: "x", license: "y", sourceId: null, reviewedBy: null, reviewedAt: null }])(
    "that a concept cannot have become its sourceId, so that the next import finds it again: %j",
    (provenance) => {
      const named = (code: string, text: string) =>
        thing("", [label("en", text)], { sourceId: null, code, provenance });
      const file = source(named("abc-1", "dog"), named("GONE", "cat"), named("OTHERS", "cow"), named("FREE", "hen"));
      const others = thing("o", [label("en", "owl")], { code: "OTHERS", domain: "others" });
      const had = imported(source(others), REVIEWED).after;
      const before = { ...had, retired: [{ code: "GONE", retiredIn: "2026.10.1", replacedBy: null }], memory: remembering("GONE") }; // prettier-ignore
      const first = planImport(file, before, SETTINGS);
      expect(rules(first)).toEqual(["code-taken changed", "code-taken changed", "code-syntax changed"]);
      expect(first.findings[2]?.text).toMatch(
        /^"abc-1" is not .*; the concept got C-\w+ and keeps "abc-1" as its sourceId$/,
      );
      expect(first.after.concepts.map(({ record }) => record.provenance?.sourceId ?? "").sort()).toEqual(["", "GONE", "OTHERS", "abc-1", "http://example.org/o"]); // prettier-ignore
      const second = planImport(file, first.after, SETTINGS);
      expect([second.counts.unchanged, second.findings, second.after.codeMap]).toEqual([4, [], first.after.codeMap]);
    },
  );

  it("that a file names alone, without sourceIds, are those of our concepts, unless in another domain", () => {
    const first = imported(source(thing("a", [label("en", "apple")]), thing("b", [label("en", "pear")])), REVIEWED);
    const [a, b] = [codeOf(first, "a"), codeOf(first, "b")];
    const row = (code: string | undefined, text: string) =>
      thing(code === a ? "a" : "b", [label("en", text)], { sourceId: null, code });
    const file = source(row(a, "apple"), row(b, "pear"));
    for (const domain of [undefined, "things"]) {
      const second = imported(file, { ...REVIEWED, domain }, first.after);
      expect([second.counts.retired, rules(second), second.after.codeMap]).toEqual([0, [], first.after.codeMap]);
      expect(second.after.concepts.map(({ record }) => [record.code, record.provenance?.sourceId])).toEqual(first.after.concepts.map(({ record }) => [record.code, record.provenance?.sourceId])); // prettier-ignore
    }
    const elsewhere = imported(file, { ...REVIEWED, domain: "others" }, first.after);
    expect([elsewhere.counts.added, elsewhere.counts.retired]).toEqual([2, 0]);
    const gone = source(row(a, "apple"), { ...row(b, "pear"), retired: { replacedBy: [] } });
    expect(imported(gone, REVIEWED, first.after).after.retired).toMatchObject([{ code: b, sourceId: "http://example.org/b" }]); // prettier-ignore
  });

  it("of a sourceId that several concepts have are to be named", () => {
    const book = (code: string, text: string) => thing("book", [label("en", text)], { code });
    const before = imported(source(book("A", "apple"), book("B", "pear")), REVIEWED).after;
    const { findings } = planImport(source(thing("book", [label("en", "apple")])), before, REVIEWED);
    expect(findings[0]).toMatchObject({ rule: "source-id-shared", outcome: "refused" });
    expect(findings[0]?.text).toBe('"http://example.org/book" is the sourceId of A and B in the registry');
    expect(rules(imported(source(book("B", "pear"), book("A", "apple")), REVIEWED, before))).toEqual([]);
  });

  it("that share a sourceId since a concept came back are mapped as before: an active one, else the last that was retired", () => {
    const gone = (id: string, code: string, retiredIn: string) => thing(id, [], { code, retired: { replacedBy: [], retiredIn } }); // prettier-ignore
    const back = thing("a", [label("en", "apple")], { code: "NEW" });
    const others = [gone("a", "OLD", "2026.01.1"), gone("b", "B-2", "2026.01.10"), gone("b", "B-1", "2026.01.9")];
    const first = imported(source(...others, back), REVIEWED);
    expect([codeOf(first, "a"), codeOf(first, "b")]).toEqual(["NEW", "B-2"]);
    const second = imported(source(back, ...others), REVIEWED, first.after);
    expect([second.counts.unchanged, second.after.retired]).toEqual([1, first.after.retired]);
  });

  it("stay where their concepts got other sourceIds here and the source follows", () => {
    const first = imported(two, REVIEWED);
    const concepts = first.after.concepts.map((concept) => {
      const { provenance } = concept.record;
      const sourceId = provenance?.sourceId?.replace("http:", "https:") ?? null;
      return { ...concept, record: { ...concept.record, provenance: provenance && { ...provenance, sourceId } } };
    });
    const renamed = two.concepts.map((one) => ({ ...one, sourceId: one.sourceId?.replace("http:", "https:") ?? null }));
    const second = imported(source(...renamed), REVIEWED, { ...first.after, concepts });
    expect([second.counts.unchanged, second.after.codeMap]).toEqual([2, first.after.codeMap]);
  });

  it("that were retired in a release never come back; before that they do", () => {
    const first = imported(two, REVIEWED);
    const only = source(two.concepts[0] ?? thing("a", []));
    const without = imported(only, REVIEWED, released(first));
    const back = imported(two, REVIEWED, without.after);
    expect(codeOf(back, "b")).toBe(codeOf(first, "b"));
    expect(back.after.retired).toEqual([]);
    const later = imported(two, REVIEWED, released(without));
    expect(codeOf(later, "b")).not.toBe(codeOf(first, "b"));
    expect(later.after.retired.map(({ code }) => code)).toEqual([codeOf(first, "b")]);
    expect(rules(later)).toEqual(["code-retired changed"]);
    expect(codeOf(imported(two, REVIEWED, later.after), "b")).toBe(codeOf(later, "b"));
  });

  it("of replacements in a circle, to nowhere or to several are not followed", () => {
    const gone = (id: string, ...replacedBy: string[]): SourceConcept =>
      thing(id, [], { retired: { replacedBy: replacedBy.map((to) => `http://example.org/${to}`) } });
    const plan = imported(
      source(
        thing("a", [label("en", "a")]),
        gone("x", "y"),
        gone("y", "x"),
        gone("z", "nowhere"),
        gone("w", "a", "x"),
        gone("v", "a"),
      ),
    );
    expect(rules(plan).sort()).toEqual([
      "replaced-by-cycle changed",
      "replaced-by-cycle changed",
      "replaced-by-dangling left out",
      "replaced-by-several changed",
    ]);
    const successors = plan.after.retired.map(({ sourceId, replacedBy }) => [sourceId?.slice(-1), replacedBy]);
    expect(new Map(successors as [string, string | null][])).toEqual(
      new Map([
        ["v", codeOf(plan, "a")],
        ["w", null],
        ["x", null],
        ["y", null],
        ["z", null],
      ]),
    );
  });
});

it("a concept that is replaced by one of another domain names it", () => {
  const first = imported(source(thing("a", [label("en", "apple")])), { ...REVIEWED, domain: "one" });
  const old = thing("b", [], { retired: { replacedBy: ["http://example.org/a"] } });
  const second = imported(source(old), { ...REVIEWED, domain: "two" }, first.after);
  expect(second.after.retired.map(({ replacedBy }) => replacedBy)).toEqual([codeOf(first, "a")]);
  expect(rules(second)).toEqual([]);
});

describe("what people decided", () => {
  it("stays: reviewed and rejected labels, by whom, and what the source has no more is history", () => {
    const first = imported(
      source(thing("a", [label("en", "apple"), label("en", "aple", { type: "alternate" }), label("de", "Apfel")])),
    );
    const decided = first.after.concepts.map((concept) => ({
      ...concept,
      record: {
        ...concept.record,
        expressions: concept.record.expressions.map((expression, i) => ({
          ...expression,
          reviewStatus: i === 1 ? ("rejected" as const) : ("reviewed" as const),
        })),
      },
    }));
    const dump = source(
      thing("a", [label("en", "apple"), label("en", "aple", { type: "alternate" }), label("de", "Äpfel")]),
    );
    const second = imported(dump, SETTINGS, { ...first.after, concepts: decided });
    expect(recordOf(second, "a").expressions.map(({ expression, reviewStatus }) => [expression, reviewStatus])).toEqual(
      [
        ["apple", "reviewed"],
        ["aple", "rejected"],
        ["Äpfel", "in_review"],
        ["Apfel", "retired"],
      ],
    );
    const third = imported(dump, SETTINGS, second.after);
    expect(third.after).toEqual(second.after);
    expect(third.counts).toMatchObject({ added: 0, changed: 0, unchanged: 1, retired: 0 });
  });

  it("stays: the strength of an expression, unless somebody vouches for another", () => {
    const first = imported(source(thing("a", [label("en", "apple")])), REVIEWED);
    const weak = source(thing("a", [label("en", "apple", { equivalenceStrength: 0.5 })]));
    const second = imported(weak, SETTINGS, first.after);
    expect([rules(second), second.after]).toEqual([["strength-disagrees left out"], first.after]);
    const third = imported(weak, REVIEWED, first.after);
    expect([rules(third), recordOf(third, "a").expressions[0]?.equivalenceStrength]).toEqual([[], 0.5]);
  });

  it("stays: name, definition, renderings and hidden labels that no source says, and what is removed is reported", () => {
    const plain = { definitions: [], hiddenLabels: [{ tag: "en", text: "aple" }] };
    const dump = source(thing("a", [label("en", "apple")], plain), thing("b", [label("en", "pear")], plain));
    const first = imported(dump, REVIEWED);
    const [a, b] = first.after.concepts;
    if (a === undefined || b === undefined) throw new Error("Two were imported");
    const own = {
      name: "The fruit",
      definition: "Ours.",
      renderings: [{ type: "emoji" as const, descriptor: "apple", unicodeSequence: "🍎", confidence: 1 }],
      hiddenLabels: [{ language: "en", label: "aple" }, { language: "de", label: "Apfl" }], // prettier-ignore
      notations: [{ notation: "A1" }],
    };
    const before = { ...first.after, concepts: [{ ...a, record: { ...a.record, ...own } }, b] };
    const again = imported(dump, REVIEWED, before);
    expect([again.after, rules(again)]).toEqual([before, ["definition-missing changed"]]);
    // A name that an import made follows the labels.
    const renamed = source(thing("a", [label("en", "Apple")], plain), thing("b", [label("en", "Pear")], plain));
    const third = imported(renamed, REVIEWED, before);
    expect(third.after.concepts.map(({ record }) => record.name).sort()).toEqual(["Pear", "The fruit"]);
    expect(rules(third)).toEqual(["expression-gone changed", "expression-gone changed", "definition-missing changed"]);
    // A source that has a place for hidden labels and notations says all of them.
    const relations = { broader: [], narrower: [], related: [] };
    const vocabulary = { kind: "statements" as const, notations: [], notes: {}, relations, lines: [] };
    const graph = source(...dump.concepts.map((concept) => ({ ...concept, vocabulary })));
    expect(rules(imported(graph, REVIEWED, before)).filter((rule) => rule.includes("gone")).sort()).toEqual(["hidden-label-gone changed", "notation-gone changed"]); // prettier-ignore
    const english = imported(graph, { ...REVIEWED, languages: ["en"] }, before);
    expect(recordOf(english, "a").hiddenLabels).toEqual(own.hiddenLabels);
  });

  it("in languages that an import does not speak of stays as it is", () => {
    const first = imported(source(thing("a", [label("en", "apple"), label("de", "Apfel")])), REVIEWED);
    const { findings } = imported(source(thing("a", [label("en", "apple")])), REVIEWED, first.after);
    expect(findings).toMatchObject([{ rule: "expression-gone", remedy: expect.stringContaining("name these by --languages") as unknown }]); // prettier-ignore
    const english = imported(
      source(thing("a", [label("en", "Apple")])),
      { ...REVIEWED, languages: ["en"] },
      first.after,
    );
    expect(
      recordOf(english, "a").expressions.map(({ expression, reviewStatus }) => [expression, reviewStatus]),
    ).toEqual([
      ["Apple", "reviewed"],
      ["apple", "retired"],
      ["Apfel", "reviewed"],
    ]);
  });

  it("in languages that an import does not speak of is still the definition, the name of what is retired, and in its place", () => {
    const labels = [label("de", "Apfel"), label("en", "apple")];
    const relations = { broader: [], narrower: [], related: [] };
    const read = (...tags: string[]): Source => {
      const taken = <T extends { readonly tag: string }>(texts: readonly T[]): T[] =>
        texts.filter(({ tag }) => tags.includes(tag));
      const definition = taken([
        { tag: "de", text: "Eine Frucht." },
        { tag: "en", text: "A fruit." },
      ]);
      const scopeNote = taken([{ tag: "en", text: "Of trees." }]);
      const notes = { kind: "statements" as const, notations: [], relations, lines: [] };
      return source(
        thing("a", taken(labels), {
          hiddenLabels: taken(labels),
          definitions: definition,
          vocabulary: { ...notes, notes: { definition } },
        }),
        thing("b", taken(labels), {
          definitions: [],
          scopeNotes: scopeNote,
          vocabulary: { ...notes, notes: { scopeNote } },
        }),
        thing("c", taken(labels), { retired: { replacedBy: [] } }),
      );
    };
    const all = imported(read("de", "en"));
    expect(all.after.retired).toMatchObject([{ name: "apple" }]);
    for (const tag of ["de", "en", "fr"])
      expect(imported(read(tag), { ...SETTINGS, languages: [tag] }, all.after).after).toEqual(all.after);
  });

  it("keeps its places where an import does not speak of every language and changes nothing", () => {
    const first = imported(source(thing("a", [label("de", "Apfel"), label("en", "apple")])), REVIEWED);
    const again = imported(source(thing("a", [label("en", "apple")])), { ...REVIEWED, languages: ["en"] }, first.after);
    expect(again.after).toEqual(first.after);
  });

  it("about concepts of no source, or of other domains, is not touched", () => {
    const first = imported(source(thing("a", [label("en", "apple")])), REVIEWED);
    const [concept] = first.after.concepts;
    if (concept === undefined) throw new Error("Nothing was imported");
    const own = { file: "concepts/things/C-OWN.yaml", record: { ...concept.record, code: "C-OWN", provenance: null } };
    const other = {
      file: "concepts/other.ndjson",
      line: 1,
      record: { ...concept.record, code: "C-OTHER", domain: "other" },
    };
    const before = { ...first.after, concepts: [concept, own, other], codeMap: [] };
    const second = imported(source(thing("b", [label("en", "pear")])), REVIEWED, before);
    expect(second.after.concepts.map(({ record }) => record.code)).toContain("C-OWN");
    expect(second.after.concepts).toContain(other);
    expect(second.counts).toMatchObject({ added: 1, gone: 1 });
  });

  it("in another domain is not retired because a concept of it is in the source, or was moved there", () => {
    const two = [thing("a", [label("en", "apple")]), thing("b", [label("en", "pear")])];
    const first = imported(source(...two), REVIEWED);
    const others: ImportSettings = { ...REVIEWED, domain: "others" };
    const [apple = thing("a", [])] = two;
    const second = imported(source(apple, thing("z", [label("en", "zinc")])), others, first.after);
    expect(second.counts).toMatchObject({ added: 1, unchanged: 1, gone: 0 });
    const moved = second.after.concepts.map(({ record }) =>
      record.provenance?.sourceId?.endsWith("/a") === true
        ? { file: "concepts/others.ndjson", line: 1, record: { ...record, domain: "others" } }
        : { file: `concepts/${record.domain}.ndjson`, line: 1, record },
    );
    const third = imported(source(...two), REVIEWED, { ...second.after, concepts: moved });
    expect(third.counts).toMatchObject({ unchanged: 2, gone: 0, found: 1 });
  });

  it("is retired where the source has only deprecated ones of it left, or moved to another domain", () => {
    const [a, b] = [thing("a", [label("en", "apple")]), thing("b", [label("en", "pear")])];
    const first = imported(source(a, b), REVIEWED);
    const second = imported(source({ ...a, retired: { replacedBy: [] } }), REVIEWED, first.after);
    expect(second.counts).toMatchObject({ retired: 2, gone: 1, found: 1 });
    const third = imported(source({ ...a, domain: "fruits" }), REVIEWED, first.after);
    expect(third.counts).toMatchObject({ changed: 1, gone: 1 });
  });

  it("that another vocabulary calls alike is not taken for it, unless by an IRI or without a domain", () => {
    const first = imported(source(thing("", [label("en", "apple")], { sourceId: "1" })), REVIEWED);
    const red = source(thing("", [label("en", "red")], { sourceId: "1" }));
    const of = (domain: string | undefined, from = red): Plan => planImport(from, first.after, { ...REVIEWED, domain });
    expect(rules(of("colours"))).toContain("source-id-of-another refused");
    expect(rules(of("things"))).toEqual(["expression-gone changed"]);
    expect(rules(of(undefined))).toEqual(["expression-gone changed"]);
    const named = imported(source(thing("a", [label("en", "apple")])), REVIEWED);
    expect(
      rules(planImport(source(thing("a", [label("en", "red")])), named.after, { ...REVIEWED, domain: "x" })),
    ).toEqual(["expression-gone changed"]);
  });

  it("in another domain is never changed by another source that speaks of it too: what that says is kept as statements", () => {
    const first = imported(source(thing("a", [label("en", "apple")]), thing("b", [label("en", "pear")])), REVIEWED);
    const relations = { broader: [], narrower: [], related: [] };
    const said = ['<http://www.w3.org/2004/02/skos/core#prefLabel> "red"@en'];
    const statements = { kind: "statements" as const, notations: [], notes: {}, relations, lines: said };
    const red = thing("a", [label("en", "red")], { vocabulary: statements });
    const gone = thing("b", [], { retired: { replacedBy: [] } });
    const own = thing("c", [label("en", "colour")], {
      vocabulary: { ...statements, relations: { ...relations, broader: ["http://example.org/a"] } },
    });
    const scheme = { file: "things.ttl", subject: "http://example.org/0", source: [] };
    const settings = { ...REVIEWED, domain: "colours", source: "Colours" };
    const of = (...concepts: SourceConcept[]): Plan =>
      planImport({ ...source(...concepts), vocabulary: [scheme] }, first.after, settings);
    const second = of(red, gone, own);
    expect(rules(second)).toEqual(["concept-of-another kept", "concept-of-another kept"]);
    expect(second.after.concepts).toEqual(expect.arrayContaining([...first.after.concepts]));
    expect([second.after.retired, second.counts.added, second.counts.found]).toEqual([[], 1, 0]);
    expect(recordOf(second, "c").broader).toEqual([codeOf(first, "a")]);
    expect(second.vocabulary?.map(({ subject, source: lines, domain }) => [subject, lines, domain])).toEqual([
      ["http://example.org/0", [], "colours"],
      ["http://example.org/a", said, "colours"],
    ]);
    // A file of nothing else is meant for the other domain, and a table cannot hold statements.
    expect(rules(of(red))).toEqual(["source-id-of-another refused"]);
    expect(rules(planImport(source(red, own), first.after, settings))).toEqual(["source-id-of-another refused"]);
  });

  it("of a domain that a new vocabulary only mentions stays, and so does the rest of its domain, without --domain too", () => {
    const unnamed = { ...REVIEWED, domain: undefined };
    const fruits = ["a", "b", "c"].map((id) => thing(id, [label("en", `fruit ${id}`)]));
    const first = imported(source(...fruits), { ...unnamed, fallbackName: "fruits", source: "Fruits" });
    const own = ["x", "y"].map((id) => thing(id, [label("en", `colour ${id}`)]));
    const colours = source(thing("a", [label("en", "red")]), ...own);
    const settings = { ...unnamed, fallbackName: "colours", source: "Colours" };
    const of = (before: RegistrySource, more: Partial<ImportSettings> = {}): Plan =>
      planImport({ ...colours, vocabulary: [] }, before, { ...settings, ...more });
    const second = of(first.after);
    expect([rules(second), second.domains]).toEqual([["concept-of-another kept"], ["colours"]]);
    expect(second.after.concepts).toEqual(expect.arrayContaining([...first.after.concepts]));
    // The next dump of either is known again, under a newer title and name too.
    const newer = { fallbackName: "colours-2", source: "Colours, second edition" };
    const third = of(second.after, newer);
    expect([rules(third), third.domains]).toEqual([["concept-of-another kept"], ["colours"]]);
    const more = source(
      ...fruits.slice(1),
      ...["d", "e", "f", "g"].map((id) => thing(id, [label("en", `fruit ${id}`)])),
    );
    expect(imported(more, { ...unnamed, fallbackName: "fruits-2", source: "Fruits" }, third.after)).toMatchObject({
      domains: ["fruits"],
      counts: { added: 4, unchanged: 2, gone: 1 },
    });
    // Nor does one that people moved into the domain bring others of its source along.
    const concepts = second.after.concepts.map(({ record, ...place }) => ({
      ...place,
      record: record.code === codeOf(second, "a") ? { ...record, domain: "colours" } : record,
    }));
    const mentions = { ...source(...fruits.slice(0, 2), ...own), vocabulary: [] };
    const moved = planImport(mentions, { ...second.after, concepts }, { ...settings, domain: "colours" });
    expect(rules(moved)).toEqual(["concept-of-another kept"]);
    // A part of its own source retires nothing, whatever share of it is known.
    const part = planImport(source(...fruits.slice(0, 1)), third.after, {
      ...unnamed,
      fallbackName: "p",
      source: "Fruits",
    });
    expect([rules(part), part.counts]).toEqual([[], expect.objectContaining({ unchanged: 1, gone: 0 })]);
    // Without IRIs they may be others' names, and a table has no place for statements.
    const numbered = (...ids: string[]): Source =>
      source(...ids.map((sourceId) => thing("", [label("en", `number ${sourceId}`)], { sourceId })));
    const table = imported(numbered("1", "2", "3"), { ...unnamed, fallbackName: "one" });
    expect(rules(planImport(numbered("1", "4", "5"), table.after, { ...unnamed, fallbackName: "two" }))).toEqual([
      "source-id-of-another refused",
    ]);
    // Nor are they another's because both count from one.
    const [one = thing("", [])] = numbered("1").concepts;
    const counted = (text: string, tag = "en"): string[] => {
      const from = source({ ...one, expressions: [label(tag, text)] });
      return rules(planImport(from, imported(source(one), { ...unnamed, fallbackName: "one" }).after, { ...unnamed, fallbackName: "two" })); // prettier-ignore
    };
    expect(counted("red")).toEqual(["source-id-of-another refused"]);
    for (const rulesOf of [counted("number 1"), counted("numéro 1", "fr")])
      expect(rulesOf).not.toContain("source-id-of-another refused");
  });

  it("does not get a code that was ever published", () => {
    const from = source(thing("a", [label("en", "apple")], { notations: ["C-BANK"] }));
    const settings: ImportSettings = { ...SETTINGS, codeFrom: "notation" };
    const codeAfter = (published: readonly string[]): (string | undefined)[] =>
      planImport(from, { ...EMPTY, memory: remembering(...published) }, settings).after.concepts.map(
        ({ record }) => record.code,
      );
    expect(codeAfter([])).toEqual(["C-BANK"]);
    expect(codeAfter(["C-BANK"])).not.toContain("C-BANK");
  });

  it("that was retired since the last release is not another source's", () => {
    const entry = {
      code: "C-1",
      retiredIn: "2026.11.1",
      replacedBy: null,
      sourceId: "http://example.org/x1",
      reason: "No longer in its source",
    };
    const codeAfter = (id: string): (string | undefined)[] =>
      planImport(
        source(thing(id, [label("en", "nine")], { code: "C-1" })),
        { ...EMPTY, retired: [entry] },
        SETTINGS,
      ).after.concepts.map(({ record }) => record.code);
    expect(codeAfter("x1")).toEqual(["C-1"]);
    expect(codeAfter("x9")).not.toContain("C-1");
  });
});

describe("an entry of what is retired", () => {
  const [a, b, c] = ["a", "b", "c"].map((id) => thing(id, [label("en", `label of ${id}`)])) as [
    SourceConcept,
    SourceConcept,
    SourceConcept,
  ];

  it("keeps a successor that is retired itself, however often the source is imported", () => {
    const first = released(imported(source(a, b, c), REVIEWED));
    const dump = source({ ...a, retired: { replacedBy: ["http://example.org/b"] } }, c);
    const second = imported(dump, REVIEWED, first);
    const third = imported(dump, REVIEWED, released(second));
    const { history, memory } = released(second);
    expect(third.after).toEqual({ ...second.after, history, memory });
    expect(third.after.retired.map(({ replacedBy }) => replacedBy)).toContain(codeOf(second, "b"));
  });

  it("keeps its name where the source says no more than that it is deprecated", () => {
    const first = released(imported(source(a, b), REVIEWED));
    const dump = source({ ...a, expressions: [], retired: { replacedBy: [] } }, b);
    const second = imported(dump, REVIEWED, first);
    expect(second.after.retired).toMatchObject([{ name: "label of a" }]);
    expect(imported(dump, REVIEWED, second.after).after.retired).toEqual(second.after.retired);
  });

  it("keeps what people wrote where the source says nothing of it", () => {
    const dump = source({ ...a, retired: { replacedBy: [] } }, b);
    const first = imported(dump, REVIEWED);
    const decided = { replacedBy: codeOf(first, "b") ?? null, reason: "Decided by us" };
    const before = { ...first.after, retired: first.after.retired.map((entry) => ({ ...entry, ...decided })) };
    expect(imported(dump, REVIEWED, before).after.retired).toEqual(before.retired);
    const said = source({ ...a, retired: { replacedBy: [], reason: "Merged" } }, b);
    expect(imported(said, REVIEWED, before).after.retired).toMatchObject([{ replacedBy: null, reason: "Merged" }]);
  });
});
