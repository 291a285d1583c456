/**
 * Two releases of one registry at one address, one after the other, with files of the same size and
 * time: what a client kept of the first is never taken for the second (RFC 9110 §8.8.1).
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { noChromium, visit } from "../browser/chromium.ts";
import { runHere } from "../support/command.ts";
import { freePort } from "../support/free-port.ts";
import { checkedRegistry, concept, expression } from "../support/registry.ts";
import { buildRelease } from "../support/release.ts";
import { apache, caddy, isThere, nginx, type WebServer, withServer } from "./web-servers.ts";

const ORIGIN = "http://registry.example";
/** The two releases differ in one digit of the version, and in which code an expression has. */
const release = (version: string, [one, other]: readonly [string, string]): Promise<string> => {
  const concepts = [concept(one, [expression("en", "otter")]), concept(other, [expression("en", "heron")])];
  return buildRelease(checkedRegistry({ concepts, registry: { registryVersion: version } }), ORIGIN);
};

let first: string;
let second: string;
beforeAll(async () => {
  first = await release("2026.11.2", ["A-1", "A-2"]);
  second = await release("2026.11.3", ["A-2", "A-1"]);
});

const NOON = new Date("2026-11-27T12:00:00Z");

/** Puts a release where the server reads, with one time for every file. */
function place(dist: string, root: string, time = NOON): void {
  rmSync(root, { recursive: true, force: true });
  cpSync(dist, root, { recursive: true });
  for (const name of readdirSync(root, { recursive: true, encoding: "utf8" }))
    utimesSync(path.join(root, name), time, time);
}

/** The code that the page of the release gives for the expression that moved. */
async function codeOn(page: Page): Promise<string> {
  await page.goto("/?expression=otter");
  return page.locator("#outcome .code code").first().innerText();
}

/** Configures a host for the release that is at `root`, and serves it. */
async function served(server: WebServer, { root, port }: Site, use: () => Promise<void>): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), `${server.name}-`));
  const where = ["--into", folder, "--files", folder, "--root", root, "--listen", `127.0.0.1:${port}`];
  expect(await runHere(["host", server.name, "--release", root, ...where])).toMatchObject({ code: 0 });
  await withServer(server, { folder, port, reads: [root] }, use);
  rmSync(folder, { recursive: true });
}

interface Site {
  readonly root: string;
  readonly port: number;
}

/** The registry files, and documents that are at the path of their file. */
const PATHS = [
  "registry.root",
  "registry.blocks",
  "registry.index",
  "registry/bundle.ndjson",
  "openapi.json",
  "llms.txt",
];

describe.each([nginx, apache, caddy])("$name", (server) => {
  it.skipIf(!isThere(server))("gives what changed to a client that has the first release", async () => {
    const site = { root: path.join(mkdtempSync(path.join(tmpdir(), "site-")), "dist"), port: await freePort() };
    const get = (file: string, fields: Record<string, string> = {}): Promise<Response> =>
      fetch(`http://127.0.0.1:${site.port}/${file}`, { headers: { host: "registry.example", ...fields } });
    const tags = new Map<string, string>();
    place(first, site.root);
    await served(server, site, async () => {
      for (const file of PATHS) {
        const answer = await get(file);
        expect([file, answer.status]).toEqual([file, 200]);
        tags.set(file, answer.headers.get("etag") ?? "none");
        expect([file, (await get(file, { "if-none-match": tags.get(file) ?? "" })).status]).toEqual([file, 304]);
      }
    });
    place(second, site.root);
    await served(server, site, async () => {
      for (const file of PATHS) {
        const [was, is] = [first, second].map((dist) => readFileSync(path.join(dist, file)));
        const answer = await get(file, { "if-none-match": tags.get(file) ?? "" });
        expect([file, answer.status]).toEqual([file, was?.equals(is ?? Buffer.of()) === true ? 304 : 200]);
        if (answer.status === 200) expect(Buffer.from(await answer.arrayBuffer()).equals(is ?? Buffer.of())).toBe(true);
      }
    });
  });

  it.skipIf(!isThere(server) || noChromium)("resolves by the second in a browser that visited the first", async () => {
    const site = { root: path.join(mkdtempSync(path.join(tmpdir(), "site-")), "dist"), port: await freePort() };
    place(first, site.root);
    const { page } = await visit(site.port);
    await served(server, site, async () => expect(await codeOn(page)).toBe("A-1"));
    place(second, site.root);
    await served(server, site, async () => expect(await codeOn(page)).toBe("A-2"));
  });
});

// The root has the tag that it had, so that the browser keeps the old one; the blocks are new.
describe("a server that makes its tags of size and time", () => {
  it.skipIf(!isThere(nginx) || noChromium)(
    "is asked once more, past the cache, where the digest does not fit",
    async () => {
      const site = { root: path.join(mkdtempSync(path.join(tmpdir(), "site-")), "dist"), port: await freePort() };
      const folder = mkdtempSync(path.join(tmpdir(), "nginx-"));
      const rules = `add_header Cache-Control no-cache; location / { try_files $uri $uri.html $uri/index.html =404; }`;
      const files = `include /etc/nginx/mime.types; server { listen 127.0.0.1:${site.port}; root ${site.root}; ${rules} }\n`;
      writeFileSync(path.join(folder, nginx.file), files);
      place(first, site.root);
      const { page } = await visit(site.port);
      await withServer(nginx, { folder, port: site.port, reads: [site.root] }, async () => {
        expect(await codeOn(page)).toBe("A-1");
        place(second, site.root, new Date("2026-11-28T12:00:00Z"));
        utimesSync(path.join(site.root, "registry.root"), NOON, NOON);
        expect(await codeOn(page)).toBe("A-2");
      });
    },
  );
});
