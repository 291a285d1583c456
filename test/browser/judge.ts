/** What is wrong with a page as it is seen: what axe objects to, and what is wider than the window, in every look. */
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { picture } from "./chromium.ts";

const axe = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");

const SIZES = [
  { width: 360, height: 800 },
  { width: 1280, height: 800 },
] as const;
const MODES = [
  { mode: "light", colorScheme: "light", dir: "ltr" },
  { mode: "dark", colorScheme: "dark", dir: "ltr" },
  { mode: "rtl", colorScheme: "light", dir: "rtl" },
] as const;

/** Each fault with the looks that have it. */
export async function faultsIn(page: Page, name: string): Promise<Record<string, string[]>> {
  await page.evaluate(axe);
  const faults: Record<string, string[]> = {};
  for (const { mode, colorScheme, dir } of MODES) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(`document.documentElement.dir = "${dir}"`);
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await picture(page, `${name}-${mode}-${size.width}`);
      for (const fault of [...(await objections(page)), ...(await overflow(page))])
        (faults[fault] ??= []).push(`${mode} ${size.width}`);
    }
  }
  return faults;
}

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[];
  }[];
}

/** What axe objects to, a line each. */
async function objections(page: Page): Promise<string[]> {
  const { violations } = await page.evaluate<AxeResults>("axe.run({ resultTypes: ['violations'] })");
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary.split("\n")[1]?.trim()}`),
  );
}

/** That the page is wider than the window, by how much, and through which elements. */
function overflow(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const wide = [...document.querySelectorAll("body *")].filter((element) => {
      const { left, right } = element.getBoundingClientRect();
      return (left < -1 || right > clientWidth + 1) && element.closest(".scroll") === null;
    });
    const named = wide.slice(0, 3).map(({ tagName, className }) => tagName + "." + className);
    return ["wider than the window, " + clientWidth + ": " + scrollWidth + " " + named];
  })()`);
}
