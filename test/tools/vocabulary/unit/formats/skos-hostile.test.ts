import { describe, expect, it } from "vitest";
import { readSkos } from "../../../../../generator/tools/vocabulary/formats/skos-read.ts";
import { SourceError } from "../../../../../generator/tools/vocabulary/formats/source.ts";
import { memoryEffects } from "../../../../support/memory-effects.ts";

const SKOS = "http://www.w3.org/2004/02/skos/core#";
const TURTLE = `@prefix skos: <${SKOS}> .\n<http://a/b> a skos:Concept`;
const XML = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:skos="${SKOS}">`;
const JSON_LD = `{"@context":{"skos":"${SKOS}"},"@graph":[{"@id":"http://a/b","@type":"skos:Concept"`;

/** The one line that the file is refused with. */
async function refusal(file: string, content: string | Uint8Array): Promise<string> {
  const error: unknown = await readSkos(memoryEffects({ [file]: content }), [file]).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(SourceError);
  const { message } = error as SourceError;
  expect(message).not.toMatch(/\n|\p{Cc}/u);
  expect(message.length).toBeLessThan(500);
  return message;
}

const bytes = (...parts: readonly (string | readonly number[])[]): Uint8Array =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string)));

describe("a file that is no text", () => {
  it.each<[string, Uint8Array, string]>([
    ["Latin-1", bytes(TURTLE, ' ; skos:prefLabel "caf', [0xe9], '"@fr .'), "a.ttl:2: The line is not UTF-8. "],
    ["UTF-16", Buffer.from(`\uFEFF${TURTLE}`, "utf16le"), "a.ttl:1: The file is UTF-16. Save the file as UTF-8"],
    ["UTF-16 without a mark", Buffer.from(TURTLE, "utf16le"), "a.ttl:1: The line has a NUL, as UTF-16 does. "],
    ["a NUL byte", bytes(TURTLE, "\n\0."), "a.ttl:3: The line has a NUL, as UTF-16 does. "],
    [
      "half a character at the end",
      bytes(TURTLE, " . # ", [0xf0, 0x9f]),
      "a.ttl:2: The file ends in the middle of a character. ",
    ],
    ["a surrogate", bytes(TURTLE, " . # ", [0xed, 0xa0, 0x80]), "a.ttl:2: The line is not UTF-8. "],
  ])("is refused for %s, with the place", async (_what, content, message) => {
    expect(await refusal("a.ttl", content)).toContain(message);
  });

  it("may begin with a byte order mark, and be cut anywhere between two reads", async () => {
    const content = bytes([0xef, 0xbb, 0xbf], TURTLE, ' ; skos:prefLabel "🍍語é"@en .');
    const chunks = function* (): Generator<Uint8Array> {
      for (const byte of content) yield Uint8Array.of(byte);
    };
    const source = await readSkos({ ...memoryEffects({ "a.ttl": content }), chunks }, ["a.ttl"]);
    expect(source.concepts[0]?.expressions).toMatchObject([{ text: "🍍語é" }]);
  });

  it("is refused where its XML says another encoding", async () => {
    expect(await refusal("a.rdf", `<?xml version="1.0" encoding="ISO-8859-1"?>${XML}</rdf:RDF>`)).toContain(
      "its encoding is ISO-8859-1, and only UTF-8 is read",
    );
  });
});

describe("a file that is broken", () => {
  it.each([
    ["a.ttl", `${TURTLE} ; skos:prefLabel "cut`, "a.ttl:2: Not readable as Turtle: "],
    ["a.ttl", `${TURTLE} ;`, "a.ttl:2: Not readable as Turtle: "],
    ["a.ttl", `${TURTLE} .\n\n"x" "y" "z" .`, "a.ttl:4: Not readable as Turtle: "],
    ["a.ttl", `${TURTLE} .\n:undefined a skos:Concept .`, "a.ttl:3: Not readable as Turtle: Undefined prefix"],
    [
      "a.nt",
      `<http://a/b> <http://a/c> <http://a/d> .\n<http://a/b> <relative> "x" .`,
      "a.nt:2: Not readable as N-Triples: ",
    ],
    ["a.nt", `<http://a/b> <http://a/c>`, "a.nt:1: Not readable as N-Triples: "],
    ["a.rdf", `${XML}\n<skos:Concept rdf:about="http://a/b">`, "a.rdf:2: Not readable as RDF/XML: unclosed tag"],
    ["a.rdf", `${XML}\n<skos:Concept></rdf:RDF>`, "a.rdf:2: Not readable as RDF/XML: "],
    ["a.rdf", "", "a.rdf:1: Not readable as RDF/XML: "],
    ["a.rdf", "not XML", "a.rdf:1: Not readable as RDF/XML: "],
    ["a.rdf", `${XML}<skos:Concept rdf:about="&unknown;"/></rdf:RDF>`, "undefined entity"],
    ["a.rdf", `${XML}<skos:Concept rdf:about="http://a/&constructor;"/></rdf:RDF>`, "undefined entity"],
    ["a.jsonld", `${JSON_LD}}`, "the file ends before its last bracket"],
    ["a.jsonld", `${JSON_LD}}]}\n{}`, "a.jsonld:2: Not readable as JSON-LD: something follows the last bracket"],
    ["a.jsonld", `${JSON_LD}\n,,}]}`, "a.jsonld:2: Not readable as JSON-LD: "],
    ["a.jsonld", `${JSON_LD},"x":"\\ud83d"}]}`, "a.jsonld:1: Not readable as JSON-LD: a text has half of a surrogate"],
    ["a.jsonld", `${JSON_LD},"x":"\\ud83d\\u0041"}]}`, "a text has half of a surrogate pair"],
    ["a.jsonld", `${JSON_LD},"x":"\\udc4d"}]}`, "a text has half of a surrogate pair"],
    ["a.jsonld", `${JSON_LD},"x":"\\ud83d\\n"}]}`, "a text has half of a surrogate pair"],
    ["a.jsonld", `${JSON_LD},"x":"`, "the file ends before its last bracket"],
    [
      "a.jsonld",
      `${JSON_LD},\n"skos:exactMatch":{"@id":"http://a/b c"}}]}`,
      'a.jsonld:2: Not readable as JSON-LD: "http://a/b c" is not an IRI',
    ],
    ["a.jsonld", `${JSON_LD}},{"@id":"a|b","@type":"skos:Concept"}]}`, '/a|b" is not an IRI'],
    ["a.jsonld", `${JSON_LD},"skos:no te":"x"}]}`, '#no te" is not an IRI'],
    ["a.jsonld", "", "the file is empty"],
    ["a.jsonld", `"text"`, "does not begin with a bracket"],
    ["a.csv", "code,name", "a.csv: A vocabulary is read from .ttl .turtle .nt .rdf .xml .owl .jsonld .json files. "],
  ])("is refused in one line: %s %j", async (file, content, message) => {
    expect(await refusal(file, content)).toContain(message);
  });

  it("is refused where there is none", async () => {
    await expect(readSkos(memoryEffects({}), ["folder/a.ttl"])).rejects.toThrow("folder/a.ttl: There is no such file");
  });
});

describe("a file that would reach out", () => {
  it.each([
    [
      JSON.stringify({ "@context": "https://example.org/context.jsonld", "@id": "http://a/b" }),
      "https://example.org/context.jsonld",
    ],
    [JSON.stringify({ "@context": [{ a: "http://a/" }, "http://x.org/c"] }), "http://x.org/c"],
    [JSON.stringify({ "@context": { "@import": "http://x.org/c" } }), "http://x.org/c"],
    [JSON.stringify({ "@id": "http://a/b", "@context": "/local.jsonld" }), "/local.jsonld"],
    [JSON.stringify([{ "@context": "file:///etc/passwd" }]), "file:///etc/passwd"],
  ])("is refused for the context of %s", async (text, url) => {
    const message = await refusal("a.jsonld", text);
    expect(message).toContain(url);
    expect(message).toContain("nothing is fetched: write the context itself into the file");
  });

  it.each([
    [`<!DOCTYPE rdf:RDF SYSTEM "http://example.org/a.dtd">`, "names another file, and nothing is fetched"],
    [`<!DOCTYPE rdf:RDF PUBLIC "-//A//B" "http://example.org/a.dtd" [<!ENTITY a "b">]>`, "DOCTYPE"],
    [`<!DOCTYPE rdf:RDF [<!ENTITY x SYSTEM "file:///etc/passwd">]>`, "declares more than plain entities"],
    [`<!DOCTYPE rdf:RDF [<!ENTITY % x "y"> %x;]>`, "declares more than plain entities"],
    [`<!DOCTYPE rdf:RDF [<!ENTITY a "b"><!ENTITY c "&a;&a;">]>`, "declares more than plain entities"],
    [`<!DOCTYPE rdf:RDF [<!ATTLIST rdf:RDF xml:lang CDATA "en">]>`, "declares more than plain entities"],
    [`<!DOCTYPE rdf:RDF [<!ENTITY a "${"b".repeat(1001)}">]>`, "is longer than 1000 characters"],
  ])("is refused for %s", async (doctype, message) => {
    const body = `<skos:Concept rdf:about="http://a/b"/></rdf:RDF>`;
    expect(await refusal("a.rdf", `${doctype}${XML}${body}`)).toContain(message);
  });
});

describe("a file that would fill the memory", () => {
  /** A file of a gigabyte, made while it is read; and how much of it was. */
  async function consume(
    file: string,
    head: string,
    repeated: string,
  ): Promise<{ message: string; mebibytes: number }> {
    const block = Buffer.from(repeated.repeat(Math.ceil(2 ** 20 / repeated.length)));
    let consumed = 0;
    const chunks = function* (): Generator<Uint8Array> {
      yield Buffer.from(head);
      while (consumed < 2 ** 30) {
        consumed += block.length;
        yield block;
      }
    };
    const error: unknown = await readSkos({ ...memoryEffects({ [file]: "" }), chunks }, [file]).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(SourceError);
    return { message: (error as SourceError).message, mebibytes: consumed / 2 ** 20 };
  }

  it.each([
    ["a literal", { file: "a.ttl", head: `${TURTLE} ; skos:prefLabel "`, repeated: "x" }],
    ["a long literal", { file: "a.ttl", head: `${TURTLE} ; skos:prefLabel """`, repeated: "x\n" }],
    ["a comment", { file: "a.ttl", head: "# ", repeated: "x" }],
    ["an IRI", { file: "a.nt", head: "<http://a/", repeated: "x" }],
    ["prefixes", { file: "a.ttl", head: "", repeated: `@prefix a: <http://a/${"b".repeat(500)}> .\n` }],
    ["an element", { file: "a.rdf", head: `${XML}<skos:Concept><skos:prefLabel>`, repeated: "x" }],
    ["an attribute", { file: "a.rdf", head: `${XML}<skos:Concept rdf:about="`, repeated: "x" }],
    ["an XML comment", { file: "a.rdf", head: "<!-- ", repeated: "x" }],
    ["a CDATA section", { file: "a.rdf", head: `${XML}<skos:Concept><skos:prefLabel><![CDATA[`, repeated: "x" }],
    ["a DOCTYPE", { file: "a.rdf", head: "<!DOCTYPE rdf:RDF [", repeated: " " }],
    ["a JSON text", { file: "a.jsonld", head: `${JSON_LD},"skos:prefLabel":"`, repeated: "x" }],
    [
      "JSON that waits for its context",
      { file: "a.jsonld", head: `{"@graph":[{}`, repeated: `,{"@id":"http://a/${"b".repeat(500)}","@type":"C"}` },
    ],
    ["white space", { file: "a.jsonld", head: "", repeated: " " }],
  ])("is refused after 17 MiB at most for %s without an end", async (_what, { file, head, repeated }) => {
    const { message, mebibytes } = await consume(file, head, repeated);
    expect(message).toMatch(/16 million characters hold no statement|Token too long/);
    expect(mebibytes).toBeLessThanOrEqual(18);
  });

  it("is refused when entities multiply a text", async () => {
    const doctype = `<!DOCTYPE rdf:RDF [<!ENTITY a "${"b".repeat(1000)}">]>`;
    const { message, mebibytes } = await consume("a.rdf", `${doctype}${XML}<skos:Concept><skos:prefLabel>`, "&a;");
    expect(message).toContain("16 million characters hold no statement");
    expect(mebibytes).toBeLessThan(2);
  });

  it.each([
    ["a.ttl", `${TURTLE} ; skos:note `, "["],
    ["a.ttl", `${TURTLE} ; skos:note `, "[ skos:note "],
    ["a.ttl", `${TURTLE} ; skos:note `, "("],
    ["a.rdf", XML, "<skos:Concept><skos:broader>"],
    ["a.jsonld", "", "["],
    ["a.jsonld", `{"@context":{}`, `,"x":{"y":1`],
  ])("is refused when it is nested without an end: %s %s%s…", async (file, head, repeated) => {
    const { message, mebibytes } = await consume(file, head, repeated);
    expect(message).toContain("more than 500 levels are nested in each other");
    expect(mebibytes).toBeLessThan(2);
  });

  it("is read where there is a text of 8 MiB in it, or one concept has very many labels", async () => {
    const text = "x".repeat(8 * 2 ** 20);
    const long = await readSkos(memoryEffects({ "a.ttl": `${TURTLE} ; skos:altLabel "${text}"@en .` }), ["a.ttl"]);
    expect(long.concepts[0]?.expressions[0]?.text).toHaveLength(text.length);
    const labels = Array.from({ length: 50_000 }, (_, n) => `"${n}"@en`).join(",");
    const wide = await readSkos(memoryEffects({ "a.ttl": `${TURTLE} ; skos:altLabel ${labels} .` }), ["a.ttl"]);
    expect(wide.concepts[0]?.expressions).toHaveLength(50_000);
  });
});
