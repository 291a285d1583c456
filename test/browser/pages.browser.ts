/**
 * Every kind of page in a real browser: no error, no violation of its policy, no stranger asked,
 * nothing that axe objects to, nothing wider than a phone; in light, in dark and from right to
 * left. What pages say is tested elsewhere.
 */
import { describe, expect, it } from "vitest";
import type { CheckedRegistry } from "../../generator/registry/checked.ts";
import { REFERENCE_AREAS, referencePath } from "../../runtime/contract/policy.ts";
import { empty, LONGEST, nasty } from "../support/nasty.ts";
import { checkedRegistry, concept, expression } from "../support/registry.ts";
import { serviceFor } from "../support/service.ts";
import { codeAt, treeOf } from "../support/tree.ts";
import { wide } from "../support/wide.ts";
import { noChromium, picture, visit } from "./chromium.ts";
import { faultsIn } from "./judge.ts";
import { starterRegistry } from "../support/documents.ts";

/** A concept with whatever a vocabulary can say of it, in texts that do not break. */
const long = "x".repeat(300);
const noted = {
  registry: { languages: ["en", "ar"] },
  concepts: [
    concept("A", [expression("en", "a"), expression("ar", "أ")], {
      provenance: { source: "Source", license: "CC0-1.0", sourceId: `https://a.example/${long}`, reviewedBy: null, reviewedAt: null, exactMatch: [`https://b.example/${long}`, `urn:${long}`] },
      notations: [{ notation: long }],
      notes: { definition: [{ language: "ar", text: "تعريف" }], scopeNote: [{ language: "en", text: long }, { text: long }], example: [{ language: "de", text: long }] },
      broader: ["B"],
    }),
    concept("B", [expression("en", "b")], { name: long }),
  ],
}; // prettier-ignore

/** Nothing but expressions that do not break, so that the home page has to choose some. */
const unbroken = {
  registry: { languages: ["en", "de"] },
  concepts: [concept("A", [expression("en", long), expression("de", `${long}ä`)])],
};

interface Site {
  readonly site: string;
  readonly registry: () => CheckedRegistry;
  readonly pages: Readonly<Record<string, string>>;
}

const sites: readonly Site[] = [
  {
    site: "starter",
    registry: starterRegistry,
    pages: {
      home: "/",
      answers: "/answers",
      "api-reference": "/api-reference",
      ...Object.fromEntries(REFERENCE_AREAS.map((area) => [`reference-${area}`, referencePath(area)])),
      "mcp-guide": "/mcp-guide",
      studio: "/integration-studio",
      coverage: "/coverage",
      concepts: "/concepts",
      "concepts-last": "/concepts?page=3",
      "concepts-filtered": "/concepts?q=refund",
      "concepts-none": "/concepts?q=nothing+has+these",
      concept: "/concepts/C-DFM7YZ",
      "concept-unknown": "/concepts/C-UNKNOWN",
      resolve: "/resolve",
      "resolve-resolved": "/resolve?expression=demande+de+remboursement&language=fr",
      "resolve-abstained": "/resolve?expression=nobody+has+reviewed+this",
      "resolve-ambiguous": "/resolve?expression=ciao",
      "resolve-refused": "/resolve?expression=ciao&language=en_US",
    },
  },
  {
    site: "nasty",
    registry: () => checkedRegistry(nasty),
    pages: {
      home: "/",
      reference: "/api-reference/resolve",
      "reference-concepts": "/api-reference/concepts",
      studio: "/integration-studio",
      coverage: "/coverage",
      concepts: "/concepts",
      "concept-quotes": "/concepts/N-QUOTES",
      "concept-rtl": "/concepts/N-RTL",
      "concept-emoji": "/concepts/N-EMOJI",
      "concept-long": "/concepts/N-LONG",
      "concept-near": "/concepts/N-NEAR",
      "concept-unknown": `/concepts/${"N".repeat(500)}`,
      "resolve-long": `/resolve?expression=${encodeURIComponent(LONGEST)}`,
      "resolve-unbroken": `/resolve?expression=${"x".repeat(1000)}`,
      "resolve-many": "/resolve?expression=many",
      "resolve-markup": "/resolve?expression=%3Cimg+src%3Dx+onerror%3Dalert(1)%3E%3C%2Ftitle%3E",
    },
  },
  {
    site: "noted",
    registry: () => checkedRegistry(noted),
    pages: { concepts: "/concepts", concept: "/concepts/A", related: "/concepts/B" },
  },
  {
    site: "tree",
    registry: () => checkedRegistry(treeOf(12, 3)),
    pages: {
      concepts: "/concepts",
      domain: "/concepts?domain=odd",
      top: `/concepts/${codeAt(1)}`,
      last: `/concepts/${codeAt(1, 2, 0)}`,
    },
  },
  { site: "unbroken", registry: () => checkedRegistry(unbroken), pages: { home: "/" } },
  { site: "wide", registry: () => checkedRegistry(wide), pages: { coverage: "/coverage" } },
  {
    site: "empty",
    registry: () => checkedRegistry(empty),
    pages: {
      home: "/",
      studio: "/integration-studio",
      coverage: "/coverage",
      concepts: "/concepts",
      "resolve-empty": "/resolve?expression=refund+request",
    },
  },
];

describe.skipIf(noChromium).each(sites)("the pages of the $site registry", ({ site, registry, pages }) => {
  const service = serviceFor(registry);

  it.each(Object.entries(pages))(
    "%s: behaves, satisfies axe, fits, and prints without navigation",
    async (name, url) => {
      const { page, offences } = await visit(service.port);
      const response = await page.goto(url);
      const missing = name === "concept-unknown";
      expect([response?.status(), await page.locator("h1").count()]).toEqual([missing ? 404 : 200, 1]);
      // The studio is judged with what its script puts there.
      const unready = page.locator("#studio:not([data-scripted]), #inspection:empty");
      await expect.poll(() => unready.count(), { timeout: 300_000 }).toBe(0);
      expect.soft(await faultsIn(page, `${site}-${name}`)).toEqual({});

      await page.evaluate('document.documentElement.dir = "ltr"');
      await page.emulateMedia({ media: "print" });
      await picture(page, `${site}-${name}-print`);
      const shown = page.locator("nav, form").filter({ visible: true });
      expect([await shown.count(), await page.locator("h1").isVisible()]).toEqual([0, true]);
      // Chromium itself reports the 404 of the page.
      expect(offences.filter((text) => !missing || !text.includes("status of 404"))).toEqual([]);
    },
  );

  it("say the same without script", async () => {
    const [scripted, plain] = await Promise.all([
      visit(service.port),
      visit(service.port, { javaScriptEnabled: false }),
    ]);
    for (const [name, url] of Object.entries(pages)) {
      // What the studio says without script is tested with it.
      if (name === "studio") continue;
      const texts = await Promise.all(
        [scripted, plain].map(async ({ page }) => {
          await page.goto(url);
          return page.locator("main :is(h1, h2, h4, p, td, li:not([data-language]))").allTextContents();
        }),
      );
      expect.soft([name, texts[0]?.map((text) => text.replace(/Copy$/, ""))]).toEqual([name, texts[1]]);
    }
  });
});

describe.skipIf(noChromium)("a page", () => {
  const service = serviceFor(starterRegistry);

  it("O-44: has a nonce of its own each time, and runs and applies nothing else", async () => {
    const { page, offences } = await visit(service.port);
    const nonces = new Set<string>();
    for (const url of [
      "/",
      "/",
      "/answers",
      "/concepts",
      "/concepts/C-DFM7YZ",
      "/mcp-guide",
      "/integration-studio",
      "/coverage",
    ]) {
      const headers = (await page.goto(url))?.headers() ?? {};
      const nonce = /'nonce-([A-Za-z0-9+/=_-]+)'/.exec(headers["content-security-policy"] ?? "")?.[1] ?? "";
      nonces.add(nonce);
      expect(nonce).not.toBe("");
      expect(headers).toMatchObject({
        "content-type": "text/html; charset=utf-8",
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
      });
      expect(headers["content-security-policy"]).not.toMatch(/unsafe|\*/);
    }
    expect(nonces.size).toBe(8);
    expect(offences).toEqual([]);
    await page.evaluate(`{
      const script = document.createElement("script");
      script.textContent = "globalThis.ran = true";
      const style = document.createElement("style");
      style.textContent = "h1 { display: none }";
      document.head.append(script, style);
    }`);
    expect([await page.evaluate("typeof ran"), await page.locator("h1").isVisible()]).toEqual(["undefined", true]);
    expect(offences.filter((text) => text.startsWith("console: policy:")).length).toBe(2);
  });

  it("G48: the MCP guide opens at the recovery of the identity", async () => {
    const { page } = await visit(service.port);
    await page.goto("/mcp-guide#identity-recovery");
    const { y = -1 } = (await page.locator("#identity-recovery").boundingBox()) ?? {};
    expect(y).toBeGreaterThanOrEqual(0);
    expect(y).toBeLessThan(800);
  });

  it.each([
    ["digests", "/api-reference/registry"],
    ["operation-getConceptHead", "/api-reference/concepts"],
    ["error-rate_limited", "/api-reference/rules"],
  ])("an old anchor of the reference, #%s, leads to %s", async (anchor, to) => {
    const { page } = await visit(service.port);
    await page.goto(`/api-reference#${anchor}`);
    await page.waitForURL(`**${to}#${anchor}`);
    expect(await page.locator(`[id="${anchor}"]`).count()).toBe(1);
  });

  it.each([
    ["/answers#candidates", "data.candidates"],
    ["/mcp-guide#connect-with-curl", "curl"],
  ])("%s: its anchor opens what is closed, without script", async (url, text) => {
    const { page } = await visit(service.port, { javaScriptEnabled: false });
    await page.goto(url.split("#", 1)[0] ?? "");
    const open = page.locator("details.part[open]");
    const closed = await open.count();
    await page.goto(url);
    const opened = page.locator(`details.part[open]:has(> [id="${url.split("#")[1]}"])`);
    expect([await open.count(), await opened.locator("code", { hasText: text }).first().isVisible()]).toEqual([
      closed + 1,
      true,
    ]);
    const { y = -1 } = (await opened.locator("summary").boundingBox()) ?? {};
    expect([y >= 0, y < 400]).toEqual([true, true]);
  });

  it("is at most 12,000 px high, where it is long prose", async () => {
    const { page } = await visit(service.port);
    for (const url of ["/answers", "/mcp-guide", "/api-reference", ...REFERENCE_AREAS.map(referencePath)]) {
      await page.goto(url);
      const seen = await page.evaluate<unknown[]>("[innerWidth, document.documentElement.scrollHeight < 12000]");
      expect.soft([url, ...seen]).toEqual([url, 1280, true]);
    }
  });

  it.each([true, false])("shows a request in the language that is chosen (script: %s)", async (javaScriptEnabled) => {
    const { page } = await visit(service.port, { javaScriptEnabled });
    await page.goto("/api-reference/resolve");
    const shown = page.locator(".example").first().locator(".sample").filter({ visible: true });
    expect(await shown.allTextContents()).toEqual([expect.stringContaining("curl -s")]);
    await page.getByLabel("Python").first().check();
    expect(await shown.allTextContents()).toEqual([expect.stringContaining("urllib.request")]);
  });

  it.each(["/api-reference/rules", "/mcp-guide", "/answers"])(
    "%s: marks the section that is read, and nothing on the page moves by itself",
    async (url) => {
      const { page } = await visit(service.port);
      await page.addInitScript(
        `globalThis.shift = 0;
        new PerformanceObserver((list) => { for (const { value } of list.getEntries()) shift += value; })
          .observe({ type: "layout-shift", buffered: true });`,
      );
      await page.goto(url);
      const last = page.locator('.toc a[href^="#"]').last();
      await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
      await expect.poll(() => last.getAttribute("aria-current")).toBe("true");
      expect(await page.locator('.toc [aria-current="true"]').count()).toBe(1);
      expect(await page.evaluate("shift")).toBeLessThan(0.01);
    },
  );

  it("marks a section whose anchor is not ASCII", async () => {
    const { page } = await visit(service.port);
    await page.route("**/mcp-guide", async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replaceAll("identity-recovery", "größe");
      await route.fulfill({ response, body });
    });
    await page.goto("/mcp-guide");
    await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
    await expect.poll(() => page.locator('.toc [href="#größe"]').getAttribute("aria-current")).toBe("true");
  });

  it("gives the keyboard the skip link first", async () => {
    const { page } = await visit(service.port);
    for (const [name, url] of Object.entries(sites[0]?.pages ?? {})) {
      await page.goto(url);
      await page.keyboard.press("Tab");
      const skip = page.getByRole("link", { name: "Skip to content" });
      const { x = -1, y = -1 } = (await skip.boundingBox()) ?? {};
      const focused = await page.evaluate<string>("document.activeElement.textContent");
      await page.keyboard.press("Enter");
      await page.keyboard.press("Tab");
      // The next stop is in the content, and shows that it has the focus.
      const next = await page.evaluate<boolean[]>(`[
        document.activeElement.closest("main") !== null,
        getComputedStyle(document.activeElement).outlineStyle !== "none",
      ]`);
      const seen = [name, focused, x >= 0 && y >= 0, ...next];
      expect.soft(seen).toEqual([name, await skip.textContent(), true, true, true]);
    }
  });
});
