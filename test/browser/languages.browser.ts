/**
 * Pages in German and Arabic: no fault of axe, no overflow on a phone, script in their language.
 */
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readContent } from "../../generator/content/read.ts";
import { fileSystem } from "../../generator/effects/file-system.ts";
import { overlaid } from "../../generator/effects/overlay.ts";
import { buildInto } from "../support/build.ts";
import { folder } from "../support/command.ts";
import { nasty } from "../support/nasty.ts";
import { checkedRegistry } from "../support/registry.ts";
import { serveFolder, type Service } from "../support/service.ts";
import { noChromium, picture, visit } from "./chromium.ts";
import { objections } from "./judge.ts";

const FILES = {
  "site.yaml":
    "name: Tierpflegeausbildungsordnungsbegriffsverzeichnis\ndescription: What animals eat, and when.\npublisher: { name: Donaudampfschifffahrtsgesellschaftstierparkverwaltung }\nsecurity: { contact: /answers, expires: 2027-01-01T00:00:00Z }\n",
  "interface/de.yaml":
    "language.name: Deutsch\nresolve.abstained: Enthalten\nresolve.valid: 'Grund: {reason}.'\nsite.search: Suchen\nfind.title: Suche\nfind.concepts-one: 'Begriffe: {count}'\nfind.pages: Seiten\n",
  "interface/ar.yaml":
    "language.name: العربية\nsite.home: الرئيسية\nconcepts.title: المفاهيم\nresolve.abstained: امتنع\n",
};
const PAGES = ["", "/answers", "/api-reference/resolve", "/mcp-guide", "/coverage", "/integration-studio", "/concepts", "/concepts/N-RTL", "/resolve?expression=many"]; // prettier-ignore

describe.skipIf(noChromium)("pages in other languages", () => {
  let service: Service;
  beforeAll(async () => {
    const directory = folder(FILES);
    const { content } = readContent(overlaid(fileSystem, directory), directory);
    if (content === undefined) throw new Error("The content has faults");
    await buildInto(path.join(directory, "dist"), checkedRegistry(nasty), { content });
    service = await serveFolder(path.join(directory, "dist"));
  });
  afterAll(() => service.close());

  it.each(["de", "ar"])("satisfy axe, fit a phone, and break no rule of their policy: %s", async (tag) => {
    const { page, offences } = await visit(service.port, { viewport: { width: 360, height: 800 } });
    for (const one of PAGES) {
      await page.goto(`/${tag}${one}`);
      const overflow = await page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth",
      );
      const { dir } = await page.evaluate<{ dir: string }>("({ dir: getComputedStyle(document.body).direction })");
      expect([one, await objections(page), overflow, dir]).toEqual([one, [], 0, tag === "ar" ? "rtl" : "ltr"]);
      await picture(page, `languages-${tag}-${one.replaceAll(/\W/g, "-")}`);
    }
    expect(offences).toEqual([]);
  });

  it("keep the navigation in one line on a phone, also where a text is in English", async () => {
    const { page } = await visit(service.port, { viewport: { width: 360, height: 800 }, bypassCSP: true });
    const height = "document.querySelector('.top nav').getBoundingClientRect().height";
    await page.goto("/");
    const english = await page.evaluate<number>(height);
    await page.goto("/de");
    expect(await page.evaluate(height)).toBe(english);
    // Next to a navigation of two lines, the key of the search stays with its word.
    await page.setViewportSize({ width: 780, height: 800 });
    await page.addStyleTag({ content: ".top ul { inline-size: 2000px }" });
    expect(await page.evaluate("document.querySelector('.find kbd').getClientRects().length")).toBe(1);
  });

  it("begin what runs the other way where its neighbours begin", async () => {
    const { page } = await visit(service.port);
    for (const [one, selector] of [
      ["/ar", ".scope"],
      ["/ar/concepts", ".meaning"],
      ["/ar/resolve?expression=taxi", ".outcome > h2"],
      ["/ar/resolve?expression=taxi", ".outcome > p[dir]"],
    ] as const) {
      await page.goto(one);
      const ends = await page.evaluate<[number, number]>(`(() => {
        const block = document.querySelector("${selector}");
        const text = document.createRange();
        text.selectNodeContents(block);
        return [block, text].map((one) => Math.round(one.getBoundingClientRect().right));
      })()`);
      expect([one, selector, ends[1]]).toEqual([one, selector, ends[0]]);
    }
  });

  it("say by script what they say without, and lead on in their language", async () => {
    const { page } = await visit(service.port);
    await page.goto("/de");
    await page.fill("#expression", "many");
    await page.click("form.resolve button");
    await page.waitForSelector(".outcome");
    expect(await page.textContent(".verdict")).toBe("Enthalten");
    expect(await page.textContent(".outcome > .note")).toBe("Grund: ambiguous_expression.");
    expect(await page.getAttribute(".outcome li a", "href")).toMatch(/^\/de\/concepts\//);
    await page.click('footer a[hreflang="ar"]');
    expect(new URL(page.url()).pathname).toBe("/ar");
  });

  it("mark what is in English where it is text, and let nothing of it into names", async () => {
    const { page } = await visit(service.port);
    const englishIn = (selector: string) =>
      page.evaluate<[string, string]>(`(() => {
        const one = document.querySelector("${selector} > [lang=en]");
        return [one.textContent, getComputedStyle(one).direction];
      })()`);
    await page.goto("/ar?expression=taxi");
    await page.waitForSelector(".outcome.resolved");
    expect(await englishIn("#shell")).toEqual(["From a shell", "ltr"]);
    // What the owner says has no language that is known: its letters tell how it runs.
    expect(await page.evaluate("getComputedStyle(document.querySelector('.scope')).direction")).toBe("ltr");
    // The script shows what the service printed.
    expect(await englishIn(".outcome.resolved > p:not(.verdict)")).toEqual([
      expect.stringContaining("Record the code"),
      "ltr",
    ]);
    expect(await page.getByRole("navigation", { name: "Site", exact: true }).count()).toBe(1);
    await page.goto("/ar/concepts");
    expect(await page.title()).toMatch(/^المفاهيم · T/);
    expect(await page.textContent("#in option")).toBe("the registry’s own");
    await page.getByRole("searchbox", { name: "Words, a code or an exact expression", exact: true }).waitFor();
  });

  it("search with their texts, and lead to pages of their language", async () => {
    const { page, offences } = await visit(service.port);
    await page.goto("/de/answers");
    expect(await page.textContent(".find")).toBe("Suchen Ctrl K");
    expect(await page.getAttribute(".find", "href")).toBe("/de/concepts");
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog", { name: "Suche" }).waitFor();
    await page.keyboard.type("taxi");
    await page.locator('dialog[data-answered="taxi"] li a[href^="/de?expression="]').waitFor();
    expect(await page.textContent("dialog [role=status]")).toMatch(/^Begriffe: 1, /);
    await page.getByRole("searchbox", { name: "Suche" }).fill("answers");
    await page.locator('dialog[data-answered="answers"]').waitFor();
    expect(await page.textContent("dialog h2:last-of-type")).toBe("Seiten");
    expect(await page.getAttribute('dialog a[href="/de/answers"] bdi > span', "lang")).toBe("en");
    const hrefs = await page.evaluate<string[]>(
      '[...document.querySelectorAll("dialog li a")].map((link) => link.getAttribute("href"))',
    );
    expect(hrefs.filter((href) => !href.startsWith("/de/"))).toEqual([]);
    for (const href of hrefs) expect([href, (await page.request.get(href)).status()]).toEqual([href, 200]);
    const german = await page.evaluate<string[]>(
      '[...document.querySelectorAll("dialog option")].map((one) => one.textContent)',
    );
    expect(german).toContain("pt Portugiesisch");
    expect(offences).toEqual([]);
  });
});
