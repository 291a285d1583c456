/**
 * The pages judged by html-validate's recommended rules, and the OpenAPI description by Spectral's rules for OpenAPI: neither
 * has anything to say.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CheckedRegistry } from "../../generator/registry/checked.ts";
import { REFERENCE_AREAS, referencePath } from "../../runtime/contract/policy.ts";
import { starterRegistry } from "../browser/starter.ts";
import { empty, nasty } from "../support/nasty.ts";
import { npx, type Outcome, reasonToSkip } from "../support/npx.ts";
import { checkedRegistry } from "../support/registry.ts";
import { serviceFor } from "../support/service.ts";

// Later versions need Node 22.
const HTML_VALIDATE = "html-validate@10.9.0";
const SPECTRAL = "@stoplight/spectral-cli@6.16.3";

const run = (pack: string, line: readonly string[], cwd = tmpdir()): Promise<Outcome> =>
  npx(pack, line, { cwd, timeout: 170_000 });

const noHtmlValidate = reasonToSkip(HTML_VALIDATE, await run(HTML_VALIDATE, ["html-validate", "--version"]));
const noSpectral = reasonToSkip(SPECTRAL, await run(SPECTRAL, ["spectral", "--version"]));

const PAGES = [
  "/",
  "/answers",
  "/api-reference",
  ...REFERENCE_AREAS.map(referencePath),
  "/mcp-guide",
  "/integration-studio",
  "/coverage",
  "/concepts",
  "/concepts?q=a",
  "/concepts/NONE",
  "/resolve?expression=many",
];

const registries: readonly { name: string; registry: () => CheckedRegistry; more: readonly string[] }[] = [
  { name: "starter", registry: starterRegistry, more: ["/concepts/C-DFM7YZ", "/resolve?expression=refund+request"] },
  { name: "nasty", registry: () => checkedRegistry(nasty), more: ["/concepts/N-RTL", "/concepts/N-NEAR"] },
  { name: "empty", registry: () => checkedRegistry(empty), more: [] },
];

describe.each(registries)("the $name registry", ({ registry, more }) => {
  const service = serviceFor(registry);
  let folder: string;
  beforeAll(() => void (folder = mkdtempSync(path.join(tmpdir(), "pages-"))));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Its pages as files, by the names of their paths. */
  async function savePages(): Promise<string[]> {
    return Promise.all(
      [...PAGES, ...more].map(async (target) => {
        const { body } = await service.send("GET", target, { headers: { accept: "text/html" } });
        const file = `${encodeURIComponent(target)}.html`;
        writeFileSync(path.join(folder, file), body);
        return file;
      }),
    );
  }

  it.skipIf(noHtmlValidate)("has pages that satisfy html-validate's recommended rules", async () => {
    const config = { root: true, extends: ["html-validate:recommended"] };
    writeFileSync(path.join(folder, ".htmlvalidate.json"), JSON.stringify(config));
    const files = await savePages();
    const judge = (names: readonly string[]): Promise<Outcome> =>
      run(HTML_VALIDATE, ["html-validate", "-f", "text", ...names], folder);
    const { code, stdout } = await judge(files);
    expect([code, stdout]).toEqual([0, ""]);
    // It can say no.
    writeFileSync(path.join(folder, "wrong.html"), '<!DOCTYPE html><html lang="en"><input/></html>');
    expect((await judge(["wrong.html"])).code).toBe(1);
  });

  it.skipIf(noSpectral)("has a description without a warning by Spectral's rules for OpenAPI", async () => {
    writeFileSync(path.join(folder, ".spectral.yaml"), 'extends: ["spectral:oas"]\n');
    const { body } = await service.send("GET", "/openapi.json");
    const judge = async (text: string): Promise<readonly { code: string; path: string[] }[]> => {
      writeFileSync(path.join(folder, "openapi.json"), text);
      const line = ["spectral", "lint", "openapi.json", "-f", "json", "-q", "--fail-severity", "hint"];
      const { stdout } = await run(SPECTRAL, line, folder);
      return JSON.parse(stdout) as readonly { code: string; path: string[] }[];
    };
    const found = await judge(body.toString());
    expect(found.map(({ code, path: place }) => `${code} at ${place.join(".")}`)).toEqual([]);
    // It can say no.
    const wrong = body.toString().replaceAll('"operationId"', '"x-operation"');
    expect((await judge(wrong)).length).toBeGreaterThan(0);
  });
});
