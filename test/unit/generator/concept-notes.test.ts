/** Notes of a concept on pages: made by the build, kept in the index, checked by verify. */
import { describe, expect, it } from "vitest";
import { compileIndex } from "../../../generator/index/compile.ts";
import { checkConceptNotes } from "../../../generator/verify/audit/concept.ts";
import { type ConceptNotes, RELATED_MAX } from "../../../runtime/contract/concept-notes.ts";
import { memorySource } from "../../../runtime/registry/byte-source.ts";
import { openIndex } from "../../../runtime/registry/index.ts";
import { checkedRegistry, concept, expression } from "../../support/registry.ts";
import { putTogether, takeApart } from "../../support/tamper-index.ts";

type More = Parameters<typeof concept>[2];

function compiled(concepts: Readonly<Record<string, More>>): Buffer {
  const records = Object.entries(concepts).map(([code, more]) => concept(code, [expression("en", code)], more));
  return Buffer.concat([
    ...compileIndex({ registry: checkedRegistry({ concepts: records }), origin: "http://a.example" }),
  ]);
}

/** By code. */
function notesIn(bytes: Buffer): Record<string, ConceptNotes> {
  const index = openIndex(memorySource(bytes));
  const all = Array.from({ length: index.conceptCount }, (_none, id) => {
    const { resolved, notes } = index.concept(id);
    const { code } = JSON.parse(Buffer.from(index.read(resolved)).toString()) as { code: string };
    return [
      code,
      notes.length === 0 ? [] : [JSON.parse(Buffer.from(index.read(notes)).toString()) as ConceptNotes],
    ] as const;
  });
  return Object.fromEntries(all.flatMap(([code, [notes]]) => (notes === undefined ? [] : [[code, notes]])));
}

const one = (code: string) => ({ count: 1, concepts: [{ code, name: `Name of ${code}` }] });

describe("notes of concepts", () => {
  it("have notations and notes as they are recorded, and nothing where nothing is", () => {
    const notes = { scopeNote: [{ language: "de", text: "Nur hier" }], definition: [{ text: "As such" }] };
    const own = { notations: [{ notation: "1.2", datatype: "http://x.example/mark" }], notes };
    expect(notesIn(compiled({ A: own, B: {} }))).toEqual({ A: own });
  });

  it.each([
    ["the note", { text: "a\u0000b" }, []],
    ["half of a character", { language: "en", text: "\udc00" }, []],
    ["the tag", { language: "a b", text: "in no language" }, [{ text: "in no language" }]],
    ["a tag as programs write it", { language: "zh_CN", text: "中" }, [{ text: "中" }]],
  ])("are without what no page can have: %s", (_what, note, rest) => {
    const sound = { language: "de", text: "Tab\tund\nZeile" };
    const marks = [{ notation: "1" }, { notation: "\u0000" }];
    expect(notesIn(compiled({ A: { notations: marks }, B: { notations: marks.slice(1) } }))).toEqual({ A: { notations: marks.slice(0, 1) } });
    expect(notesIn(compiled({ A: { notes: { example: [note], note: [note, sound] } }, B: { notes: { note: [note] } } }))).toEqual({
      A: { notes: { ...(rest.length > 0 && { example: rest }), note: [...rest, sound] } },
      ...(rest.length > 0 && { B: { notes: { note: rest } } }),
    });
  }); // prettier-ignore

  it.each([
    ["broader at one side", { A: { broader: ["B"] }, B: {} }, { A: { broader: one("B") }, B: { narrower: one("A") } }],
    ["narrower at one side", { A: {}, B: { narrower: ["A"] } }, { A: { broader: one("B") }, B: { narrower: one("A") } }],
    ["related at both", { A: { related: ["B"] }, B: { related: ["A"] } }, { A: { related: one("B") }, B: { related: one("A") } }],
    ["to a code that no concept has", { A: { broader: ["Z"], related: ["AA", "0"] }, B: {} }, {}],
    ["to one that is not published", { A: { broader: ["B"] }, B: { expressions: [expression("en", "b", { reviewStatus: "draft" })] } }, {}],
  ])("have relations at both concepts, with names: %s", (_what, concepts, expected) => {
    expect(notesIn(compiled(concepts as Record<string, More>))).toEqual(expected);
  }); // prettier-ignore

  it("name the first of very many by name, and count all", () => {
    const codes = Array.from({ length: RELATED_MAX + 7 }, (_none, i) => `C-${1000 + i}`);
    const named = codes.map((code, i) => [code, { name: `N ${9999 - i}` }] as const);
    const { TOP } = notesIn(compiled({ TOP: { narrower: codes }, ...Object.fromEntries(named) }));
    expect(TOP?.narrower?.count).toBe(codes.length);
    expect(TOP?.narrower?.concepts).toHaveLength(RELATED_MAX);
    expect(TOP?.narrower?.concepts[0]).toEqual({ code: codes.at(-1), name: `N ${9999 - codes.length + 1}` });
  });

  const bytes = compiled({ A: { related: ["B"] }, B: { notes: { note: [{ text: "x" }] } } });
  it.each([
    ["not JSON", "{", ["concept 0: its notes are damaged"]],
    ["another member", '{"note":[]}', ["concept 0: its notes are damaged"]],
    ["a name that is not that of the concept", '{"related":{"count":1,"concepts":[{"code":"B","name":"C"}]}}', ["concept 0: its notes are damaged"]],
    ["a code of no concept", '{"related":{"count":1,"concepts":[{"code":"C","name":"C"}]}}', ["concept 0: its notes are damaged"]],
    ["a count of more than are named", '{"related":{"count":2,"concepts":[{"code":"B","name":"Name of B"}]}}', ["concept 0: its notes are damaged"]],
    ["what is right", '{"related":{"count":1,"concepts":[{"code":"B","name":"Name of B"}]}}', []],
  ])("are checked in a release: %s", (_what, text, faults) => {
    const parts = takeApart(bytes);
    if (parts.concepts[0]) parts.concepts[0].notes = text;
    expect(checkConceptNotes(openIndex(memorySource(putTogether(parts))), []).faults).toEqual(faults);
  }); // prettier-ignore

  it("are refused where they do not lie one behind the other", () => {
    const index = openIndex(memorySource(bytes));
    const shift = (id: number) => ({ resolved: index.concept(id).resolved, notes: index.concept(0).notes });
    const shifted = { ...index, concept: shift as typeof index.concept };
    expect(checkConceptNotes(shifted, []).faults).toEqual(["concept 1: its notes do not follow those of the concept before it; later notes were not read"]); // prettier-ignore
  });
});
