/**
 * A release whose bundle and index are in a store: the same answers, byte for byte, while the store
 * can be read, and 503 for whatever it gives that is not the release. Redis itself is in
 * test/external.
 */
import { readFileSync, rmSync } from "node:fs";
import http from "node:http";
import net from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { tagOf } from "../../../generator/registry/concept.ts";
import { createFetchHandler } from "../../../generator/tools/hosts/portable/fetch.ts";
import { answerRequest } from "../../../runtime/registry/answer.ts";
import { untilHeld } from "../../../runtime/registry/block-source.ts";
import { readStore } from "../../../runtime/operations/settings.ts";
import { openRelease, type Release } from "../../../runtime/release/release.ts";
import { BlockError, STORE_LIMITS } from "../../../runtime/extras/store/guard.ts";
import { collect } from "../../../generator/tools/store/blocks.ts";
import { connectRedis, readRedis } from "../../../runtime/extras/store/redis.ts";
import { openStoredRelease } from "../../../runtime/extras/store/stored-release.ts";
import { folder, run, serve } from "../../support/command.ts";
import { deploy, type Deployment } from "../../support/deployment.ts";
import { starterRegistry } from "../../support/documents.ts";
import { mcpRequest, TOOL } from "../../support/mcp.ts";
import { nasty } from "../../support/nasty.ts";
import { type Misbehave, type RangeServer, startRangeServer } from "../../support/range-server.ts";
import { checkedRegistry } from "../../support/registry.ts";
import { buildRelease, ownRelease } from "../../support/release.ts";
import { type Service, serveRelease } from "../../support/service.ts";
import { partOf } from "../../support/static-host.ts";
import { freePort, listening } from "../../support/free-port.ts";
import { persistently, until } from "../../support/until.ts";

const ELSEWHERE = ["registry.index", "registry/bundle.ndjson"];
/** Nobody waits for a minute: an answer that comes late on a busy machine is no silence. */
const QUICK = { ...STORE_LIMITS, timeoutMs: 60_000, attempts: 2, pauseMs: 1, probeMs: 30 };
const IMPATIENT = { ...QUICK, timeoutMs: 250 };

interface Watched {
  /** Gets what the operator is told. */
  readonly lines?: string[];
  readonly limits?: typeof QUICK;
}

/** A release without bundle and index, which the server has. */
async function openFrom(dist: string, url: string, { lines = [], limits = QUICK }: Watched = {}): Promise<Release> {
  const report = (line: string): void => void lines.push(line);
  return openStoredRelease(dist, { urls: [url], cacheBytes: 1 << 24, chance: () => 0, report, limits });
}

async function withoutRegistry(registry: ReturnType<typeof starterRegistry>): Promise<string> {
  const dist = await ownRelease(registry);
  for (const name of ELSEWHERE) rmSync(path.join(dist, name));
  return dist;
}

describe("the starter from ranges", () => {
  let [local, stored, server] = [] as unknown as [Service, Service, RangeServer];
  beforeAll(async () => {
    const dist = await buildRelease(starterRegistry());
    server = await startRangeServer(dist);
    local = await serveRelease(openRelease(dist));
    stored = await serveRelease(await openFrom(await withoutRegistry(starterRegistry()), server.url));
    return async () => {
      await Promise.all([local, stored, server].map((one) => one.close()));
    };
  });

  it("resolves expressions of every concept as from files, and calls of MCP alike", async () => {
    const [own, from] = [local, stored].map(({ release }) => createFetchHandler(release));
    const differing: string[] = [];
    let asked = 0;
    for (const { expressions } of starterRegistry().concepts) {
      for (const one of expressions.filter((_, i) => i % 5 === 0)) {
        const given = { expression: one.expression, ...(asked++ % 2 === 0 && { language: tagOf(one) }) };
        const answer = await untilHeld(() => answerRequest(stored.release.index, given));
        if (JSON.stringify(answer) !== JSON.stringify(answerRequest(local.release.index, given)))
          differing.push(one.expression);
        if (asked % 15 > 0) continue;
        const { headers, body } = mcpRequest("tools/call", { name: TOOL, arguments: given });
        const texts = [own, from].map(async (handler) => {
          const init = { method: "POST", headers, body: String(body) };
          const response = await handler?.(new Request(`${local.release.manifest.origin}/mcp`, init));
          return `${response?.status} ${await response?.text()}`;
        });
        const [due, text] = await Promise.all(texts);
        if (due !== text || !due?.startsWith("200")) differing.push(`MCP ${one.expression}`);
      }
    }
    expect([asked > 2500, differing]).toEqual([true, []]);
    // Blocks, not requests.
    expect(server.asked).toBeLessThan(600);
  });

  it("answers 503 by REST and by MCP for what was not read before the store was gone, and all else", async () => {
    const first = { expression: "water", language: "en" };
    const last = [...starterRegistry().concepts].at(-1)?.expressions[0]?.expression;
    const service = await serveRelease(await openFrom(await buildRelease(starterRegistry()), server.url));
    const call = mcpRequest("tools/call", { name: TOOL, arguments: { expression: last } });
    const ask = async () => [
      await service.resolve(first),
      await service.resolve({ expression: last }),
      await service.send("POST", "/mcp", { headers: call.headers, body: String(call.body) }),
    ];
    const due = await local.resolve(first);
    expect((await service.resolve(first)).body).toEqual(due.body);
    server.misbehave = (_range, _bytes, response) => response.destroy();
    const seen = (await ask()).map(({ status, headers }) => [status, headers["retry-after"]]);
    expect(seen).toEqual([[200, undefined], [503, "1"], [503, "1"]]); // prettier-ignore
    server.misbehave = undefined;
    await until(() => service.release.store?.fault === undefined);
    expect((await ask()).map(({ status }) => status)).toEqual([200, 200, 200]);
    await service.close();
  });

  it("refuses a bundle of which nothing can be read before the answer begins", async () => {
    const target = "/registry/bundle.ndjson";
    const service = await serveRelease(await openFrom(await buildRelease(starterRegistry()), server.url));
    expect((await service.resolve({ expression: "water", language: "en" })).status).toBe(200);
    server.misbehave = (_range, _bytes, response) => response.destroy();
    const refused = await service.send("GET", target);
    expect([refused.status, refused.headers["retry-after"]]).toEqual([503, "1"]);
    server.misbehave = undefined;
    await until(() => service.release.store?.fault === undefined);
    expect((await service.send("GET", target)).body.equals((await local.send("GET", target)).body)).toBe(true);
    await service.close();
  });

  it.each([
    "/api/v1/concepts",
    "/api/v1/concepts?q=water",
    "/api/v1/concepts?q=zzzzzz",
    "/registry/bundle.ndjson",
    "/concepts?page=2",
    "/concepts?q=water",
    "/api/v1/concepts/NOBODY",
    "/registry/history.json",
  ])("sends %s as from files", async (target) => {
    const [due, answer] = [await local.send("GET", target), await stored.send("GET", target)];
    expect([answer.status, answer.headers["content-length"]]).toEqual([due.status, due.headers["content-length"]]);
    const nonce = /nonce-[^']+|nonce="[^"]+"/g;
    const plain = (body: Buffer): string => body.toString().replaceAll(nonce, "");
    expect(plain(answer.body) === plain(due.body)).toBe(true);
  });
});

describe("what a host of files may send", () => {
  let [dist, other] = ["", ""];
  let server: RangeServer;
  let service: Service;
  const lines: string[] = [];
  beforeAll(async () => {
    const registry = checkedRegistry(nasty);
    other = await buildRelease(starterRegistry());
    dist = await buildRelease(registry);
    server = await startRangeServer(dist);
  });
  afterAll(() => server.close());
  afterEach(() => service.close());

  const answer =
    (
      spoil: (own: Response, part: Buffer) => [status: number, headers: Record<string, string>, body: Buffer],
    ): Misbehave =>
    (range, bytes, response) => {
      const own = partOf(bytes, range);
      const send = async (): Promise<void> => {
        const [status, headers, body] = spoil(own, Buffer.from(await own.clone().arrayBuffer()));
        response.writeHead(status, headers).end(body);
      };
      void send();
    };
  const fields = ({ headers }: Response): Record<string, string> => Object.fromEntries(headers);

  it.each<[string, Misbehave | string, RegExp]>([
    [
      "one changed byte",
      answer((own, part) => [206, fields(own), part.fill(7, 5, 6)]),
      /block \d+, [0-9a-f]{64}: it differs from its digest$/,
    ],
    [
      "a body that ends too soon",
      (range, bytes, response) => {
        response.writeHead(206, fields(partOf(bytes, range))).write(bytes.subarray(0, 3));
        setTimeout(() => response.destroy(), 5);
      },
      /cannot be read/,
    ],
    [
      "a shorter body",
      answer((own, part) => [206, { "content-range": fields(own)["content-range"] ?? "" }, part.subarray(1)]),
      /the answer is cut short$/,
    ],
    [
      "another range",
      answer((own, part) => [
        206,
        { ...fields(own), "content-range": `bytes 1-${part.length}/${part.length + 1}` },
        part,
      ]),
      /the host sends another range$/,
    ],
    ["the whole file", answer((_own, part) => [200, {}, part]), /the host ignores ranges, and it is too large$/],
    [
      "a compressed body",
      answer((own, part) => {
        const body = gzipSync(part);
        return [206, { ...fields(own), "content-encoding": "gzip", "content-length": String(body.length) }, body];
      }),
      /the host sends it as gzip$/,
    ],
    [
      "a redirect",
      answer(() => [302, { location: "/elsewhere" }, Buffer.alloc(0)]),
      /the host cannot be reached: unexpected redirect$/,
    ],
    ["an error", answer(() => [500, {}, Buffer.alloc(0)]), /the host answers 500$/],
    ["silence", () => undefined, /there is no answer within 250 ms$/],
    ["the files of another release", "other", /it is of another release$/],
  ])("is %s: 503, and as before once it is right again", async (_name, fault, reason) => {
    lines.length = 0;
    const isSilent = String(reason).includes("250 ms");
    const release = await openFrom(dist, server.url, { lines, limits: isSilent ? IMPATIENT : QUICK });
    service = await serveRelease(release);
    if (typeof fault === "string") server.folder = other;
    else server.misbehave = fault;
    const refused = await service.resolve({ expression: "taxi" });
    expect([refused.status, refused.headers["retry-after"]]).toEqual([503, "1"]);
    expect(refused.json()).toMatchObject({ data: null, error: { code: "registry_unavailable" } });
    const { headers, body } = mcpRequest("tools/call", { name: TOOL, arguments: { expression: "taxi" } });
    const message = await service.send("POST", "/mcp", { headers, body: String(body) });
    expect([message.status, message.headers["retry-after"]]).toEqual([503, "1"]);
    expect((await service.send("GET", "/concepts")).status).toBe(503);
    expect((await service.send("GET", "/llms.txt")).status).toBe(200);
    expect([lines.length, release.store?.fault]).toEqual([1, expect.stringMatching(reason)]);

    [server.misbehave, server.folder] = [undefined, dist];
    await until(() => release.store?.fault === undefined);
    // Whoever is impatient may have to ask again.
    await until(async () => (await service.resolve({ expression: "taxi" })).status === 200);
    expect((await service.resolve({ expression: "taxi" })).json()).toMatchObject({ data: { status: "resolved" } });
    expect(lines[1]).toMatch(/can be read again$/);
  });
});

describe("a service with a store", () => {
  let deployment: Deployment;
  beforeAll(async () => {
    deployment = await deploy(checkedRegistry(nasty));
  });
  afterAll(() => deployment.remove());

  function ask(socketPath: string, target: string): Promise<string> {
    return new Promise((resolve, reject) => {
      http.get({ socketPath, path: target, agent: false }, (response) => {
        let text = "";
        response.on("data", (chunk: Buffer) => (text += chunk.toString()));
        response.on("end", () => resolve(`${response.statusCode} ${text}`));
      }).on("error", reject); // prettier-ignore
    });
  }

  it("serves all else while the store is gone, says so, and is ready once it is there", async () => {
    const whole = await buildRelease(checkedRegistry(nasty));
    const first = await startRangeServer(whole);
    await first.close();
    for (const name of ELSEWHERE) rmSync(deployment.at(path.join("dist", name)));
    const socket = path.join(folder({}), "admin.sock");
    const served = await serve(deployment.at("runtime/main.js"), ["--out", deployment.dist, "--store", first.url, "--strict"], { ADMIN_ADDRESS: `unix:${socket}` }); // prettier-ignore
    const base = `http://127.0.0.1:${served.port}`;
    const resolve = () => fetch(`${base}/api/v1/resolve`, { method: "POST", body: '{"expression":"taxi"}', headers: { "content-type": "application/json" } }); // prettier-ignore
    try {
      expect(await ask(socket, "/readyz")).toMatch(
        /^503 http:\/\/127\.0\.0\.1:\d+ cannot be read: block \d+, [0-9a-f]{64}: /,
      );
      expect((await resolve()).status).toBe(503);
      const document = "/.well-known/service-semantics-deployment.json";
      expect((await fetch(base + document)).status).toBe(200);
      const again = await startRangeServer(whole, first.port);
      await until(async () => (await ask(socket, "/readyz")) === "200 ready\n");
      expect(await (await resolve()).json()).toMatchObject({ data: { status: "resolved" } });
      expect(await ask(socket, "/metrics")).toMatch(/srs_store_reads_total\{outcome="ok"\} [1-9]/);
      await again.close();
      expect(served.stderr().trimEnd().split("\n")).toEqual([
        expect.stringMatching(/cannot be read: block/),
        expect.stringMatching(/can be read again$/),
      ]);
    } finally {
      served.child.kill();
      await served.exit;
    }
  });

  it.each([
    ["is silent", 0],
    ["is no cluster and then silent", 1],
  ])("is not waited for without end where Redis takes the connection and %s", async (_what, answered) => {
    let connections = 0;
    const server = net.createServer((socket) => {
      const answers = ++connections <= answered;
      socket.on("error", () => undefined);
      socket.on("data", (sent) => {
        if (!answers) return;
        if (/AUTH/.test(String(sent))) socket.write("+OK\r\n");
        if (/CLUSTER/.test(String(sent))) socket.write("-ERR This instance has cluster support disabled\r\n");
      });
    });
    try {
      const url = `redis://:p@127.0.0.1:${await listening(server)}`;
      const connecting = connectRedis([url], { timeoutMs: 100, useReplicas: true });
      await expect(connecting).rejects.toThrow(/timeout|no answer within 100 ms/i);
    } finally {
      // It ends once nobody is connected any more.
      await promisify(server.close.bind(server))();
    }
  });

  it("names the server of a cluster that a writer cannot reach, and leaves no connection", async () => {
    const gone = await freePort();
    const server = net.createServer((socket) => {
      const own = (server.address() as net.AddressInfo).port;
      const shard = (first: number, last: number, port: number): string =>
        `*3\r\n:${first}\r\n:${last}\r\n*3\r\n$9\r\n127.0.0.1\r\n:${port}\r\n$2\r\nid\r\n`;
      const slots = `*2\r\n${shard(0, 8191, own)}${shard(8192, 16_383, gone)}`;
      socket.on("data", (sent) => void (String(sent).includes("CLUSTER") && socket.write(slots)));
    });
    try {
      const urls = [`redis://127.0.0.1:${await listening(server)}`];
      const writing = connectRedis(urls, { timeoutMs: 60_000, useReplicas: false });
      await expect(writing).rejects.toThrow(`connect ECONNREFUSED 127.0.0.1:${gone}`);
    } finally {
      // It ends once nobody is connected any more.
      await promisify(server.close.bind(server))();
    }
  });

  it.each([
    ["a server that falls silent does not keep the writer", [0, 16_383], "there is no answer within 200 ms"],
    ["says that slots of a cluster have no server", [0, 1], "no server of the cluster has the slot of a key"],
  ])("limits the time of every command: %s", async (_what, [first, last], message) => {
    const sockets: net.Socket[] = [];
    const server = net.createServer((socket) => {
      sockets.push(socket);
      const own = (server.address() as net.AddressInfo).port;
      const slots = `*1\r\n*3\r\n:${first}\r\n:${last}\r\n*3\r\n$9\r\n127.0.0.1\r\n:${own}\r\n$2\r\nid\r\n`;
      socket.on("data", (sent) => void (String(sent).includes("CLUSTER") && socket.write(slots)));
    });
    const urls = [`redis://127.0.0.1:${await listening(server)}`];
    // Only who is silent is waited for.
    const timeoutMs = message.endsWith("200 ms") ? 200 : 60_000;
    const connection = await persistently(() => connectRedis(urls, { timeoutMs, useReplicas: false }));
    try {
      const { redis } = connection;
      await expect(redis.set("srs:a", Buffer.from("a"))).rejects.toThrow(message);
      await expect(redis.exists("srs:a")).rejects.toThrow(message);
      if (last === 1) return;
      await expect(collect(connection, [], { remove: true })).rejects.toThrow(message);
    } finally {
      connection.close();
      for (const socket of sockets) socket.destroy();
      await promisify(server.close.bind(server))();
    }
  });

  it("takes a value of another type in Redis for a wrong block, not for a server that does not answer", async () => {
    const server = net.createServer((socket) =>
      socket.on("data", (sent) => {
        const isGet = String(sent).includes("GET");
        socket.write(isGet ? "-WRONGTYPE Operation against a key\r\n" : "-ERR cluster support disabled\r\n");
      }),
    );
    const url = `redis://127.0.0.1:${await listening(server)}`;
    const blocks = { blockBytes: 4, digestOf: () => "digest", timeoutMs: 30_000, renewMs: 1 };
    const reader = readRedis([url], blocks);
    await expect(reader.read(4, 8)).rejects.toEqual(new BlockError(1, "it has another length in the store"));
    reader.close();
    server.close();
  });

  it("ends with one line for a store that is none", async () => {
    const { code, stderr } = await run("lib/runtime/main.js", ["--store", "redis://u:secret@h,https://other"]);
    expect([code, stderr.trimEnd().split("\n").length]).toEqual([2, 1]);
  });

  it.each(["", "redis", "ftp://host/", "https://a/,https://b/", "redis://a,rediss://b", "https://u:secret@host/", "https://host/?secret", "https://:secret@host/", "redis:host", "redis:///secret", "redis://:secret%@h", "redis://u%:41secret@h", "redis://:secret%ff@h"])("refuses the address %s, without its password", (text) => {
    expect(() => readStore("STORE", text)).toThrow(/^STORE\b(?!.*secret)/);
  }); // prettier-ignore

  it.each([
    ["redis://u:p@h:1, redis://h:2", ["redis://u:p@h:1", "redis://h:2"]],
    ["https://host/a/dist", ["https://host/a/dist"]],
  ])("reads %s", (text, urls) => expect(readStore("STORE", text)).toEqual(urls));

  it("has the limits that docs/scale.md lists", () => {
    const [, table = ""] = /<!-- limits -->([^]*)<!-- \/limits -->/.exec(readFileSync("docs/scale.md", "utf8")) ?? [];
    const { timeoutMs, attempts, pauseMs, silentMax, probeMs, renewMs, probedMax } = STORE_LIMITS;
    const due = [timeoutMs, attempts, 2 * pauseMs, silentMax, probeMs, renewMs, probedMax];
    expect(table.match(/\d+/g)?.map(Number)).toEqual(due);
  });
});
