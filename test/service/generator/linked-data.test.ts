/**
 * The concepts of a release as linked data: each with its JSON as it is, all of them as SKOS, and
 * their description. Read by libraries that the generator does not write with: jsonld and n3.
 */
import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import jsonld from "jsonld";
import { Parser, type Quad } from "n3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { conceptContext, linkedData } from "../../../generator/documents/linked-data.ts";
import { printSkos } from "../../../generator/documents/skos-files.ts";
import type { ConceptRecord } from "../../../generator/registry/record.ts";
import { viewOf } from "../../support/view.ts";
import {
  contextPath,
  DATASET_PATH,
  SKOS_JSONLD_PATH,
  SKOS_TURTLE_PATH,
} from "../../../runtime/contract/added-resources.ts";
import { paths } from "../../../runtime/contract/paths.ts";
import { fileSystem } from "../../../generator/effects/file-system.ts";
import { detailsOf } from "../../../generator/verify/audit/concept.ts";
import { checkContext } from "../../../generator/verify/audit/context.ts";
import { openDist } from "../../../generator/verify/audit/dist.ts";
import { readDocuments } from "../../../generator/verify/audit/documents.ts";
import { checkLinkedData } from "../../../generator/verify/audit/linked-data.ts";
import type { Dist } from "../../../generator/verify/audit/parts.ts";
import { canonicalLines, canonicalTurtle } from "../../support/canonical.ts";
import { checkedRegistry, concept, expression, type RegistryFiles } from "../../support/registry.ts";
import { buildRelease, ORIGIN } from "../../support/release.ts";
import { type Service, serveFolder } from "../../support/service.ts";
import { sha256 } from "../../support/sha256.ts";
import { skosViolations } from "../../support/skos.ts";
import { edit, faultsAfter, swap } from "../../support/tamper.ts";
import { parseTurtle } from "../../support/turtle-reader.ts";

const SKOS = "http://www.w3.org/2004/02/skos/core#";
const OURS = `${ORIGIN}/api/v1/concepts`;
const SAID = { source: "s", license: "CC0-1.0", sourceId: null, reviewedBy: null, reviewedAt: null };

function named(code: string, more: Partial<ConceptRecord> = {}): ConceptRecord {
  return concept(code, [expression("en", `${code} in English`, { type: "preferred" })], { provenance: SAID, ...more });
}

const APPLE: Partial<ConceptRecord> = {
  definition: "A “fruit”:\n\\round\\.",
  provenance: { ...SAID, sourceId: "http://example.org/apple", exactMatch: ["urn:x:apple"], broadMatch: ["urn:x:y"] },
  expressions: [
    expression("en", "apple", { type: "preferred" }),
    expression("en", "apples"),
    expression("pt", "maçã", { locale: "pt-BR", type: "preferred" }),
    expression("de", "Apfel", { type: "symbol" }),
    expression("de", "wartet", { reviewStatus: "in_review" }),
  ],
  hiddenLabels: [{ language: "en", label: "appel" }],
  notations: [{ notation: "A.1" }, { notation: "1", datatype: "urn:t" }],
  notes: { definition: [{ language: "de", text: "Eine Frucht." }], scopeNote: [{ text: "For eating." }] },
  broader: ["FRUIT", "DRAFT"],
  related: ["PEAR"],
  source: ["<http://example.org/own> <http://example.org/raw>"],
};

const FILES: RegistryFiles = {
  concepts: [
    named("APPLE", APPLE),
    named("FRUIT", { narrower: ["APPLE"] }),
    named("PEAR", { related: ["APPLE"] }),
    { ...named("DRAFT"), expressions: [expression("en", "draft", { reviewStatus: "draft" })] },
  ],
  retired: [{ code: "OLD", retiredIn: "2026.11.1", replacedBy: "PEAR", name: "Old", reason: "a reason" }],
};
const registry = checkedRegistry(FILES);
const CONTEXT = contextPath(registry.registryVersion);

let dist: string;
let service: Service;
beforeAll(async () => {
  dist = await buildRelease(registry);
  service = await serveFolder(dist);
});
afterAll(() => service.close());

const text = (of: string): string => readFileSync(path.join(dist, of), "utf8");

/** Canonical lines of what is at an address of the service, as a program finds it there. */
async function fetched(url: string): Promise<string[]> {
  const documentLoader = async (at: string) => {
    const { headers, body } = await service.send("GET", at.slice(ORIGIN.length));
    const linked = headers["link"] === undefined ? {} : jsonld.util.parseLinkHeader(String(headers["link"]));
    const context = linked["http://www.w3.org/ns/json-ld#context"];
    const isJson = headers["content-type"] === "application/json";
    return { contextUrl: (isJson && context?.target) || null, documentUrl: at, document: JSON.parse(String(body)) as unknown }; // prettier-ignore
  };
  return canonicalLines(await jsonld.toRDF(url, { documentLoader }));
}

const PREFIXES = Object.entries({
  "": `${OURS}/`,
  skos: SKOS,
  rdf: "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
  rdfs: "http://www.w3.org/2000/01/rdf-schema#",
  owl: "http://www.w3.org/2002/07/owl#",
  dcterms: "http://purl.org/dc/terms/",
  srs: "urn:service-semantics:terms:v1:",
});

/** Lines as Turtle would have them, of one subject. */
function about(code: string, lines: readonly string[]): string[] {
  const short = lines.map((line) =>
    PREFIXES.reduce((so, [name, iri]) => so.replaceAll(new RegExp(`<${iri}([\\w-]+)>`, "g"), `${name}:$1`), line),
  );
  return short.flatMap((line) => (line.startsWith(`:${code} `) ? [line.slice(code.length + 2, -" .".length)] : []));
}

interface Change {
  readonly file: string;
  readonly from: string | RegExp;
  readonly to: string;
}
const altered = (file: string, from: string | RegExp, to: string): Change => ({ file, from, to });

/** Verify's faults of linked data after a change; the whole verify would take a second. */
function faultsOf({ file, from, to }: Change): string[] {
  const whole = openDist(fileSystem, dist);
  const { manifest, index } = whole;
  if (manifest === undefined || index === undefined) throw new Error("The release cannot be read");
  const swapped = (before = ""): string =>
    typeof from === "string" ? before.replaceAll(from, to) : before.replace(from, to);
  const changed: Dist = {
    ...whole,
    text: (name) => (name === file ? swapped(whole.text(name)) : whole.text(name)),
    read: (name) => (name === file ? Buffer.from(swapped(whole.text(name))) : whole.read(name)),
  };
  const { documents } = readDocuments(whole, manifest.origin);
  const codes = Array.from(detailsOf(index), ({ code }) => code);
  const faults = checkLinkedData({ dist: changed, index, manifest, documents, codes });
  whole.close();
  const common = { haveProvenance: true, areByIri: true, areExact: true };
  return [...faults, ...checkContext(changed, manifest.registry.registryVersion, common)];
}

describe("O-70: all concepts as SKOS", () => {
  it("are the same graph in Turtle and in JSON-LD, and sound", async () => {
    const lines = await canonicalTurtle(text(SKOS_TURTLE_PATH));
    expect(await canonicalLines(await jsonld.toRDF(JSON.parse(text(SKOS_JSONLD_PATH)) as object))).toEqual(lines);
    const triples = parseTurtle(text(SKOS_TURTLE_PATH));
    expect(skosViolations(triples)).toEqual([]);
    expect(triples.length).toBe(lines.length);
  });

  it("say what is published and nothing that waits, with what vocabularies say of it", async () => {
    const lines = await canonicalTurtle(text(SKOS_TURTLE_PATH));
    expect(about("APPLE", lines)).toEqual([
      "dcterms:source <http://example.org/apple>",
      "rdf:type skos:Concept",
      'skos:altLabel "Apfel"@de',
      'skos:altLabel "apples"@en',
      "skos:broadMatch <urn:x:y>",
      "skos:broader :FRUIT",
      'skos:definition "A “fruit”:\\n\\\\round\\\\."',
      'skos:definition "Eine Frucht."@de',
      "skos:exactMatch <urn:x:apple>",
      `skos:inScheme <${OURS}>`,
      'skos:notation "1"^^<urn:t>',
      'skos:notation "A.1"',
      'skos:notation "APPLE"^^srs:ConceptCode',
      'skos:prefLabel "apple"@en',
      'skos:prefLabel "maçã"@pt-br',
      "skos:related :PEAR",
      'skos:scopeNote "For eating."',
      'srs:domain "test"',
      'srs:name "Name of APPLE"',
    ]);
    expect(about("OLD", lines)).toEqual([
      "dcterms:isReplacedBy :PEAR",
      "rdf:type skos:Concept",
      'rdfs:label "Old"',
      'owl:deprecated "true"^^<http://www.w3.org/2001/XMLSchema#boolean>',
      `skos:inScheme <${OURS}>`,
      'skos:notation "OLD"^^srs:ConceptCode',
    ]);
    expect(lines.join("\n")).not.toMatch(/DRAFT|draft|wartet|appel|raw|a reason/);
  });

  it("are described as a dataset, with their digests and how many statements they hold", async () => {
    const quads = new Parser().parse(text(DATASET_PATH));
    const of = (subjects: readonly string[], predicate: string): string[] =>
      quads
        .filter((quad: Quad) => subjects.includes(quad.subject.value) && quad.predicate.value.endsWith(`#${predicate}`))
        .map((quad: Quad) => quad.object.value);
    const files = [SKOS_TURTLE_PATH, SKOS_JSONLD_PATH];
    const triples = await canonicalTurtle(text(SKOS_TURTLE_PATH));
    expect(of([OURS], "dataDump")).toEqual(files.map((file) => ORIGIN + file));
    expect(of([OURS], "triples")).toEqual([String(triples.length)]);
    expect(of(of([OURS], "classPartition"), "entities")).toEqual(["4"]);
    const distributions = of([OURS], "distribution");
    expect(of(distributions, "downloadURL")).toEqual(files.map((file) => ORIGIN + file));
    expect(of(distributions, "byteSize")).toEqual(files.map((file) => String(Buffer.byteLength(text(file)))));
    expect(of(of(distributions, "checksum"), "checksumValue")).toEqual(files.map((file) => sha256(text(file))));
  });

  it.each([
    [SKOS_TURTLE_PATH, "text/turtle; charset=utf-8"],
    [SKOS_JSONLD_PATH, "application/ld+json"],
    [CONTEXT, "application/ld+json"],
    [DATASET_PATH, "text/turtle; charset=utf-8"],
  ])("are served and linked from the catalog: %s", async (at, mediaType) => {
    const { status, headers, body } = await service.send("GET", at);
    expect([status, headers["content-type"], body.toString()]).toEqual([200, mediaType, text(at)]);
    expect(headers.etag).toBe(`"${sha256(text(at))}"`);
    expect(text(paths.apiCatalog)).toContain(`"${ORIGIN}${at}"`);
  });

  const [JSONLD = "", TURTLE = "", TERMS = "", DATASET = ""] = [SKOS_JSONLD_PATH, SKOS_TURTLE_PATH, CONTEXT, DATASET_PATH].map((one) => one.slice(1)); // prettier-ignore
  const OTHER_CONTEXT = "does not say what the members of a concept mean";
  const OF_APPLE = `${OURS}/APPLE differs from the registry`;
  const rows: readonly (readonly [what: string, change: Change, fault: string])[] = [
    ["another label", altered(JSONLD, "apples", "pears"), OF_APPLE],
    ["a label in another role of none", altered(JSONLD, "skos:altLabel", "skos:hiddenLabel"), OF_APPLE],
    ["labels in each other's role", altered(JSONLD, '"skos:prefLabel"', '"skos:altLabel"'), OF_APPLE],
    ["labels that are no list", altered(JSONLD, '"skos:prefLabel":[', '"skos:prefLabel":0,"x":['), OF_APPLE],
    ["another definition", altered(JSONLD, "A “fruit”", "A “food”"), OF_APPLE],
    ["another name", altered(JSONLD, "Name of APPLE", "Name of PEAR"), OF_APPLE],
    ["another domain", altered(JSONLD, '"srs:domain":[{"@value":"test"}', '"srs:domain":[{"@value":"rest"}'), OF_APPLE],
    ["the code of another concept", altered(JSONLD, '"@value":"APPLE"', '"@value":"PEAR"'), OF_APPLE],
    ["another notation", altered(JSONLD, '"A.1"', '"A.2"'), OF_APPLE],
    ["another source", altered(JSONLD, "example.org/apple", "example.org/pear"), OF_APPLE],
    ["a broad match as an exact one", altered(JSONLD, "skos:broadMatch", "skos:exactMatch"), OF_APPLE],
    ["a match less", altered(JSONLD, /,"skos:broadMatch":[^\]]*\]/, ""), OF_APPLE],
    ["another note", altered(JSONLD, "For eating.", "For throwing."), OF_APPLE],
    ["what no concept says", altered(JSONLD, '"srs:name"', '"owl:sameAs":[{"@id":"urn:x"}],"srs:name"'), OF_APPLE],
    ["a relation turned round", altered(JSONLD, "skos:broader", "skos:narrower"), "APPLE has other relations than on its page"],
    ["a relation less", altered(JSONLD, /,"skos:related":[^\]]*\]/g, ""), "APPLE has other relations than on its page"],
    ["a relation to nothing", altered(JSONLD, `"skos:related":[{"@id":"${OURS}/PEAR`, `"skos:related":[{"@id":"${OURS}/PAIR`), OF_APPLE],
    ["another successor", altered(JSONLD, `isReplacedBy":[{"@id":"${OURS}/PEAR`, `isReplacedBy":[{"@id":"${OURS}/FRUIT`), `${OURS}/OLD differs`],
    ["a retired code that is none", altered(JSONLD, '"@value":"true"', '"@value":"false"'), `${OURS}/OLD differs`],
    ["another version", altered(JSONLD, '"2026.11.1"', '"2026.11.2"'), `${OURS} differs`],
    ["another title", altered(JSONLD, '"Test"', '"Rest"'), `${OURS} differs`],
    ["another licence", altered(DATASET, "CC0-1.0", "CC-BY-4.0"), "names another licence"],
    ["a concept that is not there", altered(TURTLE, `<${OURS}/PEAR>\n`, `<${OURS}/PAIR>\n`), `${OURS}/PEAR differs`],
    ["other prefixes", altered(JSONLD, "skos/core#", "skos/other#"), "says more than the registry, or with other prefixes"],
    ["a subject more", altered(JSONLD, "\n]}", ',\n{"@id":"urn:x"}\n]}'), `${OURS}/OLD differs`],
    ["other prefixes in Turtle", altered(TURTLE, "skos/core#", "skos/other#"), "its list of prefixes differs"],
    ["a label that is another in Turtle", altered(TURTLE, '"apples"@en', '"pears"@en'), OF_APPLE],
    ["a label in another language", altered(TURTLE, '"apples"@en', '"apples"@nl'), OF_APPLE],
    ["a label that Turtle adds", altered(TURTLE, "srs:name", 'skos:altLabel "pear"@en ;\n    srs:name'), OF_APPLE],
    ["a label behind all others", altered(TURTLE, /$/, `\n<${OURS}/PEAR> skos:altLabel "p"@en .\n`), "its end differs"],
    ["a context of null", altered(TERMS, /[^]*/, "null\n"), OTHER_CONTEXT],
    ["a context of nothing", altered(TERMS, /[^]*/, "{}\n"), OTHER_CONTEXT],
    ["a context of which half is there", altered(TERMS, /[^]{100}$/, ""), OTHER_CONTEXT],
    ["a context with more beside it", altered(TERMS, /\}\n$/, ', "@id": "urn:x"}\n'), OTHER_CONTEXT],
    ["a context in another form", altered(TERMS, "  ", " "), OTHER_CONTEXT],
    ["a context that begins with any vocabulary", altered(TERMS, '"@version"', '"@vocab": "urn:x:",\n    "@version"'), OTHER_CONTEXT], // prettier-ignore
    ["a context with a term of no concept", altered(TERMS, '"@version"', '"url": "@id",\n    "@version"'), OTHER_CONTEXT],
    ["a context with another namespace", altered(TERMS, "skos/core#", "skos/other#"), OTHER_CONTEXT],
    ["a context in which a name is no label", altered(TERMS, "skos:prefLabel", "skos:note"), OTHER_CONTEXT],
    ["a context without definitions", altered(TERMS, /.*"definition".*\n/, ""), OTHER_CONTEXT],
    ["a context in which sources mean nothing", altered(TERMS, /.*"sourceId"[^}]*\},\n/, ""), OTHER_CONTEXT],
    ["a context in which a close match is an exact one", altered(TERMS, "skos:closeMatch", "skos:exactMatch"), OTHER_CONTEXT], // prettier-ignore
    ["a context in which provenance means nothing", altered(TERMS, '"@nest"', "null"), OTHER_CONTEXT],
    ["a context in which no expression is exact", altered(TERMS, "rdfs:label", "srs:label"), OTHER_CONTEXT],
    ["another digest", altered(DATASET, 'checksumValue "', 'checksumValue "0'), "lacks the digest of"],
  ]; // prettier-ignore

  it.each(rows)("are vouched for by verify, which finds %s", (_, change, fault) => {
    expect(faultsOf(change)).toContainEqual(expect.stringContaining(`${change.file}: ${fault}`));
  });

  it("are whole as they were built", () => {
    expect(faultsOf(altered(TURTLE, /$/, ""))).toEqual([]);
  });

  it("are vouched for by verify, which finds no graph", async () => {
    const faults = await faultsAfter(dist, swap(JSONLD, '"@graph"', '"graph"').apply);
    expect(faults).toContainEqual(expect.stringContaining(`${JSONLD}: says more than the registry`));
  });

  it("are vouched for by verify, which finds a retired code that no address can have", async () => {
    const half = edit("registry/retired.json", (value) => {
      Object.assign(value.retired[0] as object, { code: "\uD800", replacedBy: "\uDC00" });
    });
    const faults = await faultsAfter(dist, half.apply);
    expect(faults).toContainEqual(expect.stringContaining(`${JSONLD}: ${OURS}/%EF%BF%BD differs`));
  });

  it("are vouched for by verify, which finds a context that is missing or of another version", async () => {
    const faults = await faultsAfter(dist, (copy) => {
      copy.write(contextPath("2020.01.1").slice(1), copy.read(CONTEXT.slice(1)));
      rmSync(copy.at(CONTEXT.slice(1)));
    });
    expect(faults).toContain(`${CONTEXT.slice(1)}: missing`);
    expect(faults).toContain("registry/contexts/2020.01.1.jsonld: not of the version of this release");
  });
});

describe("O-70: the JSON of a concept", () => {
  it("is JSON-LD by the context that it names, with the address of the concept as subject", async () => {
    expect(about("APPLE", await fetched(`${OURS}/APPLE`))).toEqual([
      "dcterms:source <http://example.org/apple>",
      "rdf:type skos:Concept",
      'rdfs:label "Apfel"@de',
      'rdfs:label "apple"@en',
      'rdfs:label "apples"@en',
      'rdfs:label "maçã"@pt',
      "skos:broadMatch <urn:x:y>",
      'skos:definition "A “fruit”:\\n\\\\round\\\\."',
      "skos:exactMatch <urn:x:apple>",
      'skos:notation "APPLE"^^srs:ConceptCode',
      'skos:prefLabel "Name of APPLE"',
      'srs:domain "test"',
    ]);
    const all = await fetched(`${OURS}/APPLE`);
    expect(all.filter((line) => !line.startsWith(`<${OURS}/APPLE> `))).toEqual([]);
  });

  it("names it with 200, HEAD and 304, and nothing else does", async () => {
    const link = `<${ORIGIN}${CONTEXT}>; rel="http://www.w3.org/ns/json-ld#context"; type="application/ld+json"`;
    const { headers } = await service.send("GET", "/api/v1/concepts/APPLE");
    expect(headers["link"]).toBe(link);
    const again = { headers: { "if-none-match": String(headers.etag) } };
    const fresh = await service.send("GET", "/api/v1/concepts/APPLE", again);
    expect([fresh.status, fresh.headers["link"]]).toEqual([304, link]);
    expect((await service.send("HEAD", "/api/v1/concepts/APPLE")).headers["link"]).toBe(link);
    for (const other of ["/api/v1/concepts/NONE", "/api/v1/concepts", SKOS_JSONLD_PATH])
      expect((await service.send("GET", other)).headers["link"]).toBeUndefined();
  });

  const contextOf = (concepts: readonly unknown[]): Record<string, unknown> => {
    const { "@context": context } = conceptContext(viewOf(checkedRegistry({ concepts }), ORIGIN)) as {
      "@context": Record<string, unknown>;
    };
    return context;
  };
  it.each([
    ["a provenance of null, which @nest cannot be", named("A", { provenance: null }), { provenance: null }],
    ["an identifier that is no IRI", named("A", { provenance: { ...SAID, sourceId: "a" } }), { sourceId: undefined, exactMatch: undefined }], // prettier-ignore
    ["a match that is no IRI", named("A", { provenance: { ...SAID, closeMatch: ["a"] } }), { closeMatch: undefined }],
    ["an expression that is only near", named("A", { expressions: [expression("en", "a", { equivalenceStrength: 0.5 })] }), { expressions: expect.objectContaining({ "@id": "srs:label" }) as unknown }], // prettier-ignore
  ])("has no meaning where one of the concepts has %s", (_, one, expected) => {
    const context = contextOf([one, named("B")]);
    for (const [name, value] of Object.entries(expected)) expect(context[name]).toEqual(value);
    expect(contextOf([named("B")])).toMatchObject({ provenance: "@nest", sourceId: { "@id": "dcterms:source" } });
  });
});

describe("a release", () => {
  it.each<[string, RegistryFiles & { rdf?: boolean }, string[]]>([
    ["without concepts has none of it", { concepts: [] }, []],
    ["of an owner who wants no files has the context", { concepts: [named("A")], rdf: false }, [CONTEXT]],
  ])("%s", (_, { rdf = true, ...files }, expected) => {
    const view = viewOf(checkedRegistry(files), ORIGIN, { name: "Test", rdf });
    expect(linkedData(view).map(([at]) => at)).toEqual(expected);
  });

  it("that would have too long files has none", () => {
    const view = viewOf(registry, ORIGIN);
    const { length } = printSkos(view)?.jsonld ?? new Uint8Array();
    expect([printSkos(view, length)?.jsonld.length, printSkos(view, length - 400)]).toEqual([length, undefined]);
  });
});
