/**
 * "Prove it" on the page of a concept, with a real log on the same origin: what it says of the log
 * as it is, of one that was changed anywhere, and of another key; and what is there without it.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import path from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openRelease } from "../../runtime/release/release.ts";
import { listening } from "../support/free-port.ts";
import { listen, type Listening } from "../support/service.ts";
import { appendAndSign, copyHome, type Home, must, newHome, release } from "../tools/log/home.ts";
import { noChromium, visit } from "./chromium.ts";
import { faultsIn } from "./judge.ts";

const siteWith = (log: string): string =>
  `name: Words\nlog: ${log}\nsecurity: { contact: /answers, expires: 2027-01-01T00:00:00Z }\n`;

let home: Home;
/** A key of the same name. */
let other: string;
let service: Listening;
/** The folder that is served below /log/. */
let served: string;
let front: Server;
let port: number;

beforeAll(async () => {
  if (noChromium) return;
  home = await newHome({ "content/site.yaml": siteWith("/log") });
  for (const version of ["2026.12.1", "2026.12.2"]) {
    await release(home, version);
    await appendAndSign(home);
  }
  other = (await newHome()).vkey;
  served = home.at("log");
  service = await listen(openRelease(home.at("dist")));
  front = createServer((asked, answer) => {
    const file = path.join(served, (asked.url ?? "").slice("/log/".length));
    if (asked.url?.startsWith("/log/") === true) {
      answer.statusCode = existsSync(file) ? 200 : 404;
      answer.end(existsSync(file) ? readFileSync(file) : "");
      return;
    }
    const { method, headers } = asked;
    const passed = request({ host: "127.0.0.1", port: service.port, path: asked.url, method, headers }, (reply) => {
      answer.writeHead(reply.statusCode ?? 500, reply.headers);
      reply.pipe(answer);
    });
    asked.pipe(passed);
  });
  port = await listening(front);
});
afterAll(async () => {
  front?.close();
  await service?.close();
});

async function prove(page: Page, code: string): Promise<string[]> {
  await page.goto(`/concepts/${code}`);
  await page.getByRole("button", { name: "Prove it" }).click();
  return outcome(page);
}

/** The verdict, the heading or the lists, and the reason. */
async function outcome(page: Page): Promise<string[]> {
  await page.locator("#prove .verdict").waitFor();
  return page
    .locator("#prove .outcome > :is(.verdict, h3, p:not(.verdict)), #prove .outcome > ul > li")
    .allInnerTexts();
}

describe.skipIf(noChromium)("prove it", () => {
  it("shows and checks the proof of the page, and says what is proven and what is not", async () => {
    const { page, offences } = await visit(port);
    const said = await prove(page, "C-2");
    expect(said.slice(0, 5)).toEqual([
      "Proven",
      "What is proven",
      expect.stringMatching(/ 2026\.12\.2 is in the log registry\.example\/log, which has 2 releases\.$/),
      "2 expressions of this page have led to this code, and never to another, since they came into the log.",
      "What is not",
    ]);
    expect(said.slice(5)).toEqual([
      expect.stringContaining("no witness"),
      expect.stringContaining("meaning is right"),
      expect.stringContaining("page and its script"),
      expect.stringContaining("key below"),
    ]);
    expect(await faultsIn(page, "proof")).toEqual({});
    expect(offences).toEqual([]);
  });

  it("shows a proof that log verify accepts with the key of the owner", async () => {
    const { page } = await visit(port);
    await prove(page, "C-2");
    const text = (await page.locator("#prove pre code").textContent()) ?? "";
    writeFileSync(home.at("page.tlog-proof"), text);
    const { stdout } = await must(home.log("verify", home.at("page.tlog-proof"), "--vkey", home.vkey));
    expect(stdout).toContain('"pair" in en has meant C-2 from 2026.12.1, and no other code');
    expect(stdout).toContain('"zwei" in de has meant C-2 from 2026.12.1, and no other code');
  });

  it("says what an expression led to before", async () => {
    const { page } = await visit(port);
    const said = await prove(page, "C-3");
    expect(said).toContain("two (en) has led to C-2 since 2026.12.1, C-3 since 2026.12.2.");
    expect(said[0]).toBe("Proven");
  });

  const edit = (copy: Home, file: string, change: (bytes: Buffer) => Buffer): void =>
    writeFileSync(copy.at(`log/${file}`), change(readFileSync(copy.at(`log/${file}`))));
  const flipped = (bytes: Buffer): Buffer => Buffer.from(bytes.map((byte, i) => (i === 4 ? byte ^ 1 : byte)));

  it.each<[what: string, change: (copy: Home) => void, reason: RegExp]>([
    ["a checkpoint with another size", (copy) => edit(copy, "checkpoint", (note) => Buffer.from(note.toString().replace("\n2\n", "\n1\n"))), /signature of registry\.example\/log does not verify/],
    ["an entry that was changed", (copy) => edit(copy, "tile/entries/000.p/2", (bytes) => Buffer.from(bytes.toString("latin1").replaceAll("2026.12.2", "2026.12.9"), "latin1")), /The path of index 1 leads to/],
    ["a tile of another hash", (copy) => edit(copy, "tile/0/000.p/2", flipped), /The path of index 1 leads to .* of the checkpoint/],
    ["bindings that were changed", (copy) => edit(copy, "bindings/tile/entries/000.p/7", (bytes) => Buffer.from(bytes.toString("latin1").replaceAll("C-2", "C-9"), "latin1")), /leads to .* of the bindings of 2026\.12\.2/],
    ["a tile of the bindings that is cut short", (copy) => edit(copy, "bindings/tile/0/000.p/7", (bytes) => bytes.subarray(1)), /bindings\/tile|has 223 bytes, not 224/],
    ["a policy of another key", (copy) => edit(copy, "policy", () => Buffer.from(`log ${other}\nquorum none\n`)), /has the key id|not of/],
  ])("refuses %s", async (_what, change, reason) => {
    const copy = copyHome(home);
    change(copy);
    served = copy.at("log");
    const { page } = await visit(port);
    const [verdict, heading, message] = await prove(page, "C-2").finally(() => (served = home.at("log")));
    expect([verdict, heading]).toEqual(["Not proven", "The log contradicts itself or the policy"]);
    expect(message).toMatch(reason);
  }); // prettier-ignore

  it("refuses the log by a policy that the reader gives, and proves it by the right one", async () => {
    const { page } = await visit(port);
    await prove(page, "C-2");
    await page.locator("#prove summary").filter({ hasText: "Whom to trust" }).click();
    const own = await page.locator("#prove textarea").inputValue();
    await page.locator("#prove textarea").fill(`log ${other}\nquorum none\n`);
    await page.getByRole("button", { name: "Check again" }).click();
    await page.locator("#prove .refused").waitFor();
    await page.locator("#prove summary").filter({ hasText: "Whom to trust" }).click();
    await page.locator("#prove textarea").fill(own);
    await page.getByRole("button", { name: "Check again" }).click();
    await page.locator("#prove .resolved").waitFor();
    expect((await outcome(page))[0]).toBe("Proven");
  });

  it("says that nothing is proven where the log cannot be read", async () => {
    served = home.at("nowhere");
    const { page } = await visit(port);
    const said = await prove(page, "C-2").finally(() => (served = home.at("log")));
    expect(said).toEqual([
      "Not proven",
      "The log could not be read",
      expect.stringMatching(/\/log\/policy answers 404\.$/),
    ]);
  });

  it("is a link and commands without script", async () => {
    const { page } = await visit(port, { javaScriptEnabled: false });
    await page.goto("/concepts/C-2");
    expect(await page.getByRole("button", { name: "Prove it" }).count()).toBe(0);
    expect(await page.locator("#proof ~ .block").innerText()).toContain(
      "npx srs log prove --log 'https://registry.example/log' --code C-2 > C-2.tlog-proof",
    );
    expect(await page.getByRole("link", { name: "a transparency log" }).getAttribute("href")).toBe(
      "https://registry.example/log/checkpoint",
    );
  });

  it("asks nothing of a log on another origin, and gives the link and the commands", async () => {
    const elsewhere = await newHome({ "content/site.yaml": siteWith("https://log.example/words/") });
    await release(elsewhere, "2026.12.1");
    const own = await listen(openRelease(elsewhere.at("dist")));
    const { page, offences } = await visit(own.port);
    await page.goto("/concepts/C-2", { waitUntil: "networkidle" });
    expect(await page.locator("#proof ~ .block").innerText()).toContain("--log 'https://log.example/words' --code C-2");
    expect([await page.getByRole("button", { name: "Prove it" }).count(), offences]).toEqual([0, []]);
    await own.close();
  });
});
