/**
 * Integration on the wire: checklist, reports, studio and kits as representations, what every other
 * recipe gets instead, and that two processes give the same bytes.
 */
import { describe, expect, it } from "vitest";
import { ErrorEnvelope } from "../../../runtime/contract/resolution.ts";
import { serve } from "../../support/command.ts";
import { RECIPES } from "../../support/documents.ts";
import { readZip } from "../../support/kits.ts";
import { nasty } from "../../support/nasty.ts";
import { checkedRegistry } from "../../support/registry.ts";
import { fieldsOf, header, KITS, REPORTS } from "../../support/representations.ts";
import { expectSchema } from "../../support/schemas.ts";
import { sha256 } from "../../support/sha256.ts";
import { type Reply, serviceFor } from "../../support/service.ts";

const READINESS = "/api/v1/integration-readiness";
const STUDIO = "/api/v1/integration-studio";
const REPORT = `${READINESS}/report`;
const KIT = `${STUDIO}/kit`;
const all = [READINESS, ...REPORTS, STUDIO, ...KITS];

/** What tells one representation from another; a refusal has none of it. */
const VALIDATORS = ["content-location", "etag", "repr-digest", "x-content-sha256"];

const service = serviceFor(() => checkedRegistry(nasty));

const get = (target: string, headers: Record<string, string> = {}): Promise<Reply> =>
  service.send("GET", target, { headers });

describe("checklist, reports, studio and kits", () => {
  it("F12 F21 F30: are answered with 200, JSON as application/json, kits as application/zip and nothing more", async () => {
    for (const target of all) {
      const reply = await get(target);
      const type = target.endsWith(".zip") ? "application/zip" : "application/json";
      expect([target, reply.status, header(reply, "content-type")]).toEqual([target, 200, type]);
      if (type === "application/json") expect(typeof reply.json()).toBe("object");
      else expect((await readZip(reply.body)).length).toBeGreaterThan(10);
    }
    for (const [i, target] of REPORTS.entries()) {
      expect((await get(target)).json()).toMatchObject({ recipe: { id: RECIPES[i] } });
      const [first] = await readZip((await get(KITS[i] ?? "")).body);
      expect(first?.name.split("/")[0]).toBe(`service-semantics-${RECIPES[i]}`);
    }
    expect(new Set((await Promise.all(KITS.map((target) => get(target)))).map(({ body }) => body.toString("base64"))).size).toBe(5); // prettier-ignore
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
    "that cannot be decoded": ["%", "%Z", "%ZZ", "clarification%", "%C3", "%ff", "%ED%A0%80"],
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

  it.each([
    ...ENCODED.flatMap((id) => [`${REPORT}/${id}`, `${KIT}/${id}.zip`]),
    ...["clarification%2Ezip", "clarification.%7Aip", "", ".zip", "clarification.zip/"].map((name) => `${KIT}/${name}`),
    ...["", "?recipeId=clarification", "clarification/", "../../tools/", "../clarification", "clarification.zip"].map(
      (id) => `${REPORT}/${id}`,
    ),
  ])(
    "F15 O-36 O-37: needlessly encoded, none at all, in the query, with a slash or dots, is none: %s",
    async (target) => {
      expectNoRecipe(await get(target), target);
    },
  );

  it.each([
    "clarification/",
    "clarification//",
    "clarification/x",
    "/clarification",
    "../../tools/",
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
      "index.json",
    ]) {
      // prettier-ignore
      const reply = await get(`${KIT}/${name}`);
      expectNoRecipe(reply, name);
      expect([name, reply.body.equals(body)]).toEqual([name, true]);
    }
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

  it("O-37: gets an envelope that says where the five are, and nothing of what was asked for", async () => {
    const { error } = expectSchema(ErrorEnvelope, (await get(`${REPORT}/hunter2`)).json());
    expect(JSON.stringify(error)).not.toContain("hunter2");
    expect(error.message).toMatch(/no recipe/i);
    expect(error.message).toMatch(/five/);
  });
});

it("F13 F22 A18: the same bytes are sent on repeat and after a restart, of every document and kit", async () => {
  const here = async (): Promise<string[]> =>
    Promise.all(
      all.map(async (target) => {
        const reply = await get(target);
        return `${target} ${reply.status} ${header(reply, "etag")} ${header(reply, "x-content-sha256")}`;
      }),
    );
  const first = await here();
  expect(first.every((line) => / 200 "/.test(line))).toBe(true);
  expect(await here()).toEqual(first);
  // A process of its own, in a place with another clock and language.
  const env = { TZ: "Asia/Tokyo", LANG: "ja_JP.UTF-8" };
  const served = await serve("lib/runtime/main.js", ["--out", service.release.directory], env);
  const read = async (target: string): Promise<string> => {
    const reply = await fetch(`http://127.0.0.1:${served.port}${target}`);
    const bytes = Buffer.from(await reply.arrayBuffer());
    return `${target} ${reply.status} ${reply.headers.get("etag")} ${sha256(bytes)}`;
  };
  expect(await Promise.all(all.map(read))).toEqual(first);
  served.child.kill("SIGTERM");
  await served.exit;
  expect(service.faults).toEqual([]);
});
