import { describe, expect, it } from "vitest";
import { readStatements } from "../../../../../generator/tools/vocabulary/formats/rdf.ts";
import { StatementBuffer } from "../../../../../generator/tools/vocabulary/formats/rdf-statement.ts";
import { NO_BASE } from "../../../../../generator/skos/terms.ts";
import { SourceError } from "../../../../../generator/tools/vocabulary/formats/source.ts";
import { memoryEffects } from "../../../../support/memory-effects.ts";

const RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
const HEAD = `<rdf:RDF xmlns:rdf="${RDF}" xmlns:e="http://e/">`;

/** The statements of a file, one to a line, with short names. */
async function read(text: string, buffer?: StatementBuffer): Promise<string[]> {
  const lines: string[] = [];
  const short = (iri: string): string => iri.replace("http://e/", "e:").replace(RDF, "rdf:").replace(NO_BASE, "/");
  for await (const statements of readStatements(memoryEffects({ "a.rdf": text }), "a.rdf", buffer))
    for (const { subject, predicate, object } of statements) {
      const [from, to] = [subject, object].map((term) =>
        term.kind === "literal"
          ? `${JSON.stringify(term.value)}${term.language === "" ? ` ${short(term.datatype)}` : `@${term.language}`}`
          : short(term.value),
      );
      lines.push(`${from} ${short(predicate)} ${to}`.replace(" http://www.w3.org/2001/XMLSchema#string", ""));
    }
  return lines.sort();
}

function inRoot(body: string): string {
  return `${HEAD}\n${body}\n</rdf:RDF>`;
}

async function refusal(text: string): Promise<string> {
  const error: unknown = await read(text).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(SourceError);
  return (error as SourceError).message;
}

/** The value of an XML literal, after whatever the root declares. */
async function literal(content: string, declared = ""): Promise<string> {
  const root = HEAD.replace(">", ` ${declared}>`);
  const property = `<e:p rdf:parseType="Literal">${content}</e:p>`;
  const [line = ""] = await read(
    `${root}<rdf:Description rdf:about="http://e/1">${property}</rdf:Description></rdf:RDF>`,
  );
  expect(line).toMatch(/ rdf:XMLLiteral$/);
  return JSON.parse(line.slice("e:1 e:p ".length, -" rdf:XMLLiteral".length)) as string;
}

describe("an XML literal", () => {
  it.each([
    ["a prefix from outside", `a<m:b>2</m:b>`, `xmlns:m="http://m/"`, `a<m:b xmlns:m="http://m/">2</m:b>`],
    ["a default namespace from outside", `<b><c/></b>`, `xmlns="http://m/"`, `<b xmlns="http://m/"><c></c></b>`],
    ["prefixes that nothing in it uses", `<b/>`, `xmlns:m="http://m/"`, `<b></b>`],
    ["a prefix of an attribute alone", `<b m:t="1"/>`, `xmlns:m="http://m/"`, `<b xmlns:m="http://m/" m:t="1"></b>`],
    [
      "a prefix that means another thing inside",
      `<m:b><m:c xmlns:m="http://n/"><m:d/></m:c><m:d/></m:b>`,
      `xmlns:m="http://m/"`,
      `<m:b xmlns:m="http://m/"><m:c xmlns:m="http://n/"><m:d></m:d></m:c><m:d></m:d></m:b>`,
    ],
    [
      "no namespace inside a default one",
      `<b xmlns="http://m/"><c xmlns=""><d/></c></b>`,
      "",
      `<b xmlns="http://m/"><c xmlns=""><d></d></c></b>`,
    ],
    [
      "attributes in any order",
      `<b z="1" n:a="2" m:a="3" a="4" xmlns:n="http://1/" xmlns:m="http://2/" xml:lang="en"/>`,
      "",
      `<b xmlns:m="http://2/" xmlns:n="http://1/" a="4" z="1" n:a="2" m:a="3" xml:lang="en"></b>`,
    ],
    ["comments and instructions", `a<!-- b & c --><?d  e "f"?><?g?>`, "", `a<!-- b & c --><?d e "f"?><?g?>`],
    ["what must be escaped", `<b t='"&#9;&lt;>'/>&gt;&#13;<![CDATA[<&]]>`, "", `<b t="&quot;&#x9;&lt;>"></b>&gt;&#xD;&lt;&amp;`], // prettier-ignore
  ])("is canonical with %s (exclusive canonical XML)", async (_what, ...[content, declared, canonical]) => {
    expect(await literal(content, declared)).toBe(canonical);
  });

  it("is also what any unknown rdf:parseType makes (§7.2.20)", async () => {
    const body = `<rdf:Description rdf:about="http://e/1"><e:p rdf:parseType="literal">a <e:b/></e:p></rdf:Description>`;
    expect(await read(inRoot(body))).toEqual([
      `e:1 e:p ${JSON.stringify('a <e:b xmlns:e="http://e/"></e:b>')} rdf:XMLLiteral`,
    ]);
  });
});

describe("an attribute without a namespace", () => {
  it("is read as rdf:ID, rdf:about, rdf:resource, rdf:parseType and rdf:type (§6.1.4)", async () => {
    const root = `<RDF xmlns="${RDF}" xmlns:e="http://e/">`;
    const body = `<Description about="http://e/1" type="http://e/T"><e:p resource="http://e/2"/><e:q parseType="Resource" ID="x"/></Description>`;
    expect(await read(`${root}${body}<e:T ID="y"/></RDF>`)).toEqual([
      "/#x rdf:object b1",
      "/#x rdf:predicate e:q",
      "/#x rdf:subject e:1",
      "/#x rdf:type rdf:Statement",
      "/#y rdf:type e:T",
      "e:1 e:p e:2",
      "e:1 e:q b1",
      "e:1 rdf:type e:T",
    ]);
  });

  it.each([
    [
      `<e:T rdf:about="http://e/1"><e:p lang="en">a</e:p></e:T>`,
      `the attribute "lang" has no namespace: write xml:lang`,
    ],
    [`<e:T nodeID="a"/>`, `the attribute "nodeID" has no namespace: write rdf:nodeID`],
    [`<e:T><e:p datatype="http://e/d">a</e:p></e:T>`, `write rdf:datatype`],
    [`<e:T base="http://b/"/>`, `write xml:base`],
    [
      `<e:T rdf:about="http://e/1" label="a"/>`,
      `the attribute "label" has no namespace: write its prefix, or remove it`,
    ],
    [`<e:T about="http://e/1" rdf:about="http://e/1"/>`, `twice: keep one of them`],
  ])("is refused with its line if it is another: %s", async (body, message) => {
    expect(await refusal(inRoot(`\n${body}`))).toContain(`a.rdf:3: Not readable as RDF/XML: `);
    expect(await refusal(inRoot(body))).toContain(message);
  });
});

describe("what the grammar excludes", () => {
  it.each([
    [`stray`, `the text "stray" is where only elements may be`],
    [`<e:T>stray</e:T>`, `the text "stray"`],
    [`<e:T><e:p>stray <e:U/></e:p></e:T>`, `the text "stray"`],
    [`<e:T><e:p><e:U/> stray</e:p></e:T>`, `the text "stray"`],
    [`<e:T><e:p rdf:resource="http://e/1">stray</e:p></e:T>`, `the text "stray"`],
    [`<e:T><e:p e:q="a"><![CDATA[stray]]></e:p></e:T>`, `the text "stray"`],
    [`<e:T><e:p rdf:parseType="Resource">stray</e:p></e:T>`, `the text "stray"`],
    [`<e:T><e:p rdf:parseType="Collection">stray<e:U/></e:p></e:T>`, `the text "stray"`],
    [`<e:T><e:p><e:U/><e:V/></e:p></e:T>`, "holds two elements"],
    [`<e:T><e:p rdf:resource="http://e/1"><e:U/></e:p></e:T>`, "an attribute names its value"],
    [`<e:T><e:p rdf:datatype="http://e/d"><e:U/></e:p></e:T>`, "an attribute names its value"],
    [`<e:T><e:p e:q="a"><e:U/></e:p></e:T>`, "an attribute names its value"],
    [`<e:T><e:p rdf:about="http://e/1"/></e:T>`, "rdf:about is not the name of a property attribute"],
    [`<e:T rdf:resource="http://e/1"/>`, "rdf:resource is not the name of a property attribute"],
    [`<e:T rdf:parseType="Literal"/>`, "rdf:parseType is not the name of a property attribute"],
    [`<e:T rdf:li="a"/>`, "rdf:li is not the name of a property attribute"],
    [`<rdf:datatype/>`, "rdf:datatype is not the name of a node element"],
    [`<rdf:li/>`, "rdf:li is not the name of a node element"],
    [`<rdf:RDF/>`, "rdf:RDF is not the name of a node element"],
    [`<e:T><rdf:Description/></e:T>`, "rdf:Description is not the name of a property element"],
    [`<e:T><rdf:aboutEach/></e:T>`, "rdf:aboutEach is not the name of a property element"],
    [`<e:T rdf:about="" rdf:ID="a"/>`, "more than one of rdf:ID, rdf:nodeID and rdf:about"],
    [`<e:T><e:p rdf:resource="http://e/1" rdf:nodeID="a"/></e:T>`, "remove the rest"],
    [`<e:T><e:p rdf:datatype="http://e/d" e:q="a"/></e:T>`, "remove the rest"],
    [`<e:T><e:p rdf:parseType="Literal" rdf:datatype="http://e/d"/></e:T>`, "remove the rest"],
    [`<e:T rdf:ID="a"/><e:U rdf:ID="a"/>`, `rdf:ID "a" is given twice`],
    [`<e:T rdf:ID="1"/>`, `"1" is not a name for rdf:ID`],
    [`<e:T rdf:about="http://a/b c"/>`, `"http://a/b c" is not an IRI`],
    [`<T/>`, `the element "T" has no namespace`],
  ])("is refused with its line: %s", async (body, message) => {
    expect(await refusal(inRoot(`\n${body}`))).toMatch(/^a\.rdf:[34]: Not readable as RDF\/XML: /);
    expect(await refusal(inRoot(body))).toContain(message);
  });

  it("is refused on the root too", async () => {
    const root = HEAD.replace(">", ` rdf:about="http://e/1">`);
    expect(await refusal(`${root}</rdf:RDF>`)).toContain(`rdf:RDF has the attribute "${RDF}about": remove it`);
  });
});

describe("what real files have around their statements", () => {
  it.each(['xsi:schemaLocation="a b.xsd"', 'x:version="2" xsi:schemaLocation="a b"', 'e:title="t"'])(
    "is passed over and counted, not refused, on rdf:RDF: %s",
    async (attributes) => {
      const names = `xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:x="http://x/"`;
      const root = HEAD.replace(">", ` ${names} ${attributes}>`);
      const buffer = new StatementBuffer();
      expect(await read(`${root}<e:T rdf:about="http://e/1"/></rdf:RDF>`, buffer)).toEqual(["e:1 rdf:type e:T"]);
      expect([...buffer.skipped]).toEqual([["attributes of rdf:RDF", attributes.split(" x").length]]);
    },
  );

  it.each([
    ["&#233;t&#xE9;", "été"],
    ["Gr&#x00FC;&#x1F34E;n", "Grü🍎n"],
    // XML 1.0 §4.6 and appendix D.
    ["&#38;#60;b&#38;gt;", "<b>"],
    ["a &amp; b &#38;amp; c", "a & b & c"],
    ["&#38;#38;lt;", "&lt;"],
    ["say &quot;no&quot;&#38;apos;", `say "no"'`],
  ])("is an entity that holds %s", async (value, text) => {
    const doctype = `<!DOCTYPE rdf:RDF [<!ENTITY one '${value}'> <!-- a --> <!ENTITY amp "&#38;#38;"> <!ENTITY lt "&#38;#60;">]>`;
    const body = `<e:T rdf:about="http://e/1" e:q="&one;"><e:p>(&one;) &amp;</e:p></e:T>`;
    expect(await read(`${doctype}\n${inRoot(body)}`)).toEqual([
      `e:1 e:p ${JSON.stringify(`(${text}) &`)}`,
      `e:1 e:q ${JSON.stringify(text)}`,
      "e:1 rdf:type e:T",
    ]);
  });

  it.each([
    ["&#60;e:p/>", "entity one stands for markup"],
    ["a &#38; b", "entity one stands for markup"],
    ["&#38;other;", "entity one stands for markup"],
    ["&#0;", "&#0; is not a character"],
    ["&#xD800;", "&#xD800; is not a character"],
    ["&#38;#x110000;", "&#x110000; is not a character"],
    ["&#99999999999999999999;", "is not a character"],
    ["&other;", "write where they are used what the others stand for"],
    ["&#xZ;", "write where they are used what the others stand for"],
  ])("is not an entity that holds %s", async (value, message) => {
    const doctype = `<!DOCTYPE rdf:RDF [<!ENTITY other "x"><!ENTITY one "${value}">]>`;
    expect(await refusal(`${doctype}${inRoot("")}`)).toContain(message);
  });
});

describe("the statements of RDF/XML", () => {
  it("are those of its productions, whatever the order of attributes", async () => {
    const body = `
      <e:T rdf:about="x" xml:base="http://e/y/" e:label="l" xml:lang="de">
        <e:p e:q="r" rdf:type="#t" xml:lang="EN" xml:base="http://e/z"/>
        <e:p rdf:nodeID="n"/>
        <e:empty/><e:empty xml:lang=""></e:empty>
        <e:typed rdf:datatype="d">1</e:typed>
        <e:text>a<!-- no part of it -->b<![CDATA[ c ]]></e:text>
      </e:T>
      <rdf:Seq rdf:nodeID="n"><rdf:li>1</rdf:li><rdf:_5>5</rdf:_5><rdf:li>2</rdf:li></rdf:Seq>
      <rdf:Description rdf:about="http://e/1">
        <e:reified rdf:ID="s"><e:T rdf:about="http://e/2" e:label="not reified"/></e:reified>
        <e:list rdf:parseType="Collection"><rdf:Description rdf:about="http://e/2"/></e:list>
        <e:none rdf:parseType="Collection"> </e:none>
      </rdf:Description>`;
    const lines = (await read(inRoot(body))).filter((line) => !/^b\d+ rdf:(?:first|rest)/.test(line));
    expect(lines.map((line) => line.replaceAll(/\bb\d+\b/g, "b")).sort()).toEqual(
      [
        `e:y/x rdf:type e:T`,
        `e:y/x e:label "l"@de`,
        `e:y/x e:p b`,
        `b e:q "r"@en`,
        `b rdf:type e:z#t`,
        `e:y/x e:p b`,
        `e:y/x e:empty ""@de`,
        `e:y/x e:empty ""`,
        `e:y/x e:typed "1" e:y/d`,
        `e:y/x e:text "ab c "@de`,
        `b rdf:type rdf:Seq`,
        `b rdf:_1 "1"`,
        `b rdf:_5 "5"`,
        `b rdf:_2 "2"`,
        `e:1 e:reified e:2`,
        `/#s rdf:type rdf:Statement`,
        `/#s rdf:subject e:1`,
        `/#s rdf:predicate e:reified`,
        `/#s rdf:object e:2`,
        `e:2 rdf:type e:T`,
        `e:2 e:label "not reified"`,
        `e:1 e:list b`,
        `e:1 e:none rdf:nil`,
      ].sort(),
    );
  });

  it("do not include those about statements (RDF 1.2), which are counted", async () => {
    const buffer = new StatementBuffer();
    const body = `<rdf:Description rdf:about="http://e/1" rdf:version="1.2">
      <e:p rdf:parseType="Triple"><rdf:Description rdf:about="http://e/2"><e:q rdf:nodeID="n"/></rdf:Description></e:p>
      <e:r rdf:annotation="http://e/a">b</e:r>
    </rdf:Description>`;
    expect(await read(inRoot(body), buffer)).toEqual(['e:1 e:r "b"']);
    expect([...buffer.skipped]).toEqual([["statements about statements", 2]]);
  });
});
