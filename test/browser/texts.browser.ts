/** Texts of a registry as they are seen: paragraphs, right to left, too long for a phone. */
import { describe, expect, it } from "vitest";
import { checkedRegistry, concept, expression } from "../support/registry.ts";
import { serviceFor } from "../support/service.ts";
import { noChromium, visit } from "./chromium.ts";

const ARABIC = "بطاقة ائتمان (VISA)";
const NARROW = { viewport: { width: 320, height: 700 } };

describe.skipIf(noChromium)("texts of a registry", () => {
  const service = serviceFor(() =>
    checkedRegistry({
      registry: { languages: ["en", "ar"] },
      concepts: [
        concept("T-LONG", [expression("en", "long")], {
          definition: "First.\n\nSecond.",
          renderings: [
            { type: "text", descriptor: "D".repeat(120), unicodeSequence: "😀".repeat(20), confidence: 0.5 },
          ],
        }),
        concept("T-CARD", [expression("ar", "بطاقة")], { name: ARABIC, definition: `${ARABIC}.` }),
        concept(`T-${"LONG".repeat(10)}`, [expression("en", "x 1")]),
        ...Array.from({ length: 101 }, (_none, i) =>
          concept(`T-${i}`, [expression("en", `x ${i}`)], { domain: `communication ${i % 10}` }),
        ),
      ],
      retired: [{ code: "T-OLD", retiredIn: "2026.11.1", replacedBy: "T-CARD" }],
    }),
  );

  it.each(["/concepts/T-LONG", "/coverage"])("break where the window ends: %s", async (path) => {
    const { page } = await visit(service.port, NARROW);
    await page.goto(path);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
  });

  it.each(["/concepts/T-LONG", "/resolve?expression=long", "/?expression=long"])(
    "keep their lines: %s",
    async (path) => {
      const { page } = await visit(service.port);
      await page.goto(path);
      expect(await page.getByText("First.").innerText()).toBe("First.\n\nSecond.");
    },
  );

  it.each(["/concepts?q=visa", "/concepts/T-CARD", "/resolve?expression=بطاقة", "/?expression=بطاقة"])(
    "run as their letters do: %s",
    async (path) => {
      const { page } = await visit(service.port);
      await page.goto(path);
      await page.locator("main").getByText(`${ARABIC}.`, { exact: true }).waitFor();
      const of = (text: string) => `(() => {
        const all = [...document.querySelectorAll("main *")].filter((one) => one.textContent.trim() === ${JSON.stringify(text)});
        return getComputedStyle(all.at(-1)).direction;
      })()`;
      expect(await Promise.all([ARABIC, `${ARABIC}.`].map((text) => page.evaluate(of(text))))).toEqual(["rtl", "rtl"]);
    },
  );

  it("stand apart from a notice, and a choice says all of what is chosen", async () => {
    const { page } = await visit(service.port, NARROW);
    await page.goto("/concepts/T-OLD");
    const gap = "(({ bottom }, { top }) => top - bottom)(...[...document.querySelectorAll('.notice, .notice + p')].map((one) => one.getBoundingClientRect()))"; // prettier-ignore
    expect(await page.evaluate<number>(gap)).toBeGreaterThan(8);
    await page.goto("/concepts");
    expect((await page.getByLabel("Names in").boundingBox())?.width).toBeGreaterThan(200);
  });

  it("fit where letters are twice as large, and on paper, however many domains there are", async () => {
    const { page } = await visit(service.port, { viewport: { width: 390, height: 700 }, bypassCSP: true });
    for (const path of ["/", "/answers"]) {
      await page.goto(path);
      await page.addStyleTag({ content: "html { font-size: 200% } * { letter-spacing: 0.12em !important }" });
      expect([path, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([path, 390]);
    }
    await page.emulateMedia({ media: "print" });
    await page.setViewportSize({ width: 720, height: 1000 });
    await page.goto("/coverage");
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(720);
  });

  it("mark the page of the list by more than a colour", async () => {
    const { page } = await visit(service.port, { forcedColors: "active" });
    await page.goto("/concepts");
    const lines =
      "[...document.querySelectorAll('nav:last-of-type.paging a')].map((link) => getComputedStyle(link).textDecorationLine)";
    expect(await page.evaluate(lines)).toEqual(["none", "underline", "underline"]);
  });
});
