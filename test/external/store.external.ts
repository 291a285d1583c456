/**
 * A registry of a million expressions in a cluster of Redis, and the starter behind nginx: the same
 * answers as from files while the store gives the right bytes, 503 for all else. `MEASURE=1` asks
 * every expression through the routes too, by REST and MCP.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ConceptDetail } from "../../runtime/contract/concept.ts";
import { createFetchHandler } from "../../generator/tools/hosts/portable/fetch.ts";
import { answerRequest } from "../../runtime/registry/answer.ts";
import { untilHeld } from "../../runtime/registry/block-source.ts";
import { BLOCK_BYTES, DIGEST_BYTES } from "../../runtime/registry/index-format.ts";
import type { RegistryIndex } from "../../runtime/registry/index.ts";
import { openRelease, type Release } from "../../runtime/release/release.ts";
import { connectRedis, blockKey, type RedisConnection } from "../../runtime/extras/store/redis.ts";
import { openStoredRelease } from "../../runtime/extras/store/stored-release.ts";
import { starterRegistry } from "../support/documents.ts";
import { run, runHere, serve } from "../support/command.ts";
import { mcpRequest, TOOL } from "../support/mcp.ts";
import { nasty } from "../support/nasty.ts";
import { eventually, REDIS, type Servers, startCluster, startServer } from "../../bench/redis-cluster.ts";
import { checkedRegistry } from "../support/registry.ts";
import { buildRelease, copyRelease } from "../support/release.ts";
import { millionRelease } from "./million.ts";
import { isThere, nginx, withServer } from "./web-servers.ts";
import { freePort } from "../support/free-port.ts";

const home = mkdtempSync(path.join(tmpdir(), "store-"));
afterAll(() => rmSync(home, { recursive: true }));

const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;
if (!hasOpenssl) console.warn("Skipped, openssl is not on PATH: a store by TLS.");
const hasRedis = existsSync(REDIS);
if (!hasRedis) console.warn(`Skipped, there is no ${REDIS}: install redis-server.`);

const CACHE_BYTES = 64 * 1024 * 1024;

function openFrom(
  dist: string,
  urls: string,
  { cacheBytes = CACHE_BYTES, lines = [] as string[] } = {},
): Promise<Release> {
  const report = (line: string): void => void lines.push(line);
  return openStoredRelease(dist, { urls: urls.split(","), cacheBytes, chance: Math.random, report });
}

interface Given {
  readonly expression: string;
  readonly language?: string;
}

/** The expressions of one concept in `step`, every second one with its language. */
function* requestsOf(index: RegistryIndex, step = 1): Generator<Given> {
  let count = 0;
  for (let id = 0; id < index.conceptCount; id += step) {
    const { expressions } = JSON.parse(Buffer.from(index.read(index.concept(id).detail)).toString()) as ConceptDetail;
    for (const { expression, language } of expressions)
      yield count++ % 2 === 0 ? { expression } : { expression, language };
  }
}

interface Answered {
  readonly status: number;
  readonly text: string;
}
async function textOf(answer: Promise<Response>): Promise<Answered> {
  const response = await answer;
  return { status: response.status, text: await response.text() };
}

/** How a release is asked by its routes. */
type Asking = (release: Release) => (given: Given) => Promise<Answered>;
const rest: Asking = (release) => {
  const handler = createFetchHandler(release);
  const post = { method: "POST", headers: { "content-type": "application/json" } };
  const url = `${release.manifest.origin}/api/v1/resolve`;
  return (given) => textOf(handler(new Request(url, { ...post, body: JSON.stringify(given) })));
};
const mcp: Asking = (release) => {
  const handler = createFetchHandler(release);
  return (given) => {
    const { headers, body } = mcpRequest("tools/call", { name: TOOL, arguments: given });
    const url = `${release.manifest.origin}/mcp`;
    return textOf(handler(new Request(url, { method: "POST", headers, body: String(body) })));
  };
};

/** How it is asked without its routes. */
const byIndex: Asking = (release) => async (given) => {
  const answer = await untilHeld(() => answerRequest(release.index, given));
  return answer.ok ? { status: 200, text: answer.envelope } : { status: 400, text: "" };
};

/** Asks both, 16 at a time; returns the stored one's statuses and the differences. */
async function compare(
  [local, stored]: readonly [Release, Release],
  requests: Iterable<Given>,
  askings: readonly Asking[],
): Promise<{ readonly counts: Record<number, number>; readonly differing: readonly Given[] }> {
  const asks = askings.map((asking) => [asking(local), asking(stored)] as const);
  const left = requests[Symbol.iterator]();
  const counts: Record<number, number> = {};
  const differing: Given[] = [];
  const work = async (): Promise<void> => {
    for (let next = left.next(); next.done !== true; next = left.next()) {
      for (const [own, from] of asks) {
        const [due, answer] = [await own(next.value), await from(next.value)];
        counts[answer.status] = (counts[answer.status] ?? 0) + 1;
        // A refusal waits for nothing, and nothing else would run.
        if (answer.status === 503) await sleep(1);
        if (answer.status !== 503 && (answer.status !== due.status || answer.text !== due.text))
          differing.push(next.value);
      }
    }
  };
  await Promise.all(Array.from({ length: 16 }, work));
  return { counts, differing };
}

async function expectSame(
  pair: readonly [Release, Release],
  requests: Iterable<Given>,
  askings = [rest, mcp],
): Promise<void> {
  const { counts, differing } = await compare(pair, requests, askings);
  expect([Object.keys(counts), differing]).toEqual([["200"], []]);
}

const store = (...args: string[]) => runHere(["store", ...args]);

describe.skipIf(!hasRedis)("a million expressions in a cluster", () => {
  let [dist, cluster, local, connection] = [] as unknown as [string, Servers, Release, RedisConnection];
  let digests: string[];
  beforeAll(async () => {
    dist = await millionRelease();
    local = openRelease(dist);
    const blocks = readFileSync(path.join(dist, "registry.blocks"));
    digests = Array.from({ length: blocks.length / DIGEST_BYTES }, (_none, i) =>
      blocks.subarray(i * DIGEST_BYTES, (i + 1) * DIGEST_BYTES).toString("hex"),
    );
    cluster = await startCluster();
    connection = await connectRedis(cluster.urls.split(","), { timeoutMs: 30_000, useReplicas: false });
    return async () => {
      connection.close();
      await cluster.close();
      local.close();
    };
  }, 600_000);

  /** The answers of a concept that nothing else here asks for, and the block that they begin in. */
  function partOf(id: number): { readonly block: number; readonly given: Given } {
    const { resolved, detail } = local.index.concept(id);
    const { expressions } = JSON.parse(Buffer.from(local.index.read(detail)).toString()) as ConceptDetail;
    return {
      block: Math.floor(resolved.offset / BLOCK_BYTES),
      given: { expression: expressions[4]?.expression ?? "" },
    };
  }
  const count = async (): Promise<number> => {
    let sum = 0;
    for await (const keys of connection.keys()) sum += keys.length;
    return sum;
  };

  it("is pushed by a second run, after the first was killed half-way", async () => {
    const args = ["lib/generator/main.js", "store", "push", "--to", cluster.urls, "--out", dist];
    const child = spawn(process.execPath, args, { stdio: "ignore" });
    const ended = new Promise((resolve) => child.on("exit", (_code, signal) => resolve(signal)));
    await eventually(async () => (await count()) > 1000, "the first blocks");
    child.kill("SIGKILL");
    expect(await ended).toBe("SIGKILL");
    expect(await count()).toBeLessThan(digests.length);
    const { code, stdout } = await store("push", "--to", cluster.urls, "--out", dist, "--check", "all");
    const [, written, there] =
      /^\d+ blocks: (\d+) written, (\d+) were there\n\d+ checked, all right\n$/.exec(stdout) ?? [];
    expect([code, Number(written) > 0, Number(there) >= 1000]).toEqual([0, true, true]);
    expect((await store("push", "--to", cluster.urls, "--out", dist)).stdout).toContain("blocks: 0 written");
    expect(await count()).toBe(new Set(digests).size);
  });

  it("resolves every expression as from files", async () => {
    const stored = await openFrom(dist, cluster.urls);
    const { counts, differing } = await compare([local, stored], requestsOf(local.index), [byIndex]);
    expect([counts, differing]).toEqual([{ 200: 1_000_000 }, []]);
    await expectSame([local, stored], requestsOf(local.index, process.env["MEASURE"] === "1" ? 1 : 97));
    stored.close();
  }, 1_800_000);

  it("answers 503 for one flipped byte, names the block, and answers all else; push finds it", async () => {
    const lines: string[] = [];
    const stored = await openFrom(dist, cluster.urls, { lines });
    const { block, given } = partOf(4242);
    const key = blockKey(digests[block] ?? "");
    const right = await connection.redis.get(key);
    const wrong = Buffer.from(right ?? new Uint8Array());
    wrong[100] = (wrong[100] ?? 0) ^ 1;
    await connection.redis.set(key, wrong);
    await sleep(300);
    expect((await rest(stored)(given)).status).toBe(503);
    expect((await mcp(stored)(given)).status).toBe(503);
    expect(lines).toEqual([expect.stringMatching(`block ${block}, ${digests[block]}: it differs from its digest$`)]);
    expect(stored.store?.fault).toBe(lines[0]);
    await expectSame([local, stored], [partOf(77).given, partOf(99_000).given]);
    const pushed = await store("push", "--to", cluster.urls, "--out", dist, "--check", "all");
    expect(pushed.stdout).toMatch(/blocks: 0 written, .*\n\d+ checked, 1 wrong and written again\n$/);
    await eventually(async () => stored.store?.fault === undefined, "the probe");
    await expectSame([local, stored], [given]);

    await connection.redis.unlink(blockKey(digests[partOf(60_000).block] ?? ""));
    expect((await rest(stored)(partOf(60_000).given)).status).toBe(503);
    expect(lines.at(-1)).toMatch(/it is not in the store$/);
    expect((await store("push", "--to", cluster.urls, "--out", dist)).stdout).toContain("blocks: 1 written");
    stored.close();
  });

  it("keeps two releases next to each other, and removes what none needs", async () => {
    const other = await buildRelease(checkedRegistry(nasty), "https://registry.example");
    expect(await store("push", "--to", cluster.urls, "--out", other)).toMatchObject({ code: 0 });
    for (const key of ["srs:notes", "other"]) await connection.redis.set(key, Buffer.from("theirs"));
    const [small, stored] = [await openFrom(other, cluster.urls), await openFrom(dist, cluster.urls)];
    const own = openRelease(other);
    await expectSame([own, small], requestsOf(own.index));
    await expectSame([local, stored], requestsOf(local.index, 5003));
    const both = ["gc", "--to", cluster.urls, "--keep", dist, "--keep", other];
    const all = new Set(digests).size;
    const more = (await count()) - 1 - all;
    expect((await store(...both, "--yes")).stdout).toBe(`${all + more} blocks kept, 0 removed\n`);
    const one = ["gc", "--to", cluster.urls, "--keep", dist];
    const counted = `${all} blocks kept, ${more} needed by none of the releases\n`;
    expect((await store(...one, "--dry-run", "--yes")).stdout).toBe(counted);
    expect(await store(...one)).toMatchObject({ code: 2, stderr: expect.stringContaining("--yes") as string });
    expect((await store(...one, "--yes")).stdout).toBe(`${all} blocks kept, ${more} removed\n`);
    for (const key of ["srs:notes", "other"]) expect(await connection.redis.unlink(key)).toBe(1);
    const emptied = await openFrom(other, cluster.urls);
    expect((await rest(emptied)({ expression: "taxi" })).status).toBe(503);
    await expectSame([local, stored], requestsOf(local.index, 5003));
    for (const release of [small, stored, own, emptied]) release.close();
  });

  it("gives equal answers or 503 while a master is killed under load, and equal ones when another has taken over", async () => {
    // Little is held, so that most answers need the store.
    const stored = await openFrom(dist, cluster.urls, { cacheBytes: 4 * 1024 * 1024 });
    await expectSame([local, stored], requestsOf(local.index, 5003));
    const ending = new AbortController();
    function* load(): Generator<Given> {
      for (let n = 0; !ending.signal.aborted; n++) yield partOf((n * 7919) % 100_000).given;
    }
    const asking = compare([local, stored], load(), [rest]);
    const hasTakenOver = async (): Promise<boolean> => String(await cluster.nodes[3]?.ask("ROLE")).startsWith("master");
    const isWell = async (): Promise<boolean> =>
      String(await cluster.nodes[1]?.ask("CLUSTER", "INFO")).includes("cluster_state:ok") &&
      stored.store?.fault === undefined;
    try {
      await sleep(1000);
      await cluster.nodes[0]?.kill();
      await eventually(hasTakenOver, "another master");
      await eventually(isWell, "a store without a fault");
      await sleep(1000);
    } finally {
      ending.abort();
    }
    const { counts, differing } = await asking;
    console.info(`a master killed under load: ${JSON.stringify(counts)}`);
    expect([differing, Object.keys(counts).filter((status) => status !== "200" && status !== "503")]).toEqual([[], []]);
    expect(counts[200]).toBeGreaterThan(100);
    await expectSame([local, stored], requestsOf(local.index, 997));
    stored.close();
    // Whoever starts now finds the others.
    const later = await openFrom(dist, cluster.urls);
    await expectSame([local, later], requestsOf(local.index, 5003));
    later.close();
  });
});

describe.skipIf(!hasRedis)("one server of Redis", () => {
  it("holds the starter for a service, which says so when it is gone", async () => {
    const server = await startServer();
    const dist = await buildRelease(starterRegistry(), "https://registry.example");
    expect((await store("push", "--to", server.urls, "--out", dist)).code).toBe(0);
    const served = await serve("lib/runtime/main.js", ["--out", dist], { STORE_URL: server.urls, STORE_CACHE_BYTES: "1048576" }); // prettier-ignore
    const base = `http://127.0.0.1:${served.port}`;
    const ask = (given: Given) => textOf(fetch(`${base}/api/v1/resolve`, { method: "POST", body: JSON.stringify(given), headers: { "content-type": "application/json" } })); // prettier-ignore
    const local = openRelease(dist);
    const own = rest(local);
    const given = [...requestsOf(local.index, 5)];
    try {
      for (const one of given) expect(await ask(one)).toEqual(await own(one));
      await server.close();
      // Of concepts, nothing was read yet.
      const code = Buffer.from(local.index.read(local.index.sections.bundle).subarray(0, 60)).toString().split('"')[3];
      expect((await fetch(`${base}/api/v1/concepts/${code}`)).status).toBe(503);
      expect(served.stderr()).toMatch(/^redis:\/\/127\.0\.0\.1:\d+ cannot be read: block \d+, [0-9a-f]{64}: [^\n]+\n$/);
    } finally {
      served.child.kill();
      await served.exit;
      local.close();
    }
  });

  it.skipIf(!hasOpenssl)("is reached by TLS, with the rights that the documentation names and no others", async () => {
    const [cert, key, port] = [path.join(home, "cert.pem"), path.join(home, "key.pem"), await freePort()];
    const made = spawnSync("openssl", ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=store", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", cert]);
    expect(made.status).toBe(0);
    const tls = { "tls-port": String(port), "tls-cert-file": cert, "tls-key-file": key, "tls-auth-clients": "no" };
    const server = await startServer(tls);
    const grant = (name: string, more: string): unknown =>
      server.nodes[0]?.ask("ACL", "SETUSER", name, "on", `>p${name}`, "resetkeys", "~srs:*", "-@all", ...`+get +cluster|slots +readonly +ping ${more}`.trim().split(" "));
    await grant("reader", "");
    await grant("writer", "+exists +set +unlink +scan");
    const url = (name: string): string => `rediss://${name}:p${name}@127.0.0.1:${port}`;
    const dist = await buildRelease(checkedRegistry(nasty), "https://registry.example");
    const env = { NODE_EXTRA_CA_CERTS: cert };
    const push = (name: string) => run("lib/generator/main.js", ["store", "push", "--out", dist], { env: { ...env, STORE_URL: url(name) } });
    try {
      expect((await push("reader")).code).toBe(1);
      expect(await push("writer")).toMatchObject({ code: 0, stderr: "" });
      const served = await serve("lib/runtime/main.js", ["--out", dist], { ...env, STORE_URL: url("reader") });
      const asked = await textOf(fetch(`http://127.0.0.1:${served.port}/api/v1/resolve`, { method: "POST", body: '{"expression":"taxi","language":"en"}', headers: { "content-type": "application/json" } }));
      expect([asked.status, served.stderr()]).toEqual([200, ""]);
      served.child.kill();
      await served.exit;
    } finally {
      await server.close();
    }
  }); // prettier-ignore
});

const hasNginx = isThere(nginx);

describe.skipIf(!hasNginx)("nginx as a server of ranges", () => {
  it("is a store, and any change of it is 503 until it is right again", async () => {
    const dist = await buildRelease(starterRegistry(), "https://registry.example");
    const stale = await buildRelease(checkedRegistry(nasty), "https://registry.example");
    const folder = path.join(home, "nginx");
    const cut = path.join(home, "cut");
    copyRelease(dist, cut);
    truncateSync(path.join(cut, "registry.index"), 300_000);
    const port = await freePort();
    const places = { dist, stale, cut };
    const place = (name: string, more: string): string =>
      `location /${name}/ { alias ${places[name as "dist"] ?? dist}/; ${more} }`;
    const locations = [
      place("dist", ""),
      place("stale", ""),
      place("cut", ""),
      place("whole", "max_ranges 0;"),
      place("zipped", "gzip on; gzip_types *; gzip_min_length 1; max_ranges 0;"),
      place("slow", "limit_rate 100;"),
    ];
    mkdirSync(folder);
    writeFileSync(path.join(folder, "nginx.conf"), `server { listen 127.0.0.1:${port}; ${locations.join("\n")} }\n`);
    const local = openRelease(dist);
    await withServer(nginx, { folder, port, reads: [dist, stale, cut] }, async () => {
      const url = (name: string): string => `http://127.0.0.1:${port}/${name}`;
      const stored = await openFrom(dist, url("dist"), { cacheBytes: 2 * 1024 * 1024 });
      await expectSame([local, stored], requestsOf(local.index), [rest]);
      await expectSame([local, stored], requestsOf(local.index, 10), [mcp]);
      stored.close();
      for (const [name, reason] of [
        ["stale", /it is of another release$|416$/],
        ["cut", /it is of another release$|416$/],
        ["whole", /ignores ranges/],
        ["zipped", /ignores ranges|sends it as gzip/],
        ["slow", /no answer within 1000 ms$/],
        ["nowhere", /404/],
      ] as const) {
        const lines: string[] = [];
        const spoiled = await openFrom(dist, url(name), { lines });
        expect([name, (await rest(spoiled)({ expression: "taxi" })).status]).toEqual([name, 503]);
        expect([name, lines]).toEqual([name, [expect.stringMatching(reason)]]);
        spoiled.close();
      }
    });
    local.close();
  });
});
