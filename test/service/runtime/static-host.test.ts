/**
 * The module that resolves from the files of a static host: it answers what `POST /api/v1/resolve`
 * answers, byte for byte, and throws wherever the host sends anything but the files of one release.
 */
import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CheckedRegistry } from "../../../generator/registry/checked.ts";
import { tagOf } from "../../../generator/registry/concept.ts";
import { createFetchHandler } from "../../../generator/tools/hosts/portable/fetch.ts";
import { openRelease, type Release } from "../../../runtime/release/release.ts";
import { starterRegistry } from "../../support/documents.ts";
import { empty, nasty } from "../../support/nasty.ts";
import { checkedRegistry } from "../../support/registry.ts";
import { buildRelease } from "../../support/release.ts";
import { sha256 as digestOf } from "../../support/sha256.ts";
import {
  BASE,
  importResolver,
  partOf,
  type ResolverModule,
  resolverFile,
  type Spoil,
  staticHost,
} from "../../support/static-host.ts";

const INDEX = "registry.index";
const REFUSED: readonly unknown[] = [
  {},
  [],
  null,
  "x",
  { expression: 7 },
  { expression: "" },
  { expression: "x".repeat(1001) },
  { expression: "\ud800" },
  { expression: "x", language: "en_US" },
  { expression: "x", language: "" },
  { expression: "x", more: "x".repeat(50) },
];

let dist: string;
let release: Release;
let module: ResolverModule;
beforeAll(async () => {
  dist = await buildRelease(starterRegistry());
  release = openRelease(dist);
  module = await importResolver(dist);
});
afterAll(() => release.close());

type Answer = { readonly status: number; readonly body: string };

/** What the service answers to a request. */
function serviceOf(served: Release): (request: unknown) => Promise<Answer> {
  const identity = (): Promise<never> => Promise.reject(new Error("Nobody asks"));
  const handler = createFetchHandler(served, { nonce: () => "", identity });
  const headers = { "content-type": "application/json" };
  return async (request) => {
    const body = JSON.stringify(request);
    const url = `${served.manifest.origin}/api/v1/resolve`;
    const response = await handler(new Request(url, { method: "POST", headers, body }));
    return { status: response.status, body: await response.text() };
  };
}

/** Each published expression in its language and in none, others, and refusals. */
function requestsOf({ concepts }: CheckedRegistry): unknown[] {
  const asked = [...concepts].flatMap(({ expressions }) =>
    expressions.flatMap((one) => {
      const { expression } = one;
      return [{ expression, language: tagOf(one) }, { expression }];
    }),
  );
  return [...asked, { expression: "nobody has this" }, { expression: "taxi", language: "de-AT" }, ...REFUSED];
}

describe("the resolver for static hosts", () => {
  it.each([
    ["starter", starterRegistry],
    ["nasty", () => checkedRegistry(nasty)],
    ["empty", () => checkedRegistry(empty)],
  ] as const)("answers every request about the %s registry as the service does, byte for byte", async (_name, make) => {
    const registry = make();
    const folder = await buildRelease(registry);
    const served = openRelease(folder);
    const opened = await module.openRegistry(BASE, { fetch: staticHost(folder).fetch });
    expect(opened.registryVersion).toBe(registry.registryVersion);
    const differing: unknown[] = [];
    const post = serviceOf(served);
    // All of the starter are resolved in test/unit/starter.test.ts.
    const step = registry.concepts.length > 100 ? 10 : 1;
    for (const request of requestsOf(registry).filter((_, i) => i % step === 0)) {
      const [actual, expected] = [await opened.resolve(request), await post(request)];
      if (actual.status !== expected.status || actual.body !== expected.body)
        differing.push([request, actual, expected]);
    }
    expect(differing).toEqual([]);
    served.close();
  });

  it("asks in at most three rounds when it knows nothing, and not again for what it has", async () => {
    for (const { expressions } of starterRegistry().concepts.first(40)) {
      const host = staticHost(dist);
      const opened = await module.openRegistry(`${BASE}/`, { fetch: host.fetch });
      const { expression = "" } = expressions[0] ?? {};
      await opened.resolve({ expression });
      expect([expression, host.rounds]).toEqual([expression, expect.toSatisfy((rounds: number) => rounds <= 3)]);
      expect(host.sent).toBeLessThan(300_000);
      const before = host.asked.length;
      await opened.resolve({ expression });
      expect(host.asked.length).toBe(before);
    }
  });

  it("is pinned by the digest of registry.root, and then believes no list of the host", async () => {
    const sha256 = digestOf(readFileSync(path.join(dist, "registry.root")));
    const host = staticHost(dist);
    await module.openRegistry(BASE, { fetch: host.fetch, sha256 });
    expect(host.asked).not.toContain("SHA256SUMS");
    const other = await buildRelease(checkedRegistry(nasty));
    const foreign = module.openRegistry(BASE, { fetch: staticHost(other).fetch, sha256 });
    await expect(foreign).rejects.toThrow(`${BASE}/registry.root cannot be read: its digest is not ${sha256}`);
  });

  it("reads files whole where the host ignores ranges, up to a limit", async () => {
    const ignoring: Spoil = (_name, _range, bytes) => partOf(bytes, undefined);
    const host = staticHost(dist, ignoring);
    const opened = await module.openRegistry(BASE, { fetch: host.fetch });
    const request = { expression: "refund request", language: "en" };
    expect(await opened.resolve(request)).toEqual(await serviceOf(release)(request));
    expect(host.asked.length).toBeLessThanOrEqual(5);
    const wholeMaxBytes = statSync(path.join(dist, INDEX)).size - 1;
    await expect(module.openRegistry(BASE, { fetch: host.fetch, wholeMaxBytes })).rejects.toThrow(
      `${BASE}/${INDEX} cannot be read: the host ignores ranges, and it is too large`,
    );
  });

  it("asks by positions where the host sends large files whole for the last bytes alone, as BusyBox does", async () => {
    const size = statSync(path.join(dist, INDEX)).size;
    const host = staticHost(dist, (_name, range, bytes) => {
      if (range?.startsWith("bytes=-") !== true) return undefined;
      return new Response(new Uint8Array(bytes), { headers: { "content-length": String(bytes.length) } });
    });
    const opened = await module.openRegistry(BASE, { fetch: host.fetch, wholeMaxBytes: size - 1 });
    const request = { expression: "refund request", language: "en" };
    expect(await opened.resolve(request)).toEqual(await serviceOf(release)(request));
    expect(host.asked).toContain(`${INDEX} bytes=0-1`);
  });

  it.each([
    ["its root", "registry.root"],
    ["its list", "SHA256SUMS"],
    ["its index", INDEX],
    ["its blocks", "registry.blocks"],
  ])("asks once more past a cache that has the bytes of another release as %s", async (_name, stale) => {
    const asked: string[] = [];
    const spoilt = (cache: string): boolean => cache !== "reload";
    const fetchBoth =
      (isDamaged: boolean): typeof fetch =>
      (url, init: RequestInit & { cache?: string } = {}) => {
        const file = new URL(url).pathname.slice(1);
        asked.push(`${init.cache} ${file}`);
        const isStale = file === stale && (isDamaged || spoilt(init.cache ?? ""));
        // A list of sums is that of another release, not one that cannot be read.
        const other = (one: number): number => (stale !== "SHA256SUMS" ? one ^ 1 : one === 0x61 ? 0x62 : one);
        const spoil: Spoil = (_file, range, bytes) => partOf(Buffer.from(bytes.map(other)), range);
        return (isStale ? staticHost(dist, spoil) : staticHost(dist)).fetch(url, init);
      };
    const request = { expression: "refund request", language: "en" };
    const opened = await module.openRegistry(BASE, { fetch: fetchBoth(false) });
    expect(await opened.resolve(request)).toEqual(await serviceOf(release)(request));
    expect(asked.some((one) => one.startsWith("reload"))).toBe(true);
    // Damage of the host itself stays an error, after one more attempt.
    asked.length = 0;
    const resolved = module.openRegistry(BASE, { fetch: fetchBoth(true) }).then((damaged) => damaged.resolve(request));
    await expect(resolved).rejects.toThrow(/cannot be read: |is cut short/);
    expect(asked.filter((one) => one === "reload registry.root").length).toBe(1);
  });

  it("takes the unit of a range in any case", async () => {
    const host = staticHost(dist, (_name, range, bytes) => {
      const { status, headers, body } = partOf(bytes, range);
      const sent = (headers.get("content-range") ?? "").replace("bytes", "Bytes");
      return new Response(body, { status, headers: sent === "" ? {} : { "content-range": sent } });
    });
    const opened = await module.openRegistry(BASE, { fetch: host.fetch });
    const request = { expression: "refund request", language: "en" };
    expect(await opened.resolve(request)).toEqual(await serviceOf(release)(request));
    expect(host.asked.some((one) => one.includes(" bytes="))).toBe(true);
  });

  it.each([
    // As sirv reads a range: a position that is not there, or 0, is the first or the last.
    [
      "the beginning",
      (range: string, bytes: Buffer) => {
        const [start, end] = range.slice("bytes=".length).split("-").map(Number);
        return partOf(bytes, `bytes=${start}-${end || bytes.length - 1}`);
      },
    ],
    [
      "nothing",
      (range: string, bytes: Buffer) =>
        range.startsWith("bytes=-") ? new Response(null, { status: 416 }) : partOf(bytes, range),
    ],
  ])("asks by positions where the host takes a suffix for %s", async (_what, answer) => {
    const host = staticHost(dist, (_name, range, bytes) => (range === undefined ? undefined : answer(range, bytes)));
    const opened = await module.openRegistry(BASE, { fetch: host.fetch });
    const request = { expression: "refund request", language: "en" };
    expect(await opened.resolve(request)).toEqual(await serviceOf(release)(request));
    expect(host.asked.filter((one) => one.endsWith(" bytes=0-1"))).toHaveLength(2);
  });

  it("is readable, imports nothing, and stays below 31,000 bytes", () => {
    const text = readFileSync(resolverFile(dist), "utf8");
    expect(statSync(resolverFile(dist)).size).toBeLessThan(31_000);
    expect(text).not.toMatch(/^import|\bimport\(|\beval\b|\bFunction\(|\bBuffer\b|\bprocess\b/m);
    expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThan(320);
  });
});

/** A response that sends bytes for ever. */
function endless(status: number, headers: Record<string, string>): Response {
  const body = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) });
  return new Response(body, { status, headers });
}

/** Spoils what is sent of one file. */
const only =
  (file: string, spoil: Spoil): Spoil =>
  (name, range, bytes) =>
    name === file ? spoil(name, range, bytes) : undefined;

const flipped: Spoil = (_name, range, bytes) => {
  const copy = Buffer.from(bytes);
  for (let at = 5; at < copy.length; at += 4096) copy[at] = (copy[at] ?? 0) ^ 1;
  return partOf(copy, range);
};
const stale: Spoil = async (name, range) => partOf(readFileSync(path.join(await buildRelease(checkedRegistry(nasty)), name)), range); // prettier-ignore

const LIES: readonly (readonly [what: string, spoil: Spoil, says: RegExp])[] = [
  [
    "a changed byte in every piece of the index",
    only(INDEX, flipped),
    /registry\.index cannot be read: a block differs/,
  ],
  ["another index", only(INDEX, stale), /differs|cut short/],
  [
    "changed digests of the blocks",
    only("registry.blocks", flipped),
    /registry\.blocks cannot be read: a block differs/,
  ],
  ["changed digests of those", only("registry.root", flipped), /registry\.root cannot be read: its digest is not/],
  ["sums of another release", only("SHA256SUMS", stale), /registry\.root cannot be read: its digest is not/],
  [
    "a page instead of the sums",
    only("SHA256SUMS", () => new Response("<!doctype html>")),
    /does not list registry\.root/,
  ],
  [
    "an index that is cut short",
    only(INDEX, (_n, range, bytes) => partOf(bytes.subarray(0, -100_000), range)),
    /cut short/,
  ],
  ["half of a range", only(INDEX, (_n, range, bytes) => {
    const { headers } = partOf(bytes, range);
    return new Response("half", { status: 206, headers });
  }), /the answer is cut short/], // prettier-ignore
  ["another range", only(INDEX, (_n, _range, bytes) => partOf(bytes, "bytes=0-99")), /the host sends another range/],
  ["a range of nothing", only(INDEX, () => new Response("x", { status: 206 })), /cannot be read/],
  ["a body without end", only("registry.root", () => endless(200, {})), /the answer is too long/],
  ["a whole without end", only(INDEX, () => endless(200, {})), /the host ignores ranges, and it is too large/],
  [
    "a range without end",
    only(INDEX, (_n, range, bytes) => endless(206, Object.fromEntries(partOf(bytes, range).headers))),
    /the answer is too long/,
  ],
  [
    "no such file",
    only(INDEX, () => new Response("", { status: 404 })),
    /registry\.index cannot be read: the host answers 404/,
  ],
  ["a host that is not there", () => Promise.reject(new TypeError("fetch failed")), /the host cannot be reached/],
];

describe("a host that lies", () => {
  it.each(LIES)("is never believed: %s", async (_what, spoil, says) => {
    const asked = module
      .openRegistry(BASE, { fetch: staticHost(dist, spoil).fetch })
      .then((opened) => opened.resolve({ expression: "refund request" }));
    await expect(asked).rejects.toThrow(says);
    await expect(asked).rejects.toBeInstanceOf(Error);
  });

  it("is not believed about what was not asked for before, and asked again after that", async () => {
    let isLying = false;
    const host = staticHost(dist, (...asked) => (isLying ? only(INDEX, flipped)(...asked) : undefined));
    const opened = await module.openRegistry(BASE, { fetch: host.fetch });
    isLying = true;
    const request = { expression: "refund request", language: "en" };
    await expect(opened.resolve(request)).rejects.toThrow("a block differs");
    isLying = false;
    expect(await opened.resolve(request)).toEqual(await serviceOf(release)(request));
  });

  it("is given up when it is silent", async () => {
    const silent = ((_url, init) =>
      new Promise((_resolve, reject) =>
        init?.signal?.addEventListener("abort", () => reject(new Error("aborted"))),
      )) as typeof fetch;
    await expect(module.openRegistry(BASE, { fetch: silent, timeoutMs: 50 })).rejects.toThrow(
      "there is no answer within 50 ms",
    );
  });

  it("is noticed when its files change while they are read: a pin is refused, otherwise the new release answers", async () => {
    const other = await buildRelease(checkedRegistry(nasty));
    let folder = dist;
    const host = staticHost(dist, (name, range) => partOf(readFileSync(path.join(folder, name)), range));
    const sha256 = digestOf(readFileSync(path.join(dist, "registry.root")));
    const [pinned, opened] = await Promise.all(
      [{ sha256 }, {}].map((more) => module.openRegistry(BASE, { fetch: host.fetch, ...more })),
    );
    folder = other;
    const request = { expression: "taxi" };
    await expect(pinned?.resolve(request)).rejects.toThrow(`its digest is not ${sha256}`);
    const changed = openRelease(other);
    expect(await opened?.resolve(request)).toEqual(await serviceOf(changed)(request));
    changed.close();
  });
});
