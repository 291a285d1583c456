/**
 * Integration on the wire: checklist, reports, studio and kits as representations, what every other recipe gets instead,
 * and that two builds and two processes give the same bytes.
 */
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ErrorEnvelope } from "../../../runtime/contract/resolution.ts";
import { serve } from "../../support/command.ts";
import { starterRegistry, RECIPES } from "../../support/documents.ts";
import { readZip } from "../../support/kits.ts";
import { empty, nasty } from "../../support/nasty.ts";
import { checkedRegistry } from "../../support/registry.ts";
import { buildInto } from "../../support/build.ts";
import { buildRelease, ORIGIN } from "../../support/release.ts";
import { expectSchema } from "../../support/schemas.ts";
import { type Reply, type Service, startService } from "../../support/service.ts";
import { filesIn } from "../../support/files.ts";

const READINESS = "/api/v1/integration-readiness";
const STUDIO = "/api/v1/integration-studio";
const REPORT = `${READINESS}/report`;
const KIT = `${STUDIO}/kit`;
const reports = RECIPES.map((id) => `${REPORT}/${id}`);
const kits = RECIPES.map((id) => `${KIT}/${id}.zip`);
const all = [READINESS, ...reports, STUDIO, ...kits];

const PUBLIC = "public, max-age=300, must-revalidate, no-transform";
/** What tells one representation from another; a refusal has none of it. */
const VALIDATORS = ["content-location", "etag", "repr-digest", "x-content-sha256"];

let service: Service;
beforeAll(async () => {
  service = await startService(checkedRegistry(nasty));
});
afterAll(() => service.close());

const get = (target: string, headers: Record<string, string> = {}): Promise<Reply> =>
  service.send("GET", target, { headers });

function header(reply: Reply, name: string): string {
  const value = reply.headers[name];
  return typeof value === "string" ? value : "";
}

/** All fields but the date. */
function fieldsOf({ headers }: Reply): Record<string, unknown> {
  const { date: _date, ...rest } = headers;
  return rest;
}

describe("checklist, reports, studio and kits", () => {
  it("F12 F21 F30: are all there, JSON as application/json, kits as application/zip and nothing more", async () => {
    for (const target of all) {
      const reply = await get(target);
      const type = target.endsWith(".zip") ? "application/zip" : "application/json";
      expect([target, reply.status, header(reply, "content-type")]).toEqual([target, 200, type]);
      if (type === "application/json") expect(typeof reply.json()).toBe("object");
      else expect((await readZip(reply.body)).length).toBeGreaterThan(10);
    }
    for (const [i, target] of reports.entries()) {
      expect((await get(target)).json()).toMatchObject({ recipe: { id: RECIPES[i] } });
      const [first] = await readZip((await get(kits[i] ?? "")).body);
      expect(first?.name.split("/")[0]).toBe(`service-semantics-${RECIPES[i]}`);
    }
    expect(new Set((await Promise.all(kits.map((target) => get(target)))).map(({ body }) => body.toString("base64"))).size).toBe(5); // prettier-ignore
  });

  it("F28 O-38 O-45: carry the digest of their bytes in its spellings, their address, length and cache policy", async () => {
    for (const target of all) {
      const reply = await get(target);
      const digest = createHash("sha256").update(reply.body).digest();
      const hex = digest.toString("hex");
      expect(header(reply, "x-content-sha256")).toMatch(/^[0-9a-f]{64}$/);
      expect([target, fieldsOf(reply)]).toEqual([
        target,
        expect.objectContaining({
          "x-content-sha256": hex,
          etag: `"${hex}"`,
          "repr-digest": `sha-256=:${digest.toString("base64")}:`,
          "content-location": ORIGIN + target,
          "cache-control": PUBLIC,
          "content-length": String(reply.body.length),
          "x-content-type-options": "nosniff",
          "access-control-allow-origin": "*",
        }),
      ]);
      for (const absent of ["set-cookie", "last-modified", "accept-ranges", "content-encoding", "vary", "location"]) {
        expect([target, absent, reply.headers[absent]]).toEqual([target, absent, undefined]);
      }
    }
  });

  it("F28 O-36 O-38: answer HEAD with the fields of GET and no body", async () => {
    for (const target of all) {
      const [got, head] = [await get(target), await service.send("HEAD", target)];
      expect([target, head.status, head.body.length]).toEqual([target, 200, 0]);
      expect([target, fieldsOf(head)]).toEqual([target, fieldsOf(got)]);
    }
  });

  it("O-36 O-38: answer 304 to their own tag, weak or in a list, and to *; to another with 200", async () => {
    for (const target of all) {
      const got = await get(target);
      const tag = header(got, "etag");
      for (const method of ["GET", "HEAD"]) {
        for (const condition of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
          const reply = await service.send(method, target, { headers: { "if-none-match": condition } });
          expect([target, method, condition, reply.status, reply.body.length]).toEqual([
            target,
            method,
            condition,
            304,
            0,
          ]);
          for (const name of [...VALIDATORS, "cache-control"]) expect(header(reply, name)).toBe(header(got, name));
          for (const name of ["content-type", "content-length"]) expect(reply.headers[name]).toBeUndefined();
        }
        for (const condition of ['"other"', tag.replaceAll('"', ""), `"${tag}"`]) {
          const { status } = await service.send(method, target, { headers: { "if-none-match": condition } });
          expect([target, method, condition, status]).toEqual([target, method, condition, 200]);
        }
      }
    }
    // The tag of one kit is no tag of another.
    const tags = await Promise.all(kits.map(async (target) => header(await get(target), "etag")));
    expect((await get(kits[1] ?? "", { "if-none-match": tags[0] ?? "" })).status).toBe(200);
    expect(new Set(tags).size).toBe(5);
  });

  it("O-30 O-66 O-67: ignore Accept, Accept-Encoding, Range, query and body: whole, uncoded, the same bytes", async () => {
    for (const target of all) {
      const plain = await get(target);
      const asked: [string, Record<string, string>, string?][] = [
        [target, { accept: "image/png" }],
        [target, { "accept-encoding": "gzip, br" }],
        [target, { range: "bytes=0-9", "if-range": header(plain, "etag") }],
        [target, {}, '{"recipeId":"clarification"}'],
        [target, { cookie: "a=b", authorization: "Bearer x" }],
        [`${target}?x`, {}],
        [`${target}?recipeId=none&x=%2F`, {}],
        [`${target}?`, {}],
        [`${target}?/x.zip`, {}],
      ];
      for (const [place, headers, body] of asked) {
        const reply = await service.send("GET", place, { headers, ...(body === undefined ? {} : { body }) });
        expect([place, headers, reply.status, reply.body.equals(plain.body)]).toEqual([place, headers, 200, true]);
        expect(fieldsOf(reply)).toEqual(fieldsOf(plain));
      }
    }
  });

  it("F12 F21: are found in the absolute form of a target too, as proxies send it (RFC 9112 §3.2.2)", async () => {
    for (const target of all) {
      const [plain, absolute] = [await get(target), await get(`http://proxied.example${target}`)];
      expect([target, absolute.status, absolute.body.equals(plain.body)]).toEqual([target, 200, true]);
      expect(fieldsOf(absolute)).toEqual(fieldsOf(plain));
    }
    expectNoRecipe(await get(`http://proxied.example${REPORT}/none`), "in absolute form");
  });

  it("F31: take no other method: 405 with Allow, not stored, and nothing is changed by it", async () => {
    const before = await Promise.all(all.map((target) => get(target)));
    for (const target of all) {
      for (const method of ["PUT", "PATCH", "DELETE", "POST"]) {
        for (const body of ["", "{}"]) {
          const reply = await service.send(method, target, {
            headers: { "content-type": "application/json", "if-none-match": "*" },
            body,
          });
          expect([method, target, reply.status, reply.headers.allow]).toEqual([
            method,
            target,
            405,
            "GET, HEAD, OPTIONS",
          ]);
          expect(expectSchema(ErrorEnvelope, reply.json()).error.code).toBe("method_not_allowed");
          expect(header(reply, "cache-control")).toBe("no-store");
          for (const name of VALIDATORS) expect(reply.headers).not.toHaveProperty(name);
        }
      }
      const options = await service.send("OPTIONS", target);
      expect([target, options.status, options.headers.allow]).toEqual([target, 204, "GET, HEAD, OPTIONS"]);
    }
    const after = await Promise.all(all.map((target) => get(target)));
    expect(after.map(({ body }, i) => body.equals(before[i]?.body ?? Buffer.alloc(0)))).toEqual(all.map(() => true));
  });

  it("F21: with the empty registry and with the starter's are there as well", async () => {
    for (const registry of [checkedRegistry(empty), starterRegistry()]) {
      const other = await startService(registry);
      const statuses = await Promise.all(all.map(async (target) => (await other.send("GET", target)).status));
      await other.close();
      expect(statuses).toEqual(all.map(() => 200));
    }
  });
});

/** A recipe that is none gets this one answer, wherever it is asked for. */
function expectNoRecipe(reply: Reply, what: string): void {
  expect([what, reply.status]).toEqual([what, 404]);
  const { data, error } = expectSchema(ErrorEnvelope, reply.json());
  expect([what, data, error.code]).toEqual([what, null, "recipe_not_found"]);
  expect(error.message.length).toBeGreaterThan(0);
  expect([what, header(reply, "content-type"), header(reply, "cache-control")]).toEqual([
    what,
    "application/json",
    "no-store",
  ]);
  for (const name of [...VALIDATORS, "location"]) expect([what, reply.headers]).toEqual([what, expect.not.objectContaining({ [name]: expect.anything() })]); // prettier-ignore
}

describe("any other recipe", () => {
  /** Holds for a report and a kit alike: what stands in the place of the id. */
  const OTHERS: Readonly<Record<string, readonly string[]>> = {
    "in another case": ["Clarification", "CLARIFICATION", "clarificatioN", "Multilingual-Memory", "multilingual-Memory"],
    "misspelt or shortened": [
      "multilingual_memory",
      "multilingualmemory",
      "multilingual-memor",
      "multilingual-memoryy",
      "multilingual--memory",
      "memory",
      "api",
      "*",
      "none",
      "index",
      "index.json",
    ],
    "with something before or behind it": [
      "clarification%20",
      "%20clarification",
      "clarification.",
      "clarification.json",
      "clarification.html",
      "clarification;v=1",
      "clarification,workflow-routing",
      "clarification&x=1",
      "clarification+",
      "clarification%3Fx",
      "clarification%23x",
      "clarification%00",
      "%00",
      "clarification%0A",
      "clarification%0d%0aX-Injected:%201",
      "clarification%E2%80%8B",
      "%ef%bd%83larification",
    ],
    "encoded twice": ["multilingual%252Dmemory", "%256Dultilingual-memory"],
    "that is no name but a member of every object": ["__proto__", "constructor", "toString", "hasOwnProperty"],
    "of great length": ["a".repeat(5_000), "clarification".repeat(1_000), "%41".repeat(4_000)],
    "made of dots": ["..", ".", "%2e%2e", "...", "%2E", "..%2f", "..%2Fclarification", "..%5cclarification", "%2e%2e%2fclarification"],
    "with an encoded slash": ["clarification%2F", "%2Fclarification", "x%2Fclarification", "clarification%5C"],
  }; // prettier-ignore

  const KINDS = Object.keys(OTHERS);

  it.each(KINDS)("F15 O-36 O-37: %s is 404 with the one envelope, as report and as kit", async (kind) => {
    for (const id of OTHERS[kind] ?? []) {
      const [report, kit] = [await get(`${REPORT}/${id}`), await get(`${KIT}/${id}.zip`)];
      expectNoRecipe(report, `report ${id.slice(0, 60)}`);
      expectNoRecipe(kit, `kit ${id.slice(0, 60)}`);
      expect(kit.body.equals(report.body)).toBe(true);
    }
  });

  /** Spellings of letters and hyphens that need none: another text where the id is expected. */
  const ENCODED = ["multilingual%2Dmemory", "multilingual%2dmemory", "%6Dultilingual-memory", "%63larification", "clarificatio%6E"]; // prettier-ignore

  it("F15: percent-encoded in letters that need no encoding is no other way to the report: 404", async () => {
    for (const id of ENCODED) expectNoRecipe(await get(`${REPORT}/${id}`), id);
  });

  it("O-36: percent-encoded in letters that need no encoding is no other way to the kit: 404", async () => {
    for (const id of ENCODED) expectNoRecipe(await get(`${KIT}/${id}.zip`), id);
    expectNoRecipe(await get(`${KIT}/clarification%2Ezip`), "an encoded dot");
    expectNoRecipe(await get(`${KIT}/clarification.%7Aip`), "an encoded letter of zip");
  });

  it("F15 O-37: none at all is 404 with the one envelope", async () => {
    expectNoRecipe(await get(`${REPORT}/`), "no report");
    expectNoRecipe(await get(`${KIT}/`), "no kit");
    expectNoRecipe(await get(`${KIT}/.zip`), "a kit of no name");
    expectNoRecipe(await get(`${REPORT}/?recipeId=clarification`), "an id in the query");
    for (const target of [REPORT, KIT]) {
      const reply = await get(target);
      expect([target, reply.status]).toEqual([target, 404]);
      expectSchema(ErrorEnvelope, reply.json());
    }
  });

  it.each([
    "clarification/",
    "clarification//",
    "clarification/x",
    "/clarification",
    "../",
    "../report/clarification",
    "./clarification",
    "clarification/.",
    "clarification/..",
    "x/../clarification",
  ])(
    "F15: with a trailing slash, or among dots and slashes, is 404 in an envelope, never a redirect: %s",
    async (id) => {
      // prettier-ignore
      for (const target of [`${REPORT}/${id}`, `${KIT}/${id}`, `${KIT}/${id}.zip`]) {
      for (const method of ["GET", "HEAD"]) {
        const reply = await service.send(method, target);
        expect([method, target, reply.status, reply.headers.location]).toEqual([method, target, 404, undefined]);
        expect(header(reply, "cache-control")).toBe("no-store");
        if (method === "GET") expectSchema(ErrorEnvelope, reply.json());
      }
    }
    },
  );

  it("F15 O-36 O-37: with a trailing slash is a recipe that is not there, as the contract lists it", async () => {
    expectNoRecipe(await get(`${REPORT}/clarification/`), "report clarification/");
    expectNoRecipe(await get(`${KIT}/clarification.zip/`), "kit clarification.zip/");
  });

  it("F15 O-37: ../ is a recipe that is not there, as the contract lists it", async () => {
    expectNoRecipe(await get(`${REPORT}/../`), "report ../");
    expectNoRecipe(await get(`${REPORT}/../clarification`), "report ../clarification");
  });

  it("O-36: without .zip, with .ZIP or with more behind it is 404 with the body of the report's", async () => {
    const { body } = await get(`${REPORT}/none`);
    for (const name of [
      "clarification",
      "clarification.ZIP",
      "clarification.Zip",
      "clarification.zip.zip",
      "clarification.zipx",
      "clarification.tar",
      "clarificationzip",
      "clarification.zip%20",
      "clarification.zip;x",
    ]) {
      // prettier-ignore
      const reply = await get(`${KIT}/${name}`);
      expectNoRecipe(reply, name);
      expect([name, reply.body.equals(body)]).toEqual([name, true]);
    }
    expectNoRecipe(await get(`${REPORT}/clarification.zip`), "the report of a ZIP");
  });

  it.each([`${REPORT}/none`, `${KIT}/none.zip`, `${KIT}/clarification`])(
    "O-36 O-62: answers HEAD with the fields of GET and no body, and no precondition makes it 304 or 412: %s",
    async (target) => {
      const [got, head] = [await get(target), await service.send("HEAD", target)];
      expect([target, head.status, head.body.length, fieldsOf(head)]).toEqual([target, 404, 0, fieldsOf(got)]);
      for (const fields of [{ "if-none-match": "*" }, { "if-none-match": '"x"' }, { "if-match": '"x"' }]) {
        expectNoRecipe(await get(target, fields), target);
      }
      expectNoRecipe(await get(target, { accept: "image/png" }), target);
      expectNoRecipe(await get(`${target}?recipeId=clarification`), target);
    },
  );

  it.each(["%", "clarification%", "%zz", "%ff", "%c0%ae%c0%ae"])(
    "F15: broken percent-encoding is 400 in an envelope that repeats nothing of it: %s",
    async (id) => {
      for (const target of [`${REPORT}/${id}`, `${KIT}/${id}.zip`]) {
        const reply = await get(target);
        expect([target, reply.status]).toEqual([target, 400]);
        expect(expectSchema(ErrorEnvelope, reply.json()).error.code).toBe("invalid_http");
      }
    },
  );

  it("O-37: gets an envelope that says where the five are, and nothing of what was asked for", async () => {
    const { error } = expectSchema(ErrorEnvelope, (await get(`${REPORT}/hunter2`)).json());
    expect(JSON.stringify(error)).not.toContain("hunter2");
    expect(error.message).toMatch(/no recipe/i);
    expect(error.message).toMatch(/five/);
  });

  it("F15 F31: sees no file of the release: neither its folders' documents nor its neighbours", async () => {
    const hidden = [`${READINESS}/index.json`, `${STUDIO}/index.json`, `${READINESS}/`, `${STUDIO}/`, `${STUDIO}/kit/index.json`, "/api/v1/Integration-Studio", "/api/v1/integration-studio.json"]; // prettier-ignore
    for (const target of hidden) {
      const reply = await get(target);
      expect([target, reply.status]).toEqual([target, 404]);
      expectSchema(ErrorEnvelope, reply.json());
    }
    expect(service.faults).toEqual([]);
  });
});

describe("the same inputs", () => {
  it("F13 F22 A18: give the same bytes on repeat and after a restart, of every document and kit", async () => {
    const directory = await buildRelease(checkedRegistry(nasty));
    const rounds: string[][] = [];
    for (let round = 0; round < 2; round++) {
      // A process of its own each time, in a place with another clock and language.
      const env = round === 0 ? { TZ: "Asia/Tokyo", LANG: "ja_JP.UTF-8" } : { TZ: "America/Los_Angeles", LANG: "C" };
      const served = await serve("lib/runtime/main.js", ["--out", directory], env);
      const read = async (target: string) => {
        const reply = await fetch(`http://127.0.0.1:${served.port}${target}`);
        const bytes = Buffer.from(await reply.arrayBuffer());
        return `${target} ${reply.status} ${reply.headers.get("etag")} ${createHash("sha256").update(bytes).digest("hex")}`;
      };
      for (let repeat = 0; repeat < 2; repeat++) rounds.push(await Promise.all(all.map(read)));
      served.child.kill("SIGTERM");
      await served.exit;
    }
    expect(rounds[0]?.every((line) => / 200 "/.test(line))).toBe(true);
    for (const round of rounds) expect(round).toEqual(rounds[0]);
    // And they are what this process serves of a release built another time.
    const here = await Promise.all(
      all.map(async (target) => {
        const reply = await get(target);
        return `${target} ${reply.status} ${header(reply, "etag")} ${header(reply, "x-content-sha256")}`;
      }),
    );
    expect(here).toEqual(rounds[0]);
  });

  it("F22 A18: give the same files from two builds, kits included, and others from another registry or origin", async () => {
    const twice = mkdtempSync(path.join(tmpdir(), "twice-"));
    await buildInto(twice, checkedRegistry(nasty));
    const built = [
      await buildRelease(checkedRegistry(nasty)),
      twice,
      await buildRelease(checkedRegistry(empty)),
      await buildRelease(checkedRegistry(nasty), "https://other.example"),
    ];
    const [one, two, other, elsewhere] = built.map((dist) => new Map(Object.entries(filesIn(dist)))) as [
      Map<string, Buffer>,
      ...Map<string, Buffer>[],
    ];
    rmSync(twice, { recursive: true });
    expect([...one.keys()]).toEqual([...(two?.keys() ?? [])]);
    expect([...one].filter(([name, bytes]) => two?.get(name)?.equals(bytes) !== true).map(([name]) => name)).toEqual(
      [],
    );
    const zips = [...one.keys()].filter((name) => name.endsWith(".zip"));
    expect(zips.map((name) => `/${name}`).toSorted()).toEqual(kits.toSorted());
    for (const name of zips) {
      const bytes = one.get(name) ?? Buffer.alloc(0);
      expect([name, other?.get(name)?.equals(bytes), elsewhere?.get(name)?.equals(bytes)]).toEqual([
        name,
        false,
        false,
      ]);
    }
  });

  it("G50 F31: are served as they lie in dist, before and after all of this", async () => {
    const dist = service.release.directory;
    for (const target of all) {
      const file = [READINESS, STUDIO].includes(target) ? `${target}/index.json` : target;
      expect([target, (await get(target)).body.equals(readFileSync(dist + file))]).toEqual([target, true]);
    }
    expect(service.faults).toEqual([]);
  });
});
