/** Representations: negotiation, validators, HEAD, caching, and the same for every client. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { Discovery } from "../../../generator/contract/reference.ts";
import { addedResources } from "../../../runtime/contract/added-resources.ts";
import { paths } from "../../../runtime/contract/paths.ts";
import { inventory, policies, resources } from "../../../runtime/contract/policy.ts";
import { ORIGIN } from "../../support/release.ts";
import { expectSchema } from "../../support/schemas.ts";

import {
  BROWSER,
  HTML_TYPE,
  JSON_TYPE,
  KITS,
  MARKDOWN_TYPE,
  OF_ONE_RESPONSE,
  PUBLIC,
  REPORTS,
  ask,
  expectTrueDigests,
  fieldsOf,
  get,
  header,
  isPage,
  machine,
  negotiatedMachine,
  pages,
  registryDocuments,
  representations,
  service,
  ten,
  words,
  useService,
} from "../../support/representations.ts";
import { namesIn } from "../../support/files.ts";

useService();

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

  it.each(["/answers", "/api-reference"])(
    "G23 O-12: a missing, empty or */* Accept gets JSON on /answers and /api-reference, a browser gets HTML: %s",
    async (target) => {
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
    },
  );

  it("G39: Accept in several field lines is one list (RFC 9110 §5.2)", async () => {
    const lines = ["Accept: application/json;q=0", "Accept: text/html;q=0.2", "accept: text/markdown;q=0.3"];
    expect((await ask("/answers", lines)).headers["content-type"]).toBe(MARKDOWN_TYPE);
  });

  it("G15 G18 G16: answer with the Content-Type, Content-Location and Cache-Control that the receipt says", async () => {
    const receipt = expectSchema(Discovery, (await service.send("GET", paths.discovery)).json());
    expect(receipt.routes.map(({ path: target }) => target)).toEqual(ten.map(([target]) => target));
    for (const { path: target, url, methods, representations: listed, ...entry } of receipt.routes) {
      expect([url, methods]).toEqual([ORIGIN + target, ["GET", "HEAD"]]);
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

  it.each(["/answers", "/api-reference"])(
    "G20 G22 G25 O-10: negotiated JSON and Markdown are /answers.json and /answers.md, in every byte and field: %s",
    async (target) => {
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
    },
  );

  it.each(representations)("G49: send Vary: Accept with 200, 304 and 406: $target as $accept", async (asked) => {
    const ok = await get(asked);
    const refused = await get({ ...asked, accept: "image/png" });
    const cached = await get(asked, { "if-none-match": "*" });
    expect([ok.status, refused.status, cached.status]).toEqual([200, 406, isPage(asked) ? 200 : 304]);
    for (const reply of [ok, refused, cached]) expect(header(reply, "vary")).toBe("Accept");
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

describe("the documents of integration, and guides", () => {
  it.each([
    [["/api/v1/integration-readiness", ...REPORTS, "/api/v1/integration-studio"], JSON_TYPE],
    [KITS, "application/zip"],
    [["/integration-studio", "/mcp-guide"], HTML_TYPE],
  ] as const)("G48: have the media type of what they are, to every Accept: %j %j", async (targets, type) => {
    for (const target of targets) {
      for (const accept of ["", "*/*", "image/png", "application/json", "application/zip", BROWSER]) {
        const reply = await get({ target, accept });
        expect([target, accept, reply.status, header(reply, "content-type")]).toEqual([target, accept, 200, type]);
      }
    }
  });

  it("lie in dist as index.json where a folder has their name", () => {
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
  it.each(machine)(
    "A17 F28 G24 G25 G26 G27 G28 G43 O-10 O-11 O-38: carries Content-Location and three digests that are true of its bytes: $target as $accept",
    async (asked) => {
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
    },
  );

  it("O-11: has an ETag that no other representation has, unless the bytes are the same", async () => {
    const replies = await Promise.all([...machine, ...pages].map((asked) => get(asked)));
    const texts = new Set(replies.map(({ body }) => body.toString("latin1")));
    expect(new Set(replies.map((reply) => header(reply, "etag"))).size).toBe(texts.size);
  });

  it("G50: is its file in dist, byte for byte, and every file of dist is served", async () => {
    const dist = service.release.directory;
    const served = new Set<string>();
    for (const { variants } of resources) {
      for (const { file, policy, location } of variants) {
        served.add(file);
        if (policy === "html") continue;
        const reply = await get({ target: location, accept: policies[policy].mediaType });
        expect([file, reply.body.equals(readFileSync(path.join(dist, file)))]).toEqual([file, true]);
      }
    }
    const assets = [...service.release.assets.keys()];
    for (const target of assets) {
      const { body } = await service.send("GET", target);
      expect([target, body.equals(readFileSync(path.join(dist, target)))]).toEqual([target, true]);
    }
    const files = namesIn(dist).map((name) => `/${name}`);
    // It is not prerendered: it is read anew for each answer.
    const { body } = await service.send("GET", paths.deployment);
    expect(body.equals(readFileSync(path.join(dist, paths.deployment)))).toBe(true);
    served.add(paths.deployment);
    const bundle = await service.send("GET", paths.bundle);
    expect(bundle.body.equals(readFileSync(path.join(dist, paths.bundle)))).toBe(true);
    served.add(paths.bundle);
    for (const { path: target } of addedResources(namesIn(dist).map((name) => `/${name}`))) {
      const added = await service.send("GET", target);
      expect([target, added.body.equals(readFileSync(path.join(dist, target)))]).toEqual([target, true]);
      served.add(target);
    }
    // Concepts are served out of the bundle, answers out of the index; the rest is what the release
    // is opened with.
    const inside = [
      "/SHA256SUMS",
      "/interface.json",
      "/manifest.json",
      "/mcp.json",
      "/registry.blocks",
      "/registry.index",
      "/registry.root",
      "/shell.html",
    ];
    expect(files.toSorted()).toEqual([...served, ...assets, ...inside].toSorted());
  });

  it.each(machine)(
    "O-66 O-67: is sent whole and uncoded whatever Accept-Encoding, Range or If-Range ask for: $target as $accept",
    async (asked) => {
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
    },
  );

  it.each(machine)(
    "O-15 O-54 O-10: has the same bytes and fields whoever asks, from where, in which language, with which query: $target as $accept",
    async (asked) => {
      const plain = await get(asked);
      for (const fields of [
        { host: "evil.example" },
        { host: "evil.example:8443", "x-forwarded-host": "evil.example", "x-forwarded-proto": "http" },
        { forwarded: "for=1.2.3.4;host=evil.example;proto=http", "x-real-ip": "1.2.3.4" },
        { "x-original-url": "/", "x-rewrite-url": "/none", "x-http-method-override": "DELETE" },
        { "user-agent": "curl/8", "accept-language": "fr;q=1, de", "accept-charset": "iso-8859-1" },
        { cookie: "session=1; a=b", authorization: "Bearer secret", origin: "https://evil.example" },
        { "mcp-session-id": "1" },
        { "if-modified-since": "Fri, 31 Dec 2100 23:59:59 GMT" },
      ]) {
        const reply = await get(asked, fields);
        expect([asked.target, fields, reply.status]).toEqual([asked.target, fields, 200]);
        expect(reply.body.equals(plain.body)).toBe(true);
        expect(fieldsOf(reply)).toEqual(fieldsOf(plain));
      }
      if (asked.target === "/api/v1/concepts") return;
      for (const query of ["?", "?x=1", "?q=taxi", "?callback=evil&lang=de", "?%ZZ", "?/../"]) {
        const reply = await get({ ...asked, target: asked.target + query });
        expect([query, reply.status, reply.body.equals(plain.body)]).toEqual([query, 200, true]);
        expect(fieldsOf(reply)).toEqual(fieldsOf(plain));
      }
    },
  );
});

describe("HEAD", () => {
  it("G29 G41: has the status and every field of GET and no body: 200 and 406, for each representation", async () => {
    const computed = [paths.status, "/api/v1/concepts?q=name", "/api/v1/concepts/NONE"];
    const others = computed.map((target) => ({ target, accept: "*/*" }));
    const refused = representations.map((one) => ({ ...one, accept: "image/png" }));
    for (const asked of [...machine, ...others, ...refused]) {
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

  it.each(machine)(
    "G35: with a matching If-None-Match is 304, with the fields of that 304 to GET: $target as $accept",
    async (asked) => {
      const tag = header(await get(asked), "etag");
      for (const field of [tag, `W/${tag}`, "*", `"x", ${tag}`]) {
        const [got, headed] = await Promise.all(
          ["GET", "HEAD"].map((method) => get(asked, { "if-none-match": field }, method)),
        );
        expect([asked.target, field, got?.status, headed?.status]).toEqual([asked.target, field, 304, 304]);
        expect(headed && fieldsOf(headed)).toEqual(got && fieldsOf(got));
        expect(headed?.body.length).toBe(0);
      }
    },
  );
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
      const exposed = String(headers["access-control-expose-headers"]).split(", ");
      expect(exposed).toEqual(
        expect.arrayContaining(["Content-Location", "ETag", "Link", "Repr-Digest", "X-Content-SHA256"]),
      );
      expect(headers["x-content-type-options"]).toBe("nosniff");
      for (const absent of ["access-control-allow-credentials", "set-cookie", "server", "x-powered-by", "location"]) {
        expect(headers).not.toHaveProperty(absent);
      }
      expect(Object.keys(headers).filter((name) => /session|authenticate/.test(name))).toEqual([]);
    }
  });

  it("O-48: of the API catalog links to it, also to HEAD and with 304; other machine documents do not", async () => {
    for (const asked of machine) {
      // A concept links to its context alone (O-70).
      if (asked.target.startsWith(`${paths.concepts}/`)) continue;
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

describe("after all of this", () => {
  it("A12: every document is answered as before, and no request has caused a fault", async () => {
    const dist = service.release.directory;
    for (const asked of negotiatedMachine) {
      const reply = await get(asked);
      const file = header(reply, "content-location").slice(ORIGIN.length);
      expect(reply.body.equals(readFileSync(path.join(dist, file)))).toBe(true);
    }
    expect(service.faults).toEqual([]);
  });
});
