/** The expressions of a concept on its page: their order, links and marks. */
import { expect, it } from "vitest";
import type { ConceptDetail } from "../../../../runtime/contract/concept.ts";
import { LANGUAGE_MAX_LENGTH } from "../../../../runtime/contract/limits.ts";
import { expressionSection } from "../../../../runtime/pages/concept-expressions.ts";
import { textsOf } from "../../../../runtime/pages/texts.ts";
import { formatHtml } from "../../../../runtime/text/html.ts";

const TEXTS = { language: "de", texts: new Proxy({}, { get: (_target, key) => String(key) }) };

type Entry = Pick<ConceptDetail["expressions"][number], "language" | "expression"> &
  Partial<ConceptDetail["expressions"][number]>;

/** The section as a reader of German sees it. */
function shown(entries: readonly Entry[]): string {
  const whole = { locale: null, type: "alternate", equivalenceStrength: 1, provenance: null } as const;
  const expressions = entries.map((entry) => ({ ...whole, ...entry })) as unknown as ConceptDetail["expressions"];
  return formatHtml(expressionSection({ expressions, provenance: null } as unknown as ConceptDetail, textsOf(TEXTS)));
}

const inLanguages = (tags: readonly string[]): string =>
  shown(tags.map((language) => ({ language, expression: `in ${language}` })));

it("shows the reader's languages first, and the others in their order", () => {
  const headings = inLanguages(["en", "fr", "de-CH", "ar", "de"]).matchAll(/<h3 data-language="([^"]*)">/g);
  expect(Array.from(headings, ([, tag]) => tag)).toEqual(["de-CH", "de", "en", "fr", "ar"]);
});

it("links each of many languages to its section, and none of a few", () => {
  const links = (text: string): string[] => Array.from(text.matchAll(/href="#([^"]*)"/g), ([, id = ""]) => id);
  const many = inLanguages(["en", "fr", "de", "ar"]);
  expect(links(many)).toEqual(["expressions", "in-de", "in-en", "in-fr", "in-ar"]);
  for (const id of links(many)) expect(many.split(`id="${id}"`).length).toBe(2);
  expect(links(inLanguages(["en", "fr", "de"]))).toEqual([]);
});

it("links each expression to its resolution in the language that it is reviewed for, if a request can name it", () => {
  const long = `en-x-${"a".repeat(8)}${"-b".repeat(LANGUAGE_MAX_LENGTH)}`;
  const text = shown([
    { language: "en", expression: "a&b =?", locale: "en-GB" },
    { language: "fr", expression: "é" },
    { language: long, expression: "c" },
  ]);
  expect(Array.from(text.matchAll(/href="(\/[^"]*)"/g), ([, url]) => url)).toEqual([
    "/resolve?expression=a%26b%20%3D%3F&amp;language=en-GB",
    "/resolve?expression=%C3%A9&amp;language=fr",
    "/resolve?expression=c",
  ]);
});

it("tells preferred expressions by their look, and unusual types by a word", () => {
  const text = shown([
    { language: "en", expression: "whole", type: "preferred" },
    { language: "en", expression: "other" },
    { language: "en", expression: "wh.", type: "abbreviation" },
  ]);
  expect(text).toMatch(/<strong><bdi[^>]*>whole<\/bdi><\/strong>/);
  expect(text.match(/<strong>/g)?.length).toBe(1);
  expect(Array.from(text.matchAll(/class="type">([^<]*)</g), ([, type]) => type)).toEqual(["abbreviation"]);
});
