import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import { ExportError } from "../../../../../generator/text/export-error.ts";
import { writeTbx } from "../../../../../generator/tools/vocabulary/formats/tbx-write.ts";
import { Concepts } from "../../../../../generator/registry/concepts.ts";
import type { CheckedRegistry } from "../../../../../generator/registry/checked.ts";
import { empty, nasty } from "../../../../support/nasty.ts";
import { checkedRegistry, concept, expression } from "../../../../support/registry.ts";
import { ORIGIN } from "../../../../support/release.ts";

/** The used part of the XML parser, whose types do not compile strictly. */
interface Parser {
  on(event: "error", see: (error: Error) => void): void;
  on(event: "opentag", see: (tag: Tag) => void): void;
  on(event: "text", see: (text: string) => void): void;
  on(event: "closetag", see: () => void): void;
  write(xml: string): Parser;
  close(): void;
}
interface Tag {
  readonly name: string;
  readonly uri: string;
  readonly attributes: Readonly<Record<string, { readonly value: string }>>;
}
const { SaxesParser } = createRequire(import.meta.url)("@rubensworks/saxes") as {
  SaxesParser: new (options: { xmlns: boolean }) => Parser;
};

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

/** Parses XML and its namespaces; throws for what is not well-formed. */
function parseXml(xml: string): Element {
  const root: Element = { name: "", attributes: {}, children: [], text: "" };
  const open = [root];
  const parser = new SaxesParser({ xmlns: true });
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, uri, attributes }) => {
    expect(uri).toBe("urn:iso:std:iso:30042:ed-2");
    const values = Object.entries(attributes).map(([key, { value }]) => [key, value]);
    const element = { name, attributes: Object.fromEntries(values), children: [], text: "" };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on("text", (text) => {
    const element = open.at(-1);
    if (element !== undefined) element.text += text;
  });
  parser.on("closetag", () => void open.pop());
  parser.write(xml).close();
  const [only, ...others] = root.children;
  expect(others).toEqual([]);
  return only ?? root;
}

const tbxOf = (registry: CheckedRegistry, languages?: string[]): string =>
  [...writeTbx(registry, { origin: ORIGIN, languages })].join("");

/** The one child of the name, or all of them. */
const all = ({ children }: Element, name: string): Element[] => children.filter((child) => child.name === name);
const one = (element: Element, name: string): Element => {
  const found = all(element, name);
  expect(found.length, name).toBe(1);
  return found[0] as Element;
};
const entriesOf = (xml: string): Element[] => all(one(one(parseXml(xml), "text"), "body"), "conceptEntry");

/** TBXcoreStructV03.rng and TBX-Basic_DCA.sch, for the elements that are written. */
function expectBasic(tbx: Element): void {
  const shape = ({ name, attributes, children }: Element) =>
    `${name}(${Object.keys(attributes).join()}): ${children.map((child) => child.name).join(" ")}`;
  expect(shape(tbx)).toBe("tbx(type,style,xml:lang,xmlns): tbxHeader text");
  expect(tbx.attributes).toMatchObject({ type: "TBX-Basic", style: "dca", "xml:lang": "en" });
  const fileDesc = one(one(tbx, "tbxHeader"), "fileDesc");
  expect(shape(fileDesc)).toBe("fileDesc(): titleStmt sourceDesc");
  const ids = new Set<string>();
  for (const entry of all(one(one(tbx, "text"), "body"), "conceptEntry")) {
    expect(shape(entry)).toMatch(/^conceptEntry\(id\): descrip descrip xref(?: langSec)+$/);
    const id = entry.attributes["id"] ?? "";
    expect(id).toMatch(/^[A-Z_a-z][-.\w]*$/);
    expect(ids.has(id)).toBe(false);
    ids.add(id);
    expect(all(entry, "descrip").map(({ attributes }) => attributes["type"])).toEqual(["subjectField", "definition"]);
    expect(one(entry, "xref").attributes).toMatchObject({
      type: "externalCrossReference",
      target: expect.stringMatching(/^https?:\/\/.+/) as string,
    });
    for (const section of all(entry, "langSec")) {
      expect(shape(section)).toMatch(/^langSec\(xml:lang\):(?: termSec)+$/);
      expect(section.attributes["xml:lang"]).toMatch(/^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*$/);
      for (const term of section.children) {
        expect(shape(term)).toMatch(/^termSec\(\): term(?: termNote)+(?: note)*$/);
        for (const { attributes, text } of all(term, "termNote")) {
          if (attributes["type"] === "termType") expect(text).toBe("abbreviation");
          else
            expect(`${attributes["type"]} ${text}`).toMatch(
              /^administrativeStatus (?:preferred|admitted)Term-admn-sts$/,
            );
        }
      }
    }
  }
}

describe("a registry as TBX", () => {
  it("is well-formed and has the shape of TBX-Basic, whatever the texts hold", () => {
    const registry = checkedRegistry(nasty);
    const tbx = parseXml(tbxOf(registry));
    expectBasic(tbx);
    const entries = entriesOf(tbxOf(registry));
    expect(entries.map(({ attributes }) => attributes["id"])).toEqual(
      Array.from(registry.concepts, ({ code }) => code),
    );
    for (const [i, { expressions, definition, domain, code }] of [...registry.concepts].entries()) {
      const entry = entries[i] as Element;
      expect(all(entry, "descrip").map(({ text }) => text)).toEqual([domain, definition]);
      expect(one(entry, "xref")).toMatchObject({
        text: `${ORIGIN}/api/v1/concepts/${code}`,
        attributes: { target: `${ORIGIN}/api/v1/concepts/${code}` },
      });
      const terms = all(entry, "langSec").flatMap((section) =>
        section.children.map((term) => `${section.attributes["xml:lang"]} ${one(term, "term").text}`),
      );
      expect(terms.toSorted()).toEqual(
        expressions.map((each) => `${each.locale ?? each.language} ${each.expression}`).toSorted(),
      );
    }
  });

  it("says what is preferred, what is an abbreviation or a symbol, and what is only near", () => {
    const registry = checkedRegistry({
      concepts: [
        concept("C", [
          expression("pt", "b", { locale: "pt-BR" }),
          expression("en", "value-added tax", { type: "preferred" }),
          expression("en", "VAT", { type: "abbreviation" }),
          expression("en", "%", { type: "symbol" }),
          expression("en", "sales tax", { equivalenceStrength: 0.4 }),
          expression("en", "draft", { reviewStatus: "draft" }),
        ]),
      ],
    });
    const [entry] = entriesOf(tbxOf(registry));
    const sections = all(entry as Element, "langSec");
    expect(sections.map(({ attributes }) => attributes["xml:lang"])).toEqual(["en", "pt-BR"]);
    expect(sections[0]?.children.map(({ children }) => children.map(({ text }) => text))).toEqual([
      ["value-added tax", "preferredTerm-admn-sts"],
      ["VAT", "admittedTerm-admn-sts", "abbreviation"],
      ["%", "admittedTerm-admn-sts", "This term is a symbol."],
      [
        "sales tax",
        "admittedTerm-admn-sts",
        "This term is near the concept and not equal to it: equivalence strength 0.4.",
      ],
    ]);
  });

  it("keeps the languages that are named, and no entry without a term", () => {
    const entries = entriesOf(tbxOf(checkedRegistry(nasty), ["pt", "zh"]));
    expect(entries.map(({ attributes }) => attributes["id"])).toEqual(["N-LONG", "N-PHONE"]);
    expectBasic(parseXml(tbxOf(checkedRegistry(nasty), ["de"])));
  });

  it("has no body where there is no concept, since a body has at least one", () => {
    const text = one(parseXml(tbxOf(checkedRegistry(empty))), "text");
    expect(text.children).toEqual([]);
  });

  it("refuses a text that XML cannot hold", () => {
    const registry = checkedRegistry({ concepts: [concept("C", [expression("en", "x")])] });
    const [first] = registry.concepts;
    for (const definition of ["a\u0001", "\uFFFE", "\uD800", "a\0"]) {
      const concepts = Concepts.of(first === undefined ? [] : [{ ...first.whole(), definition }]);
      expect(() => tbxOf({ ...registry, concepts })).toThrow(ExportError);
    }
    const kept = 'a\r\n\t"&<>\u0085\u{1FFFF}]]>';
    const [entry] = entriesOf(
      tbxOf({
        ...registry,
        concepts: Concepts.of(first === undefined ? [] : [{ ...first.whole(), definition: kept }]),
      }),
    );
    expect(all(entry as Element, "descrip")[1]?.text).toBe(kept);
  });
});
