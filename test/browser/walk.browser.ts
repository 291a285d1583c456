/** How people walk through a vocabulary in a browser: a concept by language, a tree by level. */
import { describe, expect, it } from "vitest";
import { starterRegistry } from "../support/documents.ts";
import { checkedRegistry } from "../support/registry.ts";
import { serviceFor } from "../support/service.ts";
import { codeAt, treeOf } from "../support/tree.ts";
import { noChromium, visit } from "./chromium.ts";
import { objections } from "./judge.ts";

describe.skipIf(noChromium)("a concept", () => {
  const service = serviceFor(starterRegistry);

  it.each([true, false])(
    "shows one language of a concept when it is chosen (script: %s)",
    async (javaScriptEnabled) => {
      const { page } = await visit(service.port, { javaScriptEnabled, viewport: { width: 390, height: 844 } });
      await page.goto("/concepts/C-DFM7YZ");
      const shown = page.locator(".languages > section").filter({ visible: true });
      expect(await shown.count()).toBe(23);
      await page.getByRole("link", { name: "fr", exact: true }).click();
      expect(await shown.locator("bdi").allTextContents()).toEqual(["demande de remboursement"]);
      await page.getByRole("link", { name: "all", exact: true }).click();
      expect(await shown.count()).toBe(23);
    },
  );

  it("opens the search by its key while a field has the focus", async () => {
    const { page } = await visit(service.port);
    await page.goto("/concepts");
    await page.locator("#q").focus();
    await page.keyboard.press("Control+k");
    await page.locator("dialog.finder[open]").waitFor();
    expect(await page.evaluate("document.activeElement.closest('dialog') !== null")).toBe(true);
  });

  it("shows name, code and definition of a concept on the first screen of a phone", async () => {
    const { page } = await visit(service.port, { viewport: { width: 390, height: 844 } });
    await page.goto("/concepts/C-DFM7YZ");
    for (const part of ["h1", ".code", ".lede"]) {
      const { y = 0, height = 0 } = (await page.locator(part).boundingBox()) ?? {};
      expect(y + height).toBeLessThan(844);
    }
  });

  it("puts the languages that the browser prefers first among the expressions", async () => {
    const { page } = await visit(service.port, { locale: "zh-CN" });
    await page.goto("/concepts/C-DFM7YZ");
    const read = `[...document.querySelectorAll(".languages h3")].slice(0, 4).map((one) => one.dataset.language)`;
    expect(await page.evaluate(read)).toEqual(["zh", "zh-Hans", "zh-Hant", "en"]);
  });
});

describe.skipIf(noChromium)("a tree of concepts", () => {
  const service = serviceFor(() => checkedRegistry(treeOf(2, 2)));

  it.each([390, 1280])("opens level by level in place, and closes again, at %i px", async (width) => {
    const { page, offences } = await visit(service.port, { viewport: { width, height: 800 } });
    await page.goto("/concepts");
    await page.locator("summary:has(#hierarchy)").click();
    for (const code of [codeAt(1), codeAt(1, 0)])
      await page.getByRole("button", { name: `Narrower concepts: Name ${code}`, exact: true }).click();
    const leaf = page.locator(`.tree a[href="/concepts/${codeAt(1, 0, 1)}"]`);
    await leaf.waitFor();
    expect(await page.getByRole("button", { name: `Name ${codeAt(1, 0, 1)}` }).count()).toBe(0);
    expect(await objections(page)).toEqual([]);
    const opener = page.getByRole("button", { name: `Narrower concepts: Name ${codeAt(1)}`, exact: true });
    expect(await opener.getAttribute("aria-expanded")).toBe("true");
    await opener.click();
    expect([await opener.getAttribute("aria-expanded"), await leaf.isVisible()]).toEqual(["false", false]);
    expect(offences).toEqual([]);
  });

  it("leads by links from the list to the last level and back, without script", async () => {
    const { page } = await visit(service.port, { javaScriptEnabled: false });
    await page.goto("/concepts");
    await page.locator("summary:has(#hierarchy)").click();
    for (const code of [codeAt(1), codeAt(1, 1), codeAt(1, 1, 0)])
      await page
        .getByRole("link", { name: `Name ${code}`, exact: true })
        .first()
        .click();
    await page.waitForURL(`**/concepts/${codeAt(1, 1, 0)}`);
    await page.getByRole("navigation", { name: "Broader concepts" }).getByRole("link").nth(1).click();
    await page.waitForURL(`**/concepts/${codeAt(1)}`);
    expect(await page.locator("h1").textContent()).toBe(`Name ${codeAt(1)}`);
  });
});
