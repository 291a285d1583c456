/**
 * The studio as people meet it: the whole journey for each recipe, against the kits as they are served; live resolution,
 * off until it is turned on; kits that cannot be had or are not the published ones; by keyboard alone, without script,
 * without digests, and over registries that try to break out.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import type { Browser, Locator, Page, Request, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import yazl from "yazl";
import type { CheckedRegistry } from "../../generator/registry/checked.ts";
import {
  type Classification,
  type Fixture,
  FIXTURE_OUTCOMES,
  type FixtureOutcome,
  HANDOFF_LANGUAGES,
  type HandoffLanguage,
  type IntegrationStudio,
} from "../../generator/contract/integration.ts";
import { RECIPE_IDS, type RecipeId } from "../../runtime/contract/recipe.ts";
import { kitPath, paths } from "../../runtime/contract/policy.ts";
import { readZip } from "../support/kits.ts";
import { empty, nasty } from "../support/nasty.ts";
import { checkedRegistry, concept, expression, type RegistryFiles } from "../support/registry.ts";
import { type Service, startService } from "../support/service.ts";
import { launch, noChromium, picture, visit } from "./chromium.ts";
import { faultsIn, objections } from "./judge.ts";
import { starterRegistry } from "./starter.ts";

const STUDIO = "/integration-studio";

/** A kit as it is served, unpacked. */
interface Kit {
  readonly id: RecipeId;
  readonly title: string;
  readonly path: string;
  readonly zip: Buffer;
  /** X-Content-SHA256. */
  readonly sha256: string;
  /** By the path below the kit's root, in the order of the ZIP. */
  readonly files: ReadonlyMap<string, Buffer>;
  readonly sums: ReadonlyMap<string, string>;
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

async function kitsOf(service: Service): Promise<Kit[]> {
  const { recipes } = (await service.send("GET", paths.studio)).json() as IntegrationStudio;
  return Promise.all(
    recipes.map(async ({ id, title }) => {
      const { body: zip, headers } = await service.send("GET", kitPath(id));
      return { id, title, path: kitPath(id), zip, sha256: String(headers["x-content-sha256"]), ...(await unpack(zip)) };
    }),
  );
}

async function unpack(zip: Buffer): Promise<Pick<Kit, "files" | "sums">> {
  const files = new Map((await readZip(zip)).map(({ name, bytes }) => [name.slice(name.indexOf("/") + 1), bytes]));
  const lines = (files.get("SHA256SUMS") ?? "").toString().trimEnd().split("\n");
  return { files, sums: new Map(lines.map((line) => line.split("  ").toReversed() as [string, string])) };
}

/** A ZIP of a kit's files, made anew. */
function zipOf(files: ReadonlyMap<string, Uint8Array>, compress = false): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  for (const [name, bytes] of files) zip.addBuffer(Buffer.from(bytes), `kit/${name}`, { compress });
  zip.end();
  return buffer(zip.outputStream);
}

function fixtureOf({ files }: Kit, id: FixtureOutcome): Fixture {
  return JSON.parse(files.get(`fixtures/${id}.json`)?.toString() ?? "") as Fixture;
}

function describeResult(result: Classification): string {
  return "code" in result ? `${result.outcome} ${result.code} ${result.registryVersion}` : result.outcome;
}

/** Goes to the studio and waits until its first kit is shown. */
async function open(page: Page, kit: Kit): Promise<void> {
  await page.goto(STUDIO);
  await shown(page, kit);
}

/** Waits until a kit is shown to its end: each of its parts has a digest that no other kit's has. */
async function shown(page: Page, { files }: Kit): Promise<void> {
  await page
    .locator("#files")
    .getByText(sha256(files.get("README.md") ?? Buffer.of()))
    .waitFor();
  const language = await page.locator("input[name=handoff]:checked").inputValue();
  const source = [...files].find(([name]) => name.startsWith(`${language}/handoff.`))?.[1] ?? Buffer.of();
  await page.locator("#sources").getByText(sha256(source)).waitFor();
}

async function choose(page: Page, kit: Kit): Promise<void> {
  await page.getByRole("radio", { name: kit.title, exact: true }).check();
  await shown(page, kit);
}

function fixtureIn(page: Page, id: FixtureOutcome): Locator {
  return page.getByRole("region", { name: `Fixture ${id}`, exact: true });
}

async function openFixture(page: Page, id: FixtureOutcome): Promise<Locator> {
  const fixture = fixtureIn(page, id);
  await fixture.locator("summary").click();
  await fixture.getByRole("button", { name: "As it was" }).waitFor();
  return fixture;
}

function textOf(page: Page, selector: string): Promise<string> {
  return page.locator(selector).innerText();
}

const ALL_RIGHT = "All 6 fixtures are as declared. No network was used.";
const UNREAD = "The kit could not be read. Load this page again.";
const NOT_PUBLISHED = "The kit is not the published one: do not use it. Load this page again.";

/** A fixture as a person meets it. */
interface ShownFixture {
  readonly id: string;
  readonly verdict: string;
  readonly holds: boolean;
  readonly says: readonly string[];
  readonly lang: string | null;
  readonly came: boolean;
  readonly status: string;
  readonly contentType: string;
  readonly body: string;
  readonly record: string;
}

function shownFixtures(page: Page): Promise<ShownFixture[]> {
  return page.evaluate<ShownFixture[]>(`[...document.querySelectorAll("#fixtures > section")].map((section) => {
    const field = (name) => [...section.querySelectorAll("label")].find((label) => label.textContent.trim() === name).control;
    return {
      id: section.querySelector("h3").textContent,
      verdict: section.querySelector(".verdict").textContent,
      holds: section.classList.contains("resolved"),
      says: [...section.querySelectorAll("p:not(.verdict)")].map((p) => p.textContent.trim()),
      lang: section.querySelector("bdi")?.lang ?? null,
      came: field("A whole answer came").checked,
      status: field("HTTP status").value,
      contentType: field("Content-Type").value,
      body: field("Body").value,
      record: section.querySelector("pre code").textContent,
    };
  })`);
}

/** How a fixture of a kit must be shown while nothing is changed. */
function asDeclared(fixture: Fixture): ShownFixture {
  const { id, title, drawnFrom, request, response, expected, handling, record } = fixture;
  const { expression: text, language } = request;
  const tag = language === "" ? "empty tag" : (language ?? "");
  return {
    id,
    verdict: `${describeResult(expected)}, as declared`,
    holds: true,
    says: [
      `${title}.${drawnFrom === "illustration" ? " The concept is an illustration, made up." : ""}`,
      `Sent: ${text === "" ? "nothing" : text} ${tag}`.trim(),
      "As it was",
      `${handling}.`,
    ],
    lang: text === "" ? null : (language ?? ""),
    came: response !== null,
    status: String(response?.status ?? 200),
    contentType: response?.contentType ?? "application/json",
    body: response?.body ?? "",
    record: JSON.stringify(record, null, 2),
  };
}

function fixturesAsDeclared(kit: Kit): ShownFixture[] {
  return FIXTURE_OUTCOMES.map((id) => asDeclared(fixtureOf(kit, id)));
}

interface ShownSource {
  readonly name: string;
  readonly open: boolean;
  readonly digest: string;
  readonly text: string;
}

function shownSources(page: Page): Promise<ShownSource[]> {
  return page.evaluate<ShownSource[]>(`[...document.querySelectorAll("#sources > details")].map((details) => ({
    name: details.querySelector("summary").textContent,
    open: details.open,
    digest: details.querySelector("p").textContent,
    text: details.querySelector("pre code").textContent,
  }))`);
}

function sourcesOf({ files }: Kit, language: HandoffLanguage): ShownSource[] {
  return [...files]
    .filter(([name]) => name.startsWith(`${language}/`))
    .sort(([name]) => (name.includes("/handoff.") ? -1 : 1))
    .map(([name, bytes], i) => ({
      name,
      open: i === 0,
      digest: `${bytes.length} bytes, SHA-256 ${sha256(bytes)}`,
      text: bytes.toString(),
    }));
}

function shownFiles(page: Page): Promise<string[][]> {
  return page.evaluate<string[][]>(
    `[...document.querySelectorAll("#files tbody tr")].map((row) => [...row.cells].map((cell) => cell.textContent))`,
  );
}

function filesOf({ files, sums }: Kit): string[][] {
  return [...files].map(([name, bytes]) => [
    name,
    String(bytes.length),
    sha256(bytes),
    sums.has(name) ? "as listed" : "the list itself",
  ]);
}

/** The requests of a page beyond itself and its assets, from now on: method and path. */
function watch(page: Page): string[] {
  const seen: string[] = [];
  page.on("request", (request: Request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname !== STUDIO && !pathname.startsWith("/assets/")) seen.push(`${request.method()} ${pathname}${search}`);
  });
  return seen;
}

/** What is wider than the window; what scrolls on its own may be. */
function overflow(page: Page, within = "pre, .scroll, header nav"): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const wide = [...document.querySelectorAll("body *")].filter((element) => {
      const { left, right, width } = element.getBoundingClientRect();
      return width > 1 && (left < -1 || right > clientWidth + 1) && element.parentElement.closest(${JSON.stringify(within)}) === null;
    });
    if (scrollWidth <= clientWidth && wide.length === 0) return [];
    const named = wide.slice(0, 3).map(({ tagName, className, id }) => tagName + "#" + id + "." + className);
    return ["wider than the window, " + clientWidth + ": " + scrollWidth + " " + named];
  })()`);
}

/** Faults of the page as it is now, on a phone and a desk, light and dark. */
async function faultsOf(page: Page, state: string): Promise<string[]> {
  const faults = await faultsIn(page, `studio-${state}`, { modes: ["light", "dark"], wide: overflow });
  return Object.entries(faults).map(([fault, looks]) => `${state}, ${looks.join(", ")}: ${fault}`);
}

interface Stand {
  service: Service;
  browser: Browser;
  kits: readonly Kit[];
  kit(id: RecipeId): Kit;
}

/** A service and a browser for the tests of a `describe`. */
function stand(registry: () => CheckedRegistry): Stand {
  const all = {} as Stand;
  beforeAll(async () => {
    [all.service, all.browser] = await Promise.all([startService(registry()), launch()]);
    all.kits = await kitsOf(all.service);
    all.kit = (id) => {
      const found = all.kits.find((one) => one.id === id);
      if (found === undefined) throw new Error(`There is no kit ${id}`);
      return found;
    };
  });
  afterAll(() => Promise.all([all.service.close(), all.browser.close()]));
  return all;
}

const FIRST: RecipeId = "multilingual-memory";

describe.skipIf(noChromium)("the journey through the studio", () => {
  const at = stand(starterRegistry);

  /** One change to each fixture, and what comes out then. */
  const changes: Readonly<Record<FixtureOutcome, (fixture: Locator, declared: Fixture) => Promise<string>>> = {
    "resolved-valid": async (fixture, { expected, response }) => {
      const [code, version] = "code" in expected ? [expected.code, expected.registryVersion] : ["", ""];
      await fixture.getByLabel("Body").fill((response?.body ?? "").replace(`"${code}"`, '"C-OTHER"'));
      return `resolved-valid C-OTHER ${version}`;
    },
    unknown: async (fixture) => {
      await fixture.getByLabel("HTTP status").fill("500");
      return "service-error";
    },
    ambiguous: async (fixture) => {
      await fixture.getByLabel("Content-Type").fill("text/html");
      return "malformed";
    },
    malformed: async (fixture) => {
      await fixture.getByLabel("A whole answer came").uncheck();
      expect(await fixture.getByLabel("Body").isVisible()).toBe(false);
      return "service-error";
    },
    "request-error": async (fixture) => {
      await fixture.getByLabel("HTTP status").fill("200");
      return "malformed";
    },
    "service-error": async (fixture, { response }) => {
      if (response !== null) {
        await fixture.getByLabel("HTTP status").fill("404");
        return "request-error";
      }
      expect(await fixture.getByLabel("Body").isVisible()).toBe(false);
      await fixture.getByLabel("A whole answer came").check();
      expect(await fixture.getByLabel("Body").isVisible()).toBe(true);
      return "malformed";
    },
  };

  it.each(RECIPE_IDS)("F17 F18: %s: shows the kit that is served, and sends nothing but for it", async (id) => {
    const { page, offences } = await visit(at.browser, at.service.port);
    const sent = watch(page);
    await open(page, at.kit(FIRST));
    if (id !== FIRST) await choose(page, at.kit(id));
    const kit = at.kit(id);

    expect(await shownFixtures(page)).toEqual(fixturesAsDeclared(kit));
    expect(await textOf(page, "#proof")).toBe(ALL_RIGHT);

    for (const language of HANDOFF_LANGUAGES) {
      await page.getByRole("radio", { name: language, exact: true }).check();
      await shown(page, kit);
      expect(await shownSources(page)).toEqual(sourcesOf(kit, language));
    }
    expect(new Set(HANDOFF_LANGUAGES.flatMap((one) => sourcesOf(kit, one)).map(({ name }) => name)).size).toBe(6);

    expect(await shownFiles(page)).toEqual(filesOf(kit));
    expect(await textOf(page, "#inspection")).toBe(
      `${kit.files.size} files: every digest computed here is the listed one, and that of the ZIP is the published one.`,
    );
    expect(sha256(kit.zip)).toBe(kit.sha256);
    const row = page.getByRole("row").filter({ has: page.getByRole("rowheader", { name: kit.title, exact: true }) });
    expect(await row.locator("td").allTextContents()).toEqual([String(kit.zip.length), kit.sha256]);

    expect(sent).toEqual([...new Set([kitPath(FIRST), kit.path])].map((path) => `GET ${path}`));
    expect(offences).toEqual([]);
  });

  it.each(RECIPE_IDS)("F18: %s: a change is seen to fail, and counted, until it is taken back", async (id) => {
    const { page, offences } = await visit(at.browser, at.service.port);
    await open(page, at.kit(FIRST));
    if (id !== FIRST) await choose(page, at.kit(id));
    const sent = watch(page);
    const kit = at.kit(id);
    const declared = fixturesAsDeclared(kit);
    for (const [i, outcome] of FIXTURE_OUTCOMES.entries()) {
      const fixture = await openFixture(page, outcome);
      const found = await changes[outcome](fixture, fixtureOf(kit, outcome));
      const before = describeResult(fixtureOf(kit, outcome).expected);
      expect(await fixture.locator(".verdict").innerText()).toBe(`${found}, but ${before} is declared`);
      expect(await textOf(page, "#proof")).toBe(`${5 - i} of 6 fixtures are as declared.`);
      const all = await shownFixtures(page);
      expect(all.map(({ holds }) => holds)).toEqual(FIXTURE_OUTCOMES.map((_, j) => j > i));
      expect(all.slice(i + 1)).toEqual(declared.slice(i + 1));
    }
    for (const [i, outcome] of FIXTURE_OUTCOMES.entries()) {
      await fixtureIn(page, outcome).getByRole("button", { name: "As it was" }).click();
      expect((await shownFixtures(page)).slice(0, i + 1)).toEqual(declared.slice(0, i + 1));
      expect(await textOf(page, "#proof")).toBe(i === 5 ? ALL_RIGHT : `${i + 1} of 6 fixtures are as declared.`);
    }
    expect([sent, offences]).toEqual([[], []]);
  });

  it("F18: judges what is typed as the classifier does: strictly, and by its rules alone", async () => {
    const { page } = await visit(at.browser, at.service.port);
    const kit = at.kit(FIRST);
    await open(page, kit);
    const { response, expected } = fixtureOf(kit, "resolved-valid");
    const good = response?.body ?? "";
    const valid = describeResult(expected);
    const fixture = await openFixture(page, "resolved-valid");
    const bodies: readonly (readonly [string, string, string])[] = [
      ["white space", `  ${good}  `, valid],
      ["a member twice", good.replace('"error":', '"error":null,"error":'), "malformed"],
      ["a member twice, once escaped", good.replace('"error":', String.raw`"\u0065rror":null,"error":`), "malformed"],
      ["a member more", good.replace('"error":', '"authorized":true,"error":'), "malformed"],
      ["half a pair", good.replace('"code":"', String.raw`"code":"\ud800`), "malformed"],
      ["a byte order mark", `\uFEFF${good}`, "malformed"],
      ["nothing", "", "malformed"],
      ["too long", good.trimEnd().padEnd(262_145), "malformed"],
      ["abstained with a code", good.replace('"resolved"', '"abstained"'), "malformed"],
      ["another expression", good.replace('"input":{"expression":"', '"input":{"expression":"x'), "malformed"],
      ["an empty code", good.replace(/"code":"[^"]*"/, '"code":""'), "malformed"],
    ];
    for (const [name, body, found] of bodies) {
      await fixture.getByLabel("Body").fill(body);
      const says = found === valid ? `${found}, as declared` : `${found}, but ${valid} is declared`;
      expect([name, await fixture.locator(".verdict").innerText()]).toEqual([name, says]);
    }
    await fixture.getByRole("button", { name: "As it was" }).click();
    for (const [type, found] of [
      ["Application/JSON ; charset=utf-8", valid],
      ["application/json+x", "malformed"],
      ["", "malformed"],
    ] as const) {
      await fixture.getByLabel("Content-Type").fill(type);
      expect((await fixture.locator(".verdict").innerText()).startsWith(`${found}, `)).toBe(true);
    }
    await fixture.getByRole("button", { name: "As it was" }).click();
    for (const [status, found] of [
      ["", "service-error"],
      ["201", "service-error"],
      ["302", "service-error"],
      ["400", "request-error"],
      ["499", "request-error"],
    ] as const) {
      await fixture.getByLabel("HTTP status").fill(status);
      expect((await fixture.locator(".verdict").innerText()).startsWith(`${found}, `)).toBe(true);
    }
  });

  it.each(RECIPE_IDS)("F17: %s: what is downloaded is what was shown, and checks at home", async (id) => {
    const { page, offences } = await visit(at.browser, at.service.port);
    await open(page, at.kit(FIRST));
    if (id !== FIRST) await choose(page, at.kit(id));
    const kit = at.kit(id);
    const listed = page.getByRole("rowheader", { name: kit.title, exact: true }).getByRole("link");
    for (const link of [page.getByRole("link", { name: "Download the kit" }), listed]) {
      const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
      const bytes = readFileSync(await download.path());
      expect(download.suggestedFilename()).toMatch(new RegExp(`${id}\\.zip$`));
      expect([sha256(bytes), bytes.equals(kit.zip)]).toEqual([kit.sha256, true]);
      const { files, sums } = await unpack(bytes);
      expect([...sums.keys()].sort()).toEqual([...files.keys()].filter((name) => name !== "SHA256SUMS").sort());
      for (const [name, digest] of sums) expect([name, sha256(files.get(name) ?? Buffer.of())]).toEqual([name, digest]);
      expect(
        (await shownFiles(page)).filter(([name = ""]) => sums.has(name)).map(([name, , sum]) => [name, sum]),
      ).toEqual([...files.keys()].filter((name) => sums.has(name)).map((name) => [name, sums.get(name)]));
    }
    expect(new URL(page.url()).pathname).toBe(STUDIO);
    expect(offences).toEqual([]);
  });

  it("F17: leads through the six steps in their order, which the document has too", async () => {
    const { page } = await visit(at.browser, at.service.port);
    const { journey } = (await at.service.send("GET", paths.studio)).json() as IntegrationStudio;
    await open(page, at.kit(FIRST));
    expect(await page.locator("h2").allInnerTexts()).toEqual(journey.map(({ step, title }) => `${step} ${title}`));
    expect(await page.evaluate(`[...document.querySelectorAll("h2")].map(({ id }) => id)`)).toEqual([
      "understand",
      "select",
      "prove",
      "generate",
      "inspect",
      "download",
    ]);
    expect(await page.locator("[aria-current=page]").allInnerTexts()).toEqual(["Studio"]);
  });

  it("keeps the language that was chosen when another recipe is", async () => {
    const { page } = await visit(at.browser, at.service.port);
    await open(page, at.kit(FIRST));
    await page.getByRole("radio", { name: "curl", exact: true }).check();
    await choose(page, at.kit("clarification"));
    expect(await shownSources(page)).toEqual(sourcesOf(at.kit("clarification"), "curl"));
  });

  it("copies a program as it is in the kit", async () => {
    const { page } = await visit(at.browser, at.service.port, { permissions: ["clipboard-read", "clipboard-write"] });
    await open(page, at.kit(FIRST));
    await page.locator("#sources").getByRole("button", { name: "Copy" }).first().click();
    await page.locator("#sources").getByRole("button", { name: "Copied" }).waitFor();
    const copied = await page.evaluate<string>("navigator.clipboard.readText()");
    expect(copied).toBe(at.kit(FIRST).files.get("python/handoff.py")?.toString());
  });
});

/** Holds requests until it is opened. */
interface Gate {
  readonly wait: Promise<void>;
  open(): void;
}

function gate(): Gate {
  let letThrough = (): void => undefined;
  const wait = new Promise<void>((resolve) => (letThrough = resolve));
  return { wait, open: () => letThrough() };
}

/** Lets the held answer come, and the page make of it what it will. */
async function release(page: Page, url: string, held: Gate): Promise<void> {
  const answered = page.waitForResponse(url);
  held.open();
  await (await answered).finished();
  await page.waitForTimeout(300);
}

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
    await page.locator("#live-outcome .verdict").waitFor({ timeout: 20_000 });
    const asked = await page.getByLabel("Expression", { exact: true }).inputValue();
    expect(await page.locator("#live-outcome bdi").textContent()).toBe(asked);
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

  /** What is asked, and what the classifier makes of what comes back: the service's own answer, or another in its place. */
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
    const { page, offences } = await visit(at.browser, at.service.port);
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
    const { page, offences } = await visit(at.browser, at.service.port);
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
    const { page } = await visit(at.browser, at.service.port);
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
    const { page } = await visit(at.browser, at.service.port);
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
    const { page } = await visit(at.browser, at.service.port);
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
    const { page } = await visit(at.browser, at.service.port);
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

describe.skipIf(noChromium)("the studio's choice of kits", () => {
  const at = stand(starterRegistry);
  const SECOND: RecipeId = "workflow-routing";
  const THIRD: RecipeId = "clarification";

  it("F17: shows the recipe that was chosen last, whichever kit comes first", async () => {
    const { page, offences } = await visit(at.browser, at.service.port);
    await open(page, at.kit(FIRST));
    const held = gate();
    await page.route(`**${kitPath(SECOND)}`, async (route) => {
      await held.wait;
      await route.continue();
    });
    await page.getByRole("radio", { name: at.kit(SECOND).title, exact: true }).check();
    // A language chosen meanwhile is kept for the kit that is coming.
    await page.getByRole("radio", { name: "node", exact: true }).check();
    await choose(page, at.kit(THIRD));
    await release(page, `**${kitPath(SECOND)}`, held);
    expect(await shownFixtures(page)).toEqual(fixturesAsDeclared(at.kit(THIRD)));
    expect(await shownFiles(page)).toEqual(filesOf(at.kit(THIRD)));
    expect(await shownSources(page)).toEqual(sourcesOf(at.kit(THIRD), "node"));
    expect(await page.getByRole("link", { name: "Download the kit" }).getAttribute("href")).toBe(kitPath(THIRD));
    expect(offences).toEqual([]);
  });

  it("F17: goes through the recipes by one key held down, and ends at the last", async () => {
    const { page, offences } = await visit(at.browser, at.service.port);
    await open(page, at.kit(FIRST));
    await page.getByRole("radio", { name: at.kit(FIRST).title, exact: true }).focus();
    for (let i = 0; i < 9; i++) await page.keyboard.press("ArrowDown");
    const last = at.kits.at(-1) as Kit;
    await shown(page, last);
    expect(await shownFixtures(page)).toEqual(fixturesAsDeclared(last));
    expect(await page.getByRole("link", { name: "Download the kit" }).getAttribute("href")).toBe(last.path);
    expect(offences).toEqual([]);
  });

  /** Serves something in the place of the second kit. */
  async function withSecond(
    answer: (route: Route, kit: Kit) => Promise<void>,
  ): Promise<{ page: Page; offences: string[] }> {
    const { page, offences } = await visit(at.browser, at.service.port);
    await page.route(`**${kitPath(SECOND)}`, (route) => answer(route, at.kit(SECOND)));
    await open(page, at.kit(FIRST));
    return { page, offences };
  }

  /** What of the first kit is still on the page. */
  async function leftOver(page: Page): Promise<string[]> {
    const { files } = at.kit(FIRST);
    const [fixtures, sources, rows] = [await shownFixtures(page), await shownSources(page), await shownFiles(page)];
    const bodies = new Set(FIXTURE_OUTCOMES.map((id) => fixtureOf(at.kit(FIRST), id).response?.body));
    return [
      ...fixtures.filter(({ body }) => bodies.has(body)).map(({ id }) => `fixture ${id}`),
      ...sources.filter(({ text }) => text.includes(FIRST)).map(({ name }) => name),
      ...rows.filter(([, , digest = ""]) => digest === sha256(files.get("SHA256SUMS") ?? Buffer.of())).flat(),
    ];
  }

  type Answer = (route: Route, kit: Kit) => Promise<void>;
  const unreadable: Readonly<Record<string, Answer>> = {
    "is not there": (route) => route.fulfill({ status: 404, contentType: "application/json", body: "{}" }),
    "is refused, with the bytes of a kit": (route, { zip }) => route.fulfill({ status: 500, body: zip }),
    "breaks off before it starts": (route) => route.abort(),
    "is empty": (route) => route.fulfill({ status: 200, body: "" }),
    "is a page": (route) => route.fulfill({ status: 200, contentType: "text/html", body: "<h1>Sign in</h1>" }),
    "is cut at its end": (route, { zip }) => route.fulfill({ status: 200, body: zip.subarray(0, -1) }),
    "is half of one": (route, { zip }) => route.fulfill({ status: 200, body: zip.subarray(0, zip.length / 2) }),
    "is deflated": async (route, { files }) => route.fulfill({ status: 200, body: await zipOf(files, true) }),
  };
  const useless: Readonly<Record<string, Answer>> = {
    "has nothing in it": async (route) => route.fulfill({ status: 200, body: await zipOf(new Map()) }),
    "has no fixtures": async (route, { files }) => {
      const rest = [...files].filter(([name]) => !name.startsWith("fixtures/"));
      await route.fulfill({ status: 200, body: await zipOf(new Map(rest)) });
    },
    "has a fixture that is no JSON": async (route, { files }) => {
      const other = new Map(files).set("fixtures/ambiguous.json", Buffer.from("no JSON"));
      await route.fulfill({ status: 200, body: await zipOf(other) });
    },
    "has a fixture that is none": async (route, { files }) => {
      const other = new Map(files).set("fixtures/ambiguous.json", Buffer.from("{}\n"));
      await route.fulfill({ status: 200, body: await zipOf(other) });
    },
  };
  it.each(Object.entries({ ...unreadable, ...useless }))(
    "F18: a kit that %s is said to be so, and nothing of another stays",
    async (name, answer) => {
      const { page, offences } = await withSecond(answer);
      await page.getByRole("radio", { name: at.kit(SECOND).title, exact: true }).check();
      await page
        .locator("#inspection")
        .getByText(new RegExp(`^(?:${UNREAD}|${NOT_PUBLISHED})$`))
        .waitFor({ timeout: 5000 })
        .catch(() => undefined);
      const says = [await textOf(page, "#proof"), await textOf(page, "#inspection")];
      // One that can be unpacked may be inspected still.
      expect.soft(name in unreadable ? [UNREAD] : [UNREAD, NOT_PUBLISHED]).toContain(says[1]);
      if (says[1] === UNREAD) {
        expect.soft(says[0]).toBe(UNREAD);
        for (const place of ["#fixtures", "#sources", "#files"]) {
          expect.soft([place, await page.locator(place).innerHTML()]).toEqual([place, ""]);
        }
      }
      expect.soft(says[0]).not.toBe(ALL_RIGHT);
      expect.soft(await leftOver(page)).toEqual([]);
      expect.soft(offences.filter((one) => !one.includes("Failed to load resource"))).toEqual([]);

      // Another language changes nothing, and a kit that can be had is shown again.
      await page.getByRole("radio", { name: "curl", exact: true }).check();
      await choose(page, at.kit(THIRD));
      expect(await shownFixtures(page)).toEqual(fixturesAsDeclared(at.kit(THIRD)));
      expect(await textOf(page, "#proof")).toBe(ALL_RIGHT);
      expect(await shownSources(page)).toEqual(sourcesOf(at.kit(THIRD), "curl"));
    },
  );

  it("F17: a kit with one byte changed, wherever it is, is not taken for the published one", async () => {
    let body = Buffer.of();
    const { page, offences } = await withSecond((route) => route.fulfill({ status: 200, body }));
    const { zip, title } = at.kit(SECOND);
    const end = zip.length - 22;
    const central = zip.readUInt32LE(end + 16);
    const positions = [
      ...[4, 8, 18, 26, 30, 60].map((offset) => offset),
      ...[0, 10, 20, 24, 25, 28, 29, 30, 42, 43, 46, 80].map((offset) => central + offset),
      ...[0, 8, 10, 11, 12, 16, 17, 18, 19, 20].map((offset) => end + offset),
      ...Array.from({ length: 40 }, (_, i) => Math.floor(((i + 0.5) * zip.length) / 40)),
      zip.indexOf('{"recipeId"'),
      zip.indexOf('"expected"') + 1,
      zip.indexOf('"response"') + 1,
    ].filter((position) => position >= 0);
    const stuck: string[] = [];
    const first = page.getByRole("radio", { name: at.kit(FIRST).title, exact: true });
    for (const [i, position] of positions.entries()) {
      body = Buffer.from(zip);
      body[position] = (body[position] ?? 0) ^ (i % 3 === 0 ? 0x80 : 0x01);
      await page.getByRole("radio", { name: title, exact: true }).check();
      const told = await page
        .locator("#inspection")
        .getByText(new RegExp(`^(?:${UNREAD}|${NOT_PUBLISHED})$`))
        .waitFor({ timeout: 3000 })
        .then(
          () => true,
          () => false,
        );
      const left = await leftOver(page);
      if (!told || left.length > 0) stuck.push(`byte ${position}: ${await textOf(page, "#inspection")} ${left.join()}`);
      await first.check();
      await shown(page, at.kit(FIRST));
    }
    expect.soft(stuck).toEqual([]);
    expect(offences).toEqual([]);
  });

  it("F17: a kit with another program says which file differs, and shows the digest of what it has", async () => {
    const other = Buffer.from("#!/usr/bin/env python3\nprint('all fixtures as declared')\n");
    const { page } = await withSecond(async (route, { files }) =>
      route.fulfill({ status: 200, body: await zipOf(new Map(files).set("python/handoff.py", other)) }),
    );
    await page.getByRole("radio", { name: at.kit(SECOND).title, exact: true }).check();
    await page.locator("#inspection").getByText(NOT_PUBLISHED, { exact: true }).waitFor();
    const rows = await shownFiles(page);
    expect(rows.filter(([, , , compared]) => compared === "differs")).toEqual([
      ["python/handoff.py", String(other.length), sha256(other), "differs"],
    ]);
    expect((await shownSources(page))[0]).toMatchObject({
      digest: `${other.length} bytes, SHA-256 ${sha256(other)}`,
      text: other.toString(),
    });
    expect(await textOf(page, "#proof")).toBe(ALL_RIGHT);
  });

  it("F17: a kit whose list fits its files is still not the published one", async () => {
    const { page } = await withSecond(async (route, { files }) => {
      const other = new Map(files).set("python/handoff.py", Buffer.from("print(1)\n"));
      const sums = [...other]
        .filter(([name]) => name !== "SHA256SUMS")
        .map(([name, bytes]) => `${sha256(bytes)}  ${name}\n`);
      await route.fulfill({ status: 200, body: await zipOf(other.set("SHA256SUMS", Buffer.from(sums.join("")))) });
    });
    await page.getByRole("radio", { name: at.kit(SECOND).title, exact: true }).check();
    await page.locator("#inspection").getByText(NOT_PUBLISHED, { exact: true }).waitFor();
    expect((await shownFiles(page)).filter(([, , , compared]) => compared === "differs")).toEqual([]);
  });

  it("F17: a kit with a file that is not listed says which", async () => {
    const { page } = await withSecond(async (route, { files }) =>
      route.fulfill({ status: 200, body: await zipOf(new Map(files).set("extra.sh", Buffer.from("exit 0\n"))) }),
    );
    await page.getByRole("radio", { name: at.kit(SECOND).title, exact: true }).check();
    await page.locator("#inspection").getByText(NOT_PUBLISHED, { exact: true }).waitFor();
    const compared = new Map((await shownFiles(page)).map(([name, , , text]) => [name, text]));
    expect(compared.get("SHA256SUMS")).toBe("the list itself");
    expect(compared.get("extra.sh")).not.toBe("the list itself");
  });

  it("F17: shows the recipe whose button is chosen after the page was left and is come back to", async () => {
    const { page } = await visit(at.browser, at.service.port);
    await open(page, at.kit(FIRST));
    await choose(page, at.kit(THIRD));
    for (const leave of [() => page.reload(), () => page.goto("/answers").then(() => page.goBack())]) {
      await leave();
      await page.locator("#files table").waitFor();
      const id = await page.locator("input[name=recipe]:checked").inputValue();
      const kit = at.kit(id as RecipeId);
      await shown(page, kit);
      expect(await shownFixtures(page)).toEqual(fixturesAsDeclared(kit));
      expect(await page.getByRole("link", { name: "Download the kit" }).getAttribute("href")).toBe(kit.path);
    }
  });
});

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
    const { page, offences } = await visit(at.browser, at.service.port);
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
    const { page, offences } = await visit(at.browser, at.service.port);
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
      for (const summary of await page.locator("#sources details:not([open]) summary").all()) await summary.click();
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
    const { page } = await visit(at.browser, at.service.port);
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
    const { page } = await visit(at.browser, at.service.port);
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
    const { page } = await visit(at.browser, at.service.port);
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
    const { page, offences } = await visit(at.browser, at.service.port, { javaScriptEnabled: false });
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
    const { page } = await visit(at.browser, at.service.port);
    // axe is script itself: the page as it is without.
    await page.route(`**${STUDIO}`, async (route) => {
      const response = await route.fetch();
      const html = (await response.text()).replaceAll(/<script[^>]*><\/script>|<\/?noscript>/g, "");
      await route.fulfill({ response, body: html });
    });
    await page.goto(STUDIO);
    expect(await page.getByText("Without script").isVisible()).toBe(true);
    for (const summary of await page.locator(".recipe summary").all()) await summary.click();
    expect(await faultsOf(page, "plain")).toEqual([]);
  });

  it.each(["kit", "classify", "studio"])("shows nothing dead when %s.js does not come", async (name) => {
    const { page } = await visit(at.browser, at.service.port);
    await page.route(`**/assets/${name}.*.js`, (route) => route.abort());
    await page.goto(STUDIO, { waitUntil: "networkidle" });
    const dead = page.locator("main :is(input, button:not(.copy), textarea, form, .scripted)");
    expect(await dead.filter({ visible: true }).count()).toBe(0);
  });
});

/** Expressions that would run, turn or tear, in each language that a recipe prefers. */
const MARKUP = '<img src=x onerror="ran=1"></p></script><script>ran=1</script>';
const hostile: RegistryFiles = {
  registry: { name: "</title><script>ran=1</script>", languages: ["ar", "en", "he"] },
  concepts: [
    concept(
      "H-ONE",
      [expression("ar", `مرحبا 😀 ${MARKUP}`), expression("en", "shared <b>one</b>"), expression("he", "שלום 👩‍💻")],
      { name: `${MARKUP}مرحبا`, definition: `]]> --> ${MARKUP} \\ " '`, domain: "hostile" },
    ),
    concept("H-TWO", [expression("en", "shared <b>one</b>")], { domain: "hostile" }),
  ],
};

describe.skipIf(noChromium).each([
  { name: "nasty", files: nasty },
  { name: "hostile", files: hostile },
  { name: "empty", files: empty },
])("the studio over the $name registry", ({ name, files }) => {
  const at = stand(() => checkedRegistry(files));

  it("F18: shows data as text only, in its own language and direction, within its policy", async () => {
    const { page, offences } = await visit(at.browser, at.service.port);
    await open(page, at.kit(FIRST));
    if (name === "hostile") expect(fixtureOf(at.kit(FIRST), "resolved-valid").request.expression).toContain(MARKUP);
    for (const kit of at.kits) {
      await choose(page, kit);
      expect(await shownFixtures(page)).toEqual(fixturesAsDeclared(kit));
      expect(await textOf(page, "#proof")).toBe(ALL_RIGHT);
      expect(await shownFiles(page)).toEqual(filesOf(kit));
      for (const id of FIXTURE_OUTCOMES) {
        const { request } = fixtureOf(kit, id);
        if (request.expression === "") continue;
        const direction = await page.evaluate(
          `getComputedStyle(document.querySelector("#fixtures section[aria-label='Fixture ${id}'] bdi")).direction`,
        );
        expect([request.expression, direction]).toEqual([
          request.expression,
          /^[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(request.expression) ? "rtl" : "ltr",
        ]);
      }
    }
    await choose(page, at.kit("clarification"));
    for (const id of FIXTURE_OUTCOMES) await openFixture(page, id);
    expect(
      await page.evaluate(`[
        typeof ran,
        ...[...document.querySelectorAll(\`
          main :is(img, script, style, iframe, b), [style], style, script:not([src]), :is(script, link[rel=stylesheet]):not([nonce])
        \`)].map(({ outerHTML }) => outerHTML),
        ...[...document.querySelectorAll("*")].flatMap((element) => [...element.attributes])
          .filter(({ name }) => name.startsWith("on")).map(({ name }) => name),
      ]`),
    ).toEqual(["undefined"]);
    expect(await faultsOf(page, `registry-${name}`)).toEqual([]);
    expect(offences).toEqual([]);
  });

  it("F18: says where a fixture is an illustration, and only there", async () => {
    const { page } = await visit(at.browser, at.service.port);
    await page.goto(STUDIO);
    const drawn = at.kits.flatMap((kit) => FIXTURE_OUTCOMES.map((id) => fixtureOf(kit, id).drawnFrom));
    if (name === "empty") expect(new Set(drawn)).toEqual(new Set(["illustration"]));
    expect(await page.getByText("Not ready.").count()).toBe(name === "empty" ? 1 : 0);
    for (const kit of at.kits) {
      await choose(page, kit);
      for (const id of FIXTURE_OUTCOMES) {
        const says = await fixtureIn(page, id).getByText("The concept is an illustration, made up.").count();
        expect([kit.id, id, says]).toEqual([kit.id, id, fixtureOf(kit, id).drawnFrom === "illustration" ? 1 : 0]);
      }
    }
  });

  it("F20: resolves live", async () => {
    const { page, offences } = await visit(at.browser, at.service.port);
    await open(page, at.kit(FIRST));
    await page.getByLabel("Turn live resolution on").check();
    const { request, expected, drawnFrom } = fixtureOf(at.kit(FIRST), "resolved-valid");
    await page.getByLabel("Expression", { exact: true }).fill(request.expression);
    await page.getByLabel("Language (optional)").fill(request.language ?? "");
    await page.getByRole("button", { name: "Ask once" }).click();
    await page.locator("#live-outcome .verdict").waitFor();
    const found = drawnFrom === "illustration" ? "unknown" : describeResult(expected);
    expect(await textOf(page, "#live-outcome .verdict")).toBe(found);
    expect(offences).toEqual([]);
  });
});

describe.skipIf(noChromium)("the studio over plain HTTP", () => {
  const at = stand(starterRegistry);

  it("F18 F20: says that digests are the published ones, and does everything else", async () => {
    const context = await at.browser.newContext({ viewport: { width: 1280, height: 800 } });
    try {
      const page = await context.newPage();
      const errors: string[] = [];
      page.on("pageerror", (error) => errors.push(error.message));
      page.on("console", (message) => void (message.type() === "error" && errors.push(message.text())));
      // A name that is not the machine itself: the page gets no crypto.subtle.
      await context.route("http://studio.test/**", async (route) => {
        const { pathname, search } = new URL(route.request().url());
        await route.fulfill({
          response: await route.fetch({ url: `http://127.0.0.1:${at.service.port}${pathname}${search}` }),
        });
      });
      await page.goto(`http://studio.test${STUDIO}`);
      const kit = at.kit("audit-provenance");
      await choose(page, at.kit(FIRST));
      await choose(page, kit);
      expect(await page.evaluate("[isSecureContext, typeof crypto.subtle, typeof navigator.clipboard]")).toEqual([
        false,
        "undefined",
        "undefined",
      ]);
      expect(await textOf(page, "#inspection")).toBe(
        "This browser computes digests only over HTTPS, so these are the published ones.",
      );
      expect(await shownFixtures(page)).toEqual(fixturesAsDeclared(kit));
      expect((await shownFiles(page)).map(([name, bytes, digest]) => [name, bytes, digest])).toEqual(
        filesOf(kit).map(([name, bytes, digest]) => [name, bytes, name === "SHA256SUMS" ? "" : digest]),
      );
      // What was not computed is not said to agree.
      expect.soft((await shownFiles(page)).filter(([, , , compared]) => compared === "as listed")).toEqual([]);
      await page.getByRole("radio", { name: "node", exact: true }).check();
      await page.locator("#sources").getByText("node/handoff.mjs", { exact: true }).waitFor();
      expect(await shownSources(page)).toEqual(sourcesOf(kit, "node"));
      const fixture = await openFixture(page, "unknown");
      await fixture.getByLabel("HTTP status").fill("500");
      expect(await textOf(page, "#proof")).toBe("5 of 6 fixtures are as declared.");
      await page.getByLabel("Turn live resolution on").check();
      await page.getByLabel("Expression", { exact: true }).fill("refund request");
      await page.getByRole("button", { name: "Ask once" }).click();
      await page.locator("#live-outcome .verdict").waitFor();
      expect(await textOf(page, "#live-outcome .verdict")).toBe("resolved-valid C-DFM7YZ 2026.11.1");
      expect([...(await objections(page)), ...(await overflow(page))]).toEqual([]);
      expect(errors).toEqual([]);
    } finally {
      await context.close();
    }
  });
});
