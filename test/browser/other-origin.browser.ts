/**
 * A page of another origin in Chromium: it sends the fields that the service reads, and reads those
 * that documents tell clients to read. test/service/http/cors.test.ts holds every answer to this.
 */
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { paths } from "../../runtime/contract/paths.ts";
import { openRelease } from "../../runtime/release/release.ts";
import { IDENTITY_PATH } from "../support/deployment.ts";
import { starterRegistry } from "../support/documents.ts";
import { freePort, listening } from "../support/free-port.ts";
import { buildRelease } from "../support/release.ts";
import { type Listening, listen } from "../support/service.ts";
import { noChromium, visit } from "./chromium.ts";

const JSONLD = createRequire(import.meta.url).resolve("jsonld/dist/jsonld.min.js");

describe.skipIf(noChromium)("a page of another origin", () => {
  let service: Listening;
  let origin: string;
  let pages: Server;
  let pagesPort: number;
  beforeAll(async () => {
    // A concept names its context at the public origin, so the service is there.
    const port = await freePort();
    origin = `http://127.0.0.1:${port}`;
    const release = openRelease(await buildRelease(starterRegistry(), origin));
    const failureCategory = "identity_document_missing_or_unsafe";
    service = await listen(release, {
      port,
      rate: { perSecond: 1, burst: 1, now: () => 0 },
      identity: () => Promise.resolve({ verified: false, failureCategory, detail: "" }),
    });
    pages = createServer((request, response) => {
      const isScript = request.url === "/jsonld.js";
      response.setHeader("content-type", `text/${isScript ? "javascript" : "html"}; charset=utf-8`);
      response.end(isScript ? readFileSync(JSONLD) : '<!doctype html><script src="/jsonld.js"></script>');
    });
    pagesPort = await listening(pages);
  });
  afterAll(async () => {
    pages.close();
    await service.close();
  });

  async function open(): Promise<Page> {
    const { page } = await visit(pagesPort);
    await page.goto("/");
    return page;
  }

  /** The status of an answer and what script can read of its fields, or why there is none. */
  function ask(
    page: Page,
    path: string,
    init: object = {},
  ): Promise<{ status: number; fields: Record<string, string> }> {
    return page.evaluate(
      `fetch(${JSON.stringify(origin + path)}, ${JSON.stringify(init)}).then(
        ({ status, headers }) => ({ status, fields: Object.fromEntries(headers) }),
        (error) => String(error))`,
    );
  }

  it.each([
    ["a quoted profile", 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'],
    ["more than 128 bytes", `${"application/vnd.example+json;q=0.1, ".repeat(5)}*/*`],
  ])("may send an Accept with %s", async (_name, accept) => {
    const { status, fields } = await ask(await open(), "/.well-known/api-catalog", { headers: { accept } });
    expect([status, fields["content-type"]]).toEqual([200, expect.stringMatching(/^application\/linkset\+json/)]);
  });

  it("may send preconditions, and fields that the service ignores", async () => {
    const page = await open();
    const { fields } = await ask(page, "/llms.txt");
    const headers = { "if-none-match": fields["etag"], traceparent: "00-1-1-00", "cache-control": "no-cache" };
    expect(await ask(page, "/llms.txt", { headers })).toMatchObject({ status: 304 });
  });

  it("follows Link: JSON-LD libraries find the statements of a concept", async () => {
    const [concept] = starterRegistry().concepts;
    const url = `${origin}/api/v1/concepts/${concept?.code}`;
    const nodes = await (await open()).evaluate<object[]>(`jsonld.expand(${JSON.stringify(url)})`);
    expect(JSON.stringify(nodes)).toContain("http://www.w3.org/2004/02/skos/core#prefLabel");
  });

  it("reads when to come again, and whether the deployment is verified", async () => {
    const page = await open();
    const post = { method: "POST", headers: { "content-type": "application/json" }, body: '{"expression":"taxi"}' };
    expect(await ask(page, paths.resolve, post)).toMatchObject({ status: 200 });
    const limited = await ask(page, paths.resolve, post);
    expect([limited.status, Number(limited.fields["retry-after"]) > 0]).toEqual([429, true]);
    const { fields } = await ask(page, IDENTITY_PATH);
    expect(fields["x-service-semantics-deployment-identity"]).toBe("unavailable");
  });

  it("gets nothing of /mcp", async () => {
    const post = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" };
    expect(await ask(await open(), paths.mcp, post)).toMatch(/^TypeError/);
  });
});
