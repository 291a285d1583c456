/** The preview in a real browser: a page that nobody reloads by hand follows the registry and the content. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { folder, type Served, serve } from "../support/command.ts";
import { project } from "../support/project.ts";
import { launch, noChromium, picture, visit } from "./chromium.ts";

const CONCEPT = "registry/concepts/support/C-DFM7YZ.yaml";

interface Preview extends Served {
  readonly home: string;
  /** Replaces text in a file of the owner's. */
  edit(file: string, before: string, after: string): void;
}

async function openPreview(edits: readonly (readonly [string, string, string])[] = []): Promise<Preview> {
  const home = folder({ "service.yaml": "" });
  for (const name of ["registry", "content/site.yaml"])
    cpSync(path.join(project, name), path.join(home, name), { recursive: true });
  mkdirSync(path.join(home, "tmp"));
  const edit = (file: string, before: string, after: string): void => {
    const text = readFileSync(path.join(home, file), "utf8");
    expect(text).toContain(before);
    writeFileSync(path.join(home, file), text.replace(before, after));
  };
  for (const one of edits) edit(...one);
  const folders = ["registry", "content"].flatMap((name) => [`--${name}`, path.join(home, name)]);
  const served = await serve("lib/generator/main.js", ["dev", ...folders], { TMPDIR: path.join(home, "tmp") });
  onTestFinished(() => void served.child.kill("SIGKILL"));
  return { ...served, home, edit };
}

const says = (page: Page, text: string): Promise<void> => page.getByLabel("Preview").getByText(text).waitFor();

describe.skipIf(noChromium)("dev", () => {
  let browser: Browser;
  beforeAll(async () => void (browser = await launch()));
  afterAll(() => browser.close());

  it("follows edits of a recorded version as a draft, shows what is wrong, and leaves nothing", async () => {
    const preview = await openPreview();
    const { page, offences } = await visit(browser, preview.port);
    await page.goto("/concepts/C-DFM7YZ");
    await says(page, "as it is recorded");
    expect(await page.locator("main").innerText()).not.toContain("refund, please");

    preview.edit(CONCEPT, '"refund request"', '"refund, please"');
    await page.locator("main").getByText("refund, please").first().waitFor();
    await says(page, "a draft: it differs from 2026.11.1, which is recorded, and is shown as 2026.11.2");
    await picture(page, "dev-draft");

    preview.edit(CONCEPT, '"refund, please"', '"refund,  please"');
    preview.edit("content/site.yaml", "name:", "nam:");
    await says(page, "2 errors");
    await says(page, "expression-spaces");
    await says(page, "This is the last build without errors");
    await picture(page, "dev-errors");
    const reply = await page.request.post("/api/v1/resolve", { data: { expression: "refund, please" } });
    expect(await reply.json()).toMatchObject({ data: { concept: { registryVersion: "2026.11.2" } } });

    preview.edit("content/site.yaml", "nam:", "name:");
    preview.edit(CONCEPT, '"refund,  please"', '"refund again"');
    await page.locator("main").getByText("refund again").first().waitFor();
    expect(await page.getByLabel("Preview").getByText("errors").count()).toBe(0);
    expect(offences).toEqual([]);

    preview.child.kill("SIGINT");
    expect(await preview.exit).toBe(0);
    expect(readdirSync(path.join(preview.home, "tmp"))).toEqual([]);
    expect(existsSync(path.join(preview.home, "dist"))).toBe(false);
    const unchanged = readFileSync(path.join(project, "registry/registry.yaml"), "utf8");
    expect(readFileSync(path.join(preview.home, "registry/registry.yaml"), "utf8")).toBe(unchanged);
  });

  it("says why there is nothing to show yet, and shows it once there is", async () => {
    const preview = await openPreview([[CONCEPT, "code: C-DFM7YZ", "code: wrong"]]);
    const { page } = await visit(browser, preview.port);
    expect((await page.goto("/answers"))?.status()).toBe(503);
    await says(page, "code-syntax");
    preview.edit(CONCEPT, "code: wrong", "code: C-DFM7YZ");
    await page.getByRole("heading", { level: 1, name: "Answers" }).waitFor();
    preview.child.kill("SIGTERM");
    expect(await preview.exit).toBe(0);
    expect(readdirSync(path.join(preview.home, "tmp"))).toEqual([]);
  });
});
