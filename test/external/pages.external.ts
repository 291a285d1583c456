/**
 * The pages judged by html-validate's recommended rules, and the OpenAPI description by Spectral's
 * rules for OpenAPI: neither has anything to say.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { REFERENCE_AREAS, referencePath } from "../../runtime/contract/policy.ts";
import { starterRegistry } from "../support/documents.ts";
import { empty, nasty } from "../support/nasty.ts";
import { npx, type Outcome, reasonToSkip } from "../support/npx.ts";
import { checkedRegistry } from "../support/registry.ts";
import { serviceFor } from "../support/service.ts";

// Later versions need Node 22.
const HTML_VALIDATE = "html-validate@10.9.0";
const SPECTRAL = "@stoplight/spectral-cli@6.16.3";

const run = (pack: string, line: readonly string[], cwd = tmpdir()): Promise<Outcome> =>
  npx(pack, line, { cwd, timeout: 600_000 });

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

const sites = [
  { name: "starter", registry: starterRegistry, more: ["/concepts/C-DFM7YZ", "/resolve?expression=refund+request"] },
  { name: "nasty", registry: () => checkedRegistry(nasty), more: ["/concepts/N-RTL", "/concepts/N-NEAR"] },
  { name: "empty", registry: () => checkedRegistry(empty), more: [] },
].map(({ name, registry, more }) => ({ name, pages: [...PAGES, ...more], service: serviceFor(registry) }));

let folder: string;
beforeAll(() => void (folder = mkdtempSync(path.join(tmpdir(), "pages-"))));
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes a file of these names; gives its place below the folder. */
function save(site: string, name: string, body: string | Uint8Array): string {
  mkdirSync(path.join(folder, site), { recursive: true });
  writeFileSync(path.join(folder, site, name), body);
  return `${site}/${name}`;
}

// Each tool starts once, for the files of all registries and for a wrong one: that is all it
// objects to.
describe("the starter, the nasty and the empty registry", () => {
  it.skipIf(noHtmlValidate)("have pages that satisfy html-validate's recommended rules", async () => {
    save("", ".htmlvalidate.json", JSON.stringify({ root: true, extends: ["html-validate:recommended"] }));
    const saved = sites.flatMap(({ name, pages, service }) =>
      pages.map(async (target) => {
        const { body } = await service.send("GET", target, { headers: { accept: "text/html" } });
        return save(name, `${encodeURIComponent(target)}.html`, body);
      }),
    );
    const wrong = save("wrong", "page.html", '<!DOCTYPE html><html lang="en"><input/></html>');
    const line = ["html-validate", "-f", "text", ...(await Promise.all(saved)), wrong];
    const { code, stdout } = await run(HTML_VALIDATE, line, folder);
    const found = stdout.trimEnd().split("\n");
    expect([code, found.filter((one) => !one.includes(wrong))]).toEqual([1, []]);
  });

  it.skipIf(noSpectral)("have descriptions without a warning by Spectral's rules for OpenAPI", async () => {
    save("", ".spectral.yaml", 'extends: ["spectral:oas"]\n');
    const saved = sites.map(async ({ name, service }) => {
      const { body } = await service.send("GET", "/openapi.json");
      save("wrong", `${name}.json`, body.toString().replaceAll('"operationId"', '"x-operation"'));
      return save(name, "openapi.json", body);
    });
    const files = [...(await Promise.all(saved)), "wrong/*.json"];
    const line = ["spectral", "lint", ...files, "-f", "json", "-q", "--fail-severity", "hint"];
    const { stdout } = await run(SPECTRAL, line, folder);
    const found = (JSON.parse(stdout) as { code: string; path: string[]; source: string }[]).map(
      ({ code, path: place, source }) => `${path.relative(folder, source)}: ${code} at ${place.join(".")}`,
    );
    expect(found.filter((one) => !one.startsWith("wrong/"))).toEqual([]);
    expect(new Set(found.map((one) => one.split(":")[0]))).toEqual(
      new Set(sites.map(({ name }) => `wrong/${name}.json`)),
    );
  });
});
