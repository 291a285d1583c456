/** What the tests of the studio share: kits as they are served and as the page shows them. */
import { buffer } from "node:stream/consumers";
import type { Locator, Page, Request } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import yazl from "yazl";
import type { CheckedRegistry } from "../../../generator/registry/checked.ts";
import {
  type Fixture,
  FIXTURE_OUTCOMES,
  type FixtureOutcome,
  type HandoffLanguage,
  type IntegrationStudio,
} from "../../../generator/contract/integration.ts";
import { type RecipeId } from "../../../runtime/contract/recipe.ts";
import { paths } from "../../../runtime/contract/paths.ts";
import { kitPath } from "../../../runtime/contract/policy.ts";
import { describeResult, readZip } from "../../support/kits.ts";
import { type Service, startService } from "../../support/service.ts";
import { sha256 } from "../../support/sha256.ts";
import { faultsIn } from "../judge.ts";

export const STUDIO = "/integration-studio";

/** A kit as it is served, unpacked. */
export interface Kit {
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

export async function kitsOf(service: Service): Promise<Kit[]> {
  const { recipes } = (await service.send("GET", paths.studio)).json() as IntegrationStudio;
  return Promise.all(
    recipes.map(async ({ id, title }) => {
      const { body: zip, headers } = await service.send("GET", kitPath(id));
      return { id, title, path: kitPath(id), zip, sha256: String(headers["x-content-sha256"]), ...(await unpack(zip)) };
    }),
  );
}

export async function unpack(zip: Buffer): Promise<Pick<Kit, "files" | "sums">> {
  const files = new Map((await readZip(zip)).map(({ name, bytes }) => [name.slice(name.indexOf("/") + 1), bytes]));
  const lines = (files.get("SHA256SUMS") ?? "").toString().trimEnd().split("\n");
  return { files, sums: new Map(lines.map((line) => line.split("  ").toReversed() as [string, string])) };
}

/** A ZIP of a kit's files, made anew. */
export function zipOf(files: ReadonlyMap<string, Uint8Array>, compress = false): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  for (const [name, bytes] of files) zip.addBuffer(Buffer.from(bytes), `kit/${name}`, { compress });
  zip.end();
  return buffer(zip.outputStream);
}

export function fixtureOf({ files }: Kit, id: FixtureOutcome): Fixture {
  return JSON.parse(files.get(`fixtures/${id}.json`)?.toString() ?? "") as Fixture;
}

/** Goes to the studio and waits until its first kit is shown. */
export async function open(page: Page, kit: Kit): Promise<void> {
  await page.goto(STUDIO);
  await shown(page, kit);
}

/** Waits until a kit is shown to its end: each of its parts has a digest of its own. */
export async function shown(page: Page, { files }: Kit): Promise<void> {
  await page
    .locator("#files")
    .getByText(sha256(files.get("README.md") ?? Buffer.of()))
    .waitFor();
  const language = await page.locator("input[name=handoff]:checked").inputValue();
  const source = [...files].find(([name]) => name.startsWith(`${language}/handoff.`))?.[1] ?? Buffer.of();
  await page.locator("#sources").getByText(sha256(source)).waitFor();
}

export async function choose(page: Page, kit: Kit): Promise<void> {
  await page.getByRole("radio", { name: kit.title, exact: true }).check();
  await shown(page, kit);
}

export function fixtureIn(page: Page, id: FixtureOutcome): Locator {
  return page.getByRole("region", { name: `Fixture ${id}`, exact: true });
}

export async function openFixture(page: Page, id: FixtureOutcome): Promise<Locator> {
  const fixture = fixtureIn(page, id);
  await fixture.locator("summary").click();
  await fixture.getByRole("button", { name: "As it was" }).waitFor();
  return fixture;
}

export function textOf(page: Page, selector: string): Promise<string> {
  return page.locator(selector).innerText();
}

export const ALL_RIGHT = "All 6 fixtures are as declared. No network was used.";
export const UNREAD = "The kit could not be read. Load this page again.";
export const NOT_PUBLISHED = "The kit is not the published one: do not use it. Load this page again.";

/** A fixture as a person meets it. */
export interface ShownFixture {
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

export function shownFixtures(page: Page): Promise<ShownFixture[]> {
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
export function asDeclared(fixture: Fixture): ShownFixture {
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

export function fixturesAsDeclared(kit: Kit): ShownFixture[] {
  return FIXTURE_OUTCOMES.map((id) => asDeclared(fixtureOf(kit, id)));
}

export interface ShownSource {
  readonly name: string;
  readonly open: boolean;
  readonly digest: string;
  readonly text: string;
}

export function shownSources(page: Page): Promise<ShownSource[]> {
  return page.evaluate<ShownSource[]>(`[...document.querySelectorAll("#sources > details")].map((details) => ({
    name: details.querySelector("summary").textContent,
    open: details.open,
    digest: details.querySelector("p").textContent,
    text: details.querySelector("pre code").textContent,
  }))`);
}

export function sourcesOf({ files }: Kit, language: HandoffLanguage): ShownSource[] {
  const own = [...files].filter(([name]) => name.startsWith(`${language}/`)).toReversed();
  const isProgram = ([name]: readonly [string, Buffer]): boolean => name.includes("/handoff.");
  // The program that is run comes first, and is open.
  return [...own.filter(isProgram), ...own.filter((one) => !isProgram(one))].map(([name, bytes], i) => ({
    name,
    open: i === 0,
    digest: `${bytes.length} bytes, SHA-256 ${sha256(bytes)}`,
    text: bytes.toString(),
  }));
}

export function shownFiles(page: Page): Promise<string[][]> {
  return page.evaluate<string[][]>(
    `[...document.querySelectorAll("#files tbody tr")].map((row) => [...row.cells].map((cell) => cell.textContent))`,
  );
}

export function filesOf({ files, sums }: Kit): string[][] {
  return [...files].map(([name, bytes]) => [
    name,
    String(bytes.length),
    sha256(bytes),
    sums.has(name) ? "as listed" : "the list itself",
  ]);
}

/** The requests of a page beyond itself and its assets, from now on: method and path. */
export function watch(page: Page): string[] {
  const seen: string[] = [];
  page.on("request", (request: Request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname !== STUDIO && !pathname.startsWith("/assets/")) seen.push(`${request.method()} ${pathname}${search}`);
  });
  return seen;
}

/** What is wider than the window; what scrolls on its own may be. */
export function overflow(page: Page, within = "pre, .scroll, header nav"): Promise<string[]> {
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
export async function faultsOf(page: Page, state: string): Promise<string[]> {
  const faults = await faultsIn(page, `studio-${state}`, { modes: ["light", "dark"], wide: overflow });
  return Object.entries(faults).map(([fault, looks]) => `${state}, ${looks.join(", ")}: ${fault}`);
}

export interface Stand {
  service: Service;
  kits: readonly Kit[];
  kit(id: RecipeId): Kit;
}

/** A service for the tests of a `describe`. */
export function stand(registry: () => CheckedRegistry): Stand {
  const all = {} as Stand;
  beforeAll(async () => {
    all.service = await startService(registry());
    all.kits = await kitsOf(all.service);
    all.kit = (id) => {
      const found = all.kits.find((one) => one.id === id);
      if (found === undefined) throw new Error(`There is no kit ${id}`);
      return found;
    };
  });
  afterAll(() => all.service.close());
  return all;
}

export const FIRST: RecipeId = "multilingual-memory";

/** Holds requests until it is opened. */
export interface Gate {
  readonly wait: Promise<void>;
  open(): void;
}

export function gate(): Gate {
  let letThrough = (): void => undefined;
  const wait = new Promise<void>((resolve) => (letThrough = resolve));
  return { wait, open: () => letThrough() };
}

/** Lets the held answer come, and the page make of it what it will. */
export async function release(page: Page, url: string, held: Gate): Promise<void> {
  const answered = page.waitForResponse(url);
  held.open();
  await (await answered).finished();
  await page.waitForTimeout(300);
}
