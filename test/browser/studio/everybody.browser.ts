/** The studio by keyboard, on small screens, in print, from right to left, and without script. */
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { FIXTURE_OUTCOMES, HANDOFF_LANGUAGES } from "../../../generator/contract/integration.ts";
import { kitPath } from "../../../runtime/contract/policy.ts";
import { noChromium, picture, visit } from "../chromium.ts";
import { objections } from "../judge.ts";
import { starterRegistry } from "../../support/documents.ts";
import { sha256 } from "../../support/sha256.ts";
import {
  STUDIO,
  open,
  shown,
  fixtureIn,
  openFixture,
  overflow,
  textOf,
  ALL_RIGHT,
  UNREAD,
  shownSources,
  sourcesOf,
  watch,
  faultsOf,
  stand,
  FIRST,
} from "./studio.ts";

describe.skipIf(noChromium)("the studio for everybody", () => {
  const at = stand(starterRegistry);

  /** Presses Tab until the focus is on what is looked for; each stop on the way must be seen. */
  async function tabTo(page: Page, selector: string): Promise<void> {
    for (let i = 0; i < 80; i++) {
      await page.keyboard.press("Tab");
      const [found, seen, name] = await page.evaluate<[boolean, boolean, string]>(`(() => {
        const { activeElement } = document;
        const { outlineStyle, outlineWidth } = getComputedStyle(activeElement);
        const { width, height } = activeElement.getBoundingClientRect();
        return [
          activeElement.matches(${JSON.stringify(selector)}),
          activeElement.checkVisibility({ visibilityProperty: true }) && width > 1 && height > 1 && outlineStyle !== "none" && outlineWidth !== "0px",
          activeElement.outerHTML.slice(0, 100),
        ];
      })()`);
      expect([name, seen]).toEqual([name, true]);
      if (found) return;
    }
    throw new Error(`No Tab leads to ${selector}`);
  }

  it("F17: the whole journey is gone by keyboard, and each step is announced", async () => {
    const { page, offences } = await visit(at.service.port);
    await open(page, at.kit(FIRST));
    await page.evaluate(`{
      globalThis.said = [];
      for (const place of document.querySelectorAll("[role=status]")) {
        new MutationObserver(() => said.push(place.id + ": " + place.textContent))
          .observe(place, { childList: true, characterData: true, subtree: true });
      }
    }`);
    await tabTo(page, "input[name=recipe]:checked");
    await page.keyboard.press("ArrowDown");
    const kit = at.kit("workflow-routing");
    await shown(page, kit);

    await tabTo(page, "#fixtures section[aria-label='Fixture resolved-valid'] summary");
    await page.keyboard.press("Enter");
    await tabTo(page, "#fixtures input[type=checkbox]");
    await page.keyboard.press("Space");
    expect(await textOf(page, "#proof")).toBe("5 of 6 fixtures are as declared.");
    await page.keyboard.press("Space");
    expect(await textOf(page, "#proof")).toBe(ALL_RIGHT);
    await tabTo(page, "#fixtures input[type=number]");
    await page.keyboard.press("ArrowUp");
    expect(await fixtureIn(page, "resolved-valid").locator(".verdict").innerText()).toMatch(/^service-error, but /);
    await page.keyboard.press("ArrowDown");
    await tabTo(page, "#fixtures textarea");
    await page.keyboard.type("x");
    expect(await fixtureIn(page, "resolved-valid").locator(".verdict").innerText()).toMatch(/^malformed, but /);
    await tabTo(page, "#fixtures button");
    await page.keyboard.press("Enter");
    expect(await textOf(page, "#proof")).toBe(ALL_RIGHT);

    await tabTo(page, "#live-on");
    await page.keyboard.press("Space");
    await tabTo(page, "#live-expression");
    await page.keyboard.type("refund request");
    await tabTo(page, "#live-language");
    await page.keyboard.type("en");
    await page.keyboard.press("Enter");
    await page.locator("#live-outcome .verdict").waitFor();

    await tabTo(page, "input[name=handoff]:checked");
    for (const language of ["node", "powershell", "curl"] as const) {
      await page.keyboard.press("ArrowRight");
      await shown(page, kit);
      expect(await shownSources(page)).toEqual(sourcesOf(kit, language));
    }
    await tabTo(page, "#sources pre");
    await tabTo(page, "#files .scroll");
    await tabTo(page, "#kit");
    const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
    expect(sha256(readFileSync(await download.path()))).toBe(kit.sha256);
    const said = await page.evaluate<string[]>("said");
    expect(said).toContain("proof: 5 of 6 fixtures are as declared.");
    expect(said.some((one) => one.startsWith("live-outcome: resolved-valid C-DFM7YZ 2026.11.1"))).toBe(true);
    expect(said.some((one) => one.startsWith("inspection: ") && one.includes("every digest"))).toBe(true);
    expect(offences).toEqual([]);
  });

  it("satisfies axe and fits in each of its states, on a phone and a desk, light and dark", async () => {
    const { page, offences } = await visit(at.service.port);
    await open(page, at.kit(FIRST));
    const faults = await faultsOf(page, "start");
    // What is opened stays: what costs most to judge comes last.
    await page.getByLabel("Turn live resolution on").check();
    for (const [text, state] of [
      ["refund request", "resolved"],
      ["ciao", "ambiguous"],
      ["", "request-error"],
    ] as const) {
      await page.getByLabel("Expression", { exact: true }).fill(text);
      await page.getByRole("button", { name: "Ask once" }).click();
      await page.locator("#live-outcome").getByText(state).waitFor();
      faults.push(...(await faultsOf(page, `live-${state}`)));
    }
    for (const language of HANDOFF_LANGUAGES) {
      await page.getByRole("radio", { name: language, exact: true }).check();
      await shown(page, at.kit(FIRST));
      const closed = page.locator("#sources details:not([open]) > summary");
      while ((await closed.count()) > 0) await closed.first().click();
      faults.push(...(await faultsOf(page, language)));
    }
    const fixture = await openFixture(page, "resolved-valid");
    await fixture.getByLabel("Body").fill("x".repeat(300));
    faults.push(...(await faultsOf(page, "failing")));
    for (const summary of await page.locator(".recipe summary").all()) await summary.click();
    for (const id of FIXTURE_OUTCOMES.slice(1)) await openFixture(page, id);
    faults.push(...(await faultsOf(page, "all-open")));
    await page.route(`**${kitPath("clarification")}`, (route) => route.abort());
    await page.getByRole("radio", { name: at.kit("clarification").title, exact: true }).check();
    await page.locator("#proof").getByText(UNREAD).waitFor();
    faults.push(...(await faultsOf(page, "unreadable")));
    expect(faults).toEqual([]);
    expect(offences.filter((one) => !one.includes("Failed to load resource"))).toEqual([]);
  });

  it("fits with text twice as large, and on the narrowest of phones", async () => {
    const { page } = await visit(at.service.port);
    await open(page, at.kit(FIRST));
    const fixture = await openFixture(page, "resolved-valid");
    await fixture.getByLabel("HTTP status").fill("500");
    await page.getByLabel("Turn live resolution on").check();
    for (const summary of await page.locator(".recipe summary").all()) await summary.click();
    await page.setViewportSize({ width: 320, height: 800 });
    const faults = await overflow(page);
    await page.evaluate(`document.documentElement.style.fontSize = "200%"`);
    for (const width of [640, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await picture(page, `studio-twice-${width}`);
      faults.push(...(await overflow(page)), ...(await objections(page)));
    }
    expect(faults).toEqual([]);
  });

  it("moves nothing, and prints all of what is open", async () => {
    const { page } = await visit(at.service.port);
    await open(page, at.kit(FIRST));
    const fixture = await openFixture(page, "resolved-valid");
    await fixture.getByLabel("HTTP status").fill("500");
    expect(
      await page.evaluate(`[
        getComputedStyle(document.documentElement).scrollBehavior,
        [...document.querySelectorAll("*")].filter((element) => {
          const { transitionDuration, animationName } = getComputedStyle(element);
          return !/^0s(, 0s)*$/.test(transitionDuration) || animationName !== "none";
        }).length,
      ]`),
    ).toEqual(["auto", 0]);
    // An A4 page between its margins.
    await page.setViewportSize({ width: 718, height: 1000 });
    await page.emulateMedia({ media: "print" });
    await picture(page, "studio-print");
    expect.soft(await overflow(page, "nothing")).toEqual([]);
    const cut = await page.evaluate(`[...document.querySelectorAll("main *")]
      .filter((element) => element.checkVisibility() && !element.matches("textarea, input, .unseen"))
      .filter(({ scrollHeight, clientHeight, scrollWidth, clientWidth }) => clientHeight > 0 && (scrollHeight > clientHeight + 1 || scrollWidth > clientWidth + 1))
      .filter((element) => getComputedStyle(element).overflowY !== "visible")
      .map(({ tagName, id, className, ariaLabel }) => tagName + "#" + id + "." + className + " " + ariaLabel)`);
    expect.soft(cut).toEqual([]);
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    expect(await page.evaluate("getComputedStyle(document.body).backgroundColor")).toBe("rgb(255, 255, 255)");
  });

  it("works from right to left: programs, answers and digests stay left to right", async () => {
    const { page } = await visit(at.service.port);
    await open(page, at.kit(FIRST));
    await openFixture(page, "resolved-valid");
    await page.evaluate(`document.documentElement.dir = "rtl"`);
    const directions = await page.evaluate(`[...document.querySelectorAll(
      "#sources pre, #files td code, #fixtures textarea, #download code",
    )].map((element) => getComputedStyle(element).direction)`);
    expect(new Set(directions as string[])).toEqual(new Set(["ltr"]));
    expect([...(await overflow(page)), ...(await objections(page))]).toEqual([]);
  });
});

describe.skipIf(noChromium)("the studio without script", () => {
  const at = stand(starterRegistry);

  it("F17: shows nothing that needs script, and all that does not", async () => {
    const { page, offences } = await visit(at.service.port, { javaScriptEnabled: false });
    const sent = watch(page);
    await page.goto(STUDIO);
    const dead = page.locator("main :is(input, button, textarea, select, form, [role=status], .scripted)");
    expect(await dead.filter({ visible: true }).count()).toBe(0);
    expect(await page.locator("legend, label").filter({ visible: true }).allInnerTexts()).toEqual([
      "Recipe",
      ...at.kits.map(({ title }) => title),
    ]);
    expect(await page.locator("noscript .notice").isVisible()).toBe(true);
    for (const details of await page.locator(".recipe details").all()) {
      await details.locator("summary").click();
      expect(await details.getByRole("heading", { name: "Never" }).isVisible()).toBe(true);
    }
    for (const link of await page.locator("main a[href]").filter({ visible: true }).all()) {
      const href = (await link.getAttribute("href")) ?? "";
      expect([href, (await at.service.send("GET", href)).status]).toEqual([href, 200]);
    }
    for (const { title, zip, sha256: digest } of at.kits) {
      const row = page.getByRole("row").filter({ has: page.getByRole("rowheader", { name: title, exact: true }) });
      expect(await row.locator("td").allTextContents()).toEqual([String(zip.length), digest]);
      const [download] = await Promise.all([page.waitForEvent("download"), row.getByRole("link").click()]);
      expect(sha256(readFileSync(await download.path()))).toBe(digest);
    }
    expect(sent.filter((one) => !one.startsWith("GET /api/v1/integration-studio/kit/"))).toEqual([]);
    await page.setViewportSize({ width: 360, height: 800 });
    await picture(page, "studio-plain-360");
    expect(offences).toEqual([]);
  });

  it("satisfies axe and fits", async () => {
    const { page } = await visit(at.service.port);
    // axe is script itself: the page as it is without.
    await page.route(`**${STUDIO}`, async (route) => {
      const response = await route.fetch();
      const html = (await response.text()).replaceAll(/<script[^>]*><\/script>|<\/?noscript>/g, "");
      await route.fulfill({ response, body: html });
    });
    await page.goto(STUDIO);
    expect(await page.getByText("Without JavaScript").isVisible()).toBe(true);
    for (const summary of await page.locator(".recipe summary").all()) await summary.click();
    expect(await faultsOf(page, "plain")).toEqual([]);
  });

  it.each(["kit", "classify", "studio"])("shows nothing dead when %s.js does not come", async (name) => {
    const { page } = await visit(at.service.port);
    await page.route(`**/assets/${name}.*.js`, (route) => route.abort());
    await page.goto(STUDIO, { waitUntil: "networkidle" });
    const dead = page.locator("main :is(input, button:not(.copy), textarea, form, .scripted)");
    expect(await dead.filter({ visible: true }).count()).toBe(0);
  });
});
