/**
 * The Worker that `host cloudflare` writes, run by workerd: the whole law, every expression of the
 * starter, a registry of a million expressions from a bucket, and a bucket that lacks or changes
 * something. The figures of docs/hosting.md are what this run prints.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CheckedRegistry } from "../../generator/registry/checked.ts";
import { tagOf } from "../../generator/registry/concept.ts";
import type { ConceptDetail } from "../../runtime/contract/concept.ts";
import { createFetchHandler } from "../../generator/tools/hosts/portable/fetch.ts";
import { openRelease, type Release } from "../../runtime/release/release.ts";
import { starterRegistry } from "../support/documents.ts";
import { runHere, serve } from "../support/command.ts";
import { mcpRequest, TOOL } from "../support/mcp.ts";
import { type EdgeHost, findMiniflare, processorTime, serveWorker } from "../support/miniflare.ts";
import { buildRelease } from "../support/release.ts";
import { freePort } from "../support/free-port.ts";
import { millionRelease } from "./million.ts";

const Miniflare = await findMiniflare();
const home = mkdtempSync(path.join(tmpdir(), "worker-"));
afterAll(() => rmSync(home, { recursive: true }));

async function writeProject(dist: string, folder: string): Promise<void> {
  const { code, stderr } = await runHere(["host", "cloudflare", "--release", dist, "--into", folder]);
  // The Worker runs here, so the release has an origin of this machine, and it is told.
  expect([code, stderr]).toEqual([0, expect.stringMatching(/^Notice: [^\n]*127\.0\.0\.1[^\n]*\n$/)]);
}

async function start(folder: string, port: number): Promise<EdgeHost> {
  if (Miniflare === undefined) throw new Error("There is no Miniflare");
  return serveWorker(Miniflare, { folder, port });
}

type Ask = { readonly method: string; readonly target: string; readonly headers?: Record<string, string>; readonly body?: string }; // prettier-ignore

/** On a new connection: workerd closes an idle one after 5 s, even under the next request. */
async function answer(port: number, { target, headers, ...init }: Ask): Promise<[status: number, body: Buffer]> {
  const response = await fetch(`http://127.0.0.1:${port}${target}`, { ...init, headers: { ...headers, connection: "close" } }); // prettier-ignore
  return [response.status, Buffer.from(await response.arrayBuffer())];
}

const get = (target: string): Ask => ({ method: "GET", target });
const resolve = (request: object): Ask => ({
  method: "POST",
  target: "/api/v1/resolve",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(request),
});
function call(request: object): Ask {
  const { headers, body } = mcpRequest("tools/call", { name: TOOL, arguments: request });
  return { method: "POST", target: "/mcp", headers, body: body as string };
}

/**
 * Asks the Worker, and the fetch handler on Node, which answers as the Node server does
 * (test/service/http/fetch.test.ts); names those whose answers differ. Returns how often each
 * status was given.
 */
async function expectSame(port: number, release: Release, asks: readonly Ask[]): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  const differing: string[] = [];
  const rest = asks.values();
  const handler = createFetchHandler(release);
  const work = async (): Promise<void> => {
    for (const ask of rest) {
      const [status, body] = await answer(port, ask);
      const own = await handler(new Request(release.manifest.origin + ask.target, ask));
      const [due, expected] = [own.status, Buffer.from(await own.arrayBuffer())];
      counts[status] = (counts[status] ?? 0) + 1;
      if (status !== due || !body.equals(expected)) differing.push(`${ask.target} ${ask.body ?? ""}`);
    }
  };
  await Promise.all(Array.from({ length: 16 }, work));
  expect(differing).toEqual([]);
  return counts;
}

const requestsOf = ({ concepts }: CheckedRegistry): object[] =>
  [...concepts].flatMap(({ expressions }) =>
    expressions.map((one, i) => ({ expression: one.expression, ...(i % 2 === 0 && { language: tagOf(one) }) })),
  );

describe.skipIf(Miniflare === undefined)("the starter as a Worker", () => {
  let port: number;
  let dist: string;
  let worker: EdgeHost;
  let release: Release;
  beforeAll(async () => {
    port = await freePort();
    // MCP is answered for the public name alone.
    dist = await buildRelease(starterRegistry(), `http://127.0.0.1:${port}`);
    await writeProject(dist, path.join(home, "starter"));
    [worker, release] = [await start(path.join(home, "starter"), port), openRelease(dist)];
  });
  afterAll(async () => {
    await worker.close();
    release.close();
  });

  it("keeps every law but the identity, which no code there can prove", async () => {
    const { stdout } = await runHere(["verify-origin", `http://127.0.0.1:${port}`, "--release", dist, "--json"]);
    const { laws, differences } = JSON.parse(stdout) as {
      laws: { law: string; asked: number }[];
      differences: { law: string; request: string; text: string }[];
    };
    expect(laws.every(({ asked }) => asked > 0)).toBe(true);
    expect(differences).toEqual([
      {
        law: "identity",
        request: "GET /.well-known/service-semantics-deployment.json",
        text: "answers 503, not 200",
      },
    ]);
  });

  it("resolves every expression as the service does, by REST and by MCP", async () => {
    const requests = requestsOf(starterRegistry());
    expect(requests.length).toBeGreaterThan(13_000);
    const counts = await expectSame(port, release, requests.flatMap((one) => [resolve(one), call(one)])); // prettier-ignore
    expect(counts).toEqual({ 200: 2 * requests.length });
  }, 600_000);
});

describe.skipIf(Miniflare === undefined)("a million expressions in a bucket", () => {
  const folder = path.join(home, "million");
  const objects = new Map<string, Buffer>();
  let dist: string;
  let port: number;
  let worker: EdgeHost;
  let release: Release;
  let details: ConceptDetail[];
  beforeAll(async () => {
    dist = await millionRelease();
    await writeProject(dist, folder);
    const own = (await import(path.join(folder, "worker/release.js"))) as {
      release: { stored: Record<string, string> };
    };
    const { stored } = own.release;
    for (const [name, key] of Object.entries(stored)) objects.set(key, readFileSync(path.join(dist, name)));
    release = openRelease(dist);
    port = Number(new URL(release.manifest.origin).port);
    const { index } = release;
    // One concept in 499, and the two that share their expressions.
    const ids = [...Array.from({ length: 200 }, (_none, i) => i * 499), 500, 501];
    details = ids.map(
      (id) => JSON.parse(Buffer.from(index.read(index.concept(id).detail)).toString()) as ConceptDetail,
    );
    await restart([...objects.keys()]);
  }, 600_000);
  afterAll(async () => {
    await worker.close();
    release.close();
  });

  /** A Worker that holds nothing, and a bucket with these objects. */
  async function restart(keys = [indexKey()]): Promise<void> {
    await worker?.close();
    worker = await start(folder, port);
    for (const key of keys) await worker.bucket?.put(key, objects.get(key) ?? Buffer.alloc(0));
  }

  it("resolves a sample as the service does, and sends concepts, lists and filters", async () => {
    const requests = details.flatMap(({ expressions }, i) => {
      const { expression = "", language = "" } = expressions[i % expressions.length] ?? {};
      return [{ expression }, { expression, language }, { expression: `${expression} ?` }];
    });
    const targets = details.flatMap(({ code }) => [`/api/v1/concepts/${code}`, `/concepts/${code}`]);
    const counts = await expectSame(port, release, [
      ...requests.map(resolve),
      ...requests.slice(0, 60).map(call),
      ...targets.filter((_one, i) => i % 4 === 0).map(get),
    ]); // prettier-ignore
    expect(Object.keys(counts)).toEqual(["200"]);
    await expectSame(port, release, [get("/api/v1/concepts"), get("/api/v1/concepts?q=number+4711")]);
  });

  it.runIf(process.env["MEASURE"] === "1")(
    "prints what a request costs, next to the fetch handler on Node",
    async () => {
      const node = await serve("lib/bench/fetch-server.js", [dist], {});
      const expressions = details.map(({ expressions: [one] }) => resolve({ expression: one?.expression }));
      const kinds: Record<string, readonly Ask[]> = {
        "a document": [get("/llms.txt")],
        "a page": [get("/mcp-guide")],
        "the same expression": expressions.slice(0, 1),
        "200 expressions in turn": expressions,
      };
      const hosts = [
        { name: "workerd", port, id: worker.processId },
        { name: "Node", port: node.port, id: node.child.pid },
      ];
      // In slots that take turns, because other work on the machine then affects both alike.
      for (const [kind, asks] of Object.entries(kinds)) {
        const spent = hosts.map(() => 0);
        for (let slot = 0; slot < 4; slot++) {
          for (const [i, host] of hosts.entries()) {
            for (let n = 0; n < 50; n++) await answer(host.port, asks[n % asks.length] as Ask);
            const before = processorTime(host.id ?? 0);
            for (let n = 0; n < 200; n++) await answer(host.port, asks[n % asks.length] as Ask);
            spent[i] = (spent[i] ?? 0) + processorTime(host.id ?? 0) - before;
          }
        }
        console.info(`${kind}: ${hosts.map(({ name }, i) => `${name} ${((spent[i] ?? 0) / 800).toFixed(2)} ms`).join(", ")} of processor time`); // prettier-ignore
      }
      node.child.kill();
      // Each time in a process that has read nothing.
      for (const [kind, ask] of [
        ["a document", get("/llms.txt")],
        ["a resolution", expressions[7] as Ask],
      ] as const) {
        const waits: number[] = [];
        for (let n = 0; n < 3; n++) {
          await restart();
          // Miniflare itself has answered, and this Worker nobody.
          const [started, before] = [performance.now(), processorTime(worker.processId ?? 0)];
          expect((await answer(port, ask))[0]).toBe(200);
          waits.push(performance.now() - started, processorTime(worker.processId ?? 0) - before);
        }
        const median = (from: number): string => (waits.filter((_one, i) => i % 2 === from).sort((a, b) => a - b)[1] ?? 0).toFixed(0); // prettier-ignore
        console.info(`first answer of a cold Worker, ${kind}: ${median(0)} ms, ${median(1)} ms of processor time`);
      }
    },
    600_000,
  );

  const indexKey = (): string => [...objects.keys()].find((key) => key.startsWith("registry.index")) ?? "";

  it("answers 503 for what one changed byte concerns, and everything else as before", async () => {
    const [first, other] = [details[3], details[150]].map((one) => one?.expressions[4]?.expression ?? "");
    const index = Buffer.from(objects.get(indexKey()) ?? Buffer.alloc(0));
    const at = index.indexOf(first ?? "");
    index[at] = (index[at] ?? 0) ^ 1;
    await restart();
    await worker.bucket?.put(indexKey(), index);
    const [status, body] = await answer(port, resolve({ expression: first }));
    expect([status, body.toString()]).toEqual([503, expect.stringContaining('"code":"registry_unavailable"')]);
    const [mcpStatus, message] = await answer(port, call({ expression: first }));
    expect([mcpStatus >= 500, message.toString()]).toEqual([true, expect.stringContaining('"error":{')]);
    await expectSame(port, release, [resolve({ expression: other })]);
  });

  it("answers 503 where an object is missing, before and after it was there", async () => {
    await restart();
    await worker.bucket?.delete(indexKey());
    const known = details.map(({ expressions }) => resolve({ expression: expressions[0]?.expression }));
    const statuses = async (): Promise<number[]> =>
      Promise.all(known.slice(0, 20).map(async (one) => (await answer(port, one))[0]));
    expect(new Set(await statuses())).toEqual(new Set([503]));
    expect((await answer(port, get("/llms.txt")))[0]).toBe(200);
    await worker.bucket?.put(indexKey(), objects.get(indexKey()) ?? Buffer.alloc(0));
    await expectSame(port, release, known.slice(0, 1));
    await worker.bucket?.delete(indexKey());
    // What it holds by now it has checked.
    await expectSame(port, release, known.slice(0, 1));
    expect((await answer(port, known[100] as Ask))[0]).toBe(503);
  });
});
