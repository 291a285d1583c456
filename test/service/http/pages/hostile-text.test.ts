/** Hostile text of a registry or of a request makes no markup. */
import { describe, expect, it } from "vitest";
import { parseHtml, elements, textOf, rawTextOf, attribute, withId, skeleton } from "../../../support/page.ts";
import { INJECTION, linkSaying, pageServices, BROWSER, query, encoded } from "../../../support/pages.ts";

const at = pageServices();

describe("hostile text", () => {
  it("in every field of a registry makes no element and no attribute on any page", async () => {
    const targets =
      "/ /concepts /concepts/S-ALL /concepts/S-OTHER /concepts?q=alert /answers /api-reference /mcp-guide /resolve " +
      "/resolve?expression=x /concepts/NONE";
    for (const target of targets.split(" ")) {
      const status = target.endsWith("NONE") ? 404 : 200;
      const harmlessTarget = target.replace("alert", "harmless");
      const [evil, plain] = await Promise.all([
        at.visit(target, at.hostile, status),
        at.visit(harmlessTarget, at.harmless, status),
      ]);
      expect(skeleton(evil), target).toEqual(skeleton(plain));
    }
  });

  it("of a registry is shown as it is: name, definition, expressions, renderings, provenance", async () => {
    const page = await at.visit("/concepts/S-ALL", at.hostile);
    const main = elements(page, "main")[0];
    const shown = INJECTION.replaceAll(/\s+/g, " ").trim();
    expect(textOf(elements(page, "h1")[0])).toBe(shown);
    expect(textOf(elements(page, "title")[0]).startsWith(`${shown} · `)).toBe(true);
    expect(elements(main, "bdi").map(rawTextOf).toSorted()).toEqual(
      ["first", "near", "shared"].map((word) => `${word} ${INJECTION}`),
    );
    // Heading, definition, notation, three expressions, a source of its own with two more texts,
    // rendering, provenance with three, a relation, three matches, two notes.
    expect(rawTextOf(main).split(INJECTION).length - 1).toBeGreaterThanOrEqual(17);
    const away = elements(main, "a").flatMap(({ attributes }) => attributes.get("href") ?? []);
    expect(away.filter((href) => !href.startsWith("/"))).toEqual([linkSaying(INJECTION)]);
    expect(textOf(elements(await at.visit("/", at.hostile), "footer")[0])).toContain(shown);
  });

  const texts = [
    `<script>alert(1)</script> | "><img src=x onerror=alert(1)> | '><svg onload=alert(1)> | </title><script>`,
    `</main></body></html><!-- | &lt;b&gt; &amp; &#39; | $\{1}{{1}}<%= 1 %> | " autofocus onfocus="alert(1) | \`\\`,
    `javascript:alert(1) | \u202e<b>\u0000\u0001 | <script nonce type=module> | <link nonce rel="stylesheet">`,
  ].flatMap((line) => line.split(" | "));

  it("as a filter adds no element to /concepts, and is returned in its field as it was typed", async () => {
    const plain = await at.visit("/concepts?q=zzzz");
    for (const text of texts) {
      const page = await at.visit(query("/concepts", { q: text }));
      expect(skeleton(page), text).toEqual(skeleton(plain));
      expect(attribute(withId(page, "q"), "value")).toBe(text);
      expect(textOf(elements(page, "title")[0])).toBe(textOf(elements(plain, "title")[0]));
    }
  });

  it("as an expression or a language adds no element to /resolve, and is returned in its field as it was typed", async () => {
    const [unknown, refused] = [
      await at.visit("/resolve?expression=zzzz"),
      await at.visit("/resolve?expression=a&language=_"),
    ];
    for (const text of texts) {
      const page = await at.visit(query("/resolve", { expression: text }));
      expect(skeleton(page), text).toEqual(skeleton(unknown));
      expect(attribute(withId(page, "expression"), "value")).toBe(text);
      expect(rawTextOf(withId(page, "outcome"))).toContain(text);
      const tagged = await at.visit(query("/resolve", { expression: text, language: text }));
      expect(skeleton(tagged), text).toEqual(skeleton(refused));
      expect(attribute(withId(tagged, "language"), "value")).toBe(text);
    }
  });

  it("as a code adds no element to the page of a missing concept, and is shown as it was sent", async () => {
    const plain = await at.visit("/concepts/NONE", at.service, 404);
    for (const text of texts.filter((each) => !each.includes("\u0000"))) {
      const page = await at.visit(`/concepts/${encoded(text)}`, at.service, 404);
      expect(skeleton(page), text).toEqual(skeleton(plain));
      expect(elements(page, "bdi").map(rawTextOf)).toEqual([text]);
    }
  });

  it.each(["/", "/mcp-guide", "/answers", "/api-reference"])(
    "in a request never reaches the prerendered pages: %s",
    async (target) => {
      const plain = await at.visit(target);
      const headers = { accept: "text/html", host: "'&b;.example", cookie: "<b>", "user-agent": "<b>", referer: "<b>" };
      const reply = await at.service.send("GET", `${target}?q=%3Cb%3E&expression=<b>`, { headers });
      const nonce = /nonce="[^"]*"/g;
      const text = (await at.service.send("GET", target, BROWSER)).body.toString();
      expect(reply.body.toString().replaceAll(nonce, "")).toBe(text.replaceAll(nonce, ""));
      expect(skeleton(parseHtml(reply))).toEqual(skeleton(plain));
    },
  );
});
