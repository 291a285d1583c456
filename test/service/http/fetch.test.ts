/** The fetch handler answers as the Node server does, with the same status, fields and bytes. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tagOf } from "../../../generator/registry/concept.ts";
import { paths } from "../../../runtime/contract/paths.ts";
import { resources } from "../../../runtime/contract/policy.ts";
import { createFetchHandler, type FetchHandler } from "../../../generator/tools/hosts/portable/fetch.ts";
import { openRelease, type Release } from "../../../runtime/release/release.ts";
import { starterRegistry } from "../../support/documents.ts";
import { toolCall } from "../../support/mcp.ts";
import { buildRelease, ORIGIN } from "../../support/release.ts";
import { type Listening, listen } from "../../support/service.ts";

const NONCE = "AAAAAAAAAAAAAAAAAAAAAA==";
const registry = starterRegistry();
let release: Release;
let server: Listening;
let handler: FetchHandler;
beforeAll(async () => {
  release = openRelease(await buildRelease(registry));
  server = await listen(release, { nonce: () => NONCE });
  handler = createFetchHandler(release, {
    nonce: () => NONCE,
    onError: (error) => {
      throw error;
    },
  });
});
afterAll(async () => {
  await server.close();
  release.close();
});

/** What a host adds of its own. */
const HOST_FIELDS = ["connection", "date", "keep-alive", "transfer-encoding"];

async function outcome(response: Response): Promise<readonly unknown[]> {
  // Headers list their fields in order of names.
  const fields = [...response.headers].filter(([name]) => !HOST_FIELDS.includes(name));
  return [response.status, fields, Buffer.from(await response.arrayBuffer()).toString("latin1")];
}

/** Asks both, expects one answer, and returns its status. */
async function expectSame(target: string, init: RequestInit = {}): Promise<number> {
  const [ours, theirs] = await Promise.all([
    handler(new Request(`${ORIGIN}${target}`, init)),
    fetch(`http://127.0.0.1:${server.port}${target}`, { ...init, redirect: "manual" }),
  ]);
  const { status } = ours;
  expect([target, init, await outcome(ours)]).toEqual([target, init, await outcome(theirs)]);
  return status;
}

const code = registry.concepts.first(1)[0]?.code ?? "";
const computed = [
  paths.concepts,
  `${paths.concepts}?q=refund`,
  `${paths.concepts}?q=a%FF`,
  `${paths.concepts}/${code}`,
  `${paths.concepts}/C%2DNONE`,
  `${paths.concepts}/${code.replace("C", "%43")}`,
  `${paths.concepts}/%2F`,
  paths.bundle,
  paths.mcp,
  paths.conceptPages,
  `${paths.conceptPages}?page=3`,
  `${paths.conceptPages}?q=taxi`,
  `${paths.conceptPages}/${code}`,
  `${paths.conceptPages}/%3Cb%3E`,
  `${paths.resolvePage}?expression=refund+request`,
  `${paths.kits}/none.zip`,
  `${paths.kits}/%zz.zip`,
  "/robots%2Etxt",
  "/robots.txt?x=1",
  "/%zz",
  "/nothing",
  "/api/v1/concepts/",
];

describe("the fetch handler and the Node server", () => {
  it("answer GET, HEAD and OPTIONS of every path alike, and refuse alike", async () => {
    const statuses = new Set<number>();
    for (const target of [...resources.map(({ path }) => path), ...release.assets.keys(), ...computed]) {
      for (const method of ["GET", "HEAD", "OPTIONS", "PUT"]) {
        statuses.add(await expectSame(target, { method, headers: { accept: "text/html, */*;q=0.1" } }));
      }
    }
    expect(statuses).toEqual(new Set([200, 204, 400, 404, 405]));
  });

  it("negotiate and answer preconditions alike", async () => {
    const statuses = new Set<number>();
    for (const { path, negotiates } of resources) {
      const tag = (await handler(new Request(ORIGIN + path))).headers.get("etag") ?? "";
      const fields: Record<string, string>[] = [
        { "if-none-match": tag },
        { "if-none-match": `"x", W/${tag}` },
        { "if-match": '"x"' },
      ];
      if (negotiates) fields.push({ accept: "image/png" }, { accept: "text/markdown, application/json;q=0.5" });
      for (const headers of fields) statuses.add(await expectSame(path, { headers }));
    }
    expect(statuses).toEqual(new Set([200, 304, 406, 412]));
  });

  const post = (type: string, body: string | Uint8Array<ArrayBuffer>): RequestInit => ({
    method: "POST",
    headers: { "content-type": type },
    body,
  });

  it("answer bodies alike: resolutions, refusals, and what is too long", async () => {
    const json = "application/json";
    for (const [type, body, status] of [
      [json, '{"expression":"refund request","language":"en"}', 200],
      [json, '{"expression":""}', 400],
      [json, '{"expression":"a","expression":"b"}', 400],
      [json, "\uFEFF{}", 400],
      ["text/plain", "{}", 415],
      [json, "x".repeat(20_000), 413],
    ] as const) {
      expect(await expectSame(paths.resolve, post(type, body))).toBe(status);
    }
  });

  it("resolve expressions alike, and by MCP", async () => {
    // Few of them: what differs between the two is the way, not the resolver.
    const entries = [...registry.concepts].flatMap(({ expressions }) => expressions).filter((_one, i) => i % 77 === 0);
    expect(entries.length).toBeGreaterThan(100);
    for (const [i, entry] of entries.entries()) {
      const request = { expression: entry.expression, ...(i % 2 === 0 && { language: tagOf(entry) }) };
      expect(await expectSame(paths.resolve, post("application/json", JSON.stringify(request)))).toBe(200);
      const { headers, body } = toolCall(request);
      expect(await expectSame(paths.mcp, { method: "POST", headers, body: String(body) })).toBe(200);
    }
  });

  it("stops a stream that is not read", async () => {
    const { body } = await handler(new Request(ORIGIN + paths.bundle));
    await expect(body?.cancel()).resolves.toBeUndefined();
  });
});

describe("the fetch handler", () => {
  it("reads no more of a body than it accepts", async () => {
    let pulled = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled++;
        controller.enqueue(new Uint8Array(1000));
      },
    });
    const init = { method: "POST", headers: { "content-type": "application/json" }, body, duplex: "half" };
    const response = await handler(new Request(ORIGIN + paths.resolve, init as RequestInit));
    expect(response.status).toBe(413);
    expect(pulled).toBeLessThan(40);
  });

  it("answers 503 for the deployment identity, in the contract's words: it cannot vouch for what runs", async () => {
    const response = await handler(new Request(ORIGIN + paths.deployment));
    expect([response.status, response.headers.get("x-service-semantics-deployment-identity")]).toEqual([
      503,
      "unavailable",
    ]);
    expect(await response.json()).toMatchObject({
      error: { failureCategory: "identity_document_missing_or_unsafe", authorizationGranted: false },
    });
  });
});
