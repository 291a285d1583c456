/** The faults of a page as it is seen: those of axe, and overflow, in every look. */
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { picture } from "./chromium.ts";

const axe = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");

const SIZES = [
  { width: 360, height: 800 },
  { width: 1280, height: 800 },
] as const;
/** The rules of axe that depend on colours and positions; all others judge every look alike. */
const BY_COLOUR = ["color-contrast", "link-in-text-block"];
const BY_PLACE = ["scrollable-region-focusable"];
const MODES = [
  { mode: "light", colorScheme: "light", dir: "ltr", rules: undefined },
  { mode: "dark", colorScheme: "dark", dir: "ltr", rules: BY_COLOUR },
  { mode: "rtl", colorScheme: "light", dir: "rtl", rules: BY_PLACE },
] as const;

/** Each fault with its looks; `modes` are all, or some, and `wide` finds overflow. */
export async function faultsIn(
  page: Page,
  name: string,
  { modes = ["light", "dark", "rtl"], wide = overflow }: Judging = {},
): Promise<Record<string, string[]>> {
  const faults: Record<string, string[]> = {};
  for (const { mode, colorScheme, dir, rules } of MODES.filter((one) => modes.includes(one.mode))) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(`document.documentElement.dir = "${dir}"`);
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await picture(page, `${name}-${mode}-${size.width}`);
      for (const fault of [...(await objections(page, rules)), ...(await wide(page))])
        (faults[fault] ??= []).push(`${mode} ${size.width}`);
    }
  }
  return faults;
}

interface Judging {
  readonly modes?: readonly (typeof MODES)[number]["mode"][];
  readonly wide?: (page: Page) => Promise<string[]>;
}

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[];
  }[];
}

/** What axe objects to, a line each: by all of its rules, or by some. */
export async function objections(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (await page.evaluate<boolean>("typeof axe === 'undefined'")) await page.evaluate(axe);
  const options = { resultTypes: ["violations"], ...(rules !== undefined && { runOnly: rules }) };
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(options)})`);
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
