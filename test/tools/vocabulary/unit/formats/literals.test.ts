import { describe, expect, it } from "vitest";
import { isSourceLine } from "../../../../../generator/registry/source-line.ts";
import { checkNotes, publishedNotes } from "../../../../../generator/registry/publish.ts";
import { readSkos } from "../../../../../generator/tools/vocabulary/formats/skos-read.ts";
import { writeSkos } from "../../../../../generator/tools/vocabulary/formats/skos-write.ts";
import { memoryEffects } from "../../../../support/memory-effects.ts";
import { concept, expression } from "../../../../support/registry.ts";

const SKOS = "http://www.w3.org/2004/02/skos/core#";
const RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";

/** The literals that a concept of the file has, as lines of N-Triples. */
async function literals(file: string, text: string): Promise<string[]> {
  const { concepts } = await readSkos(memoryEffects({ [file]: text }), [file]);
  const { vocabulary } = concepts[0] ?? {};
  const lines = vocabulary?.kind === "statements" ? vocabulary.lines : [];
  return lines.filter((line) => line.includes('"')).map((line) => line.slice(line.indexOf('"')));
}

function jsonLd(context: object, more: object): string {
  return JSON.stringify({
    "@context": { "@vocab": SKOS, ...context },
    "@id": "http://e/1",
    "@type": "Concept",
    ...more,
  });
}

describe("a text without a language", () => {
  it.each<[string, object, object, string[]]>([
    ["of the context", { "@direction": "ltr" }, { notation: "B-7" }, ['"B-7"']],
    ["of a value", {}, { note: { "@value": "a", "@direction": "rtl" } }, ['"a"']],
    ["of a term", { note: { "@id": `${SKOS}note`, "@direction": "rtl" } }, { note: ["a", 5] }, ['"5"^^<http://www.w3.org/2001/XMLSchema#integer>', '"a"']], // prettier-ignore
    ["of a language map", { "@direction": "rtl", note: { "@id": `${SKOS}note`, "@container": "@language" } }, { note: { he: "a", "@none": "b" } }, ['"a"@he', '"b"']], // prettier-ignore
    ["of a text with a language", { "@direction": "rtl", "@language": "fa" }, { prefLabel: "a" }, ['"a"@fa']],
  ])(
    "keeps none of the direction %s (JSON-LD 1.1 API, Object to RDF Conversion)",
    async (_, ...[context, more, expected]) => {
      expect(await literals("a.jsonld", jsonLd(context, more))).toEqual(expected);
    },
  );

  it("is not lost where its direction is none", async () => {
    const text = jsonLd({}, { note: { "@value": "a", "@direction": "up" } });
    await expect(literals("a.jsonld", text)).rejects.toThrow('the @direction "up" is neither "ltr" nor "rtl"');
  });

  const xml = (datatype: string): string =>
    `<rdf:RDF xmlns:rdf="${RDF}" xmlns:s="${SKOS}"><s:Concept rdf:about="http://e/1">\n<s:note xml:lang="en" rdf:datatype="${RDF}${datatype}">a</s:note></s:Concept></rdf:RDF>`;
  it.each(
    ["langString", "dirLangString"].flatMap((name) => [
      ["a.rdf", xml(name)],
      ["a.jsonld", jsonLd({}, { note: { "@value": "a", "@type": `${RDF}${name}` } })],
      ["a.jsonld", jsonLd({ note: { "@id": `${SKOS}note`, "@type": `${RDF}${name}` } }, { note: "a" })],
      ["a.ttl", `<http://e/1> a <${SKOS}Concept> ; <${SKOS}note> "a"^^<${RDF}${name}> .`],
      ["a.nt", `<http://e/1> <${SKOS}note> "a"^^<${RDF}${name}> .\n`],
    ]),
  )("is refused with the datatype of one that has a language, in %s: %s", async (file, text) => {
    await expect(literals(file, text)).rejects.toThrow(
      /^a\.\w+:\d: Not readable as .*(?:no language: name one|languaged)/,
    );
  });

  it.each(["langString", "dirLangString"])("is refused with %s in a registry too, and never published", (name) => {
    const datatype = `${RDF}${name}`;
    expect(isSourceLine(`<${SKOS}note> "a"^^<${datatype}>`)).toBe(false);
    const texts = { notations: [{ notation: "1", datatype }, { notation: "2" }] };
    expect(checkNotes(texts)).toMatchObject([{ pointer: "/notations/0/datatype", fault: { rule: "note-not-text" } }]);
    expect(publishedNotes(texts)).toMatchObject({ notations: [{ notation: "2" }] });
    const record = concept("C-1", [expression("en", "one")], texts);
    const source = { registry: undefined, concepts: [{ file: "c", record }], retired: [], history: [], codeMap: [] };
    const turtle = [...writeSkos(source, { format: "turtle", origin: "https://e.example" })].join("");
    expect(turtle).toContain("skos:notation");
    expect(turtle).not.toContain(`^^<${datatype}>`);
  });
});
