/**
 * The resolve form as people meet it: by script and without, by mouse and keyboard, and when no
 * answer comes. A code is shown only where the service assigned one; whatever else happens, none
 * is.
 */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { serviceFor, startService } from "../support/service.ts";
import { noChromium, picture, serveFilesOnly, visit } from "./chromium.ts";
import { starterRegistry } from "../support/documents.ts";

interface Case {
  readonly kind: string;
  readonly expression: string;
  readonly language?: string;
  /** The code that must be shown; none otherwise. */
  readonly code?: string;
  /** What must be said. */
  readonly says: readonly string[];
  /** Codes that may stand there as evidence. */
  readonly evidence?: boolean;
}

const cases: readonly Case[] = [
  {
    kind: "resolved",
    expression: "demande de remboursement",
    language: "fr",
    code: "C-DFM7YZ",
    says: ["Resolved", "Refund request", "2026.11.1"],
  },
  { kind: "resolved", expression: "refund request", code: "C-DFM7YZ", says: ["Resolved", "Refund request"] },
  {
    kind: "abstained",
    expression: "Refund request",
    says: ["Abstained", "No code", "no_reviewed_exact_match", "evidence only", "Look for concepts with these words"],
    evidence: true,
  },
  // Too long to be filtered by.
  { kind: "abstained", expression: "very ".repeat(41), says: ["No code", "no_reviewed_exact_match"] },
  { kind: "abstained", expression: "<b>&amp;</b>", says: ["<b>&amp;</b>", "no_reviewed_exact_match"] },
  { kind: "abstained", expression: "refund request", language: "fr", says: ["No code", "language_not_matched"] },
  {
    kind: "abstained",
    expression: "ciao",
    says: ["No code", "ambiguous_expression", "evidence only"],
    evidence: true,
  },
  { kind: "refused", expression: "ciao", language: "en_US", says: ["Refused", "No code"] },
];

async function ask(page: Page, { expression, language = "" }: Pick<Case, "expression" | "language">): Promise<void> {
  await page.getByLabel("Expression", { exact: true }).fill(expression);
  await page.getByLabel("Language").fill(language);
  await page.getByRole("button", { name: "Resolve" }).click();
  await page.locator("#outcome > .outcome").waitFor();
}

/** The outcome as it is read, without what only script can offer. */
async function outcome(page: Page): Promise<string> {
  return (await page.locator("#outcome").innerText()).replace(/\s*Copy\b/, "").replaceAll(/\s+/g, " ");
}

const CODE = /\bC-[A-Z0-9]{6}\b/;

function shownCodes(page: Page): Promise<string[]> {
  return page.locator("#outcome .code code").allTextContents();
}

describe.skipIf(noChromium)("the resolve form", () => {
  const service = serviceFor(starterRegistry);

  it.each(cases)("$kind: $expression $language, the same with and without script", async (one) => {
    const read: string[] = [];
    for (const javaScriptEnabled of [true, false]) {
      const { page, offences } = await visit(service.port, { javaScriptEnabled });
      await page.goto("/");
      await ask(page, one);
      await picture(page, `form-${cases.indexOf(one)}-${one.kind}-${javaScriptEnabled ? "script" : "plain"}`);
      const text = await outcome(page);
      for (const words of one.says) expect(text).toContain(words);
      expect(await shownCodes(page)).toEqual(one.code === undefined ? [] : [one.code]);
      expect(CODE.test(text)).toBe(one.code !== undefined || one.evidence === true);
      expect(new URL(page.url()).pathname).toBe(javaScriptEnabled ? "/" : "/resolve");
      // Chromium itself reports the 400 of a refusal.
      expect(offences.filter((offence) => one.kind !== "refused" || !offence.includes("status of 400"))).toEqual([]);
      read.push(text);
    }
    expect(read[0]).toBe(read[1]);
  });

  it.each([true, false])(
    "leads from a near form to a resolved answer that can be shared (script: %s)",
    async (script) => {
      const { page } = await visit(service.port, { javaScriptEnabled: script });
      await page.goto("/");
      await ask(page, { expression: "Refund  Request" });
      expect(await shownCodes(page)).toEqual([]);
      const marked = page.locator("#outcome .difference");
      const texts = ["del", "ins"].map((name) => marked.locator(name).allTextContents());
      expect(await Promise.all(texts)).toEqual([
        ["R", " R"],
        ["r", "r"],
      ]);
      await page.locator("#outcome").getByRole("link", { name: "refund request", exact: true }).click();
      await page.locator("#outcome").getByText("Resolved", { exact: true }).waitFor();
      expect(await shownCodes(page)).toEqual(["C-DFM7YZ"]);
      const shared = await page.getByRole("link", { name: "Link to this answer" }).getAttribute("href");
      const elsewhere = await visit(service.port);
      await elsewhere.page.goto(shared ?? "");
      expect(await shownCodes(elsewhere.page)).toEqual(["C-DFM7YZ"]);
    },
  );

  it.each([
    [1280, 900],
    [390, 844],
  ])("shows the answer where it was asked for, at %i by %i", async (width, height) => {
    const { page } = await visit(service.port, { viewport: { width, height } });
    await page.goto("/");
    for (const expression of ["refund request", "Refund request"]) {
      await ask(page, { expression });
      const { y = -1 } = (await page.locator("#outcome h2").boundingBox()) ?? {};
      expect([expression, y > 0 && y < height - 200]).toEqual([expression, true]);
      await picture(page, `answer-${width}-${expression === "refund request" ? "resolved" : "abstained"}`);
    }
  });

  it("shows the request that was typed, for programs, and it gives the same answer", async () => {
    const { page } = await visit(service.port);
    await page.goto("/");
    await ask(page, { expression: 'it\'s a "refund" $HOME', language: "en" });
    await page.getByText("The same request in").click();
    const [curl = ""] = await page.locator("#outcome .requests code").allTextContents();
    expect(curl).toContain(String.raw`-d '{"expression":"it'\''s a \"refund\" $HOME","language":"en"}'`);
  });

  it("lists the candidates of an ambiguous expression as evidence that can be read up", async () => {
    const { page } = await visit(service.port);
    await page.goto("/");
    await ask(page, { expression: "ciao" });
    const candidates = page.locator("#outcome li");
    expect(await candidates.count()).toBe(2);
    const name = (await candidates.first().getByRole("link").textContent()) ?? "";
    await candidates.first().getByRole("link").click();
    await page.getByRole("heading", { level: 1, name }).waitFor();
  });

  it("is there again for who comes back, and keeps an old question neither in the address nor in the title", async () => {
    const { page } = await visit(service.port);
    await page.goto("/?expression=refund+request");
    await page.locator("#outcome").getByText("Resolved", { exact: true }).waitFor();
    expect(new URL(page.url()).search).toBe("?expression=refund+request");
    await ask(page, { expression: "ciao" });
    await page.locator("#outcome li a").first().click();
    await page.getByRole("heading", { name: "Expressions" }).waitFor();
    await page.goBack();
    await page.locator("#outcome").getByText("ambiguous_expression").waitFor();
    expect(new URL(page.url()).search).toBe("");

    await page.goto("/resolve?expression=refund+request");
    await ask(page, { expression: "ciao" });
    await page.locator("#outcome").getByText("ambiguous_expression").waitFor();
    expect([await page.title(), new URL(page.url()).search]).toEqual([
      "Abstained: no code · Semantic Resolution Service",
      "?expression=ciao&language=",
    ]);
  });

  it("answers Enter, and says so to those who listen", async () => {
    const { page } = await visit(service.port);
    await page.goto("/");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    // The examples come first, then the form.
    for (let links = 0; links < 10 && (await page.evaluate("document.activeElement.id")) !== "expression"; links++)
      await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.id")).toBe("expression");
    await page.keyboard.type("refund request");
    await page.keyboard.press("Enter");
    const outcomes = page.locator("#outcome[aria-live=polite]");
    await outcomes.getByText("Resolved", { exact: true }).waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.type("fr");
    await page.keyboard.press("Enter");
    await outcomes.getByText("Abstained", { exact: true }).waitFor();
    expect(await shownCodes(page)).toEqual([]);
  });

  it("sends nothing while it is empty", async () => {
    const { page } = await visit(service.port);
    const sent: string[] = [];
    await page.goto("/");
    page.on("request", (request) => sent.push(new URL(request.url()).pathname));
    await page.getByRole("button", { name: "Resolve" }).click();
    expect(await page.evaluate("document.activeElement.id")).toBe("expression");
    expect([sent.filter((place) => place.endsWith("/resolve")), await outcome(page)]).toEqual([[], ""]);
  });

  it.each([true, false])(
    "offers one meaning in three languages, an ambiguous and an unknown expression (script: %s)",
    async (script) => {
      const { page } = await visit(service.port, { javaScriptEnabled: script });
      for (const [i, kind] of ["Resolved", "Resolved", "Resolved", "Abstained", "Abstained"].entries()) {
        await page.goto("/");
        await page.locator("a[data-expression]").nth(i).click();
        await page.locator("#outcome").getByText(kind, { exact: true }).waitFor();
        expect(await page.getByLabel("Expression", { exact: true }).inputValue()).not.toBe("");
      }
    },
  );

  const html = { status: 200, contentType: "text/html" };
  const broken = {
    "a refused connection": undefined,
    "a page of a proxy": { status: 502, contentType: "text/html", body: "<h1>Bad gateway C-DFM7YZ</h1>" },
    "a page for those who log in": { ...html, body: "<h1>Log in C-DFM7YZ</h1>" },
    "half a page": { ...html, body: '<main><div id="outcome" aria-live="polite">' },
    "nothing at all": { ...html, body: "" },
    "too many requests": { status: 429, contentType: "application/json", body: "{}" },
  };
  it.each(Object.entries(broken))("shows no code after %s, not even the last one", async (_name, reply) => {
    const { page } = await visit(service.port);
    await page.goto("/");
    await ask(page, { expression: "refund request" });
    expect(await shownCodes(page)).toEqual(["C-DFM7YZ"]);
    await page.route("**/resolve?*", (route) => (reply === undefined ? route.abort() : route.fulfill(reply)));
    await page.getByRole("button", { name: "Resolve" }).click();
    await page.locator("#outcome").getByText("The service could not be reached").waitFor();
    await picture(page, "form-failed");
    expect([await shownCodes(page), CODE.test(await outcome(page))]).toEqual([[], false]);
  });

  it("resolves from the files of the release where nobody answers POST, by a script that the nonce allows", async () => {
    const { page, offences } = await visit(service.port);
    await serveFilesOnly(page, service.release.directory);
    await page.goto("/");
    await ask(page, { expression: "demande de remboursement", language: "fr" });
    expect(await shownCodes(page)).toEqual(["C-DFM7YZ"]);
    expect(offences.filter((offence) => !offence.includes("status of 404"))).toEqual([]);
  });

  it("says that the service cannot be reached once it has stopped", async () => {
    const stopped = await startService(starterRegistry());
    const { page, offences } = await visit(stopped.port);
    await page.goto("/");
    await ask(page, { expression: "refund request" });
    await stopped.close();
    await page.getByRole("button", { name: "Resolve" }).click();
    await page.locator("#outcome").getByText("The service could not be reached").waitFor();
    expect(CODE.test(await outcome(page))).toBe(false);
    expect(offences.filter((text) => !text.includes("net::ERR_CONNECTION"))).toEqual([]);
  });
});
