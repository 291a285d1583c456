/**
 * A release on a real nginx that only serves its files: the published module resolves there, in
 * Node and behind the form of the home page in Chromium, as the service does.
 */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tagOf } from "../../generator/registry/concept.ts";
import { noChromium, visit } from "../browser/chromium.ts";
import { starterRegistry } from "../support/documents.ts";
import { buildRelease } from "../support/release.ts";
import { type Service, startService } from "../support/service.ts";
import { importResolver } from "../support/static-host.ts";
import { freePort } from "../support/free-port.ts";
import { isThere, nginx, startServer } from "./web-servers.ts";

/** Files only: a host with default settings, and a policy that allows no other origin. */
const configure = (root: string, port: number): string => `
  include /etc/nginx/mime.types;
  server {
    listen 127.0.0.1:${port};
    root ${root};
    add_header Content-Security-Policy "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'";
    location / { try_files $uri $uri.html $uri/index.html =404; }
  }
`;

describe.skipIf(!isThere(nginx))("a release that nginx serves as files", () => {
  let dist: string;
  let port: number;
  let service: Service;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    const registry = starterRegistry();
    [dist, service, port] = await Promise.all([buildRelease(registry), startService(registry), freePort()]);
    const folder = mkdtempSync(path.join(tmpdir(), "nginx-"));
    writeFileSync(path.join(folder, nginx.file), configure(dist, port));
    stop = await startServer(nginx, { folder, port, reads: [dist] });
  });
  afterAll(() => Promise.all([stop(), service.close()]));

  it("resolves in Node what the service resolves, byte for byte", async () => {
    const { openRegistry } = await importResolver(dist);
    const registry = await openRegistry(`http://127.0.0.1:${port}`);
    for (const { expressions } of starterRegistry().concepts) {
      for (const one of expressions.slice(0, 3)) {
        const request = { expression: one.expression, language: tagOf(one) };
        expect((await registry.resolve(request)).body).toBe((await service.resolve(request)).body.toString());
      }
    }
  });

  it.skipIf(noChromium)("resolves in the form of the home page, and for ?expression=, in Chromium", async () => {
    const { page, offences } = await visit(port);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
    const outcome = page.locator("#outcome");
    await page.goto("/?expression=refund+request&language=en");
    await outcome.getByText("Resolved", { exact: true }).waitFor();
    expect(await page.locator("#outcome .code code").allTextContents()).toEqual(["C-DFM7YZ"]);
    await page.getByLabel("Expression", { exact: true }).fill("ciao");
    await page.getByLabel("Language").fill("");
    await page.getByRole("button", { name: "Resolve" }).click();
    await outcome.getByText("ambiguous_expression").waitFor();
    await page.getByLabel("Language").fill("en_US");
    await page.getByRole("button", { name: "Resolve" }).click();
    await outcome.getByText("Refused", { exact: true }).waitFor();
    expect(asked.filter((request) => request.endsWith("/resolve"))).toEqual(["GET /resolve"]);
    // Chromium itself reports the answer to that.
    expect(offences.filter((offence) => !offence.includes("status of 404"))).toEqual([]);
    await page.route("**/registry.*", (route) => route.fulfill({ status: 206, body: "C-DFM7YZ" }));
    await page.goto("/?expression=refund+request");
    await outcome.getByText("The service could not be reached").waitFor();
    expect(await outcome.innerText()).toMatch(/cannot be read: /);
    expect(await page.locator("#outcome .code code").count()).toBe(0);
  });
});
