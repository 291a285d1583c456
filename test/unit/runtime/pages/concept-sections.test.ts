/** Which names of concepts elsewhere become links. */
import { expect, it } from "vitest";
import { iriText } from "../../../../runtime/pages/concept-sections.ts";
import { formatHtml } from "../../../../runtime/text/html.ts";

it.each(["https://a.example/b#c", "HTTP://a.example/é?q=%20"])("an IRI that browsers fetch is a link: %s", (iri) => {
  expect(formatHtml(iriText(iri))).toBe(`<a href="${iri}" rel="noreferrer">${iri}</a>`);
});

it.each([
  "https://a.example/b c",
  "https://a.example/`",
  "http://",
  "urn:x:y",
  "javascript:0",
  "https//a",
  "x https://a",
])("any other name is text: %s", (name) => {
  expect(formatHtml(iriText(name))).toBe(name);
});
