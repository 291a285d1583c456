/** `/openapi.json` against the contract's table of operations and the service's answers. */
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { ResolveEnvelope } from "../../../runtime/contract/resolution.ts";
import { members, publishedConcepts, RECIPES, starterRegistry } from "../../support/documents.ts";
import { empty, nasty } from "../../support/nasty.ts";
import { type ApiOperation, type ServedApi, servedApi } from "../../support/openapi.ts";
import { expectValid } from "../../support/schemas.ts";
import { checkedRegistry } from "../../support/registry.ts";
import { ORIGIN, ownRelease } from "../../support/release.ts";
import { type Reply, serveFolder, serviceFor, startService } from "../../support/service.ts";

const service = serviceFor(() => checkedRegistry(nasty));
let served: ServedApi;
beforeAll(async () => {
  served = await servedApi(service);
});

const JSON_TYPE = "application/json";
const FOUR = ["Content-Location", "ETag", "Repr-Digest", "X-Content-SHA256"];

interface Row {
  readonly methods: readonly string[];
  /** `in name`, with `!` behind what is required. */
  readonly parameters: readonly string[];
  /** Media types of 200. */
  readonly types: readonly string[];
  /** Fields that 200 must have, by the contract. */
  readonly headers: readonly string[];
  /** Statuses that stand by themselves, beside the ranges 4XX and 5XX. */
  readonly statuses: readonly string[];
}

const READ = ["get", "head"];
const IF = "header If-None-Match";

/** A document with validators (§4.4, ruling O-38). */
const plain = (types: readonly string[] = [JSON_TYPE]): Row => ({
  methods: READ,
  parameters: [IF],
  types,
  headers: FOUR,
  statuses: ["200", "304"],
});

/** A deterministic representation route (§4.5). */
const negotiated = (...types: string[]): Row => ({
  methods: READ,
  parameters: ["header Accept", IF],
  types,
  headers: FOUR,
  statuses: ["200", "304", "406"],
});

const ofRecipe = (type: string, headers: readonly string[]): Row => ({
  methods: READ,
  parameters: ["path recipeId!", IF],
  types: [type],
  headers,
  statuses: ["200", "304", "404"],
});

/** The table of the contract, §4.1 to §4.7, and the documents at their ruled paths. */
const TABLE: Readonly<Record<string, Row>> = {
  // 4.1
  "/api/v1/resolve": {
    methods: ["post"],
    parameters: [],
    types: [JSON_TYPE],
    headers: [],
    statuses: ["200", "400", "413", "415", "429", "503"],
  },
  // 4.2
  "/api/v1/concepts": {
    methods: READ,
    parameters: ["query q", IF],
    types: [JSON_TYPE],
    headers: FOUR,
    statuses: ["200", "304", "400"],
  },
  "/api/v1/concepts/{code}": {
    methods: READ,
    parameters: ["path code!", IF],
    types: [JSON_TYPE],
    headers: FOUR,
    statuses: ["200", "304", "404"],
  },
  // 4.3
  "/api/v1/status": { methods: READ, parameters: [], types: [JSON_TYPE], headers: [], statuses: ["200"] },
  // O-57, and what else the registry tells of itself
  "/registry/retired.json": plain(),
  "/registry/history.json": plain(),
  "/registry/coverage.json": plain(),
  // 4.4
  "/api/v1/agent/connect": plain(),
  "/api/v1/capabilities": plain(),
  "/.well-known/service-semantics.json": plain(),
  "/agent-tool.json": plain(),
  "/agent-instructions.txt": plain(["text/plain"]),
  "/api/v1/adoption-guide": plain(),
  "/api/v1/integration-readiness": plain(),
  "/api/v1/integration-readiness/report/{recipeId}": ofRecipe(JSON_TYPE, FOUR),
  "/api/v1/integration-studio": plain(),
  "/api/v1/integration-studio/kit/{recipeId}.zip": ofRecipe("application/zip", ["X-Content-SHA256"]),
  // 4.5
  "/.well-known/api-catalog": negotiated("application/linkset+json"),
  "/.well-known/service-semantics-discovery.json": negotiated(JSON_TYPE),
  "/answers": negotiated(JSON_TYPE, "text/html", "text/markdown"),
  "/answers.json": negotiated(JSON_TYPE),
  "/answers.md": negotiated("text/markdown"),
  "/api-reference": negotiated(JSON_TYPE, "text/html", "text/markdown"),
  "/api-reference.json": negotiated(JSON_TYPE),
  "/api-reference.md": negotiated("text/markdown"),
  "/openapi.json": negotiated(JSON_TYPE),
  "/mcp-server.json": negotiated(JSON_TYPE),
  "/mcp-guide": { methods: READ, parameters: [], types: ["text/html"], headers: [], statuses: ["200"] },
  // 4.6
  "/.well-known/service-semantics-deployment.json": {
    methods: READ,
    parameters: [IF],
    types: [JSON_TYPE],
    headers: ["ETag", "X-Content-SHA256", "X-Service-Semantics-Deployment-Identity"],
    statuses: ["200", "304", "503"],
  },
  // 4.7
  "/mcp": {
    methods: ["post"],
    parameters: ["header MCP-Protocol-Version!", "header Mcp-Method!", "header Mcp-Name"],
    types: [JSON_TYPE],
    headers: [],
    statuses: ["200", "400", "403", "404", "413", "415", "429"],
  },
};

const OF_RECIPE = Object.keys(TABLE).filter((path) => path.includes("{recipeId}"));

function* operations(): Generator<readonly [path: string, method: string, operation: ApiOperation], void> {
  for (const [path, item] of Object.entries(served.api.paths)) {
    for (const [method, own] of Object.entries(item)) yield [path, method, own];
  }
}

function operation(path: string, method: string): ApiOperation {
  const found = served.api.paths[path]?.[method];
  if (found === undefined) throw new Error(`No operation ${method} ${path}`);
  return found;
}

describe("the description", () => {
  it("V03 G46: is OpenAPI 3.1.0, version 1.7.0, of the canonical origin", () => {
    const { openapi, info, servers } = served.api;
    expect([openapi, info.version, servers.map(({ url }) => url)]).toEqual(["3.1.0", "1.7.0", [ORIGIN]]);
  });

  it("V01: asks for no credential anywhere, in words and in live answers", async () => {
    const { api } = served;
    expect(api.security).toEqual([]);
    expect(Object.keys(api.components).sort()).toEqual(["headers", "schemas"]);
    expect([...members(api)].filter(({ name }) => /securitySchemes/i.test(name))).toEqual([]);
    for (const [path, method, { responses, ...rest }] of operations()) {
      expect([path, method, "security" in rest, "401" in responses]).toEqual([path, method, false, false]);
      const target = path.replace("{code}", "N-TAXI").replace("{recipeId}", RECIPES[0] ?? "");
      const body = method === "post" ? { body: '{"expression":"taxi"}' } : {};
      const reply = await service.send(method.toUpperCase(), target, {
        headers: { "content-type": JSON_TYPE, accept: "*/*" },
        ...body,
      });
      expect([401, 403, 407]).not.toContain(reply.status);
      expect(reply.headers["www-authenticate"]).toBeUndefined();
    }
  });

  it("V02: declares no webhook, callback or event", () => {
    const names = [...members(served.api)].map(({ name }) => name);
    expect(names.filter((name) => /^(?:webhooks?|callbacks?|links)$/i.test(name))).toEqual([]);
    const all = [...operations()];
    expect(all.length).toBeGreaterThan(50);
    for (const [, , { responses }] of all) {
      for (const { content = {} } of Object.values(responses)) expect(content).not.toHaveProperty("text/event-stream");
    }
  });

  it("V04 V12: has every path of the contract with its methods, and no other", () => {
    expect(Object.keys(served.api.paths).sort()).toEqual(Object.keys(TABLE).sort());
    for (const [path, { methods }] of Object.entries(TABLE)) {
      expect([path, Object.keys(served.api.paths[path] ?? {}).sort()]).toEqual([path, methods.toSorted()]);
    }
  });

  it.each(Object.keys(TABLE))("V04: describes %s as the contract does", (path) => {
    const row = TABLE[path] as Row;
    for (const method of row.methods) {
      const { parameters = [], responses, requestBody } = operation(path, method);
      const said = parameters.map(({ in: place, name, required }) => `${place} ${name}${required === true ? "!" : ""}`);
      expect(said.sort()).toEqual(row.parameters.toSorted());
      expect(Object.keys(responses).sort()).toEqual([...row.statuses, "4XX", "5XX"].sort());
      const ok = responses["200"];
      expect(Object.keys(ok?.content ?? {})).toEqual(method === "head" ? [] : row.types);
      expect(Object.keys(ok?.headers ?? {})).toEqual(expect.arrayContaining([...row.headers]));
      expect(requestBody !== undefined).toBe(method === "post");
      if (row.statuses.includes("304")) {
        expect(Object.keys(responses["304"]?.headers ?? {})).toEqual(expect.arrayContaining([...row.headers]));
        expect(responses["304"]).not.toHaveProperty("content");
      }
      if (method === "head")
        for (const answer of Object.values(responses)) expect(answer).not.toHaveProperty("content");
    }
  });

  it("V04: gives the refusals the media types and headers of the contract", () => {
    for (const [path, row] of Object.entries(TABLE)) {
      if (row.statuses.includes("406")) {
        const { content = {} } = operation(path, "get").responses["406"] ?? {};
        expect(Object.keys(content)).toEqual(["application/problem+json"]);
        expect(content["application/problem+json"]?.schema).toEqual({ $ref: "#/components/schemas/NotAcceptable" });
      }
      const method = row.methods[0] ?? "";
      for (const range of ["4XX", "5XX"]) {
        const { content = {} } = operation(path, method).responses[range] ?? {};
        const shape = path === "/mcp" ? "MCPJsonRpcResponse" : "ErrorEnvelope";
        expect(content[JSON_TYPE]?.schema).toEqual({ $ref: `#/components/schemas/${shape}` });
      }
    }
    const identity = operation("/.well-known/service-semantics-deployment.json", "get").responses["503"];
    expect(Object.keys(identity?.headers ?? {}).sort()).toEqual([
      "Cache-Control",
      "X-Service-Semantics-Deployment-Identity",
    ]);
    expect(identity?.content?.[JSON_TYPE]?.schema).toEqual({
      $ref: "#/components/schemas/DeploymentIdentityUnavailable",
    });
    const unknown = operation("/api/v1/concepts/{code}", "get").responses["404"];
    expect(unknown?.content?.[JSON_TYPE]?.schema).toEqual({ $ref: "#/components/schemas/ConceptNotFound" });
    for (const path of OF_RECIPE) {
      const { description, content = {} } = operation(path, "get").responses["404"] ?? {};
      expect([path, Object.keys(content)]).toEqual([path, [JSON_TYPE]]);
      expect(description).toContain("recipe_not_found");
      expect(content[JSON_TYPE]?.schema).toEqual({ $ref: "#/components/schemas/ErrorEnvelope" });
    }
  });

  it("V04: gives a ZIP no schema, as bytes that are no text have none (OpenAPI 3.1.0, Considerations for File Uploads)", () => {
    const { content } = operation("/api/v1/integration-studio/kit/{recipeId}.zip", "get").responses["200"] ?? {};
    expect(content).toEqual({ "application/zip": {} });
  });

  it("V04: types the parameters and bodies: q, code, the five recipes, requests and answers", () => {
    const parameter = (path: string, name: string) =>
      operation(path, "get").parameters?.find((each) => each.name === name)?.schema;
    expect(parameter("/api/v1/concepts", "q")).toMatchObject({ type: "string" });
    expect(parameter("/api/v1/concepts/{code}", "code")).toMatchObject({ type: "string" });
    for (const path of OF_RECIPE) {
      expect(parameter(path, "recipeId")).toEqual({ type: "string", enum: RECIPES });
    }
    const shapes: Record<string, [string, string, string?]> = {
      "/api/v1/resolve": ["post", "ResolveEnvelope", "ResolveRequest"],
      "/mcp": ["post", "MCPJsonRpcResponse", "MCPJsonRpcRequest"],
      "/api/v1/concepts": ["get", "ConceptList"],
      "/api/v1/concepts/{code}": ["get", "ConceptDetail"],
      "/api/v1/status": ["get", "StatusEnvelope"],
      "/api/v1/integration-readiness": ["get", "IntegrationReadiness"],
      "/api/v1/integration-readiness/report/{recipeId}": ["get", "IntegrationReport"],
      "/api/v1/integration-studio": ["get", "IntegrationStudio"],
      "/agent-tool.json": ["get", "AgentTool"],
      "/mcp-server.json": ["get", "MCPConnectionManifest"],
    };
    for (const [path, [method, answer, request]] of Object.entries(shapes)) {
      const { responses, requestBody } = operation(path, method);
      expect(responses["200"]?.content?.[JSON_TYPE]?.schema).toEqual({ $ref: `#/components/schemas/${answer}` });
      const asked = request === undefined ? undefined : { $ref: `#/components/schemas/${request}` };
      expect([path, requestBody?.content[JSON_TYPE]?.schema]).toEqual([path, asked]);
      if (request !== undefined) expect(requestBody?.required).toBe(true);
    }
  });

  it("V04: gives the digest and identity headers the patterns of the contract", () => {
    const header = (name: string) => served.api.components.headers[name]?.schema;
    expect(header("X-Content-SHA256")).toEqual({ type: "string", pattern: "^[0-9a-f]{64}$" });
    expect(header("Content-Location")).toEqual({ type: "string", format: "uri" });
    expect(header("X-Service-Semantics-Deployment-Identity")).toEqual({
      type: "string",
      enum: ["verified", "unavailable"],
    });
    const etag = served.compile(header("ETag") ?? {});
    const hex = "0123456789abcdef".repeat(4);
    expect([`"${hex}"`, hex, `W/"${hex}"`, '"x"'].map((value) => etag(value))).toEqual([true, false, false, false]);
    const digest = served.compile(header("Repr-Digest") ?? {});
    const base64 = Buffer.from(hex, "hex").toString("base64");
    const spelled = [`sha-256=:${base64}:`, base64, `sha-512=:${base64}:`].map((value) => digest(value));
    expect(spelled).toEqual([true, false, false]);
  });

  it("G46: holds together: unique ids, known tags, parameters of the path, references that lead somewhere", () => {
    const ids = [...operations()].map(([, , { operationId }]) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const tags = served.api.tags.map(({ name }) => name);
    const used = new Set<string>();
    for (const [path, , { tags: own, parameters = [], responses, summary }] of operations()) {
      own.forEach((tag) => used.add(tag));
      expect(summary.length).toBeGreaterThan(0);
      const inPath = parameters.filter((each) => each.in === "path").map(({ name }) => name);
      expect([path, inPath]).toEqual([path, [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)]);
      for (const answer of Object.values(responses)) expect(answer.description.length).toBeGreaterThan(0);
    }
    expect([...used].sort()).toEqual(tags.toSorted());
    const references = [...members(served.api)].filter(({ name }) => name === "$ref").map(({ value }) => String(value));
    const known = [
      ...Object.keys(served.api.components.schemas).map((name) => `#/components/schemas/${name}`),
      ...Object.keys(served.api.components.headers).map((name) => `#/components/headers/${name}`),
    ];
    expect(references.filter((reference) => !known.includes(reference))).toEqual([]);
    expect(known.filter((name) => !references.includes(name))).toEqual([]);
    for (const name of Object.keys(served.api.components.schemas)) {
      expect(typeof served.component(name)).toBe("function");
    }
    for (const { schema } of Object.values(served.api.components.headers)) served.compile(schema);
  });
});

interface Sent {
  readonly path: string;
  readonly method: string;
  readonly target: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array;
  readonly status: number;
}

describe("live responses", () => {
  const send = ({ method, target, headers = {}, body }: Sent): Promise<Reply> =>
    service.send(method.toUpperCase(), target, { headers, ...(body === undefined ? {} : { body }) });

  /** Compares an answer with its description: status, media type, body, header fields. */
  function expectDescribed(sent: Sent, reply: Reply): void {
    const { path, method, target, status } = sent;
    const what = `${method} ${target} ${JSON.stringify(sent.headers ?? {})}`;
    expect([what, reply.status]).toEqual([what, status]);
    const { responses } = operation(path, method);
    const response = responses[String(status)] ?? responses[`${Math.trunc(status / 100)}XX`];
    expect([what, response === undefined]).toEqual([what, false]);
    const { content, headers = {} } = response ?? {};
    if (content === undefined) expect([what, reply.body.length]).toEqual([what, 0]);
    else {
      const essence = reply.headers["content-type"]?.split(";")[0] ?? "";
      expect([what, Object.keys(content)]).toEqual([what, expect.arrayContaining([essence])]);
      const value: unknown = essence.endsWith("json") ? reply.json() : reply.body.toString();
      expectValid(served.compile(content[essence]?.schema ?? {}), value, what);
    }
    // A filtered list is computed, and carries no validators (its description says so).
    if (target.includes("?q=")) return;
    for (const [name, { $ref: reference }] of Object.entries(headers)) {
      // Pages and the catalog carry Link; the other representations of a route do not (O-48).
      if (name === "Link" && !/^text\/html|linkset/.test(String(reply.headers["content-type"]))) continue;
      // Allow goes with 405 (RFC 9110 section 15.5.6).
      if (name === "Allow" && reply.status !== 405) continue;
      // Accept-Encoding goes with a refused content coding (RFC 9110 section 12.5.3).
      if (name === "Accept-Encoding" && !("content-encoding" in (sent.headers ?? {}))) continue;
      const { schema = {} } = served.api.components.headers[reference.split("/").at(-1) ?? ""] ?? {};
      expectValid(served.compile(schema), reply.headers[name.toLowerCase()], `${what}: ${name}`);
    }
  }

  const CODES = ["N-QUOTES", "N-TAXI", "N-LONG", "N-PHONE"];

  async function expectReadable(path: string, target: string): Promise<void> {
    for (const method of READ) {
      const types = TABLE[path]?.types ?? [];
      const negotiates = TABLE[path]?.statuses.includes("406") === true;
      for (const accept of negotiates ? types : ["*/*"]) {
        const sent: Sent = { path, method, target, headers: { accept }, status: 200 };
        const reply = await send(sent);
        expectDescribed(sent, reply);
        if (TABLE[path]?.statuses.includes("304") !== true || accept === "text/html") continue;
        const again = { ...sent, headers: { accept, "if-none-match": String(reply.headers.etag) }, status: 304 };
        expectDescribed(again, await send(again));
      }
      if (!negotiates) continue;
      const refused: Sent = { path, method, target, headers: { accept: "image/png" }, status: 406 };
      expectDescribed(refused, await send(refused));
    }
  }

  const READABLE = Object.keys(TABLE).filter((path) => TABLE[path]?.methods.includes("get"));

  /** The addresses below a path: of some concepts, of every recipe. */
  function targetsOf(path: string): string[] {
    if (path.includes("{code}")) return CODES.map((code) => path.replace("{code}", code));
    return path.includes("{recipeId}") ? RECIPES.map((id) => path.replace("{recipeId}", id)) : [path];
  }

  it.each(READABLE)("V06: of %s are as described: 200, 304, 406", async (path) => {
    for (const target of targetsOf(path)) await expectReadable(path, target);
  });

  it("V06: of reports and kits refuse what is no recipe as described: 404 recipe_not_found", async () => {
    expect(OF_RECIPE.length).toBe(2);
    for (const path of OF_RECIPE) {
      for (const method of READ) {
        const missing: Sent = { path, method, target: path.replace("{recipeId}", "no-recipe"), status: 404 };
        const reply = await send(missing);
        expectDescribed(missing, reply);
        if (method === "get") expect(reply.json()).toMatchObject({ data: null, error: { code: "recipe_not_found" } });
      }
    }
  });

  it("V06: of concepts and list refuse as described: 404, 400", async () => {
    for (const method of READ) {
      const missing: Sent = { path: "/api/v1/concepts/{code}", method, target: "/api/v1/concepts/NONE", status: 404 };
      expectDescribed(missing, await send(missing));
      const concepts = { path: "/api/v1/concepts", method };
      const bad: Sent = { ...concepts, target: `/api/v1/concepts?q=${"a".repeat(201)}`, status: 400 };
      expectDescribed(bad, await send(bad));
      const filtered: Sent = { ...concepts, target: "/api/v1/concepts?q=name", status: 200 };
      expectDescribed(filtered, await send(filtered));
    }
  });

  it("V06: of resolve are as described: every outcome, 400, 413, 415, and the ranges", async () => {
    const post = { path: "/api/v1/resolve", method: "post", target: "/api/v1/resolve" };
    const json = { "content-type": JSON_TYPE };
    const asked: Omit<Sent, "path" | "method" | "target">[] = [
      ...["taxi", "bank", "many", "sort of", "unheard of", "café", " "].map((text) => ({
        headers: json,
        body: JSON.stringify({ expression: text }),
        status: 200,
      })),
      { headers: json, body: '{"expression":"poison","language":"de"}', status: 200 },
      { headers: json, body: "{", status: 400 },
      { headers: json, body: "{}", status: 400 },
      { headers: json, body: Buffer.from([0x22, 0xff, 0x22]), status: 400 },
      { headers: json, body: '{"expression":"x","language":"en_US"}', status: 400 },
      { headers: json, body: " ".repeat(16_385), status: 413 },
      { headers: { "content-type": "text/plain" }, body: "{}", status: 415 },
      { headers: { ...json, "content-encoding": "gzip" }, body: "{}", status: 415 },
      { headers: { ...json, expect: "something" }, body: "{}", status: 417 },
    ];
    const reasons = new Set<unknown>();
    for (const each of asked) {
      const sent: Sent = { ...post, ...each };
      const reply = await send(sent);
      expectDescribed(sent, reply);
      if (reply.status === 200) reasons.add((reply.json() as ResolveEnvelope).data.reason);
    }
    expect(reasons.size).toBe(5);
  });

  it("V06 M01: of /mcp are as described: 200, 400, 403, 404, 413, 415, 405", async () => {
    const examples = served.api.paths["/mcp"]?.["post"]?.requestBody?.content[JSON_TYPE]?.examples ?? {};
    const [discover, resolve] = [examples["discover"]?.value, examples["resolve"]?.value] as Record<string, unknown>[];
    const fields = { "content-type": JSON_TYPE, "mcp-protocol-version": "2026-07-28", "mcp-method": "server/discover" };
    const calling = { ...fields, "mcp-method": "tools/call", "mcp-name": "resolve_service_semantics" };
    const asked: Omit<Sent, "path" | "method" | "target">[] = [
      { headers: fields, body: JSON.stringify(discover), status: 200 },
      { headers: calling, body: JSON.stringify(resolve), status: 200 },
      { headers: fields, body: "{", status: 400 },
      { headers: { ...fields, origin: "https://other.example" }, body: JSON.stringify(discover), status: 403 },
      {
        headers: { ...fields, "mcp-method": "ping" },
        body: JSON.stringify({ ...discover, method: "ping" }),
        status: 404,
      },
      { headers: fields, body: " ".repeat(65_537), status: 413 },
      { headers: { ...fields, "content-type": "text/plain" }, body: JSON.stringify(discover), status: 415 },
    ];
    for (const each of asked) {
      const sent: Sent = { path: "/mcp", method: "post", target: "/mcp", ...each };
      expectDescribed(sent, await send(sent));
    }
  });

  it("V06 G03: of the deployment identity refuse as described: 503", async () => {
    const target = "/.well-known/service-semantics-deployment.json";
    const broken = await serveFolder(await ownRelease(checkedRegistry(empty)));
    rmSync(join(broken.release.directory, target));
    try {
      for (const method of READ) {
        const reply = await broken.send(method.toUpperCase(), target);
        expectDescribed({ path: target, method, target, status: 503 }, reply);
        if (method === "get") expectValid(served.component("DeploymentIdentityUnavailable"), reply.json());
      }
    } finally {
      await broken.close();
      rmSync(dirname(broken.release.directory), { recursive: true });
    }
  });
});

describe("examples", () => {
  const NAMES = ["starter", "nasty", "empty"] as const;
  const make = { starter: starterRegistry, nasty: () => checkedRegistry(nasty), empty: () => checkedRegistry(empty) };

  it.each(NAMES)("V05 V06: of the %s registry are valid, and those of resolve are what it answers", async (name) => {
    const own = await startService(make[name]());
    try {
      const { api, compile } = await servedApi(own);
      const post = api.paths["/api/v1/resolve"]?.["post"];
      const requests = post?.requestBody?.content[JSON_TYPE]?.examples ?? {};
      const answers = post?.responses["200"]?.content?.[JSON_TYPE]?.examples ?? {};
      expect(Object.keys(answers)).toEqual(Object.keys(requests));
      expect(Object.keys(requests)).toEqual(name === "empty" ? ["abstained"] : ["resolved", "abstained", "ambiguous"]);
      for (const [key, { value }] of Object.entries(requests)) {
        const reply = await own.resolve(value);
        expect([key, reply.status, reply.json()]).toEqual([key, 200, answers[key]?.value]);
        const { status, reason } = (reply.json() as ResolveEnvelope).data;
        expect(status).toBe(key === "resolved" ? "resolved" : "abstained");
        if (key === "ambiguous") expect(reason).toBe("ambiguous_expression");
      }
      let seen = 0;
      for (const item of Object.values(api.paths)) {
        for (const { requestBody, responses } of Object.values(item)) {
          const contents = [requestBody?.content, ...Object.values(responses).map(({ content }) => content)];
          for (const { schema, examples = {} } of contents.flatMap((content) => Object.values(content ?? {}))) {
            for (const { value } of Object.values(examples)) {
              expectValid(compile(schema), value);
              seen++;
            }
          }
        }
      }
      expect(seen).toBe(name === "empty" ? 4 : 9);
      const detail = api.paths["/api/v1/concepts/{code}"]?.["get"]?.responses["200"]?.content?.[JSON_TYPE]?.examples;
      const [shown] = Object.values(detail ?? {});
      const concepts = await publishedConcepts(own);
      if (concepts.length > 0) expect(concepts).toContainEqual(shown?.value);
      else expect(detail).toBeUndefined();
    } finally {
      await own.close();
    }
  });
});
