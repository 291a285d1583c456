/**
 * Chromium for the tests that need one. It finds the browser, says so where there is none, and
 * notes what no page of ours may do: errors on the console, violations of the policy, requests to
 * another origin.
 */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { partOf } from "../support/static-host.ts";

const named = process.env["CHROMIUM"];
const places = named === undefined ? ["/usr/bin/chromium", "/usr/bin/google-chrome"] : [named];
const executable = places.find((place) => existsSync(place));

/** For `describe.skipIf`. */
export const noChromium = executable === undefined;
if (noChromium) {
  console.warn(
    `Skipped, there is no browser: ${places.join(", ")} not found. ` +
      "Install one with `apt-get install --no-install-recommends chromium`, or name yours: CHROMIUM=/path/to/chromium.",
  );
}

/**
 * What Chromium leaves out. The first are pages for its address bar, which every window would load:
 * they took more of the processor than the tests. Chromium knows the last list alone, so the rest
 * is that of playwright-core.
 */
const OFF = [
  "WebUIOmniboxPopup", "WebUIOmniboxAimPopup",
  "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades", "HttpsFirstBalancedModeAutoEnable",
  "LensOverlay", "MediaRouter", "PaintHolding", "ThirdPartyStoragePartitioning", "AvoidCorsURLLoaderRestartOnRedirect",
  "OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled", "PreconnectToSearch",
]; // prettier-ignore

let launched: Promise<Browser> | undefined;

/** The one browser of a process, which ends with it; the test files of a worker share it. */
export function launch(): Promise<Browser> {
  return (launched ??= chromium.launch({
    executablePath: executable ?? "",
    args: ["--no-sandbox", "--disable-dev-shm-usage", `--disable-features=${OFF.join()}`],
  }));
}

export interface Visit {
  readonly page: Page;
  /** What the page did that it must not, so far. */
  readonly offences: string[];
}

/** A page in a context of its own, at the service of `port`, until the test ends. */
export async function visit(port: number, options: BrowserContextOptions = {}): Promise<Visit> {
  const origin = `http://127.0.0.1:${port}`;
  const browser = await launch();
  const context = await browser.newContext({
    baseURL: origin,
    viewport: { width: 1280, height: 800 },
    reducedMotion: "reduce",
    ...options,
  });
  // Ten times the usual limit: the machine may be ten times as slow.
  context.setDefaultTimeout(300_000);
  onTestFinished(() => context.close());
  const offences: string[] = [];
  context.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) offences.push(`console: ${message.text()}`);
  });
  context.on("weberror", (error) => offences.push(`uncaught: ${error.error().message}`));
  context.on("request", (request) => {
    if (new URL(request.url()).origin !== origin) offences.push(`request: ${request.url()}`);
  });
  await context.addInitScript(
    `document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) =>
      console.error("policy: " + effectiveDirective + " " + blockedURI));`,
  );
  return { page: await context.newPage(), offences };
}

const shots = process.env["SCREENSHOTS"];

/** Writes a picture of the page, or the top of a long one, into the folder named by SCREENSHOTS. */
export async function picture(page: Page, name: string): Promise<void> {
  if (shots === undefined) return;
  mkdirSync(shots, { recursive: true });
  const fullPage = await page.evaluate<boolean>("document.documentElement.scrollHeight <= 6000");
  // Under load Chromium sometimes gives none; that is no fault of the page.
  await page
    .screenshot({ path: path.join(shots, `${name}.png`), fullPage, timeout: 20_000 })
    .catch(() => console.warn(`No picture of ${name}`));
}

/** Makes a page's service a host of files: POST is not answered, the registry is read by ranges. */
export async function serveFilesOnly(page: Page, directory: string): Promise<void> {
  await page.route("**/api/v1/resolve", (route) => route.fulfill({ status: 405, body: "" }));
  await page.route("**/resolve?*", (route) => route.fulfill({ status: 404, body: "" }));
  await page.route(/\/(?:registry\.\w+|SHA256SUMS|interface\.json)$/, async (route) => {
    const bytes = readFileSync(path.join(directory, new URL(route.request().url()).pathname));
    const part = partOf(bytes, (await route.request().allHeaders())["range"]);
    const headers = Object.fromEntries(part.headers);
    await route.fulfill({ status: part.status, headers, body: Buffer.from(await part.arrayBuffer()) });
  });
}
