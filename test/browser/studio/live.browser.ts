/** Live resolution in the studio. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { noChromium, visit } from "../chromium.ts";
import { starterRegistry } from "../../support/documents.ts";
import { open, choose, openFixture, textOf, watch, stand, FIRST, gate, release } from "./studio.ts";

const RESOLVE = "**/api/v1/resolve";

describe.skipIf(noChromium)("live resolution in the studio", () => {
  const at = stand(starterRegistry);

  async function turnOn(page: Page): Promise<void> {
    await page.getByLabel("Turn live resolution on").check();
    await page.locator("#live-form").waitFor();
  }

  async function ask(page: Page, text: string, language = ""): Promise<void> {
    await page.getByLabel("Expression", { exact: true }).fill(text);
    await page.getByLabel("Language (optional)").fill(language);
    await page.getByRole("button", { name: "Ask once" }).click();
  }

  async function outcome(page: Page): Promise<string> {
    await page.locator("#live-outcome .verdict").waitFor();
    const asked = await page.getByLabel("Expression", { exact: true }).inputValue();
    expect(await page.locator("#live-outcome bdi").first().textContent()).toBe(asked);
    return textOf(page, "#live-outcome .verdict");
  }

  const EXPRESSION = "refund request";
  const LIVE_VALID = "resolved-valid C-DFM7YZ 2026.11.1";
  const GOOD = {
    data: {
      input: { expression: EXPRESSION },
      status: "resolved",
      reason: null,
      embeddingProfile: null,
      concept: { code: "C-DFM7YZ", name: "N", definition: "D", domain: "d", registryVersion: "2026.11.1" },
      candidates: [],
      confidence: 1,
      margin: null,
    },
    error: null,
  };
  const good = JSON.stringify(GOOD);

  interface Answer {
    readonly status?: number;
    readonly contentType?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string | Buffer;
  }

  /**
   * What is asked, and the classifier's outcome of the service's answer or of another in its place.
   */
  interface Case {
    readonly asks?: string;
    readonly language?: string;
    readonly answer?: Answer | "broken" | "never";
    readonly found: string;
  }
  const asked: Readonly<Record<string, Case>> = {
    "a reviewed expression": { found: LIVE_VALID },
    "one with its language": { asks: "demande de remboursement", language: "fr", found: LIVE_VALID },
    "one that nobody reviewed": { asks: "Refund request", found: "unknown" },
    "one with spaces around": { asks: ` ${EXPRESSION} `, found: "unknown" },
    markup: { asks: "<img src=x onerror=alert(1)>", found: "unknown" },
    "a language that has it not": { language: "fr", found: "unknown" },
    "an ambiguous one": { asks: "ciao", found: "ambiguous" },
    "a locale name": { language: "en_US", found: "request-error" },
    nothing: { asks: "", found: "request-error" },
  };
  const told: Readonly<Record<string, Case>> = {
    "a broken connection": { answer: "broken", found: "service-error" },
    "HTTP 500 with a code": { answer: { status: 500 }, found: "service-error" },
    "HTTP 201 with a code": { answer: { status: 201 }, found: "service-error" },
    "HTTP 429 with a code": { answer: { status: 429 }, found: "request-error" },
    "a redirect": { answer: { status: 307, headers: { location: "/api/v1/status" } }, found: "service-error" },
    "a redirect elsewhere": {
      answer: { status: 302, headers: { location: "http://elsewhere.test/" } },
      found: "service-error",
    },
    "a good answer": { answer: {}, found: LIVE_VALID },
    "a member twice": {
      answer: { body: good.replace('"error":', '"error":null,"error":') },
      found: "malformed",
    },
    "a member more": { answer: { body: good.replace('"error":', '"authorized":true,"error":') }, found: "malformed" },
    "another type": { answer: { contentType: "text/html" }, found: "malformed" },
    "a byte order mark": { answer: { body: `\uFEFF${good}` }, found: "malformed" },
    "bytes that are no UTF-8": {
      answer: { body: Buffer.from(good.replace('"N"', '"\u00FF"'), "latin1") },
      found: "malformed",
    },
    "the answer to another expression": { asks: "x", answer: {}, found: "malformed" },
    "a candidate promoted": { answer: { body: good.replace('"resolved"', '"abstained"') }, found: "malformed" },
    "too long an answer": { answer: { body: good.padEnd(262_145) }, found: "malformed" },
  };
  const silent: Readonly<Record<string, Case>> = {
    "no answer, for as long as a call may take": { answer: "never", found: "service-error" },
  };

  function kindOf(found: string): string {
    if (found === LIVE_VALID) return "resolved";
    return found === "unknown" || found === "ambiguous" ? "abstained" : "refused";
  }

  it("F20: is off: nothing is sent until a person turns it on and submits", async () => {
    const { page, offences } = await visit(at.service.port);
    const sent = watch(page);
    await open(page, at.kit(FIRST));
    const form = page.locator("#live-form");
    expect([await page.getByLabel("Turn live resolution on").isChecked(), await form.isVisible()]).toEqual([
      false,
      false,
    ]);
    await choose(page, at.kit("clarification"));
    await openFixture(page, "unknown");
    await turnOn(page);
    await page.getByLabel("Expression", { exact: true }).fill(EXPRESSION);
    await page.getByLabel("Language (optional)").fill("en");
    await choose(page, at.kit(FIRST));
    expect(sent.filter((one) => !one.startsWith("GET "))).toEqual([]);
    expect(await page.locator("#live-outcome").innerHTML()).toBe("");
    const before = sent.length;
    await page.getByRole("button", { name: "Ask once" }).click();
    expect(await outcome(page)).toBe(LIVE_VALID);
    expect(sent.slice(before)).toEqual(["POST /api/v1/resolve"]);
    expect(offences).toEqual([]);
  });

  it.each([
    ["the service's own answers", asked],
    ["answers that others might give", told],
    ["silence", silent],
  ])("F20: shows what the classifier makes of %s, and a code with resolved-valid only", async (_title, cases) => {
    const { page, offences } = await visit(at.service.port);
    await open(page, at.kit(FIRST));
    let answer: Case["answer"];
    await page.route(RESOLVE, (route) => {
      if (answer === undefined) return route.continue();
      if (answer === "broken") return route.abort();
      return answer === "never"
        ? undefined
        : route.fulfill({ status: 200, contentType: "application/json", body: good, ...answer });
    });
    for (const [name, one] of Object.entries(cases)) {
      const { asks = EXPRESSION, language = "", found } = one;
      ({ answer } = one);
      const sent = watch(page);
      await turnOn(page);
      expect([name, await page.locator("#live-outcome").innerHTML(), sent]).toEqual([name, "", []]);
      const [request] = await Promise.all([page.waitForRequest(RESOLVE), ask(page, asks, language)]);
      expect(request.postData()).toBe(
        JSON.stringify(language === "" ? { expression: asks } : { expression: asks, language }),
      );
      expect(request.headers()).toMatchObject({ "content-type": "application/json" });
      expect([name, await outcome(page)]).toEqual([name, found]);
      expect(await page.locator(`#live-outcome > .outcome.${kindOf(found)}`).count()).toBe(1);
      expect(await page.locator("#live-outcome").getByText("C-DFM7YZ").count()).toBe(found === LIVE_VALID ? 1 : 0);
      expect([name, sent]).toEqual([name, ["POST /api/v1/resolve"]]);
      await page.getByLabel("Turn live resolution on").uncheck();
      expect([await page.locator("#live-form").isVisible(), await page.locator("#live-outcome").innerHTML()]).toEqual([
        false,
        "",
      ]);
    }
    // Chromium itself reports what did not load.
    expect(offences.filter((one) => !one.includes("Failed to load resource"))).toEqual([]);
  });

  it("F20: asks once for each submit, and forgets the code of the one before", async () => {
    const { page } = await visit(at.service.port);
    await open(page, at.kit(FIRST));
    const sent = watch(page);
    await turnOn(page);
    for (const [text, found] of [
      [EXPRESSION, LIVE_VALID],
      ["ciao", "ambiguous"],
      [EXPRESSION, LIVE_VALID],
      ["nobody reviewed this", "unknown"],
    ] as const) {
      await ask(page, text);
      await page.locator("#live-outcome").getByText(found, { exact: true }).waitFor();
    }
    expect(sent).toEqual(Array.from({ length: 4 }, () => "POST /api/v1/resolve"));
  });

  it.each(["off", "on again"])("F20: shows no outcome that comes after it was turned off, and is %s", async (now) => {
    const { page } = await visit(at.service.port);
    await open(page, at.kit(FIRST));
    await turnOn(page);
    const held = gate();
    await page.route(RESOLVE, async (route) => {
      await held.wait;
      await route.continue();
    });
    await Promise.all([page.waitForRequest(RESOLVE), ask(page, EXPRESSION)]);
    await page.getByLabel("Turn live resolution on").uncheck();
    if (now === "on again") await turnOn(page);
    await release(page, RESOLVE, held);
    expect(await page.locator("#live-outcome").innerHTML()).toBe("");
  });

  it("F20: shows the outcome of the last question, whichever is answered first", async () => {
    const { page } = await visit(at.service.port);
    await open(page, at.kit(FIRST));
    await turnOn(page);
    const held = gate();
    await page.route(RESOLVE, async (route) => {
      if (route.request().postData()?.includes(EXPRESSION) === true) await held.wait;
      await route.continue();
    });
    await Promise.all([page.waitForRequest(RESOLVE), ask(page, EXPRESSION)]);
    await ask(page, "ciao");
    await page.locator("#live-outcome").getByText("ambiguous", { exact: true }).waitFor();
    await release(page, RESOLVE, held);
    expect(await textOf(page, "#live-outcome .verdict")).toBe("ambiguous");
  });

  it("F20: is off again after the page was left and is come back to, or loaded again", async () => {
    const { page } = await visit(at.service.port);
    await open(page, at.kit(FIRST));
    await turnOn(page);
    await ask(page, EXPRESSION);
    await outcome(page);
    const sent = watch(page);
    for (const leave of [
      async () => void (await page.reload()),
      async () => {
        await page.goto("/answers");
        await page.goBack();
      },
    ]) {
      await leave();
      await page.locator("#files table").waitFor();
      const on = await page.getByLabel("Turn live resolution on").isChecked();
      expect([
        on,
        await page.locator("#live-form").isVisible(),
        await page.locator("#live-outcome").innerHTML(),
      ]).toEqual([false, false, ""]);
    }
    expect(sent.filter((one) => one.startsWith("POST"))).toEqual([]);
  });
});
