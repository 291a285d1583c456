/** English on a page of another language: marked as text, plain where no element can be. */
import { describe, expect, it } from "vitest";
import { asEnglish, markEnglish } from "../../../../runtime/text/english.ts";
import { formatHtml, html } from "../../../../runtime/text/html.ts";

const TEXT = asEnglish("Search <b>it</b>");

describe("markEnglish", () => {
  it.each([
    ["an element", `<p>${TEXT}.</p>`, '<p><span lang="en" dir="ltr">Search <b>it</b></span>.</p>'],
    ["another text", asEnglish(`a ${asEnglish("b")}`), '<span lang="en" dir="ltr">a <span lang="en" dir="ltr">b</span></span>'],
    ["an attribute", `<nav aria-label="${asEnglish("a > b")} x" id="y">`, '<nav aria-label="a > b x" id="y">'],
    ["the title", `<title>x ${asEnglish("y")} · z</title>`, "<title>x y · z</title>"],
    ["an option", `<option value="" selected>${asEnglish("y")}</option>`, '<option value="" selected>y</option>'],
  ])("marks what is English in %s", (_where, page, marked) => {
    expect(markEnglish(page)).toBe(marked);
  }); // prettier-ignore

  it("takes no text of a registry or of a person for a mark", () => {
    const page = formatHtml(html`<p>${asEnglish("x")}</p>`);
    expect(markEnglish(page)).toBe(page);
  });
});
