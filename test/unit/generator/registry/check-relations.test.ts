import { describe, expect, it } from "vitest";
import { relationFindings } from "../../../../generator/registry/check-relations.ts";
import type { ConceptRecord } from "../../../../generator/registry/record.ts";
import { memoryEffects } from "../../../support/memory-effects.ts";
import { checkFiles, concept, expression } from "../../../support/registry.ts";

const PROVENANCE = { source: "s", license: "CC0-1.0", sourceId: null, reviewedBy: null, reviewedAt: null };

function related(code: string, more: Partial<ConceptRecord>): ConceptRecord {
  return concept(code, [expression("en", code.toLowerCase())], more);
}

/** `code rule pointer` of every finding, all of which must be notices. */
function found(...concepts: readonly ConceptRecord[]): string[] {
  const { findings, registry } = checkFiles({ concepts });
  expect(registry).toBeDefined();
  expect(findings.every(({ severity }) => severity === "notice")).toBe(true);
  return findings.map(({ file, rule, pointer, text }) => {
    const code = file.slice("concepts/test/".length, -".yaml".length);
    // An import takes the concept from the text.
    expect(text.split(" ")[0]).toBe(code);
    return `${code} ${rule} ${pointer}`;
  });
}

describe("the relations of a registry", () => {
  it.each<[string, readonly ConceptRecord[], readonly string[]]>([
    [
      "that are said on both sides are fine",
      [
        related("A", { narrower: ["B"], related: ["C"] }),
        related("B", { broader: ["A"] }),
        related("C", { related: ["A"] }),
      ],
      [],
    ],
    ["need no narrower for broader", [related("A", {}), related("B", { broader: ["A"] })], []],
    [
      "that one side says are found at that side",
      [related("A", { narrower: ["B"], related: ["C"] }), related("B", {}), related("C", {})],
      ["A narrower-without-inverse /narrower/0", "A related-without-inverse /related/0"],
    ],
    [
      "that lead to no concept are found, with all kinds",
      [related("A", { broader: ["A-1"], narrower: ["A-2"], related: ["A-3"] })],
      ["A relation-dangling /broader/0", "A relation-dangling /narrower/0", "A relation-dangling /related/0"],
    ],
    ["that lead to itself are a ring", [related("A", { broader: ["A"] })], ["A broader-cycle /broader"]],
    [
      "are one finding for each ring, whatever leads into it",
      [
        related("A", { broader: ["B"] }),
        related("B", { broader: ["D", "C"] }),
        related("C", { broader: ["B"] }),
        related("D", {}),
        related("E", { broader: ["F"] }),
        related("F", { broader: ["E", "B"] }),
      ],
      ["B broader-cycle /broader", "E broader-cycle /broader"],
    ],
    [
      "are not related where one is above the other, at any distance and by whichever side says so",
      [
        related("A", { narrower: ["B"], broader: ["Z"] }),
        related("B", { broader: ["A"] }),
        related("C", { broader: ["B"], related: ["A"] }),
        related("Z", { related: ["B", "Y"] }),
        related("Y", { related: ["Z"] }),
      ],
      [
        "C related-above /related/0",
        "C related-without-inverse /related/0",
        "Z related-above /related/0",
        "Z related-without-inverse /related/0",
      ],
    ],
  ])("%s", (_, concepts, expected) => {
    expect(found(...concepts)).toEqual(expected);
  });

  it("are followed however deep, and the one that leads nowhere is reported", () => {
    const chain = Array.from({ length: 12_000 }, (_none, i) => ({
      file: `${i}.yaml`,
      record: related(`A-${i}`, { broader: [`A-${i + 1}`] }),
    }));
    expect(relationFindings(chain, memoryEffects({})).map(({ file, rule }) => [file, rule])).toEqual([
      ["11999.yaml", "relation-dangling"],
    ]);
  });
});

describe("what two concepts claim", () => {
  it("is a finding where both are exactly one concept elsewhere, and not where they are close to it", () => {
    const match = (code: string, more: object): ConceptRecord =>
      related(code, { provenance: { ...PROVENANCE, ...more } });
    const both = { exactMatch: ["urn:x", "urn:y"] };
    expect(
      found(match("A", both), match("B", { exactMatch: ["urn:y"] }), match("C", { closeMatch: ["urn:y"] })),
    ).toEqual(["B match-shared /provenance/exactMatch/0"]);
  });
});

it("a match elsewhere is not exact and wider, narrower or related at once", () => {
  const provenance = { ...PROVENANCE, exactMatch: ["urn:x", "urn:y"], closeMatch: ["urn:x"], broadMatch: ["urn:z", "urn:y"], narrowMatch: ["urn:x"], relatedMatch: ["urn:x"] }; // prettier-ignore
  expect(found(related("A", { provenance }))).toEqual([
    "A match-contradicts /provenance/broadMatch/1",
    "A match-contradicts /provenance/narrowMatch/0",
    "A match-contradicts /provenance/relatedMatch/0",
    "A related-above /provenance/relatedMatch/0",
  ]);
});

describe("the integrity conditions of SKOS", () => {
  const skos = "http://www.w3.org/2004/02/skos/core#";
  /** A concept with the IRI `urn:CODE` and these matches. */
  const at = (code: string, matches: object, more: Partial<ConceptRecord> = {}): ConceptRecord =>
    related(code, { ...more, provenance: { ...PROVENANCE, sourceId: `urn:${code}`, ...matches } });

  it.each<[string, readonly ConceptRecord[], readonly string[]]>([
    [
      "S46 and S44: the exact match is said by the other concept",
      [at("A", { exactMatch: ["urn:B"] }), at("B", { broadMatch: ["urn:A"] })],
      ["B match-contradicts /provenance/broadMatch/0"],
    ],
    [
      "S46 and S45: through a third concept, here or elsewhere",
      [
        at("A", { exactMatch: ["urn:x"], relatedMatch: ["urn:C"] }),
        at("B", { exactMatch: ["urn:y", "urn:C"] }),
        at("C", { exactMatch: ["urn:z"] }),
        at("D", { exactMatch: ["urn:z"], narrowMatch: ["urn:y"] }),
      ],
      ["D match-shared /provenance/exactMatch/0", "D match-contradicts /provenance/narrowMatch/0"],
    ],
    [
      "S27 and S41: related, and broader by a match",
      [at("A", { broadMatch: ["urn:B"] }, { related: ["B"] }), at("B", {}, { related: ["A"] })],
      ["A related-above /related/0", "B related-above /related/0"],
    ],
    [
      "S27, S41, S43 and S24: a related match, and broader at a distance through a concept elsewhere",
      [at("A", { broadMatch: ["urn:x"], relatedMatch: ["urn:C"] }), at("B", { narrowMatch: ["urn:x"] }, { broader: ["C"] }), at("C", {})], // prettier-ignore
      ["A related-above /provenance/relatedMatch/0"],
    ],
    [
      "S27 and S22: what only the source says of concepts elsewhere",
      [related("A", { source: [`<${skos}broaderTransitive> <urn:x>`, `<${skos}related> <urn:x>`] })],
      ["A related-above /source/1"],
    ],
    [
      "S13: a hidden label that is another label too",
      [
        related("A", {
          hiddenLabels: [
            { language: "EN", label: "a" },
            { language: "de", label: "a" },
          ],
        }),
      ],
      ["A label-in-two-roles /hiddenLabels/0"],
    ],
    [
      "none where matches only look alike",
      [at("A", { exactMatch: ["urn:x"], broadMatch: ["urn:y"], relatedMatch: ["urn:z"] }), at("B", { closeMatch: ["urn:A"], narrowMatch: ["urn:x"] })], // prettier-ignore
      [],
    ],
  ])("are checked with what follows from them: %s", (_, concepts, expected) => {
    expect(found(...concepts)).toEqual(expected);
    for (const { text } of checkFiles({ concepts }).findings) expect(text).toMatch(/^[A-D] (?:has|and) .+/);
  });
});

describe("definitions", () => {
  it.each<[string, NonNullable<ConceptRecord["notes"]>["definition"], number]>([
    [
      "in a language of the labels are fine",
      [
        { language: "de", text: "x" },
        { language: "en-GB", text: "y" },
      ],
      0,
    ],
    ["in other languages alone are found", [{ language: "de", text: "x" }], 1],
    ["without a language can be read by anybody", [{ language: "de", text: "x" }, { text: "y" }], 0],
  ])("%s", (_, definition = [], count) => {
    expect(found(related("A", { notes: { definition } }))).toHaveLength(count);
  });
});

describe("the lines of a source", () => {
  it.each<[string, boolean]>([
    ["<urn:p> <urn:o>", true],
    ["<urn:p> _:b0", true],
    ['_:b0 <urn:p> "a \\"b\\" \\\\"@en-us', true],
    ['<urn:p> "1"^^<urn:t>', true],
    ["<urn:p>", false],
    ["<urn:p> <urn:o> .", false],
    ['<urn:p> "a"b"', false],
    ['<urn:p> "a\nb"', false],
    ['<urn:p> "a\\"', false],
    ["p:p <urn:o>", false],
    ['<urn:p> "1"^^xsd:integer', false],
  ])("are N-Triples without a subject: %j", (line, isOne) => {
    const { findings } = checkFiles({ concepts: [related("A", { source: ["<urn:p> <urn:o>", line] })] });
    expect(findings.map(({ rule, pointer }) => `${rule} ${pointer}`)).toEqual(isOne ? [] : ["source-line /source/1"]);
  });
});
