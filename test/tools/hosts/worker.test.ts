/**
 * The Worker over assets and a bucket in memory: the whole law, and an error wherever a store lacks
 * or changes something. That workerd runs it is shown in test/external.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { differences } from "../../../generator/tools/hosts/differences.ts";
import type { HttpReply } from "../../../generator/effects/http-client.ts";
import { expectedAnswers, lawCases } from "../../../generator/tools/hosts/law.ts";
import type { Expect } from "../../../generator/tools/hosts/request.ts";
import { paths } from "../../../runtime/contract/paths.ts";
import { openRelease, type Release } from "../../../runtime/release/release.ts";
import { createWorker } from "../../../generator/tools/hosts/portable/worker.ts";
import { starterRegistry } from "../../support/documents.ts";
import { buildRelease, ORIGIN } from "../../support/release.ts";
import { partOf } from "../../support/static-host.ts";

const UNPROVEN = { verified: false, failureCategory: "identity_document_missing_or_unsafe", detail: "" } as const;
const IN_BUCKET = { "registry.index": "index-key", "registry/bundle.ndjson": "bundle-key" };

let dist: string;
let release: Release;
let expected: Expect;
beforeAll(async () => {
  dist = await buildRelease(starterRegistry());
  release = openRelease(dist);
  expected = expectedAnswers(release, UNPROVEN);
});

/** What a store has of a file; undefined where it lacks it. */
type Read = (name: string) => Buffer | undefined;
const asBuilt: Read = (name) => readFileSync(path.join(dist, name));

/** A Worker with its stores, and what they were asked for. */
function start(read: Read = asBuilt): { ask: Expect; asked: string[] } {
  const asked: string[] = [];
  const names = new Map(Object.entries(IN_BUCKET).map(([name, key]) => [key, name]));
  const worker = createWorker({ manifest: release.manifest, stored: IN_BUCKET });
  const ASSETS = {
    fetch(url: string): Promise<Response> {
      const name = new URL(url).pathname.slice(1);
      asked.push(name);
      const bytes = read(name);
      // As on the platform, an asset is always sent whole.
      return Promise.resolve(
        bytes === undefined ? new Response("", { status: 404 }) : new Response(new Uint8Array(bytes)),
      );
    },
  };
  const REGISTRY = {
    get(key: string, { range = {} }: { range?: object }) {
      asked.push(key);
      const bytes = read(names.get(key) ?? "");
      if (bytes === undefined) return Promise.resolve(null);
      const { suffix, offset, length } = range as { suffix: number; offset?: number; length: number };
      const field = offset === undefined ? `bytes=-${suffix}` : `bytes=${offset}-${offset + length - 1}`;
      const { body } = partOf(bytes, field);
      return Promise.resolve({ size: bytes.length, body: body as ReadableStream<Uint8Array> });
    },
  };
  const ask: Expect = async ({ method, path: target, fields, body }) => {
    const init = { method, headers: fields, ...(body !== undefined && { body }) };
    const response = await worker.fetch(new Request(ORIGIN + target, init), { ASSETS, REGISTRY });
    return {
      status: response.status,
      fields: Object.fromEntries(response.headers),
      body: new Uint8Array(await response.arrayBuffer()),
    };
  };
  return { ask, asked };
}

const get = (target: string) => ({ method: "GET", path: target, fields: {} });
const resolve = (expression: string) => ({
  method: "POST",
  path: paths.resolve,
  fields: { "content-type": "application/json" },
  body: JSON.stringify({ expression }),
});

describe("the Worker", () => {
  it("keeps the whole law, with the registry in a bucket and everything else in assets", async () => {
    const { ask, asked } = start();
    const cases = await lawCases(release, expected);
    const faults = await Promise.all(
      cases.map(async (one) => {
        const found = differences(one, await expected(one.request), await ask(one.request));
        return found.map((fault) => [one.request, fault]);
      }),
    );
    expect(cases.length).toBeGreaterThan(600);
    expect(faults.flat()).toEqual([]);
    expect(new Set(asked)).toContain("bundle-key");
  });

  it("sends what is too long to be held, and filters it", async () => {
    const { ask } = start();
    for (const target of [paths.bundle, paths.concepts, `${paths.concepts}?q=e`, `${paths.conceptPages}?page=2`]) {
      const [actual, due] = [await ask(get(target)), await expected(get(target))];
      expect([target, actual.status, actual.body.length]).toEqual([target, 200, due.body.length]);
      if (!target.startsWith(paths.conceptPages)) expect(Buffer.compare(actual.body, due.body)).toBe(0);
    }
  });

  it("reads what a request needs and nothing else, and once", async () => {
    const { ask, asked } = start();
    await ask(get(paths.llms));
    await ask(get(paths.llms));
    expect(asked).toEqual([paths.llms.slice(1)]);
  });

  it("cannot vouch for what runs, and says so in the contract's words", async () => {
    const { status, fields } = await start().ask(get(paths.deployment));
    expect([status, fields["x-service-semantics-deployment-identity"]]).toEqual([503, "unavailable"]);
  });
});

describe("a store that lacks or changes something", () => {
  const said = vi.spyOn(console, "error").mockImplementation(() => undefined);
  afterAll(() => said.mockRestore());

  const flipped = (bytes: Buffer): Buffer => bytes.map((byte, i) => (i % 4096 === 5 ? byte ^ 1 : byte)) as Buffer;
  const problemOf = ({ status, body }: HttpReply): unknown => [status, JSON.parse(Buffer.from(body).toString())];
  const unavailable = {
    data: null,
    error: {
      code: "registry_unavailable",
      message: "The registry cannot be read; nothing was resolved or assigned",
    },
  };

  it.each(["registry.index", "registry.blocks", "registry.root"])("is an error and no abstention: %s", async (file) => {
    for (const spoil of [flipped, () => undefined, (bytes: Buffer) => bytes.subarray(0, -1)]) {
      let isSpoilt = true;
      const { ask } = start((name) => (isSpoilt && name === file ? spoil(asBuilt(name) as Buffer) : asBuilt(name)));
      for (const expression of ["refund request", "nobody says this"])
        expect(problemOf(await ask(resolve(expression)))).toEqual([503, unavailable]);
      // What is not of the registry is answered as ever.
      expect((await ask(get(paths.llms))).status).toBe(200);
      isSpoilt = false;
      expect(await ask(resolve("refund request"))).toEqual(await expected(resolve("refund request")));
    }
  });

  it("is an error over MCP too, and for documents and the bundle", async () => {
    const lost = ["/llms.txt", "/openapi.json", "/registry/bundle.ndjson", "/registry.index"];
    const { ask } = start((name) => (lost.includes(`/${name}`) ? flipped(asBuilt(name) as Buffer) : asBuilt(name)));
    for (const target of [paths.llms, "/openapi.json", paths.concepts])
      expect([target, problemOf(await ask(get(target)))]).toEqual([target, [503, unavailable]]);
    const call = (await lawCases(release, expected)).find(({ request }) => request.body?.includes("tools/call"));
    const reply = await ask(call?.request ?? get("/"));
    expect(problemOf(reply)).toMatchObject([503, { error: { message: expect.stringContaining("cannot be read") } }]);
  });

  it("is said to the operator, without what was asked", () => {
    expect(said.mock.calls.flat().length).toBeGreaterThan(20);
    const other = said.mock.calls
      .flat()
      .filter((text) => !/^(?:\S+ cannot be read: |Registry index )/.test(text as string));
    expect(other).toEqual([]);
  });
});
