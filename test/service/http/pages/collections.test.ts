/** Collections of vocabularies: read out of a SKOS file, listed, and walked through. */
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Collections } from "../../../../runtime/contract/collection.ts";
import { NAMES_MAX_CONCEPTS } from "../../../../runtime/contract/limits.ts";
import { isSourceLine, isSubject, statementOf } from "../../../../generator/registry/source-line.ts";
import type { DomainLine } from "../../../../generator/registry/vocabulary-file.ts";
import { collectionsIn } from "../../../../generator/skos/collections.ts";
import { runHere } from "../../../support/command.ts";
import { attribute, type Element, elements, parseHtml, textOf } from "../../../support/page.ts";
import { BROWSER } from "../../../support/pages.ts";
import { checkedRegistry, concept, expression } from "../../../support/registry.ts";
import { serveFolder, type Service, startService } from "../../../support/service.ts";
import { faultsAfter, type Loose } from "../../../support/tamper.ts";

const TURTLE = `
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix : <http://v.example/> .
:s a skos:ConceptScheme ; skos:prefLabel "Animals"@en .
:otter a skos:Concept ; skos:inScheme :s ; skos:prefLabel "otter"@en .
:heron a skos:Concept ; skos:inScheme :s ; skos:prefLabel "heron"@en .
:adder a skos:Concept ; skos:inScheme :s ; skos:prefLabel "adder"@en .
:rivers a skos:Collection ; skos:prefLabel "by the \\"river\\" <b>"@en, "Am Fluss"@de ; skos:member :otter, :heron, :sizes, :gone .
:sizes a skos:OrderedCollection ; rdfs:label "by size" ; skos:memberList ( :otter :adder :heron ) .
:empty a skos:Collection ; skos:prefLabel "nothing here"@en ; skos:member :gone .
[] a skos:Collection ; skos:member :adder .
`;

let dist: string;
let service: Service;
const codes: Record<string, string> = {};
beforeAll(async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "collections-"));
  const [file, registry, out] = ["v.ttl", "registry", "dist"].map((name) => path.join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(file, TURTLE);
  const from = ["import", "--from", file, "--into", registry, "--domain", "animals", "--review-as", "reviewed"];
  await runHere(from);
  await runHere(["build", "--registry", registry, "--out", out]);
  dist = out;
  service = await serveFolder(dist);
  const lines = readFileSync(path.join(dist, "registry/bundle.ndjson"), "utf8").trim().split("\n");
  for (const line of lines) {
    const { name, code } = JSON.parse(line) as { name: string; code: string };
    codes[name] = code;
  }
});
afterAll(() => service.close());

const visit = async (url: string): Promise<Element> => parseHtml(await service.send("GET", url, BROWSER));
const linksIn = (part: Element | undefined): string[] =>
  elements(part, "a").flatMap((link) => attribute(link, "href") ?? []);
const codesOn = (page: Element): string[] =>
  elements(page, "li").flatMap((item) => {
    const [name] = elements(item, "p").filter((one) => attribute(one, "class") === "name");
    return name === undefined ? [] : [textOf(elements(name, "code")[0])];
  });
const urlOf = (id: string): string => `/concepts?collection=${encodeURIComponent(id)}`;
const RIVERS = urlOf("http://v.example/rivers");
const SIZES = urlOf("http://v.example/sizes");

describe("the collections of a vocabulary", () => {
  it("are a document of the release, in order of label, with the published concepts in them", async () => {
    const { collections } = (await service.send("GET", "/registry/collections.json")).json() as Collections;
    const { otter = "", heron = "", adder = "" } = codes;
    expect(collections.slice(0, 2)).toEqual([
      {
        id: "http://v.example/sizes",
        labels: [{ text: "by size" }],
        ordered: true,
        members: [otter, adder, heron],
        parts: [],
      },
      {
        id: "http://v.example/rivers",
        labels: [
          { language: "de", text: "Am Fluss" },
          { language: "en", text: 'by the "river" <b>' },
        ],
        ordered: false,
        members: [otter, heron].toSorted(),
        parts: ["http://v.example/sizes"],
      },
    ]);
    expect(collections[2]).toMatchObject({ id: expect.stringMatching(/^_:/), labels: [], members: [adder] });
  });

  it("are listed where the list of concepts begins, and named by each concept that is in them", async () => {
    const links = linksIn(await visit("/concepts"));
    expect(links.filter((href) => href.includes("collection="))).toEqual([
      SIZES,
      RIVERS,
      expect.stringContaining("=_%3A"),
    ]);
    const page = await visit(`/concepts/${codes["otter"] ?? ""}`);
    expect(linksIn(page).filter((href) => href.includes("collection="))).toEqual([SIZES, RIVERS]);
  });

  it("have a page with their label, their concepts and the collections in them", async () => {
    const page = await visit(RIVERS);
    const label = 'by the "river" <b>';
    expect([textOf(elements(page, "h1")[0]), textOf(elements(page, "title")[0])]).toEqual([
      label,
      expect.stringContaining(`${label}, Concepts`),
    ]);
    expect(codesOn(page)).toEqual([codes["heron"], codes["otter"]]);
    expect(linksIn(page).filter((href) => href.includes("collection="))).toEqual([SIZES]);
  });

  it("keep the order that their source gives", async () => {
    const page = await visit(SIZES);
    expect(codesOn(page)).toEqual([codes["otter"], codes["adder"], codes["heron"]]);
    expect(textOf(elements(page, "main")[0])).toContain("3 concepts, in the order of the collection.");
  });

  it("limit a filter, and count as none if they are unknown", async () => {
    expect(codesOn(await visit(`${RIVERS}&q=adder`))).toEqual([]);
    expect(codesOn(await visit(`${SIZES}&q=adder`))).toEqual([codes["adder"]]);
    expect(codesOn(await visit(urlOf("http://v.example/gone")))).toHaveLength(3);
  });
});

describe("a thousand collections", () => {
  it("keep the list of concepts below 150 kB, and say how many more there are", async () => {
    const registry = checkedRegistry({ concepts: [concept("A", [expression("en", "word")])] });
    const collections = Array.from({ length: 1000 }, (_none, i) => {
      const labels = [{ language: "en", text: `Collection number ${i} of many, with a long label` }];
      return { id: `http://v.example/collections/${i}`, labels, ordered: false, members: ["A"], parts: [] };
    });
    const many = await startService({ ...registry, collections });
    const { body } = await many.send("GET", "/concepts", BROWSER);
    expect(body.length).toBeLessThan(150_000);
    expect(body.toString()).toContain("and 700 more");
    await many.close();
  });
});

describe("verify", () => {
  it.each([
    ["a code that is not published", ({ collections }: Loose) => collections[1].members.push("Z-1")],
    ["a part that is no collection", ({ collections }: Loose) => collections[1].parts.push("http://v.example/gone")],
    ["another order", ({ collections }: Loose) => collections.unshift(collections.pop())],
    ["a member twice", ({ collections }: Loose) => collections[1].members.push(collections[1].members[0])],
  ])("finds %s", async (_what, change) => {
    const faults = await faultsAfter(dist, (copy) => copy.edit("registry/collections.json", change));
    expect(faults).toEqual([expect.stringMatching(/^registry\/collections\.json: /)]);
  });

  it("finds one that has not its shape", async () => {
    const change = ({ collections }: Loose) => (collections[0].members = 7);
    const faults = await faultsAfter(dist, (copy) => copy.edit("registry/collections.json", change));
    expect(faults).toEqual([expect.stringContaining("registry/collections.json: collections[0].members")]);
  });
});

describe("reading collections", () => {
  const RDF = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#";
  const SKOS = "<http://www.w3.org/2004/02/skos/core#";
  const lineOf = (subject: string, ...source: string[]): DomainLine => ({ domain: "test", subject, source });
  const named = (code: string) =>
    concept(code, [expression("en", `word ${code}`)], {
      provenance: { source: "x", license: "x", sourceId: `urn:x:${code}`, reviewedBy: null, reviewedAt: null },
    });
  const { concepts } = checkedRegistry({ concepts: [named("A"), named("B")] });

  it("ends where a list leads back to itself, or to nothing", () => {
    const cells = [
      `_:b0 ${RDF}first> <urn:x:B>`,
      `_:b0 ${RDF}rest> _:b1`,
      `_:b1 ${RDF}first> <urn:x:A>`,
      `_:b1 ${RDF}rest> _:b0`,
    ];
    const list = lineOf("urn:c", `${RDF}type> ${SKOS}OrderedCollection>`, `${SKOS}memberList> _:b0`, ...cells);
    expect(collectionsIn([list], concepts)).toMatchObject([{ ordered: true, members: ["B", "A"] }]);
  });

  it("keeps a collection for what is in its parts, however they hold each other", () => {
    const type = `${RDF}type> ${SKOS}Collection>`;
    const lines = [
      lineOf("urn:a", type, `${SKOS}member> <urn:b>`),
      lineOf("urn:b", type, `${SKOS}member> <urn:a>`, `${SKOS}member> <urn:c>`),
      lineOf("urn:c", type, `${SKOS}member> <urn:x:A>`),
      lineOf("urn:d", type, `${SKOS}member> <urn:e>`),
      lineOf("urn:e", type, `${SKOS}member> <urn:d>`),
    ];
    const found = collectionsIn(lines, concepts).map(({ id, parts }) => [id, ...parts]);
    expect(found).toEqual([["urn:a", "urn:b"], ["urn:b", "urn:a", "urn:c"], ["urn:c"]]);
  });

  it("reads the characters that N-Triples escapes", () => {
    const line = String.raw`<urn:p> "a\tb\"c\\d\u00E9\n"@DE-ch`;
    expect(statementOf(line)).toEqual({
      subject: undefined,
      predicate: "urn:p",
      value: 'a\tb"c\\dé\n',
      isText: true,
      language: "de-ch",
    });
  });

  it("takes half of a pair of surrogates for no character, written or escaped", () => {
    const halves = ["\\uD800", "\\uDFFF", "\uD83D"];
    const whole = ["\\uD7FF", "\\uE000", "\uD83D\uDE00"];
    const lines = (texts: readonly string[]): string[] =>
      texts.flatMap((text) => [`<urn:p> "${text}"`, `<urn:${text}> "x"`]);
    expect(lines(halves).filter(isSourceLine)).toEqual([]);
    expect(lines(whole).filter((line) => !isSourceLine(line))).toEqual([]);
    expect(["urn:\uD83D", "urn:\uD83D\uDE00"].map(isSubject)).toEqual([false, true]);
  });

  it("finds none for lists that no page can show", () => {
    const many = Object.create(concepts, { length: { value: NAMES_MAX_CONCEPTS + 1 } }) as typeof concepts;
    const line = lineOf("urn:c", `${RDF}type> ${SKOS}Collection>`, `${SKOS}member> <urn:x:A>`);
    expect([collectionsIn([line], many), collectionsIn([line], concepts)]).toMatchObject([[], [{ members: ["A"] }]]);
  });
});
