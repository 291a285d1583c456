/** How representations travel: negotiation, validators, HEAD, 304, 406, caching, and what hostile requests get instead. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import net from "node:net";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NotAcceptable } from "../../../runtime/contract/representation.ts";
import { Discovery } from "../../../runtime/contract/reference.ts";
import { ErrorEnvelope } from "../../../runtime/contract/resolution.ts";
import { inventory, paths, policies, resources, schemaNames, schemaPath } from "../../../runtime/contract/policy.ts";
import { problem, type ProblemCode } from "../../../runtime/contract/problem.ts";
import { openRelease } from "../../../runtime/release/release.ts";
import { NOT_MODIFIED_FIELDS } from "../../../runtime/http/representation.ts";
import { RECIPES } from "../../support/documents.ts";
import { empty, nasty } from "../../support/nasty.ts";
import { checkedRegistry } from "../../support/registry.ts";
import { ORIGIN, ownRelease } from "../../support/release.ts";
import { expectSchema } from "../../support/schemas.ts";
import { type Reply, type Service, startService, listen } from "../../support/service.ts";

// Its types need those of the DOM, so it is taken without any.
const require = createRequire(import.meta.url);
const { parseDictionary } = require("structured-headers") as {
  parseDictionary: (text: string) => Map<string, [value: unknown, parameters: Map<string, unknown>]>;
};

let service: Service;
beforeAll(async () => {
  service = await startService(checkedRegistry(nasty));
});
afterAll(() => service.close());

/** A table of texts: one by one with spaces between, or with bars where they hold spaces. */
const words = (...lines: string[]): string[] => lines.flatMap((line) => line.split(" "));
const cells = (...lines: string[]): string[] => lines.flatMap((line) => line.split(" | "));

const JSON_TYPE = "application/json";
const HTML_TYPE = "text/html; charset=utf-8";
const MARKDOWN_TYPE = "text/markdown; charset=utf-8";
const LINKSET_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';
const PUBLIC = "public, max-age=300, must-revalidate, no-transform";
/** What a browser asks for. */
const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8";

/** The ten routes of contract §4.5 and O-09, with the media types of their 200 in the server's order. */
const ten: readonly (readonly [path: string, first: string, ...others: string[]])[] = [
  ["/.well-known/api-catalog", LINKSET_TYPE],
  ["/.well-known/service-semantics-discovery.json", JSON_TYPE],
  ["/answers", JSON_TYPE, HTML_TYPE, MARKDOWN_TYPE],
  ["/answers.json", JSON_TYPE],
  ["/answers.md", MARKDOWN_TYPE],
  ["/api-reference", JSON_TYPE, HTML_TYPE, MARKDOWN_TYPE],
  ["/api-reference.json", JSON_TYPE],
  ["/api-reference.md", MARKDOWN_TYPE],
  ["/openapi.json", JSON_TYPE],
  ["/mcp-server.json", JSON_TYPE],
];

/** One representation and how to ask for it. */
interface Asked {
  readonly target: string;
  readonly accept: string;
}

const representations: readonly Asked[] = ten.flatMap(([target, ...types]) =>
  types.map((accept) => ({ target, accept })),
);
const isPage = ({ accept }: Asked): boolean => accept === HTML_TYPE;
const pages = representations.filter(isPage);

const REPORTS = RECIPES.map((id) => `/api/v1/integration-readiness/report/${id}`);
const KITS = RECIPES.map((id) => `/api/v1/integration-studio/kit/${id}.zip`);

/** The documents of §4.4, the schemas, and the files for crawlers. */
const documents: readonly Asked[] = [
  paths.connect,
  paths.capabilities,
  paths.wellKnownCapabilities,
  paths.agentTool,
  paths.agentInstructions,
  paths.adoptionGuide,
  "/api/v1/integration-readiness",
  ...REPORTS,
  "/api/v1/integration-studio",
  ...KITS,
  paths.llms,
  paths.robots,
  paths.sitemap,
  paths.securityText,
  ...schemaNames.map(schemaPath),
].map((target) => ({ target, accept: "*/*" }));
const registryDocuments: readonly Asked[] = words(
  "/api/v1/concepts /api/v1/concepts/N-QUOTES /registry/bundle.ndjson",
  "/registry/retired.json /registry/history.json /registry/coverage.json",
).map((target) => ({ target, accept: "*/*" }));
const negotiatedMachine = representations.filter((asked) => !isPage(asked));
const machine = [...negotiatedMachine, ...documents, ...registryDocuments];

type RequestFields = Record<string, string>;

function get({ target, accept }: Asked, fields: RequestFields = {}, method = "GET"): Promise<Reply> {
  return service.send(method, target, { headers: { accept, ...fields } });
}

function header(reply: Reply | undefined, name: string): string {
  const value = reply?.headers[name];
  return typeof value === "string" ? value : "";
}

/** All fields but the date, and but those named. */
function fieldsOf({ headers }: Reply, but: readonly string[] = []): RequestFields {
  const kept = Object.entries(headers).filter(([name]) => name !== "date" && !but.includes(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
}

/** What a page's nonce changes with each response. */
const OF_ONE_RESPONSE = ["etag", "repr-digest", "x-content-sha256", "content-security-policy"];

function expectRefusal(reply: Reply, code: ProblemCode): void {
  const { status, message } = problem(code);
  expect(reply.status).toBe(status);
  // Word for word, so that nothing of the request or of the server's insides can stand in it.
  expect(expectSchema(ErrorEnvelope, reply.json()).error).toEqual({ code, message });
  expect(reply.headers).toMatchObject({ "content-type": JSON_TYPE, "cache-control": "no-store" });
  expect(Object.keys(reply.headers).filter((name) => OF_ONE_RESPONSE.includes(name))).toEqual([]);
  expect(reply.headers.location).toBeUndefined();
}

/** The three spellings of the digest, against the bytes. */
function expectTrueDigests(reply: Reply): void {
  const digest = createHash("sha256").update(reply.body);
  const hex = digest.copy().digest("hex");
  expect(header(reply, "x-content-sha256")).toBe(hex);
  expect(header(reply, "etag")).toBe(`"${hex}"`);
  const dictionary = parseDictionary(header(reply, "repr-digest"));
  expect([...dictionary.keys()]).toEqual(["sha-256"]);
  const [bytes, parameters] = dictionary.get("sha-256") ?? [];
  // A byte sequence, neither string nor token.
  expect(bytes).toBeInstanceOf(ArrayBuffer);
  expect(Buffer.from(bytes as ArrayBuffer).equals(digest.digest())).toBe(true);
  expect(parameters?.size).toBe(0);
}

interface Message {
  readonly status: number;
  /** By lower-case name; a repeated field would be found twice in `names`. */
  readonly fields: RequestFields;
  readonly names: readonly string[];
  readonly body: string;
  /** What comes behind it. */
  readonly rest: string;
}

/** Sends text as it is over a connection of its own, and gives all that comes back until the server closes. */
function exchange(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(service.port, "127.0.0.1");
    let received = "";
    socket.setEncoding("latin1").on("data", (chunk: string) => (received += chunk));
    socket.on("error", reject).on("close", () => resolve(received));
    socket.write(text, "latin1");
  });
}

/** Reads the first response from the wire. */
function readMessage(wire: string): Message {
  const end = wire.indexOf("\r\n\r\n");
  const [statusLine = "", ...lines] = wire.slice(0, end).split("\r\n");
  const pairs = lines.map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)] as const);
  const fields = Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), value]));
  const start = end + 4;
  const length = Number(fields["content-length"] ?? 0);
  return {
    status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]),
    fields,
    names: pairs.map(([name]) => name),
    body: wire.slice(start, start + length),
    rest: wire.slice(start + length),
  };
}

async function ask(target: string, lines: readonly string[] = []): Promise<Message> {
  const head = [`GET ${target} HTTP/1.1`, "Host: registry.example", ...lines, "Connection: close", "", ""];
  return readMessage(await exchange(head.join("\r\n")));
}

describe("the ten routes of the inventory", () => {
  it("G12 O-09: are the eight of the contract and two more, and each answers GET and HEAD with 200", async () => {
    expect(inventory.map(({ path: target }) => target)).toEqual(ten.map(([target]) => target));
    for (const [target] of ten) {
      const [got, headed] = await Promise.all(["GET", "HEAD"].map((method) => service.send(method, target)));
      expect([target, got?.status, headed?.status]).toEqual([target, 200, 200]);
      expect(got?.body.length).toBeGreaterThan(0);
      expect(headed?.body.length).toBe(0);
    }
  });

  it("G13 G19 G20 G21 O-43 O-44: give each of their media types to the Accept that names it, and the first to none", async () => {
    for (const [target, first, ...others] of ten) {
      for (const accept of [first, ...others]) {
        for (const asked of [accept, accept.replace(/;.*/, ""), `image/png, ${accept};q=0.1`]) {
          const reply = await service.send("GET", target, { headers: { accept: asked } });
          expect([target, asked, reply.status, header(reply, "content-type")]).toEqual([target, asked, 200, accept]);
        }
      }
      expect(header(await service.send("GET", target), "content-type")).toBe(first);
    }
  });

  it("G23 O-12: a missing, empty or */* Accept gets JSON on /answers and /api-reference, a browser gets HTML", async () => {
    for (const target of ["/answers", "/api-reference"]) {
      for (const [accept, type] of [
        [undefined, JSON_TYPE],
        ["", JSON_TYPE],
        ["*/*", JSON_TYPE],
        ["text/html, application/json", JSON_TYPE],
        ["not a media type", JSON_TYPE],
        [BROWSER, HTML_TYPE],
        ["text/*", HTML_TYPE],
        ["text/markdown, text/html", HTML_TYPE],
        ["text/markdown;variant=GFM", MARKDOWN_TYPE],
      ]) {
        const reply = await service.send("GET", target, { headers: accept === undefined ? {} : { accept } });
        expect([target, accept, reply.status, header(reply, "content-type")]).toEqual([target, accept, 200, type]);
      }
    }
  });

  it("G39: Accept in several field lines is one list (RFC 9110 §5.2)", async () => {
    const lines = ["Accept: application/json;q=0", "Accept: text/html;q=0.2", "accept: text/markdown;q=0.3"];
    expect((await ask("/answers", lines)).fields["content-type"]).toBe(MARKDOWN_TYPE);
  });

  it("G18 G16: answer with the Content-Type, Content-Location and Cache-Control that the receipt says", async () => {
    const receipt = expectSchema(Discovery, (await service.send("GET", paths.discovery)).json());
    expect(receipt.routes.map(({ path: target }) => target)).toEqual(ten.map(([target]) => target));
    for (const { path: target, url, representations: listed, ...entry } of receipt.routes) {
      expect(url).toBe(ORIGIN + target);
      expect(listed.map(({ mediaType }) => mediaType)).toEqual(ten.find(([name]) => name === target)?.slice(1));
      for (const { mediaType, contentLocation, cachePolicy, accept } of [
        { ...entry, accept: "*/*" },
        ...listed.map((one) => ({ ...one, accept: one.mediaType })),
      ]) {
        const reply = await get({ target, accept });
        expect(reply.headers).toMatchObject({
          "content-type": mediaType,
          "content-location": contentLocation,
          "cache-control": cachePolicy,
        });
      }
    }
  });

  it("G22 G25 O-10: negotiated JSON and Markdown are /answers.json and /answers.md, in every byte and field", async () => {
    for (const target of ["/answers", "/api-reference"]) {
      for (const [accept, own] of [
        [JSON_TYPE, `${target}.json`],
        [MARKDOWN_TYPE, `${target}.md`],
      ] as const) {
        const [negotiated, direct] = await Promise.all([get({ target, accept }), service.send("GET", own)]);
        expect(negotiated.body.equals(direct.body)).toBe(true);
        expect(fieldsOf(negotiated)).toEqual(fieldsOf(direct));
        expect(header(negotiated, "content-location")).toBe(ORIGIN + own);
      }
      expect(header(await get({ target, accept: HTML_TYPE }), "content-location")).toBe(ORIGIN + target);
    }
  });

  it("G46: /openapi.json is OpenAPI 3.1.0, and describes GET of each of them and of each document of §4.4", async () => {
    const { openapi, paths: described } = (await service.send("GET", "/openapi.json")).json() as {
      openapi: string;
      paths: Record<string, Record<string, unknown>>;
    };
    expect(openapi).toBe("3.1.0");
    const ofRecipe = (target: string): string => target.replace(RECIPES[0] ?? "", "{recipeId}");
    const integration = ["/api/v1/integration-readiness", "/api/v1/integration-studio"];
    for (const target of [
      ...ten.map(([name]) => name),
      paths.connect,
      paths.agentTool,
      paths.agentInstructions,
      ...integration,
      ...[REPORTS, KITS].map(([first = ""]) => ofRecipe(first)),
    ]) {
      expect([target, Object.keys(described[target] ?? {})]).toEqual([target, expect.arrayContaining(["get"])]);
    }
  });

  it("G49: send Vary: Accept with 200, 304 and 406", async () => {
    for (const asked of representations) {
      const ok = await get(asked);
      const refused = await get({ ...asked, accept: "image/png" });
      const cached = await get(asked, { "if-none-match": "*" });
      expect([ok.status, refused.status, cached.status]).toEqual([200, 406, isPage(asked) ? 200 : 304]);
      for (const reply of [ok, refused, cached]) expect(header(reply, "vary")).toBe("Accept");
    }
  });
});

describe("every other resource", () => {
  const others = resources.filter(({ negotiates }) => !negotiates).map(({ path: target }) => target);

  it("O-30: ignores Accept, and sends no Vary", async () => {
    expect(others.length).toBeGreaterThan(20);
    for (const target of [...others, ...registryDocuments.map((asked) => asked.target)]) {
      const reply = await service.send("GET", target, { headers: { accept: "image/png" } });
      expect([target, reply.status, reply.headers.vary]).toEqual([target, 200, undefined]);
    }
  });

  it("O-38: the documents of §4.4 and the schemas carry the four fields, answer HEAD, and 304 to their own ETag", async () => {
    for (const asked of documents) {
      const reply = await get(asked);
      expectTrueDigests(reply);
      expect(header(reply, "content-location")).toBe(ORIGIN + asked.target);
      expect(header(reply, "cache-control")).toBe(PUBLIC);
      const head = await get(asked, {}, "HEAD");
      expect([asked.target, head.status, head.body.length]).toEqual([asked.target, 200, 0]);
      expect(fieldsOf(head)).toEqual(fieldsOf(reply));
      for (const method of ["GET", "HEAD"]) {
        const again = await get(asked, { "if-none-match": header(reply, "etag") }, method);
        expect([asked.target, method, again.status, again.body.length]).toEqual([asked.target, method, 304, 0]);
      }
      expect((await get(asked, { "if-none-match": '"other"' })).status).toBe(200);
    }
  });

  it("O-45: is kept as long as its policy says: machine documents five minutes, pages, answers and refusals never", async () => {
    for (const asked of machine) expect(header(await get(asked), "cache-control")).toBe(PUBLIC);
    const computed = [
      service.send("GET", paths.status),
      service.resolve({ expression: "taxi" }),
      service.resolve({ expression: "unknown" }),
      service.resolve("{"),
      service.resolve("x".repeat(17_000)),
      service.send("POST", paths.resolve),
      service.send("GET", "/api/v1/concepts?q=a&q=b"),
      service.send("GET", "/api/v1/concepts/NONE"),
      service.send("GET", "/api/v1/integration-readiness/report/NONE"),
      service.send("GET", "/api/v1/integration-studio/kit/NONE.zip"),
      service.send("GET", "/none"),
      service.send("DELETE", "/answers"),
      service.send("GET", "/answers", { headers: { accept: "image/png" } }),
    ];
    const replies = await Promise.all(computed);
    expect(replies.map(({ status }) => status)).toEqual([
      200, 200, 200, 400, 413, 415, 400, 404, 404, 404, 404, 405, 406,
    ]);
    for (const reply of replies) {
      expect(header(reply, "cache-control")).toBe("no-store");
      expect(fieldsOf(reply)).not.toHaveProperty("etag");
    }
    for (const target of words(
      "/ /mcp-guide /integration-studio /coverage /concepts /concepts/N-TAXI /concepts/NONE /resolve",
    )) {
      expect(header(await service.send("GET", target), "cache-control")).toBe("private, no-store");
    }
  });
});

describe("the documents of integration", () => {
  it("have the media type of what they are, to every Accept", async () => {
    for (const [targets, type] of [
      [["/api/v1/integration-readiness", ...REPORTS, "/api/v1/integration-studio"], JSON_TYPE],
      [KITS, "application/zip"],
      [["/integration-studio"], HTML_TYPE],
    ] as const) {
      for (const target of targets) {
        for (const accept of ["*/*", "image/png", "application/json", "application/zip", BROWSER]) {
          const reply = await get({ target, accept });
          expect([target, accept, reply.status, header(reply, "content-type")]).toEqual([target, accept, 200, type]);
        }
      }
    }
  });

  it("O-60: are nothing else below their paths: 404 recipe_not_found, never a file of a kit", async () => {
    const targets = words(
      "/api/v1/integration-readiness/report/ /api/v1/integration-readiness/report/clarification/",
      "/api/v1/integration-readiness/report/clarification.json /api/v1/integration-readiness/report/clarification/x",
      "/api/v1/integration-studio/kit/ /api/v1/integration-studio/kit/clarification",
      "/api/v1/integration-studio/kit/clarification.zip/ /api/v1/integration-studio/kit/clarification.zip/README.md",
      "/api/v1/integration-studio/kit/..%2f..%2fstatus /api/v1/integration-studio/kit/clarification.zip!/README.md",
    );
    for (const target of targets) {
      for (const method of ["GET", "HEAD"]) {
        const reply = await service.send(method, target, { headers: { accept: BROWSER } });
        expect([method, target, reply.status]).toEqual([method, target, 404]);
        if (method === "GET") expectRefusal(reply, "recipe_not_found");
      }
    }
  });

  it("lie in dist where a folder of the same name leaves room for them", () => {
    const placed = resources.flatMap(({ variants }) =>
      variants.flatMap(({ file, location, policy }) =>
        policy !== "html" && file !== location ? [[location, file]] : [],
      ),
    );
    expect(placed).toEqual(
      ["/api/v1/integration-readiness", "/api/v1/integration-studio"].map((target) => [target, `${target}/index.json`]),
    );
  });
});

describe("a machine representation", () => {
  it("G24 G25 G26 G27 G28 G43 O-10 O-11: carries Content-Location and three digests that are true of its bytes", async () => {
    for (const asked of machine) {
      const reply = await get(asked);
      expect([asked.target, reply.status]).toEqual([asked.target, 200]);
      expectTrueDigests(reply);
      expect(header(reply, "content-length")).toBe(String(reply.body.length));
      const location = header(reply, "content-location");
      expect(location.startsWith(`${ORIGIN}/`)).toBe(true);
      // RFC 9110 §8.7: a GET of it gives this representation.
      const direct = await service.send("GET", location.slice(ORIGIN.length));
      expect(direct.body.equals(reply.body)).toBe(true);
      expect(header(direct, "content-location")).toBe(location);
    }
  });

  it("O-11: has an ETag that no other representation has, unless the bytes are the same", async () => {
    const replies = await Promise.all([...machine, ...pages].map((asked) => get(asked)));
    const texts = new Set(replies.map(({ body }) => body.toString("latin1")));
    expect(new Set(replies.map((reply) => header(reply, "etag"))).size).toBe(texts.size);
  });

  it("G50: is its file in dist, byte for byte, and every file of dist is served", async () => {
    const dist = path.dirname(service.release.assets.directory);
    const served = new Set<string>();
    for (const { variants } of resources) {
      for (const { file, policy, location } of variants) {
        served.add(file);
        if (policy === "html") continue;
        const reply = await get({ target: location, accept: policies[policy].mediaType });
        expect([file, reply.body.equals(readFileSync(path.join(dist, file)))]).toEqual([file, true]);
      }
    }
    const assets = service.release.assets.names.map((name) => `/assets/${name}`);
    for (const target of assets) {
      const { body } = await service.send("GET", target);
      expect([target, body.equals(readFileSync(path.join(dist, target)))]).toEqual([target, true]);
    }
    const files = readdirSync(dist, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => `/${path.relative(dist, path.join(entry.parentPath, entry.name)).split(path.sep).join("/")}`);
    // It is not prerendered: it is read anew for each answer.
    const { body } = await service.send("GET", paths.deployment);
    expect(body.equals(readFileSync(path.join(dist, paths.deployment)))).toBe(true);
    served.add(paths.deployment);
    const bundle = await service.send("GET", paths.bundle);
    expect(bundle.body.equals(readFileSync(path.join(dist, paths.bundle)))).toBe(true);
    served.add(paths.bundle);
    // Concepts are served out of the bundle, answers out of the index; the rest is what the release is opened with.
    const inside = ["/SHA256SUMS", "/manifest.json", "/mcp.json", "/registry.blocks", "/registry.index", "/shell.html"];
    expect(files.toSorted()).toEqual([...served, ...assets, ...inside].toSorted());
  });

  it("O-66 O-67: is sent whole and uncoded whatever Accept-Encoding, Range or If-Range ask for", async () => {
    for (const asked of machine) {
      const plain = await get(asked);
      for (const fields of [
        { "accept-encoding": "gzip, br, zstd, deflate" },
        { "accept-encoding": "gzip;q=1, identity;q=0" },
        { range: "bytes=0-9" },
        { range: "bytes=0-0,-1" },
        { range: "bytes=99999999-" },
        { range: "bytes=0-9", "if-range": header(plain, "etag") },
      ]) {
        const reply = await get(asked, fields);
        expect([asked.target, fields, reply.status]).toEqual([asked.target, fields, 200]);
        expect(reply.body.equals(plain.body)).toBe(true);
        expect(fieldsOf(reply)).toEqual(fieldsOf(plain));
        expect(fieldsOf(reply)).not.toHaveProperty("content-encoding");
        expect(fieldsOf(reply)).not.toHaveProperty("content-range");
      }
    }
  });

  it("O-15 O-54 O-10: has the same bytes and fields whoever asks, from where, in which language, with which query", async () => {
    for (const asked of machine) {
      const plain = await get(asked);
      for (const fields of [
        { host: "evil.example" },
        { host: "evil.example:8443", "x-forwarded-host": "evil.example", "x-forwarded-proto": "http" },
        { forwarded: "for=1.2.3.4;host=evil.example;proto=http", "x-real-ip": "1.2.3.4" },
        { "x-original-url": "/", "x-rewrite-url": "/none", "x-http-method-override": "DELETE" },
        { "user-agent": "curl/8", "accept-language": "fr;q=1, de", "accept-charset": "iso-8859-1" },
        { cookie: "session=1; a=b", authorization: "Bearer secret", origin: "https://evil.example" },
        { "if-modified-since": "Fri, 31 Dec 2100 23:59:59 GMT" },
      ]) {
        const reply = await get(asked, fields);
        expect([asked.target, fields, reply.status]).toEqual([asked.target, fields, 200]);
        expect(reply.body.equals(plain.body)).toBe(true);
        expect(fieldsOf(reply)).toEqual(fieldsOf(plain));
      }
      if (asked.target === "/api/v1/concepts") continue;
      for (const query of ["?", "?x=1", "?q=taxi", "?callback=evil&lang=de", "?%ZZ", "?/../"]) {
        const reply = await get({ ...asked, target: asked.target + query });
        expect([query, reply.status, reply.body.equals(plain.body)]).toEqual([query, 200, true]);
        expect(fieldsOf(reply)).toEqual(fieldsOf(plain));
      }
    }
  });
});

describe("HEAD", () => {
  it("G29 G41: has the status and every field of GET and no body: 200 and 406, for each representation", async () => {
    for (const asked of [...machine, ...representations.map((one) => ({ ...one, accept: "image/png" }))]) {
      const [got, headed] = await Promise.all([get(asked), get(asked, {}, "HEAD")]);
      expect([asked, headed.status, headed.body.length]).toEqual([asked, got.status, 0]);
      expect(fieldsOf(headed)).toEqual(fieldsOf(got));
      expect(Number(header(headed, "content-length"))).toBe(got.body.length);
    }
    for (const asked of pages) {
      const [got, headed] = await Promise.all([get(asked), get(asked, {}, "HEAD")]);
      expect([asked, headed.status, headed.body.length]).toEqual([asked, 200, 0]);
      expect(fieldsOf(headed, OF_ONE_RESPONSE)).toEqual(fieldsOf(got, OF_ONE_RESPONSE));
      expect(Object.keys(headed.headers)).toEqual(Object.keys(got.headers));
    }
  });

  it("G35: with a matching If-None-Match is 304, with the fields of that 304 to GET", async () => {
    for (const asked of machine) {
      const tag = header(await get(asked), "etag");
      for (const field of [tag, `W/${tag}`, "*", `"x", ${tag}`]) {
        const [got, headed] = await Promise.all(
          ["GET", "HEAD"].map((method) => get(asked, { "if-none-match": field }, method)),
        );
        expect([asked.target, field, got?.status, headed?.status]).toEqual([asked.target, field, 304, 304]);
        expect(headed && fieldsOf(headed)).toEqual(got && fieldsOf(got));
        expect(headed?.body.length).toBe(0);
      }
    }
  });
});

describe("If-None-Match", () => {
  // T stands for the entity tag of the representation.
  const matching = cells(
    `T | W/T |  T  | "x", T | T, "x" | "x",W/T,"y" | , ,T,, | "a,b", T | ",", T | * |  *  | "", T | W/"x",\tT`,
    '"\u00e9", T',
  );
  const ignored = cells(
    `T x | x T | "x" T | w/T | W/ T | W T | T;q=1 | "T | T" | *, T | T, * | ** | "*" | "x" | "x", "y" | , | W/ | " | ""`,
    `'T' | "x, T | T, junk | T, "unclosed | {T} | junk`,
  );
  const spell = (field: string, tag: string): string => field.replaceAll("T", tag);

  it("G30 G34: lists the tag, in weak form or not, or is *: 304 with an empty body; anything else is ignored: 200", async () => {
    for (const asked of machine) {
      const plain = await get(asked);
      const tag = header(plain, "etag");
      for (const field of matching) {
        const reply = await get(asked, { "if-none-match": spell(field, tag) });
        expect([asked.target, field, reply.status, reply.body.length]).toEqual([asked.target, field, 304, 0]);
      }
      for (const field of ignored) {
        const reply = await get(asked, { "if-none-match": spell(field, tag) });
        expect([asked.target, field, reply.status]).toEqual([asked.target, field, 200]);
        expect(reply.body.equals(plain.body)).toBe(true);
      }
    }
  });

  it("G34: the unquoted digest, and a tag with one digit changed, are other tags", async () => {
    const hex = header(await service.send("GET", "/answers.json"), "x-content-sha256");
    const changed = hex.replace(/.$/, (digit) => (digit === "0" ? "1" : "0"));
    for (const field of [hex, `"${changed}"`, `"${hex.toUpperCase()}"`, `"${hex}`, `${hex}"`, `"${hex.slice(1)}"`]) {
      const reply = await service.send("GET", "/answers.json", { headers: { "if-none-match": field } });
      expect([field, reply.status]).toEqual([field, 200]);
    }
  });

  it("G34: several field lines are one list (RFC 9110 §5.3)", async () => {
    const { fields, body } = await ask("/answers.json");
    const tag = fields["etag"] ?? "";
    const line = (value: string): string => `If-None-Match: ${value}`;
    for (const [values, status] of [
      [['"x"', tag], 304],
      [[`W/${tag}`, '"y"'], 304],
      [['"x"', "", '"a,b"', tag], 304],
      [['"x"', '"y"'], 200],
      [["junk", tag], 200],
      [['"open', `${tag}"`], 200],
    ] as const) {
      const reply = await ask("/answers.json", values.map(line));
      expect([values, reply.status, reply.body]).toEqual([values, status, status === 200 ? body : ""]);
    }
  });

  it("G31 G32: 304 has exactly the fields that NOT_MODIFIED_FIELDS keeps of the 200, with their values, and Date", async () => {
    // T-02, O-55: the contract's four, those of RFC 9110 §15.4.5, and those that every reply has.
    expect([...NOT_MODIFIED_FIELDS].toSorted()).toEqual(
      words(
        "Access-Control-Allow-Origin Access-Control-Expose-Headers Cache-Control Content-Location ETag Link Repr-Digest",
        "Vary X-Content-SHA256 X-Content-Type-Options X-Service-Semantics-Deployment-Identity",
      ),
    );
    for (const { target, accept } of machine) {
      const ok = await ask(target, [`Accept: ${accept}`]);
      const tag = `If-None-Match: ${ok.fields["etag"]}`;
      const cached = await ask(target, [`Accept: ${accept}`, tag]);
      expect([target, ok.status, cached.status]).toEqual([target, 200, 304]);
      // On the wire nothing follows the fields, and none is there that would announce something.
      expect(cached.body + cached.rest).toBe("");
      const kept = ok.names.filter((name) => NOT_MODIFIED_FIELDS.has(name));
      expect(kept).toEqual(expect.arrayContaining(["Content-Location", "ETag", "Repr-Digest", "X-Content-SHA256"]));
      expect(kept).toContain("Cache-Control");
      expect(cached.names.toSorted()).toEqual([...kept, "Connection", "Date"].toSorted());
      for (const name of kept) {
        expect(cached.fields[name.toLowerCase()]).toBe(ok.fields[name.toLowerCase()]);
      }
      const alive = await service.send("GET", target, { headers: { accept, "if-none-match": "*" } });
      expect(Object.keys(alive.headers).toSorted()).toEqual(
        [...kept, "Connection", "Date", "Keep-Alive"].map((name) => name.toLowerCase()).toSorted(),
      );
    }
  });

  it("G33: matches the selected representation only: the tag of another one gets 200", async () => {
    for (const target of ["/answers", "/api-reference"]) {
      const accepts = [JSON_TYPE, MARKDOWN_TYPE];
      const tags = await Promise.all(accepts.map(async (accept) => header(await get({ target, accept }), "etag")));
      const page = header(await get({ target, accept: HTML_TYPE }), "etag");
      for (const [i, accept] of accepts.entries()) {
        for (const [j, tag] of [...tags, page].entries()) {
          const { status } = await get({ target, accept }, { "if-none-match": tag });
          expect([target, accept, j, status]).toEqual([target, accept, j, i === j ? 304 : 200]);
        }
      }
    }
  });

  it("G36 G40: changes nothing about 406 (RFC 9110 §13.2.1)", async () => {
    for (const { target } of representations) {
      const tag = header(await service.send("GET", target), "etag");
      const asked = { target, accept: "image/png" };
      const plain = await get(asked);
      for (const field of ["*", tag]) {
        const reply = await get(asked, { "if-none-match": field });
        expect([target, reply.status, reply.body.equals(plain.body)]).toEqual([target, 406, true]);
        expect(fieldsOf(reply)).toEqual(fieldsOf(plain));
      }
    }
  });

  it("G34: of 8 KiB of anything is answered with 304 or 200 by the same rules", async () => {
    const tag = header(await service.send("GET", "/answers.json"), "etag");
    const fill = (unit: string): string => unit.repeat(Math.floor(8192 / unit.length));
    for (const [field, status] of [
      [fill('"'), 200],
      [`${fill('"x",')}${tag}`, 304],
      [`${fill(",")}${tag}`, 304],
      [`${fill(" ")}${tag}`, 304],
      [`${tag}${fill(" ,")}`, 304],
      [fill('""'), 200],
      [`${fill('"" ')}${tag}`, 200],
      [`"${fill(", ")}`, 200],
      [`"${fill("a,")}", ${tag}`, 304],
      [fill("W/"), 200],
      [fill("*"), 200],
      [fill("a"), 200],
    ] as const) {
      const { status: got } = await service.send("GET", "/answers.json", { headers: { "if-none-match": field } });
      expect([field.slice(0, 20), got]).toEqual([field.slice(0, 20), status]);
    }
  });
});

describe("If-Match", () => {
  it("lists the tag, or is *: 200; anything else, the weak form too: 412, not stored (RFC 9110 §13.1.1)", async () => {
    for (const asked of machine) {
      const plain = await get(asked);
      const tag = header(plain, "etag");
      for (const field of [tag, "*", `"x", ${tag}`, `W/"x",${tag},`, `W/${tag}, ${tag}`]) {
        const reply = await get(asked, { "if-match": field });
        expect([asked.target, field, reply.status]).toEqual([asked.target, field, 200]);
        expect(reply.body.equals(plain.body)).toBe(true);
      }
      for (const field of ['"x"', `W/${tag}`, tag.slice(1, -1), `${tag} junk`, "", '"a,b"', `"x", W/${tag}`]) {
        const [reply, head] = [
          await get(asked, { "if-match": field }),
          await get(asked, { "if-match": field }, "HEAD"),
        ];
        expect([asked.target, field, reply.status]).toEqual([asked.target, field, 412]);
        expectRefusal(reply, "precondition_failed");
        expect([head.status, head.body.length, fieldsOf(head)]).toEqual([412, 0, fieldsOf(reply)]);
      }
    }
  });

  it("comes before If-None-Match and after 406 and 404 (RFC 9110 §13.2)", async () => {
    const tag = header(await service.send("GET", "/answers.json"), "etag");
    for (const [target, accept, match, noneMatch, status] of [
      ["/answers", JSON_TYPE, tag, tag, 304],
      ["/answers", JSON_TYPE, "*", "*", 304],
      ["/answers", JSON_TYPE, tag, '"x"', 200],
      ["/answers", JSON_TYPE, '"x"', tag, 412],
      ["/answers", MARKDOWN_TYPE, tag, tag, 412],
      ["/answers", HTML_TYPE, tag, "*", 412],
      ["/answers", HTML_TYPE, "*", "*", 200],
      ["/answers", "image/png", '"x"', "*", 406],
      ["/none", "*/*", '"x"', "*", 404],
      ["/api/v1/concepts/NONE", "*/*", '"x"', "*", 404],
      ["/concepts/NONE", "*/*", '"x"', "*", 404],
    ] as const) {
      const reply = await get({ target, accept }, { "if-match": match, "if-none-match": noneMatch });
      expect([target, accept, match, reply.status]).toEqual([target, accept, match, status]);
    }
  });
});

describe("406", () => {
  const refused = cells(
    "image/png | application/json;q=0, */*;q=0 | */*;q=0 | text/html;level=1 | application/xml, image/*;q=0.5",
    "application/problem+json | application/linkset+json;profile=x | text/plain",
  );

  it("G36 G37 G40 O-47: is problem+json with the contract's members, what is available, and no validator", async () => {
    for (const [target, ...types] of ten) {
      for (const accept of refused) {
        const reply = await get({ target, accept });
        expect([target, accept, reply.status]).toEqual([target, accept, 406]);
        const body = expectSchema(NotAcceptable, reply.json());
        expect(body).toMatchObject({
          status: 406,
          semanticAssignment: false,
          downstreamAuthorization: false,
          downstreamSideEffects: 0,
          instance: target,
        });
        expect(body.available.map(({ type }) => type)).toEqual(types);
        expect(reply.body.toString()).not.toMatch(/C-[0-9A-Z]|N-[A-Z]|[0-9a-f]{64}/);
        expect(Object.keys(reply.headers).toSorted()).toEqual(
          words(
            "access-control-allow-origin access-control-expose-headers cache-control connection content-length",
            "content-type date keep-alive vary x-content-type-options",
          ),
        );
        expect(reply.headers).toMatchObject({
          "content-type": "application/problem+json",
          "cache-control": "no-store",
        });
      }
    }
  });

  it("G38: comes from the fixed routes too, to an Accept for another type than theirs", async () => {
    for (const [target, accept] of [
      ["/answers.md", JSON_TYPE],
      ["/answers.md", "text/html"],
      ["/answers.json", "text/markdown, text/html"],
      ["/api-reference.json", "text/*"],
      ["/api-reference.md", JSON_TYPE],
      ["/.well-known/api-catalog", "text/html"],
      ["/.well-known/api-catalog", JSON_TYPE],
      ["/.well-known/service-semantics-discovery.json", "application/linkset+json"],
      ["/openapi.json", "application/yaml"],
      ["/mcp-server.json", "text/html"],
    ] as const) {
      expect([target, accept, (await get({ target, accept })).status]).toEqual([target, accept, 406]);
    }
  });

  it("O-47: lists addresses that give the type they are listed with, and a problem type that leads to its text", async () => {
    for (const [target] of ten) {
      const { type, available } = expectSchema(NotAcceptable, (await get({ target, accept: "image/png" })).json());
      for (const { type: accept, href } of available) {
        expect(href.startsWith(`${ORIGIN}/`)).toBe(true);
        const reply = await get({ target: href.slice(ORIGIN.length), accept });
        expect(reply.status).toBe(200);
        expect(reply.headers).toMatchObject({ "content-type": accept, "content-location": href });
      }
      const { pathname, hash, origin } = new URL(type);
      expect(origin).toBe(ORIGIN);
      const page = await get({ target: pathname, accept: HTML_TYPE });
      expect(page.body.toString()).toContain(` id="${hash.slice(1)}"`);
    }
  });

  it("G40: reflects nothing of the request", async () => {
    const asked = { target: "/answers?x=<script>", accept: 'image/evil;x="<script>"' };
    const plain = await get({ target: "/answers", accept: "image/png" });
    const reply = await get(asked, { host: "evil.example", cookie: "a=<script>" });
    expect([reply.status, reply.body.equals(plain.body)]).toEqual([406, true]);
  });
});

describe("HTML of /answers and /api-reference", () => {
  it("G42 O-44 O-48: is private and not stored, with a strict policy, nosniff, no-referrer and the catalog's link", async () => {
    for (const asked of pages) {
      const reply = await get(asked);
      expect(reply.headers).toMatchObject({
        "content-type": HTML_TYPE,
        "cache-control": "private, no-store",
        "content-location": ORIGIN + asked.target,
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        link: `<${ORIGIN}/.well-known/api-catalog>; rel="api-catalog"`,
        vary: "Accept",
      });
    }
  });

  it("G42 O-44: has another nonce in each response, in its policy and in every tag that runs or styles", async () => {
    const seen = new Set<string>();
    for (const asked of [...pages, ...pages, ...pages]) {
      const reply = await get(asked);
      const policy = header(reply, "content-security-policy");
      const nonces = new Set(policy.match(/(?<='nonce-)[^']*(?=')/g));
      expect(nonces.size).toBe(1);
      const [nonce = ""] = nonces;
      expect(nonce).toMatch(/^[A-Za-z0-9+/]{22,}={0,2}$/);
      expect(policy).toMatch(/^default-src 'none'; /);
      expect(policy).not.toMatch(/unsafe-|https?:|\*/);
      const text = reply.body.toString();
      const runs = [...text.matchAll(/<(?:script|style|link [^>]*rel="stylesheet")[^>]*>/g)].map(([tag]) => tag);
      expect(runs.length).toBeGreaterThanOrEqual(2);
      for (const tag of runs) expect(tag).toContain(` nonce="${nonce}"`);
      expect(text.match(/<[^>]*\snonce\b/g)?.length).toBe(runs.length);
      expect(text).not.toMatch(/<[^>]*\s(?:on[a-z]+|style)\s*=/);
      seen.add(nonce);
    }
    expect(seen.size).toBe(pages.length * 3);
  });

  it("G26 G27 G28: carries digests that are true of the bytes of this one response (T-01)", async () => {
    for (const asked of pages) {
      const [first, second] = await Promise.all([get(asked), get(asked)]);
      expectTrueDigests(first);
      expectTrueDigests(second);
      expect(header(first, "etag")).not.toBe(header(second, "etag"));
    }
  });

  it("G42 G34: never answers 304, not even to * or to the tag it has just sent (T-01)", async () => {
    for (const asked of pages) {
      const tag = header(await get(asked), "etag");
      for (const field of ["*", tag, `W/${tag}`, `"x", ${tag}`]) {
        for (const method of ["GET", "HEAD"]) {
          const reply = await get(asked, { "if-none-match": field }, method);
          expect([asked.target, field, method, reply.status]).toEqual([asked.target, field, method, 200]);
        }
      }
    }
  });
});

describe("every reply", () => {
  it("O-55 O-54: may be read from any origin without credentials, and sets no cookie", async () => {
    const fields = { origin: "https://other.example", cookie: "a=b", authorization: "Basic eDp5" };
    const asked = [
      ...machine,
      ...pages,
      ...words("/ /none /resolve /concepts/NONE").map((target) => ({ target, accept: BROWSER })),
    ];
    const replies = await Promise.all([
      ...asked.flatMap((one) => ["GET", "HEAD", "DELETE", "OPTIONS"].map((method) => get(one, fields, method))),
      ...asked.map((one) => get(one, { ...fields, "if-none-match": "*" })),
      get({ target: "/answers", accept: "image/png" }, fields),
      service.resolve({ expression: "taxi" }),
      service.resolve("{"),
    ]);
    for (const { headers } of replies) {
      expect(headers["access-control-allow-origin"]).toBe("*");
      const exposed = String(headers["access-control-expose-headers"]).split(", ").toSorted();
      expect(exposed).toEqual(["Content-Location", "ETag", "Repr-Digest", "X-Content-SHA256"]);
      expect(headers["x-content-type-options"]).toBe("nosniff");
      for (const absent of ["access-control-allow-credentials", "set-cookie", "server", "x-powered-by", "location"]) {
        expect(headers).not.toHaveProperty(absent);
      }
    }
  });

  it("O-48: of the API catalog links to it, also to HEAD and with 304; other machine documents do not", async () => {
    for (const asked of machine) {
      if (asked.target !== paths.apiCatalog) expect((await get(asked)).headers).not.toHaveProperty("link");
    }
    const link = `<${ORIGIN}/.well-known/api-catalog>; rel="api-catalog"`;
    for (const method of ["GET", "HEAD"]) {
      for (const [fields, status] of [
        [{}, 200],
        [{ "if-none-match": "*" }, 304],
      ] as const) {
        const reply = await service.send(method, "/.well-known/api-catalog", { headers: fields });
        expect([method, reply.status, header(reply, "link")]).toEqual([method, status, link]);
      }
    }
  });
});

describe("methods", () => {
  const all = [
    ...resources.map((resource) => resource.path),
    ...words("/concepts /resolve /concepts/N-TAXI /registry/bundle.ndjson"),
  ];

  it("O-60 O-45: PUT, POST, PATCH and DELETE are refused with 405, Allow and the envelope, and not stored", async () => {
    for (const target of all) {
      for (const method of ["PUT", "POST", "PATCH", "DELETE"]) {
        for (const accept of ["*/*", "image/png"]) {
          const reply = await service.send(method, target, { headers: { accept, "if-none-match": "*" }, body: "{}" });
          expect([target, method, reply.status]).toEqual([target, method, 405]);
          expectRefusal(reply, "method_not_allowed");
          expect(reply.headers.allow).toBe("GET, HEAD, OPTIONS");
        }
      }
    }
  });

  it("O-60 O-55: OPTIONS is answered with 204, Allow, and what a browser on another origin may send", async () => {
    for (const target of all) {
      const reply = await service.send("OPTIONS", target, {
        headers: {
          origin: "https://other.example",
          "access-control-request-method": "GET",
          "access-control-request-headers": "if-none-match",
        },
      });
      expect([target, reply.status, reply.body.length]).toEqual([target, 204, 0]);
      expect(reply.headers).toMatchObject({ allow: "GET, HEAD, OPTIONS", "access-control-allow-origin": "*" });
      expect(header(reply, "access-control-allow-headers").toLowerCase()).toContain("if-none-match");
      expect(reply.headers).not.toHaveProperty("content-length");
    }
  });

  it("O-60: TRACE, QUERY, PROPFIND and other methods of the registry are refused with 405 as well", async () => {
    for (const method of ["TRACE", "QUERY", "PROPFIND", "LOCK", "M-SEARCH"]) {
      for (const target of ["/", "/answers", paths.apiCatalog, paths.connect]) {
        expectRefusal(await service.send(method, target), "method_not_allowed");
      }
    }
  });
});

describe("hostile requests", () => {
  it("O-60: a path that is not exactly one of ours is 404, whatever its case, encoding, slashes or dots", async () => {
    const targets = words(
      "/..%2f /%2e%2e/ /.. /. /../ /..%2f..%2fetc%2fpasswd /%2e%2e%2fpackage.json /..%5c /%20 /* /answers\\",
      "/assets /assets/ /assets/..%2f..%2fmanifest.json /assets/../manifest.json /assets/%00 /assets/site.css",
      "/assets/%2e%2e/manifest.json /assets/..%5cmanifest.json /assets//etc/passwd /answers%00 /answers;x /answers%20",
      "//answers /answers// //evil.example/answers /%2fanswers /answers%2e /ANSWERS /Answers /answers/ /answers.json/",
      "/answers.JSON /answers.html /answers.md.md /index.html /shell.html /shell /mcp-guide.html /mcp-guide/",
      "/manifest.json /SHA256SUMS /registry.index /registry /registry/ /.well-known /.well-known/api-catalog/",
      "/schemas /schemas/ /schemas/none.v1.json /schemas/error.v2.json /openapi /openapi.yaml /favicon.ico /.git/config",
      "/api/v1/integration-readiness/ /api/v1/integration-readiness/index.json /api/v1/integration-readiness/report",
      "/api/v1/integration-studio/ /api/v1/integration-studio/index.json /api/v1/integration-studio/kit /api/v1/index.json",
      "/API/v1/integration-readiness /api/v1/integration-readiness/index /integration-studio/ /integration-studio.html",
      "/coverage/ /coverage.html /coverage.json /registry/coverage /registry/retired /registry/retired.yaml /registry/history.ndjson",
      "/.env /package.json /runtime/server.ts /constructor /__proto__ /toString /api/v1/__proto__ /api/v1 /api /concepts/",
    );
    for (const target of targets) {
      for (const method of ["GET", "HEAD", "POST"]) {
        const reply = await service.send(method, target, { headers: { accept: BROWSER } });
        expect([method, target, reply.status]).toEqual([method, target, 404]);
        if (method !== "HEAD") expectRefusal(reply, "not_found");
      }
    }
  });

  it("O-60: the asterisk is a target of OPTIONS alone (RFC 9112 §3.2.4), and names no resource", async () => {
    const wire = await exchange("OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    expect(readMessage(wire).status).toBe(204);
    for (const target of ["*", "*?x"]) expect([400, 404]).toContain((await ask(target)).status);
  });

  it("O-60: broken percent-encoding is 400 in the envelope", async () => {
    for (const target of ["/%", "/%f", "/%zz", "/%ff", "/%c0%ae%c0%ae/", "/answers%", "/assets/%ed%a0%80"]) {
      const reply = await service.send("GET", target);
      expect([target, reply.status]).toEqual([target, 400]);
      expect(expectSchema(ErrorEnvelope, reply.json()).error.code).toBe("invalid_http");
      expect(reply.body.toString()).not.toMatch(/node_modules|\.ts\b|URIError|FST_/);
    }
  });

  it("O-60: a target of 15,000 characters is answered like any other, one beyond 16 KiB with 431 in the envelope", async () => {
    expectRefusal(await service.send("GET", `/${"a".repeat(15_000)}`), "not_found");
    expectRefusal(await service.send("GET", `/${"a/".repeat(7_500)}`), "not_found");
    expectRefusal(await service.send("GET", `/assets/${"%2e%2e%2f".repeat(1_600)}`), "not_found");
    const plain = await service.send("GET", "/answers.md");
    const asked = await service.send("GET", `/answers.md?${"a".repeat(15_000)}`);
    expect([asked.status, asked.body.equals(plain.body)]).toEqual([200, true]);
    const beyond = await ask(`/${"a".repeat(20_000)}`);
    expect([beyond.status, beyond.rest]).toEqual([431, ""]);
    expect(JSON.parse(beyond.body)).toEqual({
      data: null,
      error: { code: "header_fields_too_large", message: problem("header_fields_too_large").message },
    });
  });

  it("G39 G36: an Accept of 8 KiB, of 200 ranges, or of unclosed quotes is answered by the rules", async () => {
    const fill = (unit: string): string => unit.repeat(Math.floor(8192 / unit.length));
    for (const [accept, status, type] of [
      [fill("image/png,"), 406, "application/problem+json"],
      [`${fill("image/png,")}text/html`, 200, HTML_TYPE],
      [`${"image/png;q=0.5, ".repeat(200)}text/markdown`, 200, MARKDOWN_TYPE],
      [Array.from({ length: 200 }, (_none, i) => `a${i}/b;q=0.${i}`).join(), 406, "application/problem+json"],
      [fill('"'), 200, JSON_TYPE],
      [`text/html;a="${fill("x")}`, 200, JSON_TYPE],
      [`text/markdown, text/html;a="${fill('\\"')}`, 200, MARKDOWN_TYPE],
      [fill(";"), 200, JSON_TYPE],
      [fill(","), 200, JSON_TYPE],
      [`text/html${fill(" ;")}`, 200, HTML_TYPE],
      ["\u00ff/\u00ff", 200, JSON_TYPE],
    ] as const) {
      const reply = await get({ target: "/answers", accept });
      const about = accept.slice(0, 20);
      expect([about, reply.status, header(reply, "content-type")]).toEqual([about, status, type]);
    }
  });

  it("O-60: two hundred field lines are read, and a field with a control character is 400 in the envelope", async () => {
    const many = Array.from({ length: 200 }, (_none, i) => `X-${i}: ${i}`);
    expect((await ask("/answers.md", many)).status).toBe(200);
    for (const line of ["X: a\0b", "X: a\x01b", "X : a", "X\r\n folded: b", ": a", "X\x7f: a"]) {
      const reply = await ask("/answers.md", [line]);
      expect([line, reply.status]).toEqual([line, 400]);
      expect(JSON.parse(reply.body)).toMatchObject({ data: null, error: { code: "invalid_http" } });
    }
  });

  it("G12 G30: a hundred pipelined requests are answered in order, each with its own bytes", async () => {
    const plain = await Promise.all(machine.map((asked) => get(asked)));
    const line = "Host: registry.example\r\n";
    const requests = Array.from({ length: 100 }, (_none, i) => {
      const { target, accept } = machine[i % machine.length] ?? { target: "/", accept: "" };
      const last = i === 99 ? "Connection: close\r\n" : "";
      if (i % 7 === 3) return `GET /none-${i} HTTP/1.1\r\n${line}${last}\r\n`;
      const condition = i % 5 === 2 ? "If-None-Match: *\r\n" : "";
      return `GET ${target} HTTP/1.1\r\n${line}Accept: ${accept}\r\n${condition}${last}\r\n`;
    });
    let rest = await exchange(requests.join(""));
    for (let i = 0; i < 100; i++) {
      const message = readMessage(rest);
      const expected = plain[i % machine.length];
      const status = i % 7 === 3 ? 404 : i % 5 === 2 ? 304 : 200;
      expect([i, message.status]).toEqual([i, status]);
      if (status !== 404) expect(message.fields["etag"]).toBe(header(expected, "etag"));
      if (status === 200) expect(message.body).toBe(expected?.body.toString("latin1"));
      rest = message.rest;
    }
    expect(rest).toBe("");
  });
});

describe("assets", () => {
  const types: Readonly<Record<string, RegExp>> = {
    css: /^text\/css; charset=utf-8$/,
    // RFC 9239 §6: text/javascript is the one to use, application/javascript an alias.
    js: /^(?:text|application)\/javascript; charset=utf-8$/,
    svg: /^image\/svg\+xml$/,
  };

  it("are those that the pages name, each named by its digest, with its media type, immutable for a year", async () => {
    const namedBy = async (target: string): Promise<string[]> =>
      (await service.send("GET", target)).body.toString().match(/\/assets\/[\w.-]+/g) ?? [];
    const everywhere = new Set(await namedBy("/"));
    const named = new Set([...everywhere, ...(await namedBy("/integration-studio"))]);
    const served = service.release.assets.names.map((name) => `/assets/${name}`);
    expect([...named].toSorted()).toEqual(served.toSorted());
    const kindOf = (target: string): string => target.replace(/\.[0-9a-f]{16}(?=\.)/, "");
    expect([...everywhere].map(kindOf).toSorted()).toEqual(words("/assets/icon.svg /assets/site.css /assets/site.js"));
    // Those of the content, and the classifier that the build adds.
    expect(served.map(kindOf).toSorted()).toEqual(
      [...readdirSync("content/assets"), "classify.js"].map((name) => `/assets/${name}`).toSorted(),
    );
    for (const target of words("/answers /api-reference /mcp-guide /concepts /resolve /concepts/N-TAXI")) {
      const reply = await service.send("GET", target, { headers: { accept: BROWSER } });
      expect(new Set(reply.body.toString().match(/\/assets\/[\w.-]+/g))).toEqual(everywhere);
    }
    for (const target of served) {
      const reply = await service.send("GET", target);
      expect([target, reply.status]).toEqual([target, 200]);
      expect(header(reply, "content-type")).toMatch(types[target.split(".").at(-1) ?? ""] ?? /^$/);
      expect(header(reply, "cache-control")).toBe("public, max-age=31536000, immutable, no-transform");
      expect(target).toContain(`.${createHash("sha256").update(reply.body).digest("hex").slice(0, 16)}.`);
      expect(header(reply, "content-length")).toBe(String(reply.body.length));
      for (const absent of ["etag", "last-modified", "accept-ranges", "set-cookie"]) {
        expect(reply.headers).not.toHaveProperty(absent);
      }
    }
  });

  it("O-60 O-66 O-67: answer HEAD and OPTIONS, are sent whole and uncoded, and refuse other methods with 405", async () => {
    for (const name of service.release.assets.names) {
      const target = `/assets/${name}`;
      const plain = await service.send("GET", target);
      const head = await service.send("HEAD", target);
      expect([head.status, head.body.length, fieldsOf(head)]).toEqual([200, 0, fieldsOf(plain)]);
      for (const fields of [
        { range: "bytes=0-3" },
        { "accept-encoding": "br, gzip" },
        { accept: "image/png" },
        { host: "x" },
      ]) {
        const reply = await service.send("GET", target, { headers: fields });
        expect([target, fields, reply.status, reply.body.equals(plain.body)]).toEqual([target, fields, 200, true]);
        expect(fieldsOf(reply)).toEqual(fieldsOf(plain));
      }
      const options = await service.send("OPTIONS", target);
      expect([options.status, options.headers.allow]).toEqual([204, "GET, HEAD, OPTIONS"]);
      for (const method of ["PUT", "POST", "PATCH", "DELETE", "TRACE"]) {
        const reply = await service.send(method, target);
        expectRefusal(reply, "method_not_allowed");
        expect(reply.headers.allow).toBe("GET, HEAD, OPTIONS");
      }
    }
  });

  it("O-60: an unknown asset, another case or a longer path is 404 in the envelope, also to HEAD and POST", async () => {
    const [name = ""] = service.release.assets.names;
    const targets = words(
      `/assets/${name}x /assets/${name.toUpperCase()} /assets/${name}/ /assets/${name}/x /assets//${name} /Assets/${name}`,
      `/${name} /assets/site.0000000000000000.css /assets/${name}%00 /assets/${name}.map /assets/%2e/${name}x`,
    );
    for (const target of targets) {
      for (const method of ["GET", "HEAD", "POST"]) {
        const reply = await service.send(method, target);
        expect([method, target, reply.status]).toEqual([method, target, 404]);
        if (method !== "HEAD") expectRefusal(reply, "not_found");
      }
    }
  });

  it("O-60: a file beside them that the manifest does not list is 404, put there before the start or after", async () => {
    const directory = await ownRelease(checkedRegistry(empty));
    const put = (name: string): void => writeFileSync(path.join(directory, "assets", name), "secret");
    put("before.txt");
    const release = openRelease(directory);
    const { port, close } = await listen(release);
    put("after.txt");
    const { names } = release.assets;
    const targets = [...names, "before.txt", "after.txt"];
    const statuses = await Promise.all(
      targets.map(async (name) => (await fetch(`http://127.0.0.1:${port}/assets/${name}`)).status),
    );
    await close();
    release.close();
    rmSync(path.dirname(directory), { recursive: true });
    expect(names.length).toBeGreaterThan(3);
    expect(statuses).toEqual([...names.map(() => 200), 404, 404]);
  });

  it("O-60: an asset that is there is never 404, whatever its preconditions (RFC 9110 §13.1)", async () => {
    for (const name of service.release.assets.names) {
      for (const [fields, statuses] of [
        [{ "if-none-match": '"x"' }, [200]],
        [{ "if-none-match": "*" }, [200, 304]],
        [{ "if-modified-since": "Fri, 31 Dec 2100 23:59:59 GMT" }, [200]],
        [{ "if-match": '"x"' }, [412]],
        [{ "if-match": "*" }, [200]],
        // §13.1.4: ignored where the resource has no modification date.
        [{ "if-unmodified-since": "Sat, 01 Jan 2000 00:00:00 GMT" }, [200]],
      ] as const) {
        const { status } = await service.send("GET", `/assets/${name}`, { headers: fields });
        expect(statuses, `${name} ${JSON.stringify(fields)}`).toContain(status);
      }
    }
  });
});

describe("after all of this", () => {
  it("A12: no request has changed a document or caused a fault", async () => {
    const dist = path.dirname(service.release.assets.directory);
    for (const asked of negotiatedMachine) {
      const reply = await get(asked);
      const file = header(reply, "content-location").slice(ORIGIN.length);
      expect(reply.body.equals(readFileSync(path.join(dist, file)))).toBe(true);
    }
    expect(service.faults).toEqual([]);
  });
});
