/** The preview in a real browser: a page follows the registry and content without a reload. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it, onTestFinished } from "vitest";
import { folder, runHere, type Served, serve } from "../support/command.ts";
import { project } from "../support/project.ts";
import { noChromium, picture, visit } from "./chromium.ts";

const CONCEPT = "registry/concepts/greetings/G-1.yaml";

interface Preview extends Served {
  readonly home: string;
  /** Replaces text in a file of the owner's. */
  edit(file: string, before: string, after: string): void;
}

async function openPreview(edits: readonly (readonly [string, string, string])[] = []): Promise<Preview> {
  const home = folder({ "service.yaml": "" });
  cpSync(path.join(project, "test/golden/registry"), path.join(home, "registry"), { recursive: true });
  cpSync(path.join(project, "content/site.yaml"), path.join(home, "content/site.yaml"));
  const version = ["--registry", path.join(home, "registry"), "--version", "2026.11.1"];
  expect(await runHere(["release-registry", ...version])).toMatchObject({ code: 0 });
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
  it("follows edits of a recorded version as a draft, shows what is wrong, and leaves nothing", async () => {
    const preview = await openPreview();
    const recorded = readFileSync(path.join(preview.home, "registry/registry.yaml"), "utf8");
    const { page, offences } = await visit(preview.port);
    await page.goto("/concepts/G-1");
    await says(page, "as recorded");
    expect(await page.locator("main").innerText()).not.toContain("hello, you");

    preview.edit(CONCEPT, '"hello"', '"hello, you"');
    await page.locator("main").getByText("hello, you").first().waitFor();
    await says(page, "2026.11.2-draft, not recorded");
    await picture(page, "dev-draft");

    preview.edit(CONCEPT, '"hello, you"', '"hello,  you"');
    preview.edit("content/site.yaml", "name:", "nam:");
    await says(page, "2 errors");
    await says(page, "expression-spaces");
    await says(page, "This is the last build without errors");
    await picture(page, "dev-errors");
    const reply = await page.request.post("/api/v1/resolve", { data: { expression: "hello, you" } });
    expect(await reply.json()).toMatchObject({ data: { concept: { registryVersion: "2026.11.2-draft" } } });

    preview.edit("content/site.yaml", "nam:", "name:");
    preview.edit(CONCEPT, '"hello,  you"', '"hello again"');
    await page.locator("main").getByText("hello again").first().waitFor();
    expect(await page.getByLabel("Preview").getByText("errors").count()).toBe(0);
    expect(offences).toEqual([]);

    preview.child.kill("SIGINT");
    expect(await preview.exit).toBe(0);
    expect(readdirSync(path.join(preview.home, "tmp"))).toEqual([]);
    expect(existsSync(path.join(preview.home, "dist"))).toBe(false);
    expect(readFileSync(path.join(preview.home, "registry/registry.yaml"), "utf8")).toBe(recorded);
  });

  it("says why there is nothing to show yet, and shows it once there is", async () => {
    const preview = await openPreview([[CONCEPT, "code: G-1", "code: wrong"]]);
    const { page } = await visit(preview.port);
    expect((await page.goto("/answers"))?.status()).toBe(503);
    await says(page, "code-syntax");
    preview.edit(CONCEPT, "code: wrong", "code: G-1");
    await page.getByRole("heading", { level: 1, name: "Answers" }).waitFor();
    preview.child.kill("SIGTERM");
    expect(await preview.exit).toBe(0);
    expect(readdirSync(path.join(preview.home, "tmp"))).toEqual([]);
  });
});
