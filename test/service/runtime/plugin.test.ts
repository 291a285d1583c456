/**
 * The service in somebody else's Fastify app: next to routes, hooks, parsers and refusals of that
 * app, over a real socket.
 */
import Fastify, { type FastifyInstance } from "fastify";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { service } from "../../../runtime/plugin.ts";
import { checkedRegistry, concept, expression } from "../../support/registry.ts";
import { buildRelease, ORIGIN } from "../../support/release.ts";

const registry = checkedRegistry({ concepts: [concept("A-1", [expression("en", "otter")])] });
let app: FastifyInstance;
let origin: string;
let dist: string;
const seen: string[] = [];
const finished: string[] = [];

beforeAll(async () => {
  dist = await buildRelease(registry);
  app = Fastify();
  app.addHook("onRequest", (request, reply, next) => {
    seen.push(`${request.method} ${request.url}`);
    if (request.headers["x-forbidden"] === undefined) next();
    else void reply.code(403).send({ forbidden: true });
  });
  app.addHook("onResponse", (request, _reply, next) => {
    finished.push(request.url);
    next();
  });
  app.setNotFoundHandler((_request, reply) => reply.code(404).send("not of this app"));
  app.post("/orders", (request) => ({ took: request.body }));
  await app.register(service, { dist, origin: ORIGIN });
  await app.listen({ port: 0, host: "127.0.0.1" });
  origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
});
afterAll(() => app.close());

const ask = (target: string, init: RequestInit = {}): Promise<Response> => fetch(origin + target, init);
const post = (target: string, body: unknown): Promise<Response> =>
  ask(target, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

describe("next to the service", () => {
  it("a route of the app gets its body by the app's parser", async () => {
    expect(await (await post("/orders", { tea: 2 })).json()).toEqual({ took: { tea: 2 } });
  });

  it("a path that nobody serves is refused by the app", async () => {
    const reply = await ask("/nothing");
    expect([reply.status, await reply.text()]).toEqual([404, "not of this app"]);
  });

  it("a hook of the app may refuse a request to the service, and sees it end", async () => {
    expect((await ask("/openapi.json", { headers: { "x-forbidden": "1" } })).status).toBe(403);
    await (await ask("/llms.txt")).text();
    expect(seen).toContain("GET /llms.txt");
    expect(finished).toContain("/llms.txt");
  });
});

describe("the service in the app", () => {
  it("resolves, and abstains", async () => {
    const resolved = await (await post("/api/v1/resolve", { expression: "otter" })).json();
    expect(resolved).toMatchObject({ data: { status: "resolved", concept: { code: "A-1" } }, error: null });
    const abstained = await (await post("/api/v1/resolve", { expression: "Otter" })).json();
    expect(abstained).toMatchObject({ data: { status: "abstained", concept: null } });
  });

  it("answers documents with validators, 304, HEAD and 406", async () => {
    const whole = await ask("/openapi.json");
    const etag = whole.headers.get("etag") ?? "";
    expect([whole.status, (await whole.arrayBuffer()).byteLength > 0]).toEqual([200, true]);
    expect((await ask("/openapi.json", { headers: { "if-none-match": etag } })).status).toBe(304);
    const head = await ask("/openapi.json", { method: "HEAD" });
    expect([head.headers.get("etag"), await head.text()]).toEqual([etag, ""]);
    expect((await ask("/openapi.json", { headers: { accept: "image/png" } })).status).toBe(406);
  });

  it.each([
    ["DELETE", "/openapi.json", "GET, HEAD, OPTIONS"],
    ["GET", "/api/v1/resolve", "POST, OPTIONS"],
    ["PATCH", "/api/v1/concepts/A-1", "GET, HEAD, OPTIONS"],
  ])("refuses %s %s with 405, and says what it takes", async (method, target, allow) => {
    const reply = await ask(target, { method });
    expect([reply.status, reply.headers.get("allow")]).toEqual([405, allow]);
    expect(await reply.json()).toMatchObject({ error: { code: "method_not_allowed" } });
  });

  it("answers OPTIONS, a concept, a page, and an unknown code", async () => {
    expect((await ask("/openapi.json", { method: "OPTIONS" })).headers.get("allow")).toBe("GET, HEAD, OPTIONS");
    expect(await (await ask("/api/v1/concepts/A-1")).json()).toMatchObject({ code: "A-1" });
    expect((await ask("/api/v1/concepts/A-2")).status).toBe(404);
    const page = await ask("/", { headers: { accept: "text/html" } });
    expect([page.status, page.headers.get("content-security-policy")?.includes("nonce-")]).toEqual([200, true]);
  });

  it("proves its identity for the origin that it is configured for", async () => {
    const reply = await ask("/.well-known/service-semantics-deployment.json");
    expect(reply.headers.get("x-service-semantics-deployment-identity")).toBe(
      reply.status === 200 ? "verified" : "unavailable",
    );
  });
});

it("closes the release with the app", async () => {
  const own = Fastify();
  await own.register(service, { dist });
  await own.ready();
  await expect(own.close()).resolves.toBeUndefined();
});

it.each([
  ["a prefix", { prefix: "/words" }, /without a prefix/],
  ["another origin", { origin: "example.org" }, /"example\.org" is not an absolute http\(s\) origin/],
  ["a folder without a release", { dist: "/nowhere" }, /nowhere/],
])("refuses %s", async (_what, options, why) => {
  await expect(
    Fastify()
      .register(service, { dist, ...options })
      .ready(),
  ).rejects.toThrow(why);
});
