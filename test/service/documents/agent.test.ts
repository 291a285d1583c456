/**
 * The documents for agents: connect, capabilities, tool descriptor, instructions, adoption guide.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AdoptionGuide, AgentConnect, AgentTool, Capabilities } from "../../../generator/contract/agent.ts";
import type { Readiness } from "../../../runtime/contract/document.ts";
import type {
  IntegrationReadiness,
  IntegrationReport,
  IntegrationStudio,
} from "../../../generator/contract/integration.ts";
import { ABSTENTION_REASONS, type ResolveEnvelope } from "../../../runtime/contract/resolution.ts";
import type { StatusEnvelope } from "../../../generator/contract/status.ts";
import {
  DOCUMENTS,
  getJson,
  getText,
  HTML,
  members,
  PLAIN,
  publishedConcepts,
  RECIPES,
  starterRegistry,
  strings,
} from "../../support/documents.ts";
import { readZip } from "../../support/kits.ts";
import { textOf } from "../../support/markup.ts";
import { empty, nasty } from "../../support/nasty.ts";
import { compileSchema, expectValid, makeAjv, publishedSchema } from "../../support/schemas.ts";
import { checkedRegistry, concept, expression } from "../../support/registry.ts";
import { ORIGIN } from "../../support/release.ts";
import { REQUESTS } from "../../support/requests.ts";
import { type Service, startService } from "../../support/service.ts";

/** Everything it publishes is merely near a concept, so nothing can resolve. */
const near = { concepts: [concept("NEAR", [expression("en", "nearly", { equivalenceStrength: 0.5 })])] };

const NAMES = ["starter", "nasty", "near", "empty"] as const;
const READY: readonly string[] = ["starter", "nasty"];
let services: Record<(typeof NAMES)[number], Service>;
beforeAll(async () => {
  services = {
    starter: await startService(starterRegistry()),
    nasty: await startService(checkedRegistry(nasty)),
    near: await startService(checkedRegistry(near)),
    empty: await startService(checkedRegistry(empty)),
  };
});
afterAll(() => Promise.all(Object.values(services).map((service) => service.close())));

const connectOf = (service: Service) => getJson<AgentConnect>(service, "/api/v1/agent/connect");
const capabilitiesOf = (service: Service) => getJson<Capabilities>(service, "/api/v1/capabilities");
const toolOf = (service: Service) => getJson<AgentTool>(service, "/agent-tool.json");
const guideOf = (service: Service) => getJson<AdoptionGuide>(service, "/api/v1/adoption-guide");
const instructionsOf = (service: Service) => getText(service, "/agent-instructions.txt", PLAIN);

/** What the readiness must be, counted over what is published. */
async function countedReadiness(service: Service): Promise<Readiness> {
  const concepts = await publishedConcepts(service);
  const exact = concepts.flatMap(({ expressions }) => expressions.filter((entry) => entry.equivalenceStrength === 1));
  return {
    status: exact.length > 0 ? "ready" : "not_ready_empty_registry",
    exactResolutionReady: exact.length > 0,
    registryVersion: concepts[0]?.registryVersion ?? "2026.11.1",
    publishedConcepts: concepts.length,
    reviewedExactExpressions: exact.length,
  };
}

/** Sends a request that a document names, as it is written, to the test's own port. */
function sendAsWritten(service: Service, { method, url, headers, body }: AgentConnect["canonicalNextRequest"]) {
  const { origin, pathname, search } = new URL(url);
  expect(origin).toBe(ORIGIN);
  return service.send(method, pathname + search, { headers, body: JSON.stringify(body) });
}

const ACCEPTANCE = /data\.status is "resolved" and data\.concept\.code is present.*HTTP 200 alone is not success/;

describe("/api/v1/agent/connect", () => {
  it.each(NAMES)("F01 F02 O-40: with the %s registry carries origin, readiness, request and rules", async (name) => {
    const service = services[name];
    const connect = await connectOf(service);
    expectValid(await publishedSchema(service, "agent-connect"), connect);
    expect(connect.canonicalOrigin).toBe(ORIGIN);
    expect(connect.readiness).toEqual(await countedReadiness(service));
    expect(connect.readiness.exactResolutionReady).toBe(READY.includes(name));
    expect(connect.canonicalResolverRequest).toMatchObject({
      method: "POST",
      url: `${ORIGIN}/api/v1/resolve`,
      headers: { "Content-Type": "application/json" },
    });
    expect(connect.minimumData.join("\n")).toMatch(/only the exact expression[\s\S]*no conversation[\s\S]*no secrets/i);
    expect(connect.resultPolicy.failClosed).toBe(true);
    expect(connect.resultPolicy.acceptanceRule).toMatch(ACCEPTANCE);
    expect(connect.resultPolicy.otherwise).toMatch(/^Everything else assigns nothing\..*Retry-After/);
  });

  it.each(NAMES)("F03: with the %s registry names a request that resolves as it stands", async (name) => {
    const service = services[name];
    const { canonicalNextRequest, canonicalResolverRequest, expectedOutcome } = await connectOf(service);
    const { method, url, headers } = canonicalResolverRequest;
    expect(canonicalNextRequest).toMatchObject({ method, url, headers });
    expectValid(compileSchema(canonicalResolverRequest.bodySchema), canonicalNextRequest.body);
    const reply = await sendAsWritten(service, canonicalNextRequest);
    expect(reply.status).toBe(expectedOutcome.httpStatus);
    const { data } = reply.json() as ResolveEnvelope;
    expect(data.status).toBe(expectedOutcome.status);
    expect(data.status).toBe(READY.includes(name) ? "resolved" : "abstained");
    const told = data.concept === null ? [String(data.reason)] : [data.concept.code, data.concept.registryVersion];
    for (const text of told) expect(expectedOutcome.note).toContain(text);
    if (name === "empty") expect(data.reason).toBe("registry_empty");
  });

  it("F03: gives directions that name the members they speak of", async () => {
    const connect = await connectOf(services.nasty);
    const directions = connect.directions.join("\n");
    for (const name of ["readiness", "canonicalNextRequest", "expectedOutcome", "resultPolicy", "next"] as const) {
      expect(directions).toMatch(new RegExp(`\\b${name}\\b`));
      expect(connect).toHaveProperty(name);
    }
    expect(directions).toContain("readiness.exactResolutionReady");
    expect(directions).toMatch(/durable boundaries/);
  });

  it("F04: accepts no body: a GET ignores one", async () => {
    const service = services.nasty;
    expect((await connectOf(service)).session.acceptsBody).toBe(false);
    const plain = await service.send("GET", "/api/v1/agent/connect");
    const sent = await service.send("GET", "/api/v1/agent/connect", { body: '{"client":"me"}' });
    expect([sent.status, sent.body.equals(plain.body)]).toEqual([200, true]);
  });

  // That no document does anything of this: test/service/http/representations.test.ts.
  it("F05 O-54: says that it registers nobody, makes no session, changes nothing, grants nothing", async () => {
    const { session, sideEffects, authorizationGranted } = await connectOf(services.nasty);
    expect(session).toEqual({ registersClient: false, createsSession: false, acceptsBody: false });
    expect([sideEffects, authorizationGranted]).toEqual(["none", "none"]);
  });
});

describe("/api/v1/capabilities", () => {
  it("F06 A14: carries authority, readiness, invocation policy, minimum data, procedure and policy", async () => {
    for (const name of NAMES) {
      const capabilities = await capabilitiesOf(services[name]);
      expect(capabilities.canonicalOrigin).toBe(ORIGIN);
      expect(capabilities.readiness).toEqual(await countedReadiness(services[name]));
      const { data } = await getJson<StatusEnvelope>(services[name], "/api/v1/status");
      const { publishedConcepts: concepts, reviewedExactExpressions: expressions } = capabilities.readiness;
      expect([data.publishedConcepts, data.reviewedExactExpressions]).toEqual([concepts, expressions]);
      expect(data.publicBundle.registryVersion).toBe(capabilities.readiness.registryVersion);
      expect(capabilities.authority.join("\n")).toMatch(
        /only authority[\s\S]*never an assignment[\s\S]*authorizes no action/,
      );
      expect(capabilities.invocationPolicy.callAt.length).toBeGreaterThanOrEqual(5);
      expect(capabilities.minimumData.join("\n")).toMatch(/only the exact expression/);
      expect(capabilities.exactness).toMatch(/NFC/);
      expect(capabilities.languageMatching).toMatch(/RFC 4647/);
      expect(capabilities.resultPolicy.failClosed).toBe(true);
      expect(capabilities.resultPolicy.acceptanceRule).toMatch(ACCEPTANCE);
      const { outcomes } = capabilities.resultPolicy;
      expect(outcomes.filter(({ conceptCode }) => conceptCode).map(({ outcome }) => outcome)).toEqual(["resolved"]);
      expect(outcomes.map(({ outcome }) => outcome)).toEqual(
        expect.arrayContaining(["abstained", "malformed", "request-error", "service-error"]),
      );
      expect(capabilities.record.join("\n")).toMatch(/registryVersion/);
    }
  });

  it("F06: has a decision procedure in order, every check of which fails closed", async () => {
    const { decisionProcedure } = await capabilitiesOf(services.nasty);
    expect(decisionProcedure.map(({ step }) => step)).toEqual(decisionProcedure.map((_step, i) => i + 1));
    for (const { otherwise } of decisionProcedure) expect(otherwise).toMatch(/^(?:Do not|No code is assigned)/);
    const checks = decisionProcedure.map(({ check }) => check);
    const order = [/HTTP 200.*error is null/, /data\.status is "resolved"/, /data\.concept\.code/].map((pattern) =>
      checks.findIndex((check) => pattern.test(check)),
    );
    expect(order.every((at) => at >= 0)).toBe(true);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  });

  it("F06 O-01: lists endpoint URLs under the origin, each of which answers its method", async () => {
    const { endpoints } = await capabilitiesOf(services.nasty);
    const listed = Object.values(endpoints).map(({ url }) => url.slice(ORIGIN.length));
    expect(listed).toEqual(
      expect.arrayContaining(["/api/v1/resolve", "/api/v1/concepts", "/api/v1/status", "/mcp", "/openapi.json"]),
    );
    expect(new Set(listed).size).toBe(listed.length);
    for (const { method, url } of Object.values(endpoints)) {
      expect(url.startsWith(`${ORIGIN}/`)).toBe(true);
      const target = url.slice(ORIGIN.length);
      const reply = await services.nasty.send(method, target, {
        headers: { "content-type": "application/json" },
        ...(method === "POST" ? { body: '{"expression":"taxi"}' } : {}),
      });
      // A resolve request is no JSON-RPC message.
      const expected = target === "/mcp" ? 400 : 200;
      expect([target, reply.status]).toEqual([target, expected]);
    }
  });

  it("F07: is the same document at its well-known address, byte for byte", async () => {
    for (const name of NAMES) {
      const [one, two] = await Promise.all(
        ["/api/v1/capabilities", "/.well-known/service-semantics.json"].map((path) => services[name].send("GET", path)),
      );
      expect([one?.status, two?.status]).toEqual([200, 200]);
      expect(two?.body.equals(one?.body ?? Buffer.alloc(0))).toBe(true);
      expect(two?.headers.etag).toBe(one?.headers.etag);
      expect(two?.headers["content-type"]).toBe("application/json");
    }
  });
});

const MEMBERS = [
  "schema", "version", "name", "title", "description", "sideEffects", "authorizationGranted",
  "transport", "invocationPolicy", "inputSchema", "dataHandling", "outputContract", "discovery",
]; // prettier-ignore

describe("/agent-tool.json", () => {
  it("B44 B45 B46 B47 B48 B49 B50 O-61: has exactly the contract's thirteen members, with its constants", async () => {
    for (const name of NAMES) {
      const tool = await toolOf(services[name]);
      expect(Object.keys(tool).sort()).toEqual(MEMBERS.toSorted());
      expect(tool).toMatchObject({
        schema: "service-semantics.agent-tool.v1",
        version: "1.4.0",
        name: "resolve_service_semantics",
        sideEffects: "none",
        authorizationGranted: "none",
      });
      expect([typeof tool.title, typeof tool.description]).toEqual(["string", "string"]);
      const inner = [tool.transport, tool.invocationPolicy, tool.inputSchema, tool.dataHandling, tool.outputContract];
      for (const value of [...inner, tool.discovery]) {
        expect([typeof value, value === null, Array.isArray(value)]).toEqual(["object", false, false]);
        expect(Object.keys(value).length).toBeGreaterThan(0);
      }
    }
  });

  it("B51 V14: grants neither semantic authority nor permission, in words and in every flag", async () => {
    const tool = await toolOf(services.nasty);
    expect(tool.description).toMatch(/neither semantic authority nor permission to execute an action/);
    const flags = [...members(tool)].filter(({ name }) => /grant|authoriz|sideEffect|assign/i.test(name));
    expect(flags.map(({ name, value }) => [name, value])).toEqual([
      ["sideEffects", "none"],
      ["authorizationGranted", "none"],
    ]);
    // Whatever it says of granting or authorizing, it says no.
    for (const text of strings(tool).filter((words) => /\b(?:grants?|authoriz\w*|permission)\b/i.test(words))) {
      expect(text).toMatch(/\b(?:neither|no|nothing|separately|never)\b/i);
    }
  });

  it("F08: says what the service does: body limit, reasons, comparison, language lookup", async () => {
    const { transport, dataHandling, outputContract } = (await toolOf(services.nasty)) as unknown as {
      transport: { direct: Record<string, unknown>; authentication: string };
      dataHandling: Record<string, unknown>;
      outputContract: Record<string, unknown>;
    };
    const { maximumBodyBytes, method, contentType } = transport.direct;
    expect([method, contentType, transport.authentication]).toEqual(["POST", "application/json", "none"]);
    const body = (bytes: number): string => JSON.stringify({ expression: "x" }).padEnd(bytes);
    expect((await services.nasty.resolve(body(Number(maximumBodyBytes)))).status).toBe(200);
    expect((await services.nasty.resolve(body(Number(maximumBodyBytes) + 1))).status).toBe(413);
    expect(outputContract["abstentionReasons"]).toEqual([...ABSTENTION_REASONS]);
    expect(dataHandling["comparison"]).toMatch(/NFC.*no case folding.*de-AT finds de, de never finds de-AT/);
    const schema = String(outputContract["schema"]).slice(ORIGIN.length + "/schemas/".length, -".v1.json".length);
    const answer = (await services.nasty.resolve({ expression: "taxi" })).json();
    expectValid(await publishedSchema(services.nasty, schema), answer);
  });
});

describe("the input schemas", () => {
  // That the service does: test/service/http/resolve.test.ts.
  it("B52: of descriptor, connect and /schemas accept and reject exactly what the service does", async () => {
    const ajv = makeAjv();
    const connect = await connectOf(services.nasty);
    const validators = {
      descriptor: ajv.compile((await toolOf(services.nasty)).inputSchema),
      connect: ajv.compile(connect.canonicalResolverRequest.bodySchema),
      published: await publishedSchema(services.nasty, "resolve-request"),
    };
    for (const [what, body, taken] of REQUESTS) {
      for (const [name, validate] of Object.entries(validators)) {
        expect([what, name, validate(body)]).toEqual([what, name, taken]);
      }
    }
  });
});

describe("/agent-instructions.txt", () => {
  it.each(NAMES)("F09: with the %s registry gives operating rules with its readiness as plain text", async (name) => {
    const text = await instructionsOf(services[name]);
    const { status, publishedConcepts: concepts, ...rest } = await countedReadiness(services[name]);
    expect(text).toContain(`Readiness: ${status} (`);
    expect(text).toMatch(new RegExp(`ready: ${rest.exactResolutionReady ? "yes" : "no"}\\b`));
    expect(text).toContain(`${concepts} concepts, ${rest.reviewedExactExpressions} reviewed exact expressions`);
    expect(text).toContain(`Registry version: ${rest.registryVersion}`);
    expect(text).toMatch(/grant no authorization/);
    expect(text).toMatch(ACCEPTANCE);
    for (const reason of ABSTENTION_REASONS) expect(text).toContain(`- ${reason}: `);
  });

  it.each(NAMES)(
    "F09: with the %s registry shows a request with the answer that the service gives to it, and how long to wait",
    async (name) => {
      const text = await instructionsOf(services[name]);
      const [, method = "", url = "", type = "", body = ""] =
        /^(POST) (\S+)\nContent-Type: (\S+)\n\n(\{.*\})$/m.exec(text) ?? [];
      const [, shown = ""] = /^The answer, with HTTP 200:\n\n(.*)$/m.exec(text) ?? [];
      const reply = await services[name].send(method, new URL(url).pathname, {
        headers: { "content-type": type },
        body,
      });
      const { data } = reply.json() as ResolveEnvelope;
      expect([reply.status, data.status]).toEqual([200, READY.includes(name) ? "resolved" : "abstained"]);
      expect(JSON.parse(shown)).toEqual(reply.json());
      expect(text).toContain("Retry-After");
    },
  );
});

describe("/api/v1/adoption-guide", () => {
  it.each(NAMES)("F10: with the %s registry has its seven parts, bound to origin and readiness", async (name) => {
    const guide = await guideOf(services[name]);
    const parts = ["value", "workflowPlacement", "useCases", "stagedAdoption", "bestPractices", "successSignals", "safetyBoundaries"] as const; // prettier-ignore
    for (const part of parts) expect([part, guide[part].length > 1]).toEqual([part, true]);
    const connect = await connectOf(services[name]);
    expect([guide.canonicalOrigin, guide.readiness]).toEqual([connect.canonicalOrigin, connect.readiness]);
    expect(guide.stagedAdoption.map(({ stage }) => stage)).toEqual(guide.stagedAdoption.map((_stage, i) => i + 1));
    // The five use cases are those of the five recipes (contract §4.4).
    expect(guide.useCases.map(({ id }) => id)).toEqual(RECIPES);
    expect(guide.safetyBoundaries.join("\n")).toMatch(/grants no permission/);
    for (const url of Object.values(guide.next)) expect(url.startsWith(`${ORIGIN}/`)).toBe(true);
  });
});

describe("readiness", () => {
  const CARRIERS: readonly [string, (document: never) => unknown][] = [
    ["/api/v1/agent/connect", ({ readiness }: AgentConnect) => readiness],
    ["/api/v1/capabilities", ({ readiness }: Capabilities) => readiness],
    ["/.well-known/service-semantics.json", ({ readiness }: Capabilities) => readiness],
    ["/api/v1/adoption-guide", ({ readiness }: AdoptionGuide) => readiness],
    ["/api/v1/integration-readiness", ({ readiness }: IntegrationReadiness) => readiness],
    ...RECIPES.map((id): [string, (document: never) => unknown] => [
      `/api/v1/integration-readiness/report/${id}`,
      ({ readiness }: IntegrationReport) => readiness,
    ]),
    ["/api/v1/integration-studio", ({ readiness }: IntegrationStudio) => readiness],
    ["/agent-tool.json", ({ discovery }: { discovery: { readiness: unknown } }) => discovery.readiness],
    ["/mcp-server.json", ({ service }: { service: { readiness: unknown } }) => service.readiness],
    ["/.well-known/service-semantics-discovery.json", ({ readiness }: AgentConnect) => readiness],
    ["/answers.json", ({ readiness }: AgentConnect) => readiness],
    ["/api-reference.json", ({ readiness }: AgentConnect) => readiness],
  ];

  it.each(NAMES)("F02 F10 O-40: follows the %s registry everywhere it is said", async (name) => {
    const service = services[name];
    const readiness = await countedReadiness(service);
    expect(readiness.status).toBe(READY.includes(name) ? "ready" : "not_ready_empty_registry");
    for (const [path, readinessIn] of CARRIERS) {
      const document = await getJson(service, path);
      expect([path, readinessIn(document as never)]).toEqual([path, readiness]);
      // And nowhere in it anything else.
      const said = [...members(document)].filter((member) => member.name === "exactResolutionReady");
      expect(new Set(said.map(({ value }) => value))).toEqual(new Set([readiness.exactResolutionReady]));
    }
    // For people, thousands may be set apart.
    const home = textOf(await getText(service, "/", HTML)).replaceAll(/(?<=\d)[,\u00A0\u202F](?=\d{3})/g, "");
    expect(home.includes("not_ready_empty_registry")).toBe(!readiness.exactResolutionReady);
    expect(home).toMatch(new RegExp(`\\b${readiness.publishedConcepts}\\s+concepts?\\b`));
    expect(home).toMatch(new RegExp(`\\b${readiness.reviewedExactExpressions}\\s+reviewed exact expressions?\\b`));
  });
});

describe("a registry of which only one expression can be asked for by its tag", () => {
  it("F03: gives that one as the example: a tag of more than 35 characters is legal and cannot be sent", async () => {
    const locale = "en-x-aaaaaaaa-bbbbbbbb-cccccccc-dddddddd";
    const long = concept("L-LONG", [expression("en", "hello", { locale })]);
    const service = await startService(
      checkedRegistry({ concepts: [long, concept("L-TAG", [expression("de", "hallo")])] }),
    );
    const { canonicalNextRequest, expectedOutcome } = await connectOf(service);
    expect([canonicalNextRequest.body, expectedOutcome.conceptCode]).toEqual([
      { expression: "hallo", language: "de" },
      "L-TAG",
    ]);
    await service.close();
  });
});

describe("the rules of use", () => {
  const BOUNDARIES = [/memory/i, /API or event records?/i, /workflow routing/i, /cross-language handoff/i, /audit evidence/i]; // prettier-ignore

  async function texts(): Promise<Record<string, string>> {
    const service = services.starter;
    const tool = await toolOf(service);
    return {
      capabilities: strings(await capabilitiesOf(service)).join("\n"),
      instructions: await instructionsOf(service),
      adoptionGuide: strings(await guideOf(service)).join("\n"),
      invocationPolicy: strings(tool.invocationPolicy).join("\n"),
      dataHandling: strings(tool.dataHandling).join("\n"),
      connect: strings(await connectOf(service)).join("\n"),
    };
  }

  it("A27: state the intended use: the five durable boundaries, and not every utterance", async () => {
    const { capabilities, instructions, adoptionGuide, invocationPolicy } = await texts();
    for (const [name, text] of Object.entries({ capabilities, instructions, adoptionGuide, invocationPolicy })) {
      for (const boundary of [...BOUNDARIES, /every utterance/i]) {
        expect([name, String(boundary), boundary.test(text ?? "")]).toEqual([name, String(boundary), true]);
      }
    }
  });

  it("A28: state the minimum data: the exact expression alone, no conversation, no secrets", async () => {
    const { capabilities, instructions, adoptionGuide, dataHandling, connect } = await texts();
    for (const [name, text] of Object.entries({ capabilities, instructions, adoptionGuide, dataHandling, connect })) {
      for (const rule of [/only the exact expression/i, /no conversation/i, /no secrets/i, /language tag/i]) {
        expect([name, String(rule), rule.test(text ?? "")]).toEqual([name, String(rule), true]);
      }
    }
  });

  it("A28: are kept: an answer repeats the expression once, as its echo, and a refusal not at all", async () => {
    const secret = "hunter2 correct horse";
    const service = services.starter;
    const answer = await service.resolve({ expression: secret });
    expect(answer.body.toString().split(secret).length).toBe(2);
    expect((answer.json() as ResolveEnvelope).data.input).toEqual({ expression: secret });
    for (const body of [
      { expression: [secret] },
      { expression: secret.repeat(100) },
      { expression: secret, language: "en_US" },
      { expression: secret, context: "x" },
      `{"expression":"${secret}"`,
    ]) {
      const refused = await service.resolve(body);
      expect(refused.status).toBe(400);
      expect(refused.body.toString()).not.toContain("hunter2");
    }
    expect(service.faults).toEqual([]);
  });

  it("A29: say in one wording when a code may be used: resolved, with a code; HTTP 200 alone is not success", async () => {
    const service = services.starter;
    const all: Record<string, string> = {};
    const rule = (document: unknown): string =>
      [...members(document)]
        .flatMap(({ name, value }) => (/(?:acceptance|assignment)Rule$/i.test(name) ? String(value) : []))
        .join("\n");
    const documents = DOCUMENTS.filter(
      ({ schema }) =>
        !/api-catalog|status|concept-list|discovery|deployment|adoption|registry|-report|-studio/.test(schema),
    );
    for (const { path } of documents) all[path] = rule(await getJson(service, path));
    all["adoption guide"] = (await guideOf(service)).bestPractices.join("\n");
    all["openapi"] = strings(await getJson(service, "/openapi.json")).join("\n").replaceAll(/is resolved\b/g, 'is "resolved"'); // prettier-ignore
    for (const path of ["/", "/answers", "/api-reference", "/mcp-guide", "/integration-studio"])
      all[path] = textOf(await getText(service, path, HTML));
    for (const path of ["/answers.md", "/api-reference.md", "/agent-instructions.txt", "/llms.txt"]) {
      all[path] = (await service.send("GET", path)).body.toString();
    }
    for (const id of RECIPES) {
      const entries = await readZip((await service.send("GET", `/api/v1/integration-studio/kit/${id}.zip`)).body);
      for (const { name, bytes } of entries)
        if (/\/(?:README\.md|instructions\.txt)$/.test(name)) all[name] = bytes.toString();
    }
    expect(Object.keys(all).filter((where) => where.startsWith("service-semantics-")).length).toBe(2 * RECIPES.length);
    for (const [where, text] of Object.entries(all)) expect([where, ACCEPTANCE.test(text)]).toEqual([where, true]);
  });
});
