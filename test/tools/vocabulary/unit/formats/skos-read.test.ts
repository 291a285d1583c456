import { describe, expect, it } from "vitest";
import { readSkos } from "../../../../../generator/tools/vocabulary/formats/skos-read.ts";
import type { Source, SourceConcept } from "../../../../../generator/tools/vocabulary/formats/source.ts";
import { spdxAddress, spdxOf } from "../../../../../generator/skos/spdx.ts";
import type { ReadOptions } from "../../../../../generator/tools/vocabulary/formats/reader-state.ts";
import type { Location } from "../../../../../generator/text/finding.ts";
import { compareCodePoints } from "../../../../../generator/text/order.ts";
import { memoryEffects } from "../../../../support/memory-effects.ts";
import { skosSmall } from "./skos-small.ts";

const PREFIXES = `
@prefix dcterms: <http://purl.org/dc/terms/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix skosxl: <http://www.w3.org/2008/05/skos-xl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix : <http://example.org/> .
`;

function readFiles(files: Readonly<Record<string, string>>, options?: ReadOptions): Promise<Source> {
  return readSkos(memoryEffects(files), Object.keys(files), options);
}

function readTurtle(text: string, options?: ReadOptions): Promise<Source> {
  return readFiles({ "a.ttl": PREFIXES + text }, options);
}

/** Without places, in order of name: what two files may tell differently. */
function comparable({ concepts, vocabulary = [], faults, ...source }: Source): unknown {
  return {
    ...source,
    concepts: concepts.map(placeless).sort((a, b) => compareCodePoints(a.sourceId ?? "", b.sourceId ?? "")),
    vocabulary: vocabulary.map(placeless),
    faults: faults.map(placeless),
  };
}

function placeless<T extends Location>({ file: _file, line: _line, ...rest }: T): Omit<T, keyof Location> {
  return rest;
}

describe("a SKOS vocabulary", () => {
  it("may be RDF/XML without rdf:RDF around it, and JSON-LD whose characters are escaped in halves", async () => {
    const root = `<skos:Concept xmlns:skos="http://www.w3.org/2004/02/skos/core#" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" rdf:about="http://a/1"><skos:prefLabel xml:lang="en">one</skos:prefLabel></skos:Concept>`;
    const json = String.raw`{"@id":"http://a/2","@type":"http://www.w3.org/2004/02/skos/core#Concept","http://www.w3.org/2004/02/skos/core#prefLabel":{"@value":"\ud83c\udf4d \\ud83d \u00e9","@language":"en"}}`;
    const { concepts } = await readFiles({ "a.rdf": root, "b.jsonld": json });
    expect(concepts.map(({ sourceId, expressions }) => [sourceId, expressions[0]?.text])).toEqual([
      ["http://a/1", "one"],
      ["http://a/2", "🍍 \\ud83d é"],
    ]);
  });

  it("is read from Turtle, as the file tells it", async () => {
    const source = await readFiles({ "folder/skos-small.ttl": skosSmall("ttl") });
    const [pineapple, fruit, orange, medlar] = source.concepts as [SourceConcept, ...SourceConcept[]];
    expect(source).toMatchObject({ title: "Fruit", license: "CC-BY-4.0", faults: [] });
    expect(source.leftOut).toEqual({});
    expect(pineapple).toMatchObject({
      file: "skos-small.ttl",
      line: 15,
      sourceId: "http://example.org/vocabulary/1",
      notations: ["634.774", "A1"],
      definitions: [
        { tag: "de", text: "Eine Frucht." },
        { tag: "en", text: "A tropical fruit." },
      ],
      scopeNotes: [{ tag: "en", text: "Not the plant." }],
      expressions: [
        { tag: "", text: "no language", type: "alternate" },
        { tag: "de", text: "Ananas", type: "preferred" },
        { tag: "en", text: "pineapple", type: "preferred" },
        { tag: "en", text: "ananas comosus", type: "alternate" },
        { tag: "en", text: 'pine "apple"\\\n', type: "alternate" },
        { tag: "nl", text: "ananasplant", type: "alternate" },
        { tag: "pt-BR", text: "abacaxi", type: "preferred" },
        { tag: "ru", text: "ананас", type: "preferred" },
        { tag: "zh-Hant-TW", text: "鳳梨 🍍", type: "preferred" },
      ],
      hiddenLabels: [{ tag: "en", text: "pinapple" }],
      exactMatch: ["http://dbpedia.org/resource/Pineapple"],
      closeMatch: ["http://example.net/a", "http://example.net/b"],
    });
    expect(fruit).toMatchObject({ sourceId: "http://example.org/vocabulary/2", line: 36 });
    expect(orange).toMatchObject({
      name: "orange fruit",
      expressions: [],
      retired: {
        replacedBy: ["http://example.org/vocabulary/1", "http://example.org/vocabulary/2"],
        reason: "Given up.",
      },
    });
    // Some publishers take the type away from what they retire.
    expect(medlar).toMatchObject({ name: "medlar", retired: { replacedBy: [] } });
  });

  it.each(["nt", "rdf", "jsonld"])("is the same from .%s", async (extension) => {
    const name = `skos-small.${extension}`;
    const other = await readFiles({ [name]: skosSmall(extension) });
    const turtle = await readFiles({ "skos-small.ttl": skosSmall("ttl") });
    expect(comparable(other)).toEqual(comparable(turtle));
    expect(other.concepts.every(({ file, line }) => file === name && line !== undefined)).toBe(true);
    expect(await readFiles({ [name]: skosSmall(extension) }), "the second time").toEqual(other);
  });

  it("is one from several files, with blank nodes of their own", async () => {
    const xl = (label: string): string =>
      `${PREFIXES}:a a skos:Concept ; skosxl:altLabel _:x . _:x skosxl:literalForm "${label}"@en .`;
    const source = await readFiles({ "a.ttl": xl("one"), "b.ttl": xl("two") });
    expect(source.concepts).toHaveLength(1);
    expect(source.concepts[0]?.expressions.map(({ text }) => text)).toEqual(["one", "two"]);
    expect(source.faults).toEqual([]);
  });

  it("keeps an XML literal with its escapes", async () => {
    const note = `a &amp;lt; <b t="x&amp;y&quot;z&#9;">c &gt; d<![CDATA[<x>]]></b>`;
    const source = await readFiles({
      "a.rdf": `<skos:Concept xmlns:skos="http://www.w3.org/2004/02/skos/core#" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" rdf:about="http://a/b">
        <skos:note rdf:parseType="Literal">${note}</skos:note><skos:prefLabel xml:lang="en">a &amp; b</skos:prefLabel>
      </skos:Concept>`,
    });
    expect(source.concepts[0]?.expressions[0]?.text).toBe("a & b");
    const literal = `a &amp;lt; <b t=\\"x&amp;y&quot;z&#x9;\\">c &gt; d&lt;x&gt;</b>`;
    expect(source.concepts[0]?.vocabulary).toMatchObject({
      lines: expect.arrayContaining([expect.stringContaining(`"${literal}"^^`) as string]) as string[],
    });
  });

  it("has the title of one of its schemes, whatever the order of the file", async () => {
    const schemes = [
      `:s2 a skos:ConceptScheme ; dcterms:title "Two"@en .`,
      `:s1 a skos:ConceptScheme ; dcterms:title "One" .`,
    ];
    for (const lines of [schemes, schemes.toReversed()])
      expect(await readTurtle([...lines, ":a a skos:Concept ."].join("\n"))).toMatchObject({ title: "One" });
  });

  it("is not rid of texts whose tag is no tag, which JSON-LD would pass over silently", async () => {
    const context = {
      "@vocab": "http://www.w3.org/2004/02/skos/core#",
      lang: "@language",
      altLabel: { "@container": "@language" },
    };
    const thing = {
      "@id": "http://example.org/1",
      "@type": "Concept",
      prefLabel: [
        { "@value": "a", "@language": "zh_CN" },
        { "@value": "b", lang: "-" },
      ],
      altLabel: { pt_BR: ["c", "d"], en: "e" },
    };
    const source = await readFiles({ "a.jsonld": JSON.stringify({ "@context": context, "@graph": [thing] }) });
    expect(source.concepts[0]?.expressions.map(({ text, tag }) => `${text} ${tag}`.toLowerCase()).sort()).toEqual([
      "a zh_cn",
      "b -",
      "c pt_br",
      "d pt_br",
      "e en",
    ]);
  });

  it("has the numbers and truth values that name their datatype themselves", async () => {
    const skos = "http://www.w3.org/2004/02/skos/core#";
    const typed = [7, 1.5, true, 1e21].map((value) => ({ "@value": value, "@type": "http://a/T" }));
    const thing = { "@id": "http://a/b", "@type": `${skos}Concept`, [`${skos}notation`]: typed };
    const { concepts } = await readFiles({ "a.jsonld": JSON.stringify(thing) });
    expect(concepts[0]?.notations).toEqual(["1.0E21", "1.5E0", "7", "true"]);
  });

  it.each([
    ["@context", `[{"@id":"http://a/b","@context":{}}]`],
    [
      "@type with its own context",
      `{"@context":{"T":{"@id":"http://a/T","@context":{}}},"@id":"http://a/b","@type":"T"}`,
    ],
  ])("says to move a %s that is not read where it is", async (member, text) =>
    expect(readFiles({ "a.jsonld": text })).rejects.toThrow(
      `a.jsonld:1: Not readable as JSON-LD: a ${member} is not the first member of its object: move it`,
    ),
  );

  it.each([
    ["@id", { "ex:k": "ex:t" }],
    ["@graph", "ex:t"],
    ["@type", { "ex:T": ["ex:t", { "ex:p": "x" }] }],
    ["@index", { k: { "ex:p": "x" } }],
  ])("is refused with a map by %s, whose links the parser would lose or misplace", async (container, map) => {
    const context = { ex: "http://example.org/", n: { "@id": "ex:n", "@type": "@id", "@container": container } };
    for (const said of [
      { "@context": context, "@id": "ex:c", n: map, "ex:last": "after" },
      { "@context": { ex: context.ex, s: { "@id": "ex:s", "@context": context } }, "@id": "ex:c", s: { n: map } },
    ])
      await expect(readFiles({ "a.jsonld": JSON.stringify(said) })).rejects.toThrow(
        `a.jsonld:1: Not readable as JSON-LD: "n" is a map (@container ${container}): write its entries as a list`,
      );
  });

  it("has no label of an empty language map, and is refused with a @set that the parser would skip", async () => {
    const context = { skos: "http://www.w3.org/2004/02/skos/core#", al: { "@id": "skos:altLabel", "@container": "@language" } }; // prettier-ignore
    const concept = { "@context": context, "@id": "http://a/b", "@type": "skos:Concept", "skos:prefLabel": "one" };
    const read = (more: object): Promise<Source> => readFiles({ "a.jsonld": JSON.stringify({ ...concept, ...more }) });
    expect(comparable(await read({ al: {} }))).toEqual(comparable(await read({})));
    await expect(read({ "skos:note": { "@set": "x" } })).rejects.toThrow(
      'a.jsonld:1: Not readable as JSON-LD: the @set of "skos:note" is not a list: write it as one',
    );
  });

  it("may have a text, a list or nothing where its context allows a map", async () => {
    const terms = ["@index", "@id", "@index"].map((container, i) => [
      `n${i}`,
      { "@id": "ex:altLabel", "@container": [container, "@set"] },
    ]);
    const said = {
      "@context": { ex: "http://www.w3.org/2004/02/skos/core#", ...Object.fromEntries(terms) },
      "@id": "http://a/b",
      "@type": "ex:Concept",
      n0: ["one", "two"],
      n1: "three",
      n2: [],
    };
    const { concepts } = await readFiles({ "a.jsonld": JSON.stringify(said) });
    // Before, each was refused as a map.
    expect(concepts[0]?.expressions.map(({ text }) => text).sort()).toEqual(["one", "three", "two"]);
  });

  it("is not rid of IRIs with brackets, which JSON-LD would pass over silently", async () => {
    const [id, type] = ["http://[::1]/a", "http://a/T[1]"];
    const said = {
      "http://[::1]/p": { "@id": "http://a/#b#c" },
      plain: "no IRI",
      "@type": ["http://www.w3.org/2004/02/skos/core#Concept", type],
    };
    const source = await readFiles({ "a.jsonld": JSON.stringify({ "@id": id, ...said }) });
    expect(source.concepts[0]?.sourceId).toBe(id);
    expect(source.concepts[0]?.vocabulary).toMatchObject({
      lines: expect.arrayContaining([
        "<http://[::1]/p> <http://a/#b#c>",
        `<http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <${type}>`,
      ]) as string[],
    });
  });

  it("keeps the languages that are asked for, and what has none, and counts the rest", async () => {
    const source = await readTurtle(
      `:a a skos:Concept ; skos:prefLabel "a"@de, "b"@de-at, "c"@den, "d"@en, "e" ; skos:definition "f"@en, "g"@de .`,
      { languages: ["DE"] },
    );
    expect(source.concepts[0]?.expressions.map(({ tag }) => tag)).toEqual(["", "de", "de-AT"]);
    expect(source.leftOut).toEqual({ "definitions in other languages": 1, "labels in other languages": 2 });
  });

  it("tells how many concepts there are so far", async () => {
    const heard: number[] = [];
    await readTurtle(":a a skos:Concept . :b a skos:Concept . :a a skos:Concept .", {
      progress: (done) => heard.push(done),
    });
    expect(heard).toEqual([1, 2]);
  });

  it("is refused without a concept, with what it has instead", async () => {
    await expect(readTurtle(":a a owl:Class . :b a owl:Class, rdfs:Class .")).rejects.toThrow(
      "a.ttl: There is no skos:Concept; it has 2 of <http://www.w3.org/2002/07/owl#Class>, 1 of <http://www.w3.org/2000/01/rdf-schema#Class>. Name a SKOS vocabulary",
    );
    await expect(readTurtle("")).rejects.toThrow("nothing in it has a type");
  });

  it("says what is wrong in it, and reads the rest", async () => {
    const source = await readTurtle(`
:a a skos:Concept ;
    skos:prefLabel "a"@en, :b, 5, [] ;
    skosxl:prefLabel :none, :two ;
    skos:definition :document ;
    skos:exactMatch "http://example.org/x", <relative> ;
    owl:deprecated true, false, "maybe" .
:two skosxl:literalForm "x"@en, "y"@en .
[] a skos:Concept ; skos:prefLabel "nameless"@en .
<relative> a skos:Concept .
:both a skos:Concept, skos:Collection .`);
    const said = source.faults.map(({ rule, text, outcome, line }) => [line, rule, text, outcome]);
    expect(said).toEqual([
      [11, "label-not-text", "prefLabel <http://example.org/b> is not a text with a language", "left out"],
      [11, "label-not-text", 'prefLabel "5" is not a text with a language', "left out"],
      [11, "label-not-text", "prefLabel of a blank node is not a text with a language", "left out"],
      [11, "label-form", "skosxl:prefLabel <http://example.org/none> has no literal form", "left out"],
      [11, "label-form", "skosxl:prefLabel <http://example.org/two> has 2 literal forms; the first is taken", "kept"],
      [11, "note-not-text", "definition <http://example.org/document> holds no text", "kept"],
      [11, "reference-not-iri", 'exactMatch "http://example.org/x" is written as a text, not as an IRI', "kept"],
      [11, "reference-not-iri", "exactMatch <relative> is not an absolute IRI", "kept"],
      [11, "deprecated-unclear", "owl:deprecated is neither true nor false", "kept"],
      [11, "deprecated-unclear", "owl:deprecated is both true and false; it counts as true", "kept"],
      [18, "concept-without-iri", 'A concept has no IRI: "nameless"', "left out"],
      [19, "concept-without-iri", "A concept has a relative IRI in a file without a base", "left out"],
      [20, "kinds-excluded", "The concept is also a collection, by its type or by what leads to it; it is read as a concept", "kept"], // prettier-ignore
    ]);
    expect(source.concepts.map(({ sourceId }) => sourceId)).toEqual([
      "http://example.org/a",
      "http://example.org/both",
    ]);
    expect(source.concepts[0]?.expressions.map(({ text }) => text)).toEqual(["a", "x"]);
  });

  it("keeps what is relative as it is written", async () => {
    const source = await readTurtle(
      '<a> a skos:Concept . <c> a skos:Collection ; skos:member <a> . :b a skos:Concept ; skos:notation "1"^^<type> ; <p> <q> .',
    );
    expect(JSON.stringify(source)).not.toContain(".invalid");
    expect(source.vocabulary?.map(({ subject }) => subject)).toEqual(["a", "c"]);
    expect(source.faults.map(({ concept }) => concept)).toEqual(["a"]);
  });

  it("keeps RDF/XML texts whole around comments and CDATA, and expands simple entities", async () => {
    const source = await readFiles({
      "a.owl": `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE rdf:RDF [ <!-- namespaces --> <!ENTITY skos "http://www.w3.org/2004/02/skos/core#"> <!ENTITY ex 'http://example.org/'> ]>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:skos="&skos;" xml:base="&ex;base/">
<skos:Concept rdf:about="x"><skos:prefLabel xml:lang="EN">one<!-- c --> two<![CDATA[ <three>]]> &ex;&amp;</skos:prefLabel></skos:Concept>
</rdf:RDF>`,
    });
    expect(source.concepts).toMatchObject([
      {
        sourceId: "http://example.org/base/x",
        expressions: [{ tag: "en", text: "one two <three> http://example.org/&" }],
      },
    ]);
  });

  it.each([
    [
      "a context at the end",
      `{"@graph":[{"@id":"http://a/b","@type":"s:Concept"}],"@context":{"s":"http://www.w3.org/2004/02/skos/core#"}}`,
    ],
    ["the expanded form", `[{"@id":"http://a/b","@type":["http://www.w3.org/2004/02/skos/core#Concept"]}]`],
    ["one node", `\n{ "@id":"http://a/b","@type":"http://www.w3.org/2004/02/skos/core#Concept" }\n`],
  ])("is read from JSON-LD with %s", async (_form, text) => {
    const source = await readFiles({ "a.json": text });
    expect(source.concepts).toMatchObject([{ sourceId: "http://a/b" }]);
  });

  it("is read from JSON-LD of any size, with the lines that concepts stand on", async () => {
    const head = `{"@context":{"s":"http://www.w3.org/2004/02/skos/core#"},"@graph":[\n`;
    const definition = "x".repeat(4 * 2 ** 20);
    const nodes = [1, 2, 3, 4, 5].map(
      (n) => `{"@id":"http://a/${n}","@type":"s:Concept","s:definition":"${definition}"}`,
    );
    const source = await readFiles({ "a.jsonld": `${head}${nodes.join(",\n")}]}` });
    expect(source.concepts.map(({ line }) => line)).toEqual([2, 3, 4, 5, 6]);
  });
});

describe("the licence of a vocabulary", () => {
  it.each([
    ["http://creativecommons.org/licenses/by/4.0/", "CC-BY-4.0"],
    ["https://creativecommons.org/licenses/by-nc-sa/3.0/legalcode", "CC-BY-NC-SA-3.0"],
    ["https://www.creativecommons.org/licenses/by-sa/4.0/deed.de", "CC-BY-SA-4.0"],
    ["http://creativecommons.org/publicdomain/zero/1.0/", "CC0-1.0"],
    ["http://opendatacommons.org/licenses/odbl/1-0/", "ODbL-1.0"],
    ["https://opendatacommons.org/licenses/by/1.0", "ODC-By-1.0"],
    ["http://www.apache.org/licenses/LICENSE-2.0.txt", "Apache-2.0"],
    ["https://spdx.org/licenses/EUPL-1.2.html", "EUPL-1.2"],
    ["https://spdx.org/licenses/no-such-licence", undefined],
    ["CC-BY-4.0", "CC-BY-4.0"],
    ["GPL-2.0", "GPL-2.0"],
    ["http://creativecommons.org/licenses/by/3.0/de/", "CC-BY-3.0-DE"],
    ["http://creativecommons.org/licenses/by/3.0/igo/legalcode", "CC-BY-3.0-IGO"],
    ["http://creativecommons.org/licenses/by/2.0/jp/", undefined],
    ["https://example.org/terms", undefined],
    ["all rights reserved", undefined],
  ])("%s is %s", (given, expected) => {
    expect(spdxOf(given)).toBe(expected);
  });

  it.each([
    ["CC-BY-4.0", "https://spdx.org/licenses/CC-BY-4.0"],
    ["proprietary", undefined],
    ["MIT OR Apache-2.0", undefined],
    ["NOASSERTION", undefined],
  ])("%s has the address %s", (given, expected) => {
    expect(spdxAddress(given)).toBe(expected);
  });
});
