/** The schema.org terms in the pages of concepts, read by a library of JSON-LD. */
import jsonld from "jsonld";
import { describe, expect, it } from "vitest";
import type { ConceptDetail } from "../../../../runtime/contract/concept.ts";
import { ORIGIN } from "../../../support/release.ts";
import { attribute, elements, rawTextOf } from "../../../support/page.ts";
import { INJECTION, listed, pageServices } from "../../../support/pages.ts";
import type { Service } from "../../../support/service.ts";

const at = pageServices();

const SCHEMA = "https://schema.org/";
const SCHEME = `${ORIGIN}/api/v1/concepts`;

/** The one data block of a page as expanded JSON-LD; the reader may load nothing. */
async function termsOf(target: string, service: Service): Promise<Record<string, unknown>> {
  const page = await at.visit(target, service);
  const blocks = elements(page, "script").filter((script) => attribute(script, "type") === "application/ld+json");
  expect(blocks).toHaveLength(1);
  const [block] = blocks;
  expect(block && attribute(block, "nonce")).toBeTruthy();
  const documentLoader = (url: string): never => expect.unreachable(`The reader asks for ${url}`);
  const expanded = await jsonld.expand(JSON.parse(rawTextOf(block)) as object, { documentLoader, safe: true });
  expect(expanded).toHaveLength(1);
  return expanded[0] as Record<string, unknown>;
}

const valuesOf = (node: Record<string, unknown>, name: string): unknown[] =>
  (node[SCHEMA + name] as { "@value"?: unknown }[] | undefined)?.map((value) => value["@value"]) ?? [];

describe("the page of a concept", () => {
  it.each(["N-MANY-A", "N-RTL", "N-NEAR"])(
    "O-70: says that %s is a DefinedTerm with the IRI, name, definition and preferred expressions of its record",
    async (code) => {
      const term = await termsOf(`/concepts/${code}`, at.service);
      const concept = (await at.service.send("GET", `/api/v1/concepts/${code}`)).json() as ConceptDetail;
      expect([term["@type"], term["@id"]]).toEqual([[`${SCHEMA}DefinedTerm`], concept.canonicalUrl]);
      expect(["termCode", "name", "description", "url"].map((name) => valuesOf(term, name))).toEqual([
        [code], [concept.name], [concept.definition], [`${ORIGIN}/concepts/${code}`],
      ]);
      const preferred = concept.expressions.filter(({ type }) => type === "preferred");
      const said = (term[`${SCHEMA}alternateName`] ?? []) as object[];
      expect(said).toEqual(
        preferred.map(({ locale, language, expression }) => ({ "@language": locale ?? language, "@value": expression })),
      );
      const [set] = term[`${SCHEMA}inDefinedTermSet`] as [Record<string, unknown>];
      expect([set["@type"], set["@id"]]).toEqual([[`${SCHEMA}DefinedTermSet`], SCHEME]);
      expect(valuesOf(set, "version")).toEqual([concept.registryVersion]);
    },
  ); // prettier-ignore

  it("keeps hostile text of a registry within the block, as it is", async () => {
    const term = await termsOf("/concepts/S-ALL", at.hostile);
    expect(valuesOf(term, "name")).toEqual([INJECTION]);
  });
});

describe("the list of concepts", () => {
  it.each(["/concepts", "/concepts?page=2", "/concepts?q=zzzz"])(
    "O-70: %s is a DefinedTermSet with the terms that it shows",
    async (target) => {
      const set = await termsOf(target, at.many);
      expect([set["@type"], set["@id"]]).toEqual([[`${SCHEMA}DefinedTermSet`], SCHEME]);
      const terms = (set[`${SCHEMA}hasDefinedTerm`] ?? []) as Record<string, unknown>[];
      expect(terms.map((term) => valuesOf(term, "termCode")[0])).toEqual(listed(await at.visit(target, at.many)));
      expect(terms.every((term) => term["@id"] === `${SCHEME}/${String(valuesOf(term, "termCode")[0])}`)).toBe(true);
    },
  );
});
