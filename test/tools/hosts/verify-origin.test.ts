/** `verify-origin` against the real server and against hosts that each break part of the law. */
import { rmSync } from "node:fs";
import http from "node:http";
import { pipeline, Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type HttpClient, httpClient } from "../../../generator/effects/http-client.ts";
import { type Case, expectedAnswers, lawCases, LAWS } from "../../../generator/tools/hosts/law.ts";
import type { Expect } from "../../../generator/tools/hosts/request.ts";
import { checkOrigin, type OriginReport } from "../../../generator/tools/hosts/origin-check.ts";
import type { Identity } from "../../../runtime/release/identity.ts";
import { type Outcome, runHere } from "../../support/command.ts";
import { empty } from "../../support/nasty.ts";
import { checkedRegistry, concept, expression } from "../../support/registry.ts";
import { buildRelease } from "../../support/release.ts";
import { type Service, serveFolder } from "../../support/service.ts";
import { listening } from "../../support/free-port.ts";
import { Copy, IDENTITY } from "../../support/tamper.ts";

const ORIGIN = "http://127.0.0.1:1";
/** Resolved, ambiguous and near. */
const few = {
  concepts: [
    concept("A-1", [expression("en", "one"), expression("de", "eins")]),
    concept("B-1", [expression("en", "one"), expression("fr", "deux", { equivalenceStrength: 0.5 })]),
  ],
};
let dist: string;
let service: Service;
beforeAll(async () => {
  dist = await buildRelease(checkedRegistry(few), ORIGIN);
  service = await serveFolder(dist);
});
afterAll(() => service.close());

function verifyOrigin(...args: readonly string[]): Promise<Outcome> {
  return runHere(["verify-origin", ...args]);
}

describe("verify-origin", () => {
  it.each([
    ["with concepts", few],
    ["without any", empty],
    [
      "with a name of emoji",
      { concepts: [{ ...concept("A-1", [expression("en", "one")]), name: `x${"😀".repeat(40)}` }] },
    ],
  ])("finds that the server keeps every law, %s", async (_name, registry) => {
    const own = await buildRelease(checkedRegistry(registry), ORIGIN);
    const served = await serveFolder(own);
    const { code, stdout } = await verifyOrigin(`http://127.0.0.1:${served.port}`, "--release", own);
    await served.close();
    expect(stdout).not.toContain("broken");
    expect([code, stdout.match(/^kept {4}/gm)?.length]).toEqual([0, LAWS.length]);
  });

  it("sees every line of a field that a server sends twice", async () => {
    const twice = http.createServer((_request, response) => {
      response.writeHead(200, ["ETag", '"a"', "ETag", '"b"', "Age", "1", "Age", "2"]).end();
    });
    const port = await listening(twice);
    const client = httpClient();
    const url = `http://127.0.0.1:${port}/`;
    const { fields } = await client.ask({ url, method: "GET", fields: {}, maxBytes: 1, timeoutMs: 60_000 });
    client.close();
    twice.close();
    expect(fields).toMatchObject({ etag: '"a", "b"', age: "1, 2" });
  });

  it("asks again where a connection that was kept has ended, and only there", async () => {
    const seen = new Set<unknown>();
    const once = http.createServer(({ socket, url }, response) => {
      if (url === "/begun" && seen.has(socket)) socket.end("HTTP/1.1 500 Inter");
      else if (url === "/wrong" && seen.has(socket)) socket.end("HTTP/1.1 200 OK\r\nBad Header : x\r\n\r\n");
      else if (url === "/other")
        socket.end("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n");
      else if (url === "/never" || seen.size === seen.add(socket).size) socket.destroy();
      else response.end("a");
    });
    const port = await listening(once);
    const client = httpClient();
    const ask = async (path: string): Promise<number | string> => {
      const url = `http://127.0.0.1:${port}${path}`;
      const reply = client.ask({ url, method: "GET", fields: {}, maxBytes: 1, timeoutMs: 60_000 });
      return reply.then(({ status }) => status).catch(({ message }: Error) => message);
    };
    expect([await ask("/"), await ask("/"), await ask("/")]).toEqual([200, 200, 200]);
    expect([await ask("/never"), await ask("/never")]).toEqual(Array(2).fill("it closed the connection"));
    for (const [path, why] of [["/begun", "it closed the connection"], ["/wrong", "its answer is not HTTP/1.1"], ["/other", "it answers 101"]] as const) {
      // One connection is kept before, which has answered one request.
      seen.clear();
      expect([await ask("/"), await ask(path)]).toEqual([200, why]);
    } // prettier-ignore
    client.close();
    once.close();
  });

  it("names, as JSON too, what a server with another release answers", async () => {
    const other = await buildRelease(checkedRegistry(empty), ORIGIN);
    const { code, stdout } = await verifyOrigin(`http://127.0.0.1:${service.port}`, "--release", other, "--json");
    const report = JSON.parse(stdout) as { laws: object[]; differences: object[] };
    expect([code, report.laws.length]).toEqual([1, LAWS.length]);
    expect(report.differences).toContainEqual(
      expect.objectContaining({ law: "bytes", request: "GET /api/v1/agent/connect" }),
    );
  });

  it("ends in bounded time and memory where there is no server of the kind", async () => {
    const reach = async (url: string): Promise<string> => {
      const { code, stdout, stderr } = await verifyOrigin(url, "--release", dist);
      expect([code, stdout]).toEqual([2, ""]);
      return stderr;
    };
    expect(await reach("http://127.0.0.1:9")).toBe(
      "http://127.0.0.1:9 cannot be reached: nothing is listening there\n",
    );
    expect(await reach(`https://127.0.0.1:${service.port}`)).toContain("cannot be reached");
    // A server of endless answers, which all differ.
    const zeros = function* (): Generator<Uint8Array> {
      for (;;) yield new Uint8Array(65_536);
    };
    const endless = http.createServer(({ method, url = "" }, response) => {
      if (method === "HEAD" || !/^\/(?:$|llms|answers|api\/v1\/status)/.test(url)) response.end();
      else pipeline(Readable.from(zeros()), response, () => undefined);
    });
    const port = await listening(endless);
    const before = process.memoryUsage.rss();
    const { code } = await verifyOrigin(`http://127.0.0.1:${port}`, "--release", dist);
    endless.closeAllConnections();
    endless.close();
    expect([code, process.memoryUsage.rss() - before < 300_000_000]).toEqual([1, true]);
  });

  it("refuses what is no origin, and no release", async () => {
    for (const args of [[], ["example.org"], ["https://example.org/base"], ["https://a", "https://b"]]) {
      expect(await verifyOrigin(...args, "--release", dist)).toMatchObject({ code: 2, stdout: "" });
    }
    const { code, stderr } = await verifyOrigin("https://example.org", "--release", "nowhere");
    expect([code, stderr]).toEqual([2, "--release nowhere is not a directory\n"]);
  });

  it.each([
    ["missing", undefined, "does not exist: build first"],
    ["not JSON", "{", "differs from its digest in SHA256SUMS: restore the file or build again"],
    ["of another deployment", '"treeDigest": "' + "0".repeat(64), "differs from its digest in SHA256SUMS: restore"],
  ])("refuses a release whose deployment identity is %s", async (_what, written, message) => {
    const copy = new Copy(dist);
    if (written === undefined) rmSync(copy.at(IDENTITY));
    else copy.write(IDENTITY, written);
    const { code, stdout, stderr } = await verifyOrigin("http://127.0.0.1:1", "--release", copy.directory);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(`${copy.at(IDENTITY)} ${message}`);
  });
});

type Change = (message: Message, asked: { readonly fields: Readonly<Record<string, string>> }) => unknown;

interface Message {
  readonly path: string;
  status: number;
  fields: Record<string, string>;
  body: Uint8Array;
}

const isText = ({ path }: Message): boolean => path === "/llms.txt";

describe("the law", () => {
  let cases: Case[];
  let expected: Expect;
  let answers: Expect;
  beforeAll(async () => {
    const document = new TextEncoder().encode("{}\n");
    const identity: Identity = { verified: true, document, sha256: "0", treeDigest: "0" };
    expected = expectedAnswers(service.release, identity);
    // Another handler, so that its pages can have other nonces.
    answers = expectedAnswers(service.release, identity);
    const all = await lawCases(service.release, expected);
    cases = all.filter(({ request: { path } }) =>
      /^\/(?:$|llms|answers|mcp$|concepts$|api\/v1\/(?:resolve|status|concepts$)|\.well-known)|a-1$|B-1$|[A-Z]$|q=/.test(
        path,
      ),
    );
  });

  /** What is found of a host that changes the service's answers. */
  async function reportOf(change: Change): Promise<OriginReport> {
    let pages = 0;
    const ask: HttpClient["ask"] = async ({ method, url, fields, body }) => {
      const path = url.slice(ORIGIN.length);
      const due = await answers({ method, path, fields, ...(body !== undefined && { body }) });
      const nonce = `cGFnZS${String(pages++).padStart(6, "0")}`;
      const [csp, page] = [due.fields["content-security-policy"], Buffer.from(due.body).toString()];
      const message: Message = { path, status: due.status, fields: { ...due.fields }, body: due.body };
      if (csp !== undefined) {
        const old = /'nonce-([^']+)'/.exec(csp)?.[1] ?? "";
        message.fields["content-security-policy"] = csp.replaceAll(old, nonce);
        message.body = Buffer.from(page.replaceAll(old, nonce));
        const bytes = await crypto.subtle.digest("SHA-256", Uint8Array.from(message.body));
        const [hex, base64] = [Buffer.from(bytes).toString("hex"), Buffer.from(bytes).toString("base64")];
        message.fields["x-content-sha256"] &&= hex;
        message.fields["repr-digest"] &&= `sha-256=:${base64}:`;
        message.fields["etag"] &&= `"${hex}"`;
      }
      change(message, { fields });
      return message;
    };
    const client = { ask, close: () => undefined };
    return checkOrigin({ url: ORIGIN, cases, expected, client, progress: () => undefined });
  }

  async function findings(change: Change): Promise<string[]> {
    const { differences } = await reportOf(change);
    return differences.map(({ law, request, text }) => `${law}: ${request} ${text}`);
  }

  it("counts no more faults of a law than requests that show something of it", async () => {
    const { laws } = await reportOf(({ fields }) => (fields["age"] = "900"));
    const caching = laws.find(({ law }) => law === "caching");
    expect(caching).toMatchObject({ asked: cases.length, failed: cases.length });
  });

  it("is kept by the service itself", async () => {
    expect(await findings(() => undefined)).toEqual([]);
  });

  it.each<[fault: string, finding: RegExp, change: Change]>([
    ["a changed byte", /^bytes: GET \/llms.txt has other bytes/, (m) => isText(m) && (m.body = m.body.with(5, 1))],
    ["a missing end", /^bytes: GET \/llms.txt is cut short/, (m) => isText(m) && (m.body = m.body.subarray(0, 9))],
    [
      "compression",
      /^no recoding: GET \/llms.txt has Content-Encoding "gzip"/,
      (m) => {
        m.fields["content-encoding"] = "gzip";
        if (m.body.length > 0) m.body = gzipSync(m.body);
      },
    ],
    ...["br", "zstd", "deflate"].map((coding): [string, RegExp, Change] => [
      `compression by ${coding} alone`,
      new RegExp(`^no recoding: GET /llms.txt has Content-Encoding "${coding}"`),
      (m, { fields }) => fields["accept-encoding"]?.includes(coding) && (m.fields["content-encoding"] = coding),
    ]),
    ["a weak ETag", /^ETag: .* has etag "W\//, ({ fields }) => (fields["etag"] &&= `W/${fields["etag"]}`)],
    ["revalidation by another tag", /^304: .* answers 200, not 304/, (m) => m.status === 304 && (m.status = 200)],
    ["a body of a 304", /^304: .* has a body of 1 bytes/, (m) => m.status === 304 && (m.body = Buffer.from("x"))],
    ["a 304 without fields", /^caching: .* lacks cache-control/, (m) => m.status === 304 && (m.fields = {})],
    [
      "a media type of a 304",
      /^media type: .* has content-type, which/,
      (m) => m.status === 304 && (m.fields["content-type"] = "text/html"),
    ],
    [
      "a tag of a refusal",
      /^ETag: .*image\/png\) has etag, which/,
      (m) => m.status === 406 && (m.fields["etag"] = '"x"'),
    ],
    [
      "a tag of a page that is not its own",
      /^digests: GET \/ has no digest/,
      (m) => m.path === "/" && (m.fields["etag"] = '"x"'),
    ],
    [
      "another digest of a page",
      /^digests: GET \/ has no digest/,
      (m) => m.path === "/" && (m.fields["repr-digest"] = "sha-256=:AAAA:"),
    ],
    [
      "another length by HEAD",
      /^HEAD: HEAD \/llms.txt has content-length "7", not/,
      (m) => isText(m) && (m.fields["content-length"] = "7"),
    ],
    ["no length by HEAD", /^HEAD: HEAD \/llms.txt lacks content-length/, (m) => delete m.fields["content-length"]],
    [
      "a length of a 304",
      /^304: .* has content-length, but no body/,
      (m) => m.status === 304 && (m.fields["content-length"] = "0"),
    ],
    [
      "a length of a 204",
      /^405: OPTIONS \/answers has content-length, but no body/,
      (m) => m.status === 204 && (m.fields["content-length"] = "0"),
    ],
    [
      "a language of a 304",
      /^media type: .* has content-language, which/,
      (m) => m.status === 304 && (m.fields["content-language"] = "en"),
    ],
    [
      "a page to be saved",
      /^media type: GET \/ has content-disposition, which/,
      (m) => m.path === "/" && (m.fields["content-disposition"] = "attachment"),
    ],
    [
      "a date to revalidate by",
      /^ETag: GET \/llms.txt has last-modified, which/,
      (m) => isText(m) && (m.fields["last-modified"] = "Sun, 06 Nov 1994 08:49:37 GMT"),
    ],
    [
      "a document that says that the deployment is verified",
      /^identity: GET \/llms.txt has x-service-semantics-deployment-identity, which/,
      (m) => isText(m) && (m.fields["x-service-semantics-deployment-identity"] = "verified"),
    ],
    [
      "a page that somebody is to have",
      /^pages: GET \/ \(if-none-match: \*\) answers 304, not 200/,
      (m, { fields }) => m.path === "/" && fields["if-none-match"] !== undefined && (m.status = 304),
    ],
    [
      "no leave to send JSON",
      /^CORS: OPTIONS \/api\/v1\/resolve lacks access-control-allow-headers/,
      (m) => delete m.fields["access-control-allow-headers"],
    ],
    [
      "leave to send credentials",
      /^CORS: .* has access-control-allow-credentials/,
      (m) => (m.fields["access-control-allow-credentials"] = "true"),
    ],
    [
      "a session",
      /^MCP: POST \/mcp has mcp-session-id/,
      (m) => m.path === "/mcp" && (m.fields["mcp-session-id"] = "1"),
    ],
    ["no digests", /^digests: .* lacks repr-digest/, (m) => delete m.fields["repr-digest"]],
    ["a media type", /^media type: .* has content-type/, (m) => isText(m) && (m.fields["content-type"] = "text/html")],
    [
      "a redirect",
      /^bytes: GET \/llms.txt answers 301 and redirects to "\/there", not 200/,
      (m) => isText(m) && Object.assign(m, { status: 301, fields: { location: "/there" } }),
    ],
    [
      "a path in any case",
      /^bytes: GET \/ANSWERS answers 200, not 404/,
      (m) => m.path === "/ANSWERS" && (m.status = 200),
    ],
    [
      "a code in any case, where a client has it",
      /^concepts: GET \/api\/v1\/concepts\/a-1 \(if-none-match: \*\) answers 304, not 404/,
      (m) => m.path.endsWith("/a-1") && (m.status = 304),
    ],
    ["no Vary", /^Vary: .* lacks vary/, (m) => delete m.fields["vary"]],
    ["no CORS", /^CORS: .* lacks access-control-allow-origin/, (m) => delete m.fields["access-control-allow-origin"]],
    ["a stale cache", /^caching: .* was 301 s in a cache/, (m) => isText(m) && (m.fields["age"] = "301")],
    ["a stale cache behind another", /^caching: .* was 301 s/, (m) => isText(m) && (m.fields["age"] = "301, 1")],
    ["a cookie", /^caching: .* sets a cookie/, (m) => isText(m) && (m.fields["set-cookie"] = "a=b")],
    [
      "a private cache policy",
      /^caching: .* has cache-control "private/,
      (m) => isText(m) && (m.fields["cache-control"] = "private, max-age=300"),
    ],
    ["a page without a policy", /^pages: .* has no nonce/, (m) => delete m.fields["content-security-policy"]],
    [
      "one nonce for all",
      /^pages: .* has a nonce that another answer had/,
      ({ fields }) =>
        (fields["content-security-policy"] &&= fields["content-security-policy"].replaceAll(
          /nonce-[^']+/g,
          "nonce-AAAA",
        )),
    ],
    ["no refusal of a type", /^406: .* answers 200, not 406/, (m) => m.status === 406 && (m.status = 200)],
    ["no OPTIONS", /^405: OPTIONS \/answers answers 501, not 204/, (m) => m.status === 204 && (m.status = 501)],
    [
      "CORS on /mcp",
      /^CORS: POST \/mcp has access-control-allow-origin, which/,
      (m) => m.path === "/mcp" && (m.fields["access-control-allow-origin"] = "*"),
    ],
    [
      "a missing concept",
      /^concepts: GET \/api\/v1\/concepts\/B-1 answers 404, not 200/,
      (m) => m.path === "/api/v1/concepts/B-1" && (m.status = 404),
    ],
    [
      "a filter that finds nothing",
      /^filter: GET \S+\?q=\S+ has other bytes/,
      (m) =>
        m.path.startsWith("/api/v1/concepts?q=") &&
        !m.path.endsWith("=a") &&
        (m.body = Buffer.from('{"data":[],"count":0}\n')),
    ],
    [
      "another dataset",
      /^bytes: GET \/.well-known\/void has other bytes/,
      (m) => m.path === "/.well-known/void" && (m.body = Buffer.from("lies")),
    ],
    ["no POST", /^resolve: .* answers 404, not 200/, (m) => m.path === "/api/v1/resolve" && (m.status = 404)],
    ["no MCP", /^MCP: POST \/mcp answers 403, not 200/, (m) => m.path === "/mcp" && (m.status = 403)],
    ["an unproven deployment", /^identity: .* 503, not 200/, (m) => /deploy/.test(m.path) && (m.status = 503)],
  ])("finds %s", async (_fault, finding, change) => {
    expect((await findings(change)).some((text) => finding.test(text))).toBe(true);
  });
});
