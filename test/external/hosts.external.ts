/**
 * Real web servers with the configuration that `host` writes, held to the law: what each keeps is
 * what it says, no more and no less. The table of docs/hosting.md is what this run gives.
 */
import { once } from "node:events";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { text as wholeText } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readContent } from "../../generator/content/read.ts";
import { fileSystem } from "../../generator/effects/file-system.ts";
import { overlaid } from "../../generator/effects/overlay.ts";
import { paths } from "../../runtime/contract/paths.ts";
import { negotiate } from "../../runtime/http/negotiate.ts";
import { buildInto } from "../support/build.ts";
import { folder as contentOf, runHere } from "../support/command.ts";
import { nasty } from "../support/nasty.ts";
import { checkedRegistry, concept, expression } from "../support/registry.ts";
import { buildRelease } from "../support/release.ts";
import { importResolver } from "../support/static-host.ts";
import { type Service, serveFolder } from "../support/service.ts";
import { apache, caddy, isThere, nginxWithSettings as nginx, withServer } from "./web-servers.ts";
import { freePort } from "../support/free-port.ts";

/** The laws that each breaks without a runtime, with one, and with prerendered concepts. */
const HOSTS = [
  {
    server: nginx,
    weighs: true,
    broken: [
      ["digests", "pages", "identity", "concepts", "filter", "resolve", "MCP"],
      ["digests"],
      ["digests", "identity", "filter", "resolve", "MCP"],
    ],
  },
  {
    server: apache,
    weighs: true,
    broken: [
      ["digests", "pages", "identity", "concepts", "filter", "resolve", "MCP"],
      [],
      ["digests", "pages", "identity", "filter", "resolve", "MCP"],
    ],
  },
  {
    server: caddy,
    weighs: false,
    broken: [
      ["digests", "negotiation", "pages", "identity", "concepts", "filter", "resolve", "MCP"],
      [],
      ["digests", "negotiation", "pages", "identity", "filter", "resolve", "MCP"],
    ],
  },
] as const;

/** The forms of /answers, and fields of Accept. */
const TYPES = ["application/json", "text/html; charset=utf-8", "text/markdown; charset=utf-8"];
const FIELDS = [
  undefined,
  "",
  ",",
  "*/*",
  "text/*",
  "text/html;q=0.5, application/json;q=0.4",
  "text/html;q=0.5, application/json;q=0.501",
  "text/html, */*",
  "text/markdown, text/*",
  "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
  "image/png",
  "*/*;q=0",
  "text/html;level=1",
  "text/html;charset=UTF-8",
  "TEXT/MARKDOWN;variant=GFM",
  'a/b;x=",",text/html',
  "text/html;q=0,*/*",
  ";;;",
  "text/html ; q=0.3,*/*;q=0.2",
  "application/json;q=0.001",
];
/** Here a range counts for Apache that the service does not know. */
const MALFORMED = ["text/html;q=1.0001", "*/html", "text/html;q="];

const ORIGIN = "http://registry.example";
const SITE = "name: Words\nsecurity: { contact: /answers, expires: 2027-01-01T00:00:00Z }\n";
/** The first two end as names of files do that Apache takes for something else. */
const CODES = ["C.FR", "C.VAR", ...Array.from({ length: 100 }, (_none, i) => `C-${i}`)];
let dist: string;
/** Of more concepts than a page of their list has, with pages in two languages. */
let long: string;
let runtime: Service;
beforeAll(async () => {
  dist = await buildRelease(checkedRegistry(nasty), ORIGIN);
  const content = contentOf({ "site.yaml": SITE, "interface/de.yaml": "language.name: Deutsch\n" });
  long = path.join(content, "dist");
  const read = readContent(overlaid(fileSystem, content), content);
  if (read.content === undefined) throw new Error(JSON.stringify(read.findings));
  const concepts = [...nasty.concepts, ...CODES.map((code) => concept(code, [expression("en", `word ${code}`)]))];
  await buildInto(long, checkedRegistry({ ...nasty, concepts }), { origin: ORIGIN, content: read.content });
  runtime = await serveFolder(dist);
});
afterAll(() => runtime.close());

describe.each(HOSTS)("$server.name", ({ server, weighs, broken }) => {
  it.skipIf(!isThere(server)).each([
    ["without a runtime", 0],
    ["with a runtime", 1],
    ["with prerendered concepts", 2],
  ] as const)("keeps the laws that it says, %s", async (_name, at) => {
    const release = at === 2 ? long : dist;
    const folder = mkdtempSync(path.join(tmpdir(), `${server.name}-`));
    const port = await freePort();
    const own = [[], ["--runtime", `http://127.0.0.1:${runtime.port}`], ["--prerender"]][at] ?? [];
    const place = ["--into", folder, "--files", folder, "--root", release, "--listen", `127.0.0.1:${port}`];
    const args = ["host", server.name, "--release", release, ...place, ...own];
    expect(await runHere(args)).toMatchObject({ code: 0, stderr: "" });
    await withServer(server, { folder, port, reads: [release] }, async () => {
      const { stdout } = await runHere(["verify-origin", `http://127.0.0.1:${port}`, "--release", release, "--json"]);
      const { laws, differences } = JSON.parse(stdout) as {
        laws: { law: string; failed: number; asked: number }[];
        differences: { law: string; request: string; text: string }[];
      };
      const kept = laws.map(({ law, failed, asked }) => `${server.name} ${at} ${law}: ${asked - failed} of ${asked}`); // prettier-ignore
      console.info(kept.join("\n"));
      if (at === 0) await showFiles(port);
      if (at === 2) expect(await deadLinks(port)).toEqual([]);
      const asked = at === 1 ? BEHIND : CONDITIONS.slice(at === 2 ? 0 : 3);
      expect(await conditions(port, asked)).toEqual(asked);
      const slashes = server === apache ? "200 application/json" : "404 application/json";
      if (at === 2) expect(await otherAnswers(port)).toEqual(["400 of its own", "200 application/json", slashes, "404 application/json"]); // prettier-ignore
      if (weighs) for (const field of FIELDS) expect([field, await formOf(port, field)]).toEqual([field, negotiate(field, TYPES) ?? -1]); // prettier-ignore
      const found = laws.filter(({ failed }) => failed > 0).map(({ law }) => law);
      const due: readonly string[] = broken[at];
      expect([found, differences.filter(({ law }) => !due.includes(law))]).toEqual([due, []]);
    });
    rmSync(folder, { recursive: true });
  });
});

it.skipIf(!isThere(nginx)).each([
  ["prerendered", ["/openapi.json", "/answers", "/api/v1/concepts/C-OWN", "/api/v1/concepts/N-TAXI"]],
  ["with a runtime", ["/openapi.json", "/answers"]],
])("one nginx holds two releases, each with its own tags: %s", async (how, asked) => {
  const other = "http://other.example";
  const registry = checkedRegistry({ concepts: [concept("C-OWN", [expression("en", "own")])] });
  const releases = [dist, await buildRelease(registry, other)];
  const folder = mkdtempSync(path.join(tmpdir(), "two-"));
  const port = await freePort();
  for (const [i, release] of releases.entries()) {
    const into = path.join(folder, String(i));
    const place = ["--into", into, "--files", into, "--root", release, "--listen", `127.0.0.1:${port}`];
    const more = how === "prerendered" ? ["--prerender"] : ["--runtime", `http://127.0.0.1:${runtime.port}`];
    expect(await runHere(["host", "nginx", "--release", release, ...place, ...more])).toMatchObject({ code: 0 });
    copyFileSync(path.join(into, "negotiate.js"), path.join(folder, "negotiate.js"));
  }
  writeFileSync(path.join(folder, "nginx.conf"), "include 0/nginx.conf;\ninclude 1/nginx.conf;\n");
  await withServer(nginx, { folder, port, reads: releases }, async () => {
    const both = (where: string, fields: Record<string, string>) =>
      Promise.all([ORIGIN, other].map((one) => answerOf(port, where, { host: new URL(one).host, ...fields })));
    for (const where of asked) {
      const whole = await both(where, {});
      for (const { headers } of whole) {
        const again = await both(where, { "if-none-match": headers.etag ?? '"none"' });
        const due = whole.map(({ status, headers: { etag } }) => (etag !== undefined && etag === headers.etag ? 304 : status)); // prettier-ignore
        expect([where, ...again.map(({ status }) => status)]).toEqual([where, ...due]);
      }
    }
    const [first, second] = await both("/answers", { accept: "text/markdown" });
    expect([first?.body.includes(ORIGIN), second?.body.includes(other)]).toEqual([true, true]);
  });
  rmSync(folder, { recursive: true });
});

/**
 * Requests with the answers of the service: the status, and fields that say more than they ought.
 */
const CONDITIONS: readonly (readonly [path: string, fields: Record<string, string>, answer: string])[] = [
  ["/api/v1/concepts/c-dfm7yz", { "if-none-match": "*" }, '404 {"error":"concept_not_found"}'],
  ["/api/v1/concepts/", {}, '404 "not_found"'],
  ["/concepts?in=de", {}, '404 "not_found"'],
  ["/answers", { "if-none-match": "*" }, "304 vary: Accept"],
  ["/answers", { "if-match": '"x"' }, '412 "precondition_failed"'],
  ["/answers", { accept: "image/png" }, "406 vary: Accept"],
  ["/llms.txt", { "if-none-match": "*" }, "304"],
  ["/llms.txt", { "if-none-match": "*", host: "registry.example" }, "304"],
  ["/mcp-guide", { "if-none-match": "*" }, "200"],
  ["/mcp-guide", { "if-match": '"x"' }, '412 "precondition_failed"'],
  ["/api/v1/status", { "if-none-match": "*" }, "200"],
  ["/api/v1/status", { "if-match": '"x"' }, '412 "precondition_failed"'],
  ["/answers", { accept: "text/markdown", "if-none-match": "*" }, "304 vary: Accept"],
  ["/answers", { accept: "text/markdown", "if-match": '"x"' }, '412 "precondition_failed"'],
  ["/llms.txt", { range: "bytes=0-1", "if-range": '"x"' }, "200"],
  ["/.well-known//void", {}, '404 "not_found"'],
  ["/api/v1/integration-readiness/report/CLARIFICATION", {}, '404 "recipe_not_found"'],
];

/** The same where a runtime answers what the host cannot. */
const BEHIND: typeof CONDITIONS = [
  ["/llms.txt", { range: "bytes=0-1" }, "200"],
  ["/llms.txt", { range: "bytes=0-1", "if-range": '"x"' }, "200"],
  ["/answers.json", { accept: "application/json;q=0" }, "406 vary: Accept"],
  ["/answers.json", { accept: "text/html, application/json;q=0.1" }, "200 vary: Accept"],
  ["/answers.json", { accept: "APPLICATION/json" }, "200 vary: Accept"],
  ["/answers.json", { accept: "" }, "200 vary: Accept"],
];

/** Where a host answers in another way than the service (docs/hosting.md). */
async function otherAnswers(port: number): Promise<string[]> {
  const asked = ["/api/v1/concepts/%zz", "/api/v1/integration-readiness/report/clarif%69cation", "//answers", "/concepts/-"]; // prettier-ignore
  return Promise.all(
    asked.map(async (where) => {
      const { status, headers } = await answerOf(port, where, {});
      return `${status} ${headers["cache-control"] === undefined ? "of its own" : (headers["content-type"] ?? "")}`;
    }),
  );
}

async function conditions(port: number, asked: typeof CONDITIONS): Promise<typeof CONDITIONS> {
  return Promise.all(
    asked.map(async ([where, fields]) => {
      const { status, headers, body } = await answerOf(port, where, fields);
      // Only a runtime has two forms of a 404; a host has one, with the same fields.
      const vary = status === 404 ? [] : ["vary"];
      const names = ["location", "tcn", "alternates", ...vary, ...(status === 412 ? ["content-location"] : []), ...(where.endsWith("status") ? ["etag"] : [])]; // prettier-ignore
      const more = names.flatMap((name) => (headers[name] === undefined ? [] : [`${name}: ${String(headers[name])}`]));
      const [code] = /\{"error":"\w+"\}|(?<="code":)"\w+"/.exec(status === 404 || status === 412 ? body : "") ?? [];
      return [where, fields, [status, ...(code === undefined ? [] : [code]), ...more].join(" ")] as const;
    }),
  );
}

/** Links of pages without a successful answer; only the deployment identity may fail. */
async function deadLinks(port: number): Promise<string[]> {
  const seen = new Set(["/"]);
  const dead: string[] = [];
  for (const link of seen) {
    const accept = "text/html, */*;q=0.1";
    const answer = await fetch(`http://127.0.0.1:${port}${link}`, { redirect: "manual", headers: { accept } });
    const text = await answer.text();
    const to = answer.headers.get("location");
    if (to !== null) seen.add(to.replace(ORIGIN, ""));
    else if (!answer.ok && link !== paths.deployment) dead.push(`${link} ${answer.status}`);
    if (answer.headers.get("content-type")?.startsWith("text/html") !== true) continue;
    for (const [, href = ""] of text.matchAll(/(?:href|src)="(\/[^"#]*)/g)) seen.add(href.replaceAll("&amp;", "&"));
  }
  expect(seen.size).toBeGreaterThan(200);
  return dead;
}

/** The resolver of dist works there, and what belongs to the runtime alone is not found. */
async function showFiles(port: number): Promise<void> {
  const { openRegistry } = await importResolver(dist);
  const registry = await openRegistry(`http://127.0.0.1:${port}`);
  for (const [written, outcome] of [
    ["many", "ambiguous"],
    ["nobody says this", "no_reviewed"],
  ] as const) {
    const { body } = await registry.resolve({ expression: written });
    expect([body, body.includes(outcome)]).toEqual([
      (await runtime.resolve({ expression: written })).body.toString(),
      true,
    ]);
  }
  for (const file of ["/manifest.json", "/shell.html", "/mcp.json", "/api/v1/integration-studio/index.json"])
    expect([file, (await fetch(`http://127.0.0.1:${port}${file}`)).status]).toEqual([file, 404]);
}

async function answerOf(port: number, where: string, headers: Record<string, string>) {
  const [answer] = (await once(get({ host: "127.0.0.1", port, path: where, headers, agent: false }), "response")) as [
    IncomingMessage,
  ];
  return { status: answer.statusCode, headers: answer.headers, body: await wholeText(answer) };
}

/** The index of the form of /answers that is sent, or -1; fetch would add an Accept field. */
async function formOf(port: number, accept: string | undefined): Promise<number> {
  const { headers } = await answerOf(port, "/answers", accept === undefined ? {} : { accept });
  const [sent] = (headers["content-type"] ?? "").split(";");
  return TYPES.findIndex((type) => type.split(";")[0] === sent);
}

describe("the script for nginx", () => {
  it("chooses as the service does", async () => {
    const script = path.resolve(import.meta.dirname, "../../generator/tools/hosts/files/negotiate.js");
    const module = `data:text/javascript,${encodeURIComponent(readFileSync(script, "utf8"))}`;
    const { default: own } = (await import(module)) as {
      default: { negotiate: (field: string | undefined, types: string[]) => number };
    };
    for (const field of [...FIELDS, ...MALFORMED])
      expect([field, own.negotiate(field, TYPES)]).toEqual([field, negotiate(field, TYPES) ?? -1]);
  });
});
