import { describe, expect, it } from "vitest";
import type { EditableSource } from "../../../../../generator/registry/read.ts";
import type { SourceConcept, SourceVocabulary } from "../../../../../generator/tools/vocabulary/formats/source.ts";
import type { ConceptRecord } from "../../../../../generator/registry/record.ts";
import { EMPTY, label, planImport, REVIEWED, SETTINGS, source, thing } from "../../../../support/import.ts";

const EMPTY_STATEMENTS: SourceVocabulary = {
  kind: "statements",
  notations: [],
  notes: {},
  relations: { broader: [], narrower: [], related: [] },
  lines: [],
};

const APPLE = thing("a", [label("en", "apple")]);
const PLAIN = { definitions: [] };

function first(...concepts: SourceConcept[]): EditableSource {
  return planImport(source(...concepts), EMPTY, REVIEWED).after;
}

/** The registry after people changed its first concept. */
function edited(registry: EditableSource, change: (record: ConceptRecord) => Partial<ConceptRecord>): EditableSource {
  const [one, ...others] = registry.concepts;
  if (one === undefined) throw new Error("No concept");
  return { ...registry, concepts: [{ ...one, record: { ...one.record, ...change(one.record) } }, ...others] };
}

function again(before: EditableSource, concept: SourceConcept, settings = SETTINGS) {
  const { after, findings } = planImport(source(concept), before, settings);
  const [record] = after.concepts.map((located) => located.record);
  return { after, record, told: findings.map(({ rule, outcome, text }) => `${rule} ${outcome}: ${text}`) };
}

describe("an expression that people decided", () => {
  it.each(["rejected", "retired"] as const)("is kept next to an equal one that is %s", (reviewStatus) => {
    const before = edited(first(APPLE), ({ expressions }) => ({
      expressions: [
        ...expressions,
        ...expressions.map((one) => ({ ...one, type: "alternate" as const, reviewStatus })),
      ],
    }));
    const { record, told } = again(before, APPLE);
    expect(record?.expressions.map((one) => one.reviewStatus)).toEqual(["reviewed", reviewStatus]);
    expect(told).toEqual([]);
    expect(again({ ...before, ...planImport(source(APPLE), before, SETTINGS).after }, APPLE).record).toEqual(record);
  });

  // Without the condition in `placeOf` the name stays "cat", a label that is retired.
  it.each(["reviewed", "rejected"] as const)("as %s and that goes names no concept, in one language too", (status) => {
    const [cat, katze] = [label("en", "cat"), label("de", "Katze")];
    const imported = first(thing("a", [cat, { ...label("en", "kitty"), type: "alternate" }, katze], PLAIN));
    const before = edited(imported, ({ expressions }) => ({
      expressions: expressions.map((one) => (one.expression === "cat" ? { ...one, reviewStatus: status } : one)),
    }));
    const dump = thing("a", [label("en", "kitty"), katze], PLAIN);
    const whole = again(before, dump);
    expect([whole.record?.name, whole.record?.definition]).toEqual(["kitty", "kitty"]);
    const english = { ...SETTINGS, languages: ["en"] };
    expect(again(before, dump, english).after).toEqual(whole.after);
    expect(again(whole.after, dump, english).after).toEqual(whole.after);
  });

  it("and that the source no longer has is removed and reported", () => {
    const before = edited(first(APPLE), ({ expressions }) => ({
      expressions: (["reviewed", "in_review", "draft", "rejected"] as const).flatMap((reviewStatus, i) =>
        expressions.map((one) => ({ ...one, expression: `apple ${i}`, type: "alternate" as const, reviewStatus })),
      ),
    }));
    const { record, told } = again(before, APPLE);
    expect(told).toEqual([
      'expression-gone changed: The expression "apple 0" is not in the source, so it is retired',
      'expression-gone changed: The expression "apple 1" is not in the source, so it is removed',
      'expression-gone changed: The expression "apple 2" is not in the source, so it is removed',
    ]);
    expect(record?.expressions.map((one) => one.expression)).toEqual(["apple", "apple 0", "apple 3"]);
  });

  it("and that the source calls rejected is reported", () => {
    const dump = thing("a", [label("en", "apple", { reviewStatus: "rejected" })]);
    const { told } = again(first(APPLE), dump);
    expect(told).toContain('expression-withdrawn changed: "apple" was reviewed, and the source calls it rejected');
    const { told: then } = again(again(first(APPLE), dump).after, dump);
    expect(then.filter((line) => line.includes("withdrawn"))).toEqual([]);
  });

  it("names no reviewer who has not reviewed it", () => {
    const before = edited(first(APPLE), ({ provenance }) => ({
      provenance: provenance && { ...provenance, reviewedBy: "board", reviewedAt: "2026-01-01" },
    }));
    const dump = thing("a", [label("en", "apple"), label("fr", "pomme")]);
    const { record, after } = again(before, dump, REVIEWED);
    expect(record?.provenance?.reviewedBy).toBe("board");
    const nobody = { source: "Things", license: "CC0-1.0", sourceId: "http://example.org/a", reviewedBy: null, reviewedAt: null }; // prettier-ignore
    expect(record?.expressions.map(({ provenance }) => provenance)).toEqual([undefined, nobody]);
    expect(again(after, dump, REVIEWED).record).toEqual(record);
    // What waits names nobody anyway.
    expect(again(before, dump).record?.expressions.map(({ provenance }) => provenance)).toEqual([undefined, undefined]);
  });
});

describe("a label that an import repairs after an earlier one took it as it is", () => {
  it("keeps what people decided about it, and is not reported as gone", () => {
    const dump = thing("a", [
      label("en", "apple"),
      label("en", " aple", { type: "alternate" }),
      label("de_AT", "Apfel"),
    ]);
    const before = edited(first(dump), ({ expressions }) => ({
      expressions: expressions.map((one) => ({
        ...one,
        reviewStatus: one.expression === " aple" ? "rejected" : one.reviewStatus,
      })),
    }));
    const { record, told } = again(before, dump, { ...SETTINGS, repairs: new Set(["spaces", "tags"]) });
    expect(record?.expressions.map((one) => [one.locale ?? one.language, one.expression, one.reviewStatus])).toEqual([
      ["en", "apple", "reviewed"],
      ["en", "aple", "rejected"],
      ["de-AT", "Apfel", "in_review"],
    ]);
    expect(told.filter((text) => !text.includes(" repaired: "))).toEqual([]);
  });
});

describe("what people added", () => {
  const withMatch = (record: ConceptRecord): Partial<ConceptRecord> => ({
    provenance: record.provenance && { ...record.provenance, exactMatch: ["http://example.net/1"] },
    notes: { editorialNote: [{ language: "en", text: "Seen by us" }] },
    related: ["C-1"],
  });

  it("stays where the format has no place for it", () => {
    const { exactMatch: _none, closeMatch: _neither, ...row } = APPLE;
    const before = edited(first(row), withMatch);
    const { record, told } = again(before, row);
    expect(record).toEqual(before.concepts[0]?.record);
    expect(told).toEqual([expect.stringMatching(/^relation-dangling kept/)]);
  });

  it("is not taken for the target of a relation to another concept, which is reported", () => {
    const [self, other] = [`${APPLE.sourceId}`, "http://example.net/scheme"];
    const relations = { broader: [self, other], narrower: [], related: [] };
    const { findings } = planImport(source({ ...APPLE, line: 7, vocabulary: { ...EMPTY_STATEMENTS, relations } }), EMPTY, REVIEWED);
    expect(findings.map(({ rule, concept, line, text }) => [rule, concept, line, text.replaceAll(/C-\w+/g, "CODE")])).toEqual([
      ["relation-dangling", self, 7, `The concept has "${other}" as broader, which is not a concept of the source`],
      ["broader-cycle", self, undefined, "CODE is above itself by broader"],
    ]);
  }); // prettier-ignore

  it("is an empty list of hidden labels where our own table says so, and no list where it says nothing", () => {
    expect(again(first(APPLE), { ...APPLE, blank: { hiddenLabels: [] } }).record?.hiddenLabels).toEqual([]);
    expect(again(first(APPLE), APPLE).record).not.toHaveProperty("hiddenLabels");
  });

  it("is kept as the statement that it is, where it cannot be a match of a record", () => {
    const [exactMatch, line] = [["http://e.org/a\u0308"], "<http://www.w3.org/2004/02/skos/core#exactMatch> <http://e.org/a\u0308>"]; // prettier-ignore
    for (const [vocabulary, outcome] of [
      [{ ...EMPTY_STATEMENTS, lines: [line] }, "kept"],
      [undefined, "left out"],
    ] as const) {
      // prettier-ignore
      const { findings, after } = planImport(source({ ...APPLE, exactMatch, vocabulary }), EMPTY, SETTINGS);
      expect(findings.map((found) => [found.rule, found.outcome])).toEqual([["provenance-not-nfc", outcome]]);
      expect(after.concepts[0]?.record.source).toEqual(vocabulary?.lines);
    }
  });

  it("is removed where the source says otherwise, and reported", () => {
    const concept = { ...APPLE, vocabulary: EMPTY_STATEMENTS };
    const { record, told } = again(edited(first(concept), withMatch), concept);
    expect([record?.provenance?.exactMatch, record?.notes, record?.related]).toEqual([undefined, undefined, undefined]);
    expect(told).toEqual([
      'note-gone changed: The note "Seen by us" is not in the source, so it is removed',
      'relation-gone changed: The relation "related C-1" is not in the source, so it is removed',
      'match-gone changed: The match "exactMatch http://example.net/1" is not in the source, so it is removed',
    ]);
  });
});

it("a licence that changes is reported, also if a table has no row for it", () => {
  const provenance = { source: "Zoo", license: "ODbL-1.0", sourceId: "http://example.org/a", reviewedBy: null, reviewedAt: null }; // prettier-ignore
  const before = first({ ...APPLE, provenance });
  const was = 'license-changed changed: The licence was "ODbL-1.0" and is ';
  expect(again(before, APPLE).told).toEqual([`${was}"CC0-1.0" now`]);
  expect(again(before, { ...APPLE, provenance: null }).told).toEqual([`${was}no longer given`]);
  expect(again(before, { ...APPLE, provenance }).told).toEqual([]);
  const none = first({ ...APPLE, provenance: { ...provenance, license: "NOASSERTION" } });
  expect(again(none, APPLE).told).toEqual([]);
});

describe("a code that is retired and not released so", () => {
  const [code = ""] = first(APPLE).concepts.map(({ record }) => record.code);
  const retired = { code, retiredIn: "2026.11.1", replacedBy: null, sourceId: "http://example.org/a" };
  const back = (entry: EditableSource["retired"][number]) => {
    const { after, record, told } = again({ ...first(APPLE), concepts: [], retired: [entry] }, APPLE);
    expect([after.retired, record?.code]).toEqual([[], code]);
    return told;
  };

  it("comes back with its concept, which is reported", () => {
    expect(back({ ...retired, reason: "No longer in its source" })).toEqual([
      `code-back changed: An earlier import missed ${code}, so it was retired; it is back, without what people had decided about it`,
    ]);
    const end = "but not in a release; the source has it, so it is back";
    expect(back(retired)).toEqual([`code-back changed: ${code} was retired (without a reason) ${end}`]);
    expect(back({ ...retired, reason: "Same as B", replacedBy: "B-1" })).toEqual([
      `code-back changed: ${code} was retired ("Same as B", replaced by B-1) ${end}`,
    ]);
  });
});

it.each(["definition", "scopeNote"] as const)(
  "a %s of a vocabulary is not gone from a table, which has no place for notes",
  (name) => {
    const texts = [
      { tag: "de", text: "Eine Frucht." },
      { tag: "en", text: "A fruit." },
    ];
    const said = {
      definitions: [],
      [`${name}s`]: texts,
      vocabulary: { ...EMPTY_STATEMENTS, notes: { [name]: texts } },
    };
    const before = first({ ...APPLE, ...said });
    expect(before.concepts.map(({ record }) => record.definition)).toEqual(["A fruit."]);
    for (const languages of [[], ["en"], ["de"]]) {
      const table = again(before, { ...APPLE, definitions: [] }, { ...SETTINGS, languages });
      expect([table.told, table.after.concepts]).toEqual([[], before.concepts]);
    }
    // One that it says comes first.
    const own = again(before, { ...APPLE, definitions: [{ tag: "en", text: "Of a tree." }] });
    expect([own.record?.definition, own.record?.notes]).toEqual(["Of a tree.", before.concepts[0]?.record.notes]);
    // What such a vocabulary itself says no more goes.
    const dump = again(before, { ...APPLE, definitions: [], vocabulary: EMPTY_STATEMENTS });
    expect(dump.record?.definition).toBe("apple");
  },
);

describe("what people wrote about a concept", () => {
  const written = {
    name: "Apples",
    definition: "A fruit of people.",
    renderings: [{ type: "emoji" as const, descriptor: "red apple", unicodeSequence: "🍎", confidence: 1 }],
  };
  const gone = (what: string, said: string) =>
    `${what.toLowerCase()}-gone changed: The ${what} "${said}" is not in the source, so it is removed`;

  it("and that the source says otherwise is reported", () => {
    const before = edited(first(APPLE), ({ provenance }) => ({
      ...written,
      provenance: provenance && { ...provenance, reviewedBy: "team", reviewedAt: "2026-01-02" },
    }));
    const provenance = { source: "s", license: "MIT", sourceId: APPLE.sourceId, reviewedBy: null, reviewedAt: null };
    const { told } = again(before, { ...APPLE, name: "Fruit", renderings: [], provenance });
    expect(told.filter((line) => line.includes("-gone"))).toEqual([
      gone("rendering", "emoji red apple 🍎 1"),
      gone("reviewer", "team"),
    ]);
    expect(told.filter((line) => /^(?:name|definition)-changed/.test(line))).toEqual([
      'name-changed changed: The name was "Apples" and is "Fruit" now, as the source says',
      'definition-changed changed: The definition was "A fruit of people." and is "What a is." now, as the source says',
    ]);
  });

  it("is reported if the source replaces the reviewer of an expression that stays", () => {
    const by = (reviewedBy: string | null) => ({ source: "s", license: "MIT", sourceId: null, reviewedBy, reviewedAt: null });
    const before = edited(first({ ...APPLE, expressions: [label("en", "apple"), label("en", "old", { type: "alternate" })] }), ({ expressions }) => ({
      expressions: expressions.map((one, i) => ({ ...one, reviewStatus: i === 0 ? one.reviewStatus : ("draft" as const), provenance: by(["team", "other"][i] ?? null) })),
    }));
    const { told } = again(before, { ...APPLE, expressions: [{ ...label("en", "apple"), provenance: by(null) }] });
    expect(told.filter((line) => line.startsWith("reviewer"))).toEqual([gone("reviewer", "team")]);
  }); // prettier-ignore

  it("is not reported if it stays, or if an import wrote it", () => {
    const before = edited(first(APPLE), () => ({ name: written.name, renderings: written.renderings }));
    expect(again(before, APPLE).told).toEqual([]);
    const bare = again(first({ ...APPLE, definitions: [] }), { ...APPLE, expressions: [label("en", "pear")] });
    expect(bare.told.filter((line) => /^(?:name|definition)-changed/.test(line))).toEqual([]);
  });
});

// Without the successors in `named` it went, as one that "is not another concept of this registry".
it("a successor that people or an earlier source named stays where this import retires it", () => {
  const old = thing("old", [label("en", "old")], { retired: { replacedBy: [APPLE.sourceId ?? ""] } });
  const [pear, kept] = [thing("b", [label("en", "pear")]), { ...old, retired: { replacedBy: [] } }];
  const before = first(APPLE, pear, old);
  const successor = before.retired[0]?.replacedBy;
  const { after, findings } = planImport(source(pear, kept), before, SETTINGS);
  expect(findings.map(({ rule }) => rule)).toEqual(["concept-gone"]);
  expect(after.retired.find(({ sourceId }) => sourceId === old.sourceId)?.replacedBy).toBe(successor);
  expect(successor).toEqual(expect.any(String));
});
