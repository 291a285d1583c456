import { describe, expect, it } from "vitest";
import { readSkos } from "../../../../generator/tools/vocabulary/formats/skos-read.ts";
import { writeSource } from "../../../../generator/tools/vocabulary/formats/skos-source.ts";
import type { Plan } from "../../../../generator/tools/vocabulary/import/plan.ts";
import type { ImportSettings } from "../../../../generator/tools/vocabulary/import/settings.ts";
import type { RegistrySource } from "../../../../generator/registry/read.ts";
import type { ConceptRecord } from "../../../../generator/registry/record.ts";
import { EMPTY, planImport, REVIEWED } from "../../../support/import.ts";
import { canonicalTurtle } from "../../../support/canonical.ts";
import { memoryEffects } from "../../../support/memory-effects.ts";
import { skosSmall } from "./formats/skos-small.ts";

interface Again extends Partial<ImportSettings> {
  readonly before?: RegistrySource;
}

async function imported(name: string, text: string, { before = EMPTY, ...more }: Again = {}): Promise<Plan> {
  const settings = { ...REVIEWED, ...more };
  const source = await readSkos(memoryEffects({ [name]: text }), [name], { languages: settings.languages });
  return planImport(source, before, settings);
}

function exported({ after, vocabulary = [] }: Pick<Plan, "after" | "vocabulary">): string {
  return [...writeSource({ ...after, vocabularies: vocabulary ?? [] }, { origin: "https://registry.example" })].join(
    "",
  );
}

const HEAD =
  "@base <http://example.org/> . @prefix : <> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> . " +
  "@prefix skosxl: <http://www.w3.org/2008/05/skos-xl#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n";

describe("a vocabulary that was imported", () => {
  it.each(["ttl", "nt", "rdf", "jsonld"])("comes out as the graph that it was in .%s", async (extension) => {
    const plan = await imported(`a.${extension}`, skosSmall(extension));
    expect(await canonicalTurtle(exported(plan))).toEqual(await canonicalTurtle(skosSmall("ttl")));
  });

  it.each([
    ["a label that is a resource alone", `:1 skosxl:prefLabel [ skosxl:literalForm "one"@en ] .`],
    ["two preferred labels of a language", `:1 skos:prefLabel "one"@en, "another"@en .`],
    ["a text in two roles", `:1 skos:prefLabel "one"@en ; skos:altLabel "one"@en ; skos:hiddenLabel "one"@en .`],
    ["labels without a language and in an undetermined one", `:1 skos:prefLabel "one", "two"@und .`],
    ["labels in one language that is written in two ways", `:1 skos:altLabel "one"@en-us, "two"@EN-US .`],
    ["texts that must be escaped", `:1 skos:prefLabel "a \\"b\\" \\\\ \\n\\r\\t\\u0000\\uFEFF\\u2028"@en .`],
    ["no definition, or only a note", `:1 skos:prefLabel "one"@en . :2 a skos:Concept ; skos:scopeNote "x"@en .`],
    [
      "notes of every kind",
      `:1 skos:note "a"@en ; skos:example "b" ; skos:changeNote "c"@de, :x ; skos:editorialNote "d"@en .`,
    ],
    ["notations of several types", `:1 skos:notation "1", "1"^^:udc, "1"@en, 5, true .`],
    ["relations to itself, to others and outside", `:1 skos:broader :1, :2, <http://else/1> . :2 a skos:Concept .`],
    [
      "a relation to what is deprecated",
      `:1 skos:related :2 . :2 a skos:Concept ; <http://www.w3.org/2002/07/owl#deprecated> true .`,
    ],
    [
      "matches of every kind",
      `:1 skos:exactMatch <x:1> ; skos:broadMatch <x:2> ; skos:narrowMatch <x:3>, "x" ; skos:relatedMatch [] .`,
    ],
    ["more types than one", `:1 a :Descriptor, [ a :Kind ] .`],
    ["ordered collections", `:c a skos:OrderedCollection ; skos:memberList ( :1 :2 :1 [ :p 1 ] ) .`],
    ["a blank node that two concepts share", `:1 :p _:b . :2 a skos:Concept ; :p _:b . _:b :q "x" .`],
    ["blank nodes in a ring", `:1 :p _:a . _:a :q _:b . _:b :q _:c . _:c :q _:a ; :r "end" .`],
    ["blank nodes that are alike", `:1 :p [ :q "x" ], [ :q "x" ] .`],
    ["blank nodes that nothing leads to", `[] :q [ :r "x" ] . _:x :q "y" .`],
    ["a concept without an IRI", `[] a skos:Concept ; skos:prefLabel "nobody"@en .`],
    ["datatypes that are nothing known", `:1 :created "2015"^^<xsd:odd> ; :size "1.50"^^xsd:decimal, 1.5, 15E-1 .`],
    ["IRIs with signs beyond ASCII", `:1 :p <http://e/\\u00e9/語> .`],
  ])("comes out as it was with %s", async (_, body) => {
    const text = `${HEAD}:1 a skos:Concept .\n${body}`;
    expect(await canonicalTurtle(exported(await imported("a.ttl", text)))).toEqual(await canonicalTurtle(text));
  });

  it.each(["zh_CN", "toolongatag"])("is refused with the tag that Turtle cannot write: %s", async (tag) => {
    const thing = { "@id": "urn:1", "@type": "Concept", prefLabel: { "@value": "a", "@language": tag } };
    const text = JSON.stringify({ "@context": { "@vocab": "http://www.w3.org/2004/02/skos/core#" }, ...thing });
    const plan = await imported("a.jsonld", text);
    const fault = `"urn:1": Turtle has no form for the language tag "${tag.toLowerCase()}".`;
    expect(() => exported(plan)).toThrow(fault);
  });

  it.each(['a"b', "a b", 'en"@en', "a\\b"])("is refused with the tag that a person wrote: %s", async (language) => {
    const plan = await imported("a.ttl", `${HEAD}:1 a skos:Concept ; skos:prefLabel "one \\"@x"@en .`);
    const concepts = plan.after.concepts.map((located) => {
      const hiddenLabels = [{ language, label: 'a "b"@c' }];
      return { ...located, record: { ...located.record, hiddenLabels } };
    });
    const fault = `Turtle has no form for the language tag ${JSON.stringify(language)}. Fix the tag in the registry`;
    expect(() => exported({ ...plan, after: { ...plan.after, concepts } })).toThrow(fault);
  });

  it("is the same registry whatever the order of the statements", async () => {
    const text = skosSmall("nt");
    const [one, other] = await Promise.all([
      imported("a.nt", text),
      imported("a.nt", text.trim().split("\n").toReversed().join("\n")),
    ]);
    expect(other.after.concepts).toEqual(one.after.concepts);
    expect(other.vocabulary).toEqual(one.vocabulary);
  });

  it("keeps what fields can hold in fields, and the rest as its statements", async () => {
    const plan = await imported("a.ttl", skosSmall("ttl"));
    const record = recordOf(plan, "http://example.org/vocabulary/1");
    const { notations, notes, broader, source, unsaid } = record;
    const skos = "http://www.w3.org/2004/02/skos/core#";
    expect({ notations, notes, broader, source, unsaid }).toEqual({
      notations: [{ notation: "634.774", datatype: "http://example.org/udc" }, { notation: "A1" }],
      notes: { definition: [{ language: "de", text: "Eine Frucht." }] },
      broader: [recordOf(plan, "http://example.org/vocabulary/2").code],
      source: expect.arrayContaining([
        `<${skos}scopeNote> <http://example.org/vocabulary/note>`,
        `<${skos}inScheme> <http://example.org/vocabulary/>`,
      ]) as unknown,
      unsaid: [`<${skos}altLabel> "ananasplant"@nl`, `<${skos}prefLabel> "ананас"@ru`],
    });
    expect(plan.vocabulary?.map(({ subject }) => subject)).toEqual([
      "http://example.org/vocabulary/",
      "http://example.org/vocabulary/3",
      "http://example.org/vocabulary/4",
      "http://example.org/vocabulary/label-1",
      "http://example.org/vocabulary/note",
      "http://example.org/vocabulary/shelf",
    ]);
  });

  it("comes out with what was edited since", async () => {
    const plan = await imported("a.ttl", `${HEAD}:1 a skos:Concept ; skos:prefLabel "one"@en ; skos:note "x"@en .`);
    const concepts = plan.after.concepts.map((located) => {
      const [label] = located.record.expressions;
      const expressions = label === undefined ? [] : [{ ...label, expression: "changed" }];
      return { ...located, record: { ...located.record, expressions, notes: {} } };
    });
    const edited = exported({ ...plan, after: { ...plan.after, concepts } });
    const wanted = `${HEAD}:1 a skos:Concept ; skos:prefLabel "changed"@en .`;
    expect(await canonicalTurtle(edited)).toEqual(await canonicalTurtle(wanted));
  });

  it("keeps the notes of the other languages when it is imported again for some", async () => {
    const text = `${HEAD}:1 a skos:Concept ; skos:prefLabel "one"@en, "eins"@de ; skos:note "a"@en, "b"@de ; :p "c"@de .`;
    const first = await imported("a.ttl", text);
    const again = await imported("a.ttl", text.replace('"a"', '"new"'), { languages: ["en"], before: first.after });
    expect(await canonicalTurtle(exported(again))).toEqual(await canonicalTurtle(text.replace('"a"', '"new"')));
  });

  it("stays when a table brings other labels", async () => {
    const first = await imported("a.ttl", skosSmall("ttl"));
    const concepts = first.after.concepts.map(({ record }) => ({
      file: "a.csv",
      sourceId: record.provenance?.sourceId ?? null,
      notations: [],
      definitions: [{ tag: "", text: record.definition ?? "" }],
      scopeNotes: [],
      expressions: [{ tag: "en", text: "from a table", type: "preferred" as const }],
      hiddenLabels: [],
      exactMatch: [],
      closeMatch: [],
    }));
    const plan = planImport({ concepts, faults: [], leftOut: {} }, first.after, REVIEWED);
    expect(plan.vocabulary).toBeUndefined();
    const [before, after] = [first, plan].map((one) => recordOf(one, "http://example.org/vocabulary/1"));
    expect(after?.notes).toEqual(before?.notes);
    expect(after?.source).toEqual(before?.source);
  });
});

function recordOf({ after }: Plan, sourceId: string): ConceptRecord {
  const found = after.concepts.find(({ record }) => record.provenance?.sourceId === sourceId);
  if (found === undefined) throw new Error(`No ${sourceId}`);
  return found.record;
}
