/**
 * The search as people use it, by keyboard: what it finds, what it loads and when, what it says
 * where the service does not filter, and that it never says more than the resolver. Times are
 * measured elsewhere.
 */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nasty } from "../support/nasty.ts";
import { checkedRegistry, concept, expression } from "../support/registry.ts";
import { type Service, startService } from "../support/service.ts";
import { noChromium, serveFilesOnly, visit } from "./chromium.ts";
import { faultsIn } from "./judge.ts";
import { starterRegistry } from "../support/documents.ts";

const MARKUP = '<img src=x onerror="alert(1)"></dialog><script>alert(1)</script>';

let starter: Service;
let hostile: Service;
let large: Service;

/** As many concepts as GEMET has. */
const LARGE = Array.from({ length: 5208 }, (_none, i) => {
  const name = `water body ${String(i).padStart(4, "0")}`;
  return concept(`W-${i}`, [expression("en", name, { type: "preferred" })], { name });
});

beforeAll(async () => {
  if (noChromium) return;
  starter = await startService(starterRegistry());
  hostile = await startService(
    checkedRegistry({
      ...nasty,
      concepts: [
        ...nasty.concepts,
        concept("N-MARKUP", [expression("en", "x y")], { name: MARKUP, domain: MARKUP }),
        concept("N-UNBROKEN", [expression("en", "y")], { name: "w".repeat(200) }),
      ],
    }),
  );
  large = await startService(checkedRegistry({ concepts: LARGE }));
});
afterAll(() => Promise.all([starter, hostile, large].map((one) => one?.close())));

/** Opens the search by its key and types; what is found is there when it returns. */
async function search(page: Page, text: string, language?: string): Promise<string[]> {
  await page.keyboard.press("Control+k");
  await page.locator("dialog[open]").waitFor();
  if (language !== undefined) await page.getByLabel("Names of concepts in").selectOption(language);
  const field = page.getByRole("searchbox", { name: "Search" });
  await field.focus();
  await page.keyboard.type(text);
  await page.locator(`dialog[data-answered=${JSON.stringify(text)}]`).waitFor();
  return found(page);
}

/** Each result as `title | note`. */
async function found(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(
    `[...document.querySelectorAll("dialog li a")].map(({ children: [title, note] }) => title.textContent + " | " + note.textContent)`,
  );
}

describe.skipIf(noChromium)("the search", () => {
  it.each<[what: string, text: string, result: string, language?: string]>([
    ["a question", "retry", "What is the difference between an error and an abstention? | Answers"],
    ["an operation", "/api/v1/concepts/{code}", "GET /api/v1/concepts/{code} | API reference"],
    ["an error", "rate_limited", "rate_limited | Errors"],
    ["a rule, with a slip", "cachng", "Caching | API reference"],
    ["a part of the guide", "identity recovery", "Identity recovery | MCP guide"],
    ["a concept by its code", "c-dfm7yz", "Refund request | C-DFM7YZ · support"],
    [
      "a concept by a part of its name, without accents",
      "ruckerst",
      "Rückerstattungsantrag | C-DFM7YZ · support",
      "de",
    ],
    ["a concept by name and domain", "refund support", "Refund request | C-DFM7YZ · support"],
    ["a name without spaces between words", "退款", "退款申请 | C-DFM7YZ · support", "zh-Hans"],
  ])("finds %s: %s", async (_what, ...[text, result, language]) => {
    const { page, offences } = await visit(starter.port);
    await page.goto("/coverage");
    expect(await search(page, text, language)).toContainEqual(result);
    expect(offences).toEqual([]);
  });

  it("is used by keyboard alone", async () => {
    const { page } = await visit(starter.port);
    await page.goto("/");
    const focused = () =>
      page.evaluate<string>("document.activeElement.textContent || document.activeElement.getAttribute('aria-label')");
    await page.getByRole("link", { name: "Answers" }).first().focus();
    // A character alone does nothing (WCAG 2.1.4).
    for (const key of ["/", "k"]) await page.keyboard.press(key);
    expect(await page.locator("dialog").count()).toBe(0);
    // No exact expression: its line would come first, and later.
    const results = await search(page, "refun");
    expect(results.length).toBeGreaterThan(2);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    expect(await focused()).toBe(results[1]?.replace(" | ", ""));
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    expect(await focused()).toBe("Search");
    await page.keyboard.press("Escape");
    expect([await page.locator("dialog[open]").count(), await focused()]).toEqual([0, "Answers"]);
    await page.keyboard.press("Control+k");
    await page.locator("dialog[open]").waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/concepts\/C-/);
  });

  it("loads less than 60 kB of script before it is used, and its files after that alone", async () => {
    const { page } = await visit(starter.port);
    const loaded: { path: string; bytes: number }[] = [];
    page.on("response", (response) => {
      const { pathname } = new URL(response.url());
      if (/\.js(?:on)?$/.test(pathname))
        void response.body().then((body) => loaded.push({ path: pathname, bytes: body.length }));
    });
    await page.goto("/answers", { waitUntil: "networkidle" });
    const before = loaded.splice(0);
    const own = before.map(({ path }) => path.replace(/\.[0-9a-f]{16}/, ""));
    expect(own.toSorted()).toEqual(["/assets/contents.js", "/assets/site.js"]);
    expect(before.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(20_000);
    await search(page, "refund");
    const after = loaded.map(({ path }) => path.replace(/\.[0-9a-f]{16}/, ""));
    expect(after.toSorted()).toEqual([
      "/assets/find.js",
      "/assets/minisearch.js",
      "/registry/names.json",
      "/search.json",
    ]);
    expect(loaded.filter(({ path }) => path.endsWith(".js")).reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(
      60_000,
    );
  });

  it.each([
    ["demande de remboursement", ["Refund request | C-DFM7YZ · has this expression"]],
    ["DEMANDE DE REMBOURSEMENT", ["Refund request | C-DFM7YZ · has an expression that differs only in form"]],
    ["refnud reqeust", ["Refund request | C-DFM7YZ · support · similar: one typing error a word"]],
    ["refnudd reqeust", []],
    // Its name has the words, so it is there already.
    ["refund request", ["Refund request | C-DFM7YZ · support"]],
  ])("leads to the concepts of %s", async (text, concepts) => {
    const { page } = await visit(starter.port);
    await page.goto("/answers");
    await Promise.all([page.waitForResponse("**/api/v1/resolve"), search(page, text)]);
    await page.locator(`dialog[data-asked=${JSON.stringify(text)}]`).waitFor();
    const links = (await found(page)).filter((one) => one.includes("C-DFM7YZ"));
    expect(links).toEqual(concepts);
  });

  it.each([
    ["demande de remboursement", true],
    ["ciao", true],
    ["Demande de remboursement", false],
    ["nobody has reviewed this", false],
  ])("says that a text is an exact expression as the resolver does: %s, %s", async (text, isExact) => {
    const { page } = await visit(starter.port);
    await page.goto("/answers");
    await Promise.all([page.waitForResponse("**/api/v1/resolve"), search(page, text)]);
    const exact = page.getByRole("link", { name: /^This is an exact expression/ });
    if (isExact) await exact.waitFor();
    expect(await exact.count()).toBe(isExact ? 1 : 0);
    if (!isExact) return;
    await page.keyboard.press("Enter");
    await page.locator("#outcome .verdict").waitFor();
    expect(new URL(page.url()).searchParams.get("expression")).toBe(text);
  });

  it("satisfies axe and fits, open and with results, in every look", async () => {
    const { page, offences } = await visit(starter.port);
    await page.goto("/api-reference/rules");
    await search(page, "refund");
    await page.getByText("assigns nothing").waitFor();
    expect(await faultsIn(page, "find")).toEqual({});
    expect(offences).toEqual([]);
  });

  it("shows markup in names as text", async () => {
    const { page, offences } = await visit(hostile.port);
    await page.goto("/");
    expect(await search(page, "onerror")).toContainEqual(`${MARKUP} | N-MARKUP · ${MARKUP}`);
    expect([await page.locator("dialog :is(img, script)").count(), offences]).toEqual([0, []]);
  });

  it("breaks a long name, so that all of it can be seen", async () => {
    const { page } = await visit(hostile.port, { viewport: { width: 360, height: 800 } });
    await page.goto("/");
    await search(page, "wwww");
    const hidden = "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('dialog'))";
    expect(await page.evaluate(hidden)).toBe(0);
  });

  it("shows few of many, and says how many there are", async () => {
    const { page } = await visit(large.port);
    await page.goto("/concepts");
    const results = await search(page, "water 42");
    expect(results.slice(0, 8)[0]).toBe("water body 0042 | W-42 · test");
    expect(results[8]).toBe("Filter 5208 concepts | by name and definition, on the service");
    await page.getByText(/^\d{3} concepts, /).waitFor();
  });

  it("leaves concepts to the filter of the service where there are too many for files of names", async () => {
    const { page } = await visit(starter.port);
    await page.route("**/search.json", async (route) => {
      const json = (await (await route.fetch()).json()) as object;
      await route.fulfill({ json: { ...json, concepts: 1_000_000, named: false, languages: [] } });
    });
    await page.goto("/");
    const results = await search(page, "refund");
    expect(results[0]).toBe("Filter 1000000 concepts | by name and definition, on the service");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/concepts?q=refund");
  });

  it("says on a host of files what is not searched, and that the list was not filtered", async () => {
    const { page } = await visit(starter.port);
    await serveFilesOnly(page, starter.release.directory);
    await page.goto("/answers");
    await search(page, "refund request");
    await page.getByText("This host serves files only: definitions are not searched").waitFor();
    expect((await found(page)).filter((line) => line.startsWith("Filter"))).toEqual([]);

    await page.route("**/concepts?*", async (route) =>
      route.fulfill({ response: await route.fetch({ url: route.request().url().split("?")[0] ?? "" }) }),
    );
    await page.goto("/concepts?q=refund");
    await page.getByText("This host serves files only and filters nothing").waitFor();
    await page.getByRole("link", { name: "Search the names instead" }).click();
    await page.locator('dialog[data-answered="refund"]').waitFor();
    await page.unroute("**/concepts?*");
    await page.goto("/concepts?q=refund&in=de&domain=support");
    expect(await page.getByText("This host serves files only").count()).toBe(0);
  });

  it("says that it could not be loaded, and works the next time", async () => {
    const { page } = await visit(starter.port);
    await page.route("**/search.json", (route) => route.abort(), { times: 2 });
    await page.goto("/");
    await page.keyboard.press("Control+k");
    await page.locator("dialog[open]").waitFor();
    await page.keyboard.type("r");
    await page.getByText("The search could not be loaded.").waitFor();
    await page.keyboard.type("e");
    await page.locator('dialog[data-answered="re"]').waitFor();
    expect((await found(page)).length).toBeGreaterThan(8);
  });

  it("is a link to the list of concepts without script", async () => {
    const { page } = await visit(starter.port, { javaScriptEnabled: false });
    await page.goto("/answers");
    await page.getByRole("link", { name: "Search", exact: true }).click();
    await page.getByLabel("Words, a code or an exact expression").fill("C-DFM7YZ");
    await page.getByLabel("Names in").selectOption("fr");
    await page.getByRole("button", { name: "Filter" }).click();
    expect(new URL(page.url()).search).toBe("?q=C-DFM7YZ&in=fr&domain=");
    expect(await page.locator(".notice").first().innerText()).toBe("This is the code of Refund request.");
  });
});
