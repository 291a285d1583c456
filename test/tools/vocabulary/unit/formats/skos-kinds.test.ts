import { describe, expect, it } from "vitest";
import { readSkos } from "../../../../../generator/tools/vocabulary/formats/skos-read.ts";
import { memoryEffects } from "../../../../support/memory-effects.ts";

const HEAD = `
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix skosxl: <http://www.w3.org/2008/05/skos-xl#> .
@prefix e: <http://e/> .
e:s a skos:ConceptScheme . e:1 a skos:Concept ; skos:prefLabel "one"@en ; skos:inScheme e:s .
`;

/** `subject rule` of each finding about more than the first concept, and its text. */
async function found(body: string): Promise<[string, string][]> {
  const { faults } = await readSkos(memoryEffects({ "a.ttl": HEAD + body }), ["a.ttl"]);
  return faults.map(({ concept, rule, text }) => [`${concept?.replace("http://e/", "e:") ?? ""} ${rule}`, text]);
}

describe("a SKOS file", () => {
  it.each([
    ["a text", `e:1 skos:broader "Steel"@en .`, `broader "Steel" is written as a text, not as an IRI`],
    ["a blank node", `e:1 skos:narrower [ skos:note "x" ] .`, "narrower of a blank node is not an absolute IRI"],
    ["a relative IRI", `e:1 skos:related <r> .`, "related <r> is not an absolute IRI"],
    ["a relation that is transitive", `e:1 skos:broaderTransitive "a" .`, `broaderTransitive "a" is written as a text`],
    ["its scheme", `e:1 skos:inScheme "http://e/s" .`, `inScheme "http://e/s" is written as a text`],
    ["the scheme that it tops", `e:1 skos:topConceptOf "s" .`, `topConceptOf "s" is written as a text`],
    ["a match", `e:1 skos:narrowMatch "http://x/" .`, `narrowMatch "http://x/" is written as a text`],
  ])("has a finding for %s that cannot be read as a reference", async (_, body, text) => {
    const references = (await found(body)).filter(([what]) => what === "e:1 reference-not-iri");
    expect(references.map(([, said]) => said)).toEqual([expect.stringContaining(text)]);
  });

  it("has one for what a scheme or a collection names by a text", async () => {
    expect(await found(`e:s skos:hasTopConcept "1" . e:c a skos:Collection ; skos:member "1" .`)).toEqual([
      ["e:s reference-not-iri", 'hasTopConcept "1" is written as a text, not as an IRI'],
      ["e:c reference-not-iri", 'member "1" is written as a text, not as an IRI'],
    ]);
  });

  it.each([
    ["in a scheme without a type", `e:2 skos:inScheme e:s .`],
    ["with a label of any kind", `e:2 skos:hiddenLabel "two"@en .`],
    ["with a label that is a resource", `e:2 skosxl:altLabel e:l . e:l a skosxl:Label ; skosxl:literalForm "l"@en .`],
    ["with a mistyped type", `e:2 a skos:concept ; skos:prefLabel "two"@en .`],
    ["with the type of another vocabulary", `e:2 a e:Thing ; skos:prefLabel "two"@en .`],
    ["that a relation makes a concept (S19)", `e:2 skos:related e:1 .`],
    ["that a scheme makes a concept (S6)", `e:s skos:hasTopConcept e:2 . e:2 skos:notation "2" .`],
  ])("has a finding for a subject %s that is of no kind", async (_, body) => {
    const untyped = (await found(body)).filter(([what]) => what.endsWith("concept-without-type"));
    expect(untyped).toHaveLength(1);
    expect(untyped[0]?.[0]).toBe("e:2 concept-without-type");
    expect(untyped[0]?.[1]).toContain(body.includes("skos:concept ") ? `core#concept", which SKOS does not` : "no type of SKOS"); // prettier-ignore
  });

  it.each([
    ["S9", `e:s a skos:Concept .`, "e:s", "The concept is also a concept scheme"],
    ["S9 and S3", `e:2 a skos:Concept ; skos:inScheme e:1 .`, "e:1", "The concept is also a concept scheme"],
    ["S9 and S6", `e:s skos:topConceptOf e:s .`, "e:s", "The concept is also a concept scheme"],
    ["S37", `e:1 a skos:OrderedCollection .`, "e:1", "The concept is also a collection"],
    ["S37 and S19", `e:1 skos:narrower e:c . e:c a skos:Collection .`, "e:c", "The concept is also a collection"],
    ["S37, S19 and S39", `e:c a skos:Collection ; skos:closeMatch <http://x/> .`, "e:c", "The concept is also a collection"], // prettier-ignore
    ["S37 and S31", `e:1 skos:member e:1 .`, "e:1", "The concept is also a collection"],
    ["S37, of a scheme", `e:s a skos:Collection .`, "e:s", "The concept scheme is also a collection"],
    ["S48", `e:1 a skosxl:Label .`, "e:1", "The concept is also a label resource"],
  ])("has a finding for a subject of two kinds (%s)", async (_, ...[body, subject, text]) => {
    const kinds = (await found(body)).filter(([what]) => what.endsWith("kinds-excluded"));
    expect(kinds).toEqual([[`${subject} kinds-excluded`, expect.stringContaining(text)]]);
  });

  it("has none for kinds that go together, and for what is deprecated", async () => {
    const body = `
      e:s skos:hasTopConcept e:1 . e:1 skos:topConceptOf e:s ; skos:exactMatch e:2, <http://x/> .
      e:2 a skos:Concept, e:Thing ; skos:prefLabel "two"@en ; skos:inScheme [ a skos:ConceptScheme ] .
      e:c a skos:Collection ; skos:prefLabel "c"@en ; skos:member e:1, [ a skos:Collection ; skos:member e:2 ] .
      <http://x/> skos:exactMatch e:1 .
      e:3 owl:deprecated true ; skos:prefLabel "gone"@en .`;
    expect(await found(body)).toEqual([]);
  });
});
