/** The `.htaccess` of docs/vocabularies.md as printed, in a real Apache: where it redirects. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { apache, isThere, withServer } from "./web-servers.ts";
import { freePort } from "../support/free-port.ts";

const GUIDE = readFileSync(path.resolve(import.meta.dirname, "../../docs/vocabularies.md"), "utf8");
const HOST = "https://registry.example.org";
const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

const CASES: readonly [path: string, accept: string, location: string][] = [
  ["/words/", "*/*", "/concepts"],
  ["/words/void", "text/turtle", "/.well-known/void"],
  ["/words/GS-REFUND-REQUEST", BROWSER, "/concepts/GS-REFUND-REQUEST"],
  ["/words/GS-REFUND-REQUEST", "text/turtle, */*;q=0.1", "/registry/concepts.ttl"],
  ["/words/GS-REFUND-REQUEST", "application/ld+json, application/json", "/api/v1/concepts/GS-REFUND-REQUEST"],
  ["/words/GS-REFUND-REQUEST", "*/*", "/api/v1/concepts/GS-REFUND-REQUEST"],
];

describe("a permanent address", () => {
  it.skipIf(!isThere(apache))("leads browsers to the page, and programs to the data", async () => {
    const printed = /^```apache\n(RewriteEngine.*?)^```/ms.exec(GUIDE)?.[1] ?? "";
    const folder = mkdtempSync(path.join(tmpdir(), "permanent-"));
    mkdirSync(path.join(folder, "site/words"), { recursive: true });
    writeFileSync(path.join(folder, "site/words/.htaccess"), printed);
    const site = `DocumentRoot ${folder}/site\n<Directory ${folder}/site>\nRequire all granted\nAllowOverride All\nOptions FollowSymLinks\n</Directory>\n`;
    writeFileSync(path.join(folder, apache.file), site);
    const port = await freePort();
    await withServer(apache, { folder, port, reads: [path.join(folder, "site/words/.htaccess")] }, async () => {
      for (const [at, accept, location] of CASES) {
        const { status, headers } = await fetch(`http://127.0.0.1:${port}${at}`, { headers: { accept }, redirect: "manual" }); // prettier-ignore
        expect([at, accept, status, headers.get("location")]).toEqual([at, accept, 303, HOST + location]);
      }
    });
    rmSync(folder, { recursive: true });
  });
});
