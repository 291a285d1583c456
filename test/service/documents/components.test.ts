/**
 * The component schemas of the served OpenAPI, and what is published of the same shapes, against
 * instances made from the contract's §2: one good instance of each, then everything that may be
 * different about it, and everything that must not.
 */
import type { ValidateFunction } from "ajv/dist/2020.js";
import { beforeAll, describe, expect, it } from "vitest";
import { nasty } from "../../support/nasty.ts";
import { type ServedApi, servedApi } from "../../support/openapi.ts";
import { expectValid, publishedSchema } from "../../support/schemas.ts";
import { checkedRegistry } from "../../support/registry.ts";
import { serviceFor } from "../../support/service.ts";

const service = serviceFor(() => checkedRegistry(nasty));
let served: ServedApi;
beforeAll(async () => {
  served = await servedApi(service);
});

type Value = Readonly<Record<string, unknown>>;

/** A change to the good instance: the place (JSON Pointer) and what stands there instead. */
type Change = readonly [pointer: string, value: unknown];

interface Case {
  readonly good: Value;
  /** Objects in it that take undeclared members. */
  readonly open?: readonly string[];
  /** Members in it that may be missing. */
  readonly optional?: readonly string[];
  readonly accepted?: readonly Change[];
  readonly rejected?: readonly Change[];
}

const REMOVED = Symbol("removed");

/** The instance with one place changed. */
function change(good: Value, [pointer, value]: Change): unknown {
  const copy = structuredClone(good) as Record<string, unknown>;
  const names = pointer
    .split("/")
    .slice(1)
    .map((name) => name.replaceAll("~1", "/"));
  const last = names.pop();
  if (last === undefined) return value;
  let held = copy;
  for (const name of names) held = held[name] as Record<string, unknown>;
  if (value === REMOVED) delete held[last];
  else held[last] = value;
  return copy;
}

/** Every object in a value with its pointer, arrays passed through. */
function* objects(value: unknown, pointer = ""): Generator<readonly [string, Value], void> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield [pointer, value as Value];
  for (const [name, inner] of Object.entries(value)) yield* objects(inner, `${pointer}/${name.replaceAll("/", "~1")}`);
}

const identity = {
  code: "C-1",
  name: "Name",
  definition: "Definition.",
  domain: "test",
  registryVersion: "2026.11.1",
};

const summary = { ...identity, url: "https://a.example/api/v1/concepts/C-1" };

const expression = {
  language: "en",
  locale: null,
  expression: "text",
  type: "preferred",
  equivalenceStrength: 1,
  reviewStatus: "reviewed",
  provenance: null,
};

const rendering = { type: "emoji", descriptor: "what it shows", unicodeSequence: "😀", confidence: 0.5 };

const detail = {
  ...identity,
  provenance: { any: ["thing"] },
  expressions: [expression],
  renderings: [rendering],
  canonicalUrl: "https://a.example/api/v1/concepts/C-1",
};

const profile = { name: "p", modelName: "m", modelVersion: "1", dimensions: 1 };

const resolution = {
  input: { expression: "text" },
  status: "resolved",
  reason: null,
  embeddingProfile: null,
  concept: identity,
  candidates: [{ code: "C-1", name: "Name", score: 1 }],
  confidence: 1,
  margin: null,
};

const status = {
  publishedConcepts: 1,
  reviewedExactExpressions: 2,
  languages: ["en"],
  domains: ["test"],
  activeEmbeddingProfiles: 0,
  semanticRuntimeConfigured: false,
  productionResolver: "reviewed_exact_registry_first",
  arbitraryQuerySemanticResolution: "disabled",
  publicBundle: {},
};

const tool = {
  schema: "service-semantics.agent-tool.v1",
  version: "1.0.0",
  name: "resolve_service_semantics",
  title: "t",
  description: "d",
  sideEffects: "none",
  authorizationGranted: "none",
  transport: {},
  invocationPolicy: {},
  inputSchema: {},
  dataHandling: {},
  outputContract: {},
  discovery: {},
};

const unavailable = {
  data: null,
  error: {
    code: "deployment_identity_unavailable",
    message: "m",
    failureCategory: "runtime_source_drift",
    documentUrl: "https://a.example/.well-known/service-semantics-deployment.json",
    expectedRelease: { productVersion: "v22", packageVersion: "v22-wip", classification: "wip" },
    requiredDeploymentMode: "clean_release_directory",
    nextAction: "n",
    recoverySteps: ["1", "2", "3", "4"],
    semanticAssignment: false,
    authorizationGranted: false,
    downstreamSideEffects: 0,
  },
};

const META = "/params/_meta/io.modelcontextprotocol~1";

const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "n", version: "1" },
};

const request = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { _meta: meta } };

const at = (pointer: string, ...values: unknown[]): Change[] => values.map((value) => [pointer, value]);
const NO_TEXT = [null, 1, true, [], {}];
const NO_OBJECT = [null, "text", 1, true, []];
const ANY = [null, "text", 1, 0.5, true, false, [], [1, "a"], {}, { deep: { deeper: [null] } }];
const texts = (prefix: string, names: readonly string[]): Change[] =>
  names.flatMap((name) => at(`${prefix}/${name}`, ...NO_TEXT));

const IDENTITY_TEXTS = Object.keys(identity);
const URIS = ["", "not a uri", "/api/v1/concepts/C-1", "a.example/x", null, 1];

/** Rows B02 to B08 and B11 to B43. */
const REGISTRY: Readonly<Record<string, Case>> = {
  ConceptSummary: { good: summary, rejected: [...texts("", IDENTITY_TEXTS), ...at("/url", ...URIS)] },
  ConceptDetail: {
    good: detail,
    open: ["/provenance"],
    optional: ["/provenance/any"],
    accepted: [
      ...at("/provenance", ...ANY),
      ...at("/expressions/0/provenance", ...ANY),
      ...at("/expressions/0/locale", "en-GB", ""),
      ...at("/expressions/0/equivalenceStrength", 0, 0.5),
      ...at("/renderings/0/unicodeSequence", null),
      ...at("/expressions", []),
      ...at("/renderings", []),
    ],
    rejected: [
      ...texts("", IDENTITY_TEXTS),
      ...at("/canonicalUrl", ...URIS),
      ...at("/expressions", null, {}, "text", [null], [{}]),
      ...at("/renderings", null, {}, "text", [null], [{}]),
      ...texts("/expressions/0", ["language", "expression", "type", "reviewStatus"]),
      ...at("/expressions/0/locale", 1, [], {}),
      ...at("/expressions/0/equivalenceStrength", null, "1", true),
      ...texts("/renderings/0", ["type", "descriptor"]),
      ...at("/renderings/0/unicodeSequence", 1, [], {}),
      ...at("/renderings/0/confidence", null, "1"),
    ],
  },
  ConceptExpression: { good: expression, accepted: at("/provenance", ...ANY), rejected: at("/locale", 1) },
  ConceptRendering: { good: rendering, accepted: at("/unicodeSequence", null), rejected: at("/confidence", "1") },
  ConceptList: {
    good: { data: [summary], count: 1 },
    accepted: [...at("/data", []), ...at("/count", 0, 1000)],
    rejected: [...at("/data", null, {}, [{}], [null]), ...at("/count", -1, 0.5, "1", null), ["/error", null]],
  },
  ConceptNotFound: { good: { error: "concept_not_found" }, rejected: at("/error", "not_found", null, {}) },
  ResolveRequest: {
    good: { expression: "text", language: "en" },
    optional: ["/language"],
    accepted: [
      ...at("/expression", "x", "a".repeat(1000), "😀".repeat(1000), " "),
      ...at("/language", "x", "a".repeat(35)),
    ],
    rejected: [
      ...at("/expression", "", "a".repeat(1001), "😀".repeat(1001), ...NO_TEXT),
      ...at("/language", "", "a".repeat(36), ...NO_TEXT),
    ],
  },
  ResolutionData: {
    good: resolution,
    accepted: [
      ...at("/status", "abstained"),
      ...at("/reason", "any text"),
      ...at("/embeddingProfile", profile),
      ...at("/concept", null),
      ...at("/candidates", []),
      ...at("/confidence", null, 0.5),
      ...at("/margin", 0.5, 0),
    ],
    rejected: [
      ...at("/input", ...NO_OBJECT, {}),
      ...at("/input/expression", ...NO_TEXT),
      ...at("/status", "unknown", "RESOLVED", "", null),
      ...at("/reason", 1, [], {}),
      ...at("/embeddingProfile", {}, "p", { ...profile, dimensions: 0 }, { ...profile, extra: 1 }),
      ...at("/concept", "C-1", {}, [], { ...identity, url: "https://a.example/" }),
      ...at("/candidates", null, {}, [null], ["C-1"], [{ code: "C-1", name: "Name" }]),
      ...at("/confidence", "1", true),
      ...at("/margin", "0", []),
    ],
  },
  ResolvedConcept: { good: identity, rejected: texts("", IDENTITY_TEXTS) },
  Candidate: {
    good: { code: "C-1", name: "Name", score: 1 },
    accepted: at("/score", 0, 0.25),
    rejected: [...texts("", ["code", "name"]), ...at("/score", null, "1")],
  },
  EmbeddingProfile: {
    good: profile,
    accepted: at("/dimensions", 1, 4096),
    rejected: [...texts("", ["name", "modelName", "modelVersion"]), ...at("/dimensions", 0, -1, 1.5, "1", null)],
  },
  ResolveEnvelope: {
    good: { data: resolution, error: null },
    rejected: [...at("/data", null, {}), ...at("/error", { code: "c", message: "m" }, "text")],
  },
  ErrorEnvelope: {
    good: { data: null, error: { code: "c", message: "m" } },
    rejected: [...at("/data", {}, [], "text"), ...at("/error", null, "text"), ...texts("/error", ["code", "message"])],
  },
  Error: { good: { code: "c", message: "m" }, rejected: texts("", ["code", "message"]) },
  StatusEnvelope: {
    good: { data: status, error: null },
    open: ["/data/publicBundle"],
    rejected: [...at("/data", null), ...at("/error", {})],
  },
  Status: {
    good: status,
    open: ["/publicBundle"],
    accepted: [
      // The contract shows none of its inner fields: readers must take any object.
      ...at("/publicBundle", { version: "1", more: { inner: [1] } }, { format: 1, parts: [] }, { size: null }),
      ...at("/publishedConcepts", 0),
      ...at("/languages", []),
      ...at("/domains", []),
      ...at("/semanticRuntimeConfigured", true),
      ...at("/activeEmbeddingProfiles", 3),
      ...at("/arbitraryQuerySemanticResolution", "enabled", ""),
    ],
    rejected: [
      ...["publishedConcepts", "reviewedExactExpressions", "activeEmbeddingProfiles"].flatMap((name) =>
        at(`/${name}`, -1, 0.5, "1", null),
      ),
      ...["languages", "domains"].flatMap((name) => at(`/${name}`, null, "en", [1], [null], {})),
      ...at("/semanticRuntimeConfigured", "false", 0, null),
      ...at("/productionResolver", "other", "", null),
      ...at("/arbitraryQuerySemanticResolution", ...NO_TEXT),
      ...at("/publicBundle", ...NO_OBJECT),
    ],
  },
};

/** Rows B44 to B50. */
const INNER = ["transport", "invocationPolicy", "inputSchema", "dataHandling", "outputContract", "discovery"];
const TOOL: Readonly<Record<string, Case>> = {
  AgentTool: {
    good: tool,
    open: INNER.map((name) => `/${name}`),
    accepted: [
      ...INNER.flatMap((name) => at(`/${name}`, { any: ANY, nested: { deep: 1 } })),
      ...at("/version", "0", "9.9.9-x", ""),
    ],
    rejected: [
      ...INNER.flatMap((name) => at(`/${name}`, ...NO_OBJECT)),
      ...texts("", ["version", "title", "description"]),
      ...at("/schema", "service-semantics.agent-tool.v2", "", null),
      ...at("/name", "resolve", null),
      ...at("/sideEffects", "some", false, null),
      ...at("/authorizationGranted", false, "all", null),
    ],
  },
};

/** Rows B53 to B63. */
const IDENTITY: Readonly<Record<string, Case>> = {
  DeploymentIdentityUnavailable: {
    good: unavailable,
    accepted: [
      ...at(
        "/error/failureCategory",
        "identity_document_invalid_json",
        "identity_document_missing_or_unsafe",
        "canonical_origin_invalid",
        "runtime_source_drift",
        "identity_validation_failed",
      ),
      ...at("/error/expectedRelease/productVersion", "v1", "v9", "v100"),
      ...at("/error/expectedRelease/packageVersion", "v1", "v22", "v100-wip"),
      ...at("/error/expectedRelease/classification", "final"),
      ...at("/error/documentUrl", "http://localhost:8080/x", "urn:example:x"),
    ],
    rejected: [
      ...at("/data", {}, false),
      ...at("/error/code", "other", "", null),
      ...["message", "nextAction"].flatMap((name) => at(`/error/${name}`, "", ...NO_TEXT)),
      ...at("/error/failureCategory", "other", "", null),
      ...at("/error/documentUrl", ...URIS),
      ...at("/error/expectedRelease/productVersion", "v0", "v01", "22", "v", "V22", "v22-wip", "v2 ", " v2", 22, null),
      ...at("/error/expectedRelease/packageVersion", "v0", "v01", "22", "v0-wip", "v22-final", "v22-", "v22wip", null),
      ...at("/error/expectedRelease/classification", "draft", "", "WIP", null),
      ...at("/error/requiredDeploymentMode", "any", "", null),
      ...at(
        "/error/recoverySteps",
        null,
        [],
        ["1", "2", "3"],
        ["1", "2", "3", "4", "5"],
        ["1", "2", "3", ""],
        [1, 2, 3, 4],
      ),
      ...["semanticAssignment", "authorizationGranted"].flatMap((name) => at(`/error/${name}`, true, "none", null, 0)),
      ...at("/error/downstreamSideEffects", 1, "0", false, null),
    ],
  },
};

/** The message shapes of §2: rows M02 to M13 and G47, the schemas alone. */
const INFO = `${META}clientInfo`;
const MCP: Readonly<Record<string, Case>> = {
  MCPJsonRpcRequest: {
    good: request,
    open: ["/params", "/params/_meta", `${META}clientCapabilities`, INFO],
    optional: [INFO],
    accepted: [
      ...at("/id", 0, -1, "", "text"),
      ...[
        "server/discover",
        "tools/list",
        "tools/call",
        "resources/list",
        "resources/read",
        "prompts/list",
        "prompts/get",
      ].map((method): Change => ["/method", method]),
      ...at("/params/name", "resolve_service_semantics"),
      ...at("/params/_meta/traceparent", "00-0-0-0"),
      ...at(`${META}clientCapabilities`, { x: {} }),
      ...["name", "version"].flatMap((name) => at(`${INFO}/${name}`, "a", "a".repeat(200), "😀".repeat(200))),
      ...at(`${INFO}/title`, "extra"),
    ],
    rejected: [
      ...at("/jsonrpc", "1.0", 2, "", null),
      ...at("/id", null, 1.5, true, {}, []),
      ...at("/method", "initialize", "ping", "resources/templates/list", "", null),
      ...at("/params", ...NO_OBJECT, {}),
      ...at("/params/_meta", ...NO_OBJECT, {}),
      ...at(`${META}protocolVersion`, "2025-06-18", "", null, 20260728),
      ...at(`${META}clientCapabilities`, ...NO_OBJECT),
      ...at(INFO, ...NO_OBJECT, {}),
      ...["name", "version"].flatMap((name) => at(`${INFO}/${name}`, "", "a".repeat(201), ...NO_TEXT)),
    ],
  },
  MCPRequestMeta: {
    good: meta,
    open: ["", "/io.modelcontextprotocol~1clientCapabilities", "/io.modelcontextprotocol~1clientInfo"],
    optional: ["/io.modelcontextprotocol~1clientInfo"],
    rejected: at("/io.modelcontextprotocol~1protocolVersion", "2026-07-27", null),
  },
  MCPJsonRpcSuccess: {
    good: { jsonrpc: "2.0", id: "a", result: { resultType: "complete" } },
    open: ["/result"],
    accepted: [...at("/id", 1, ""), ...at("/result/resultType", "input_required"), ["/result/tools", []]],
    rejected: [
      ...at("/jsonrpc", "1.0", null),
      ...at("/id", null, 1.5, true),
      ...at("/result", ...NO_OBJECT, {}),
      ...at("/result/resultType", "other", null),
      ["/error", { code: 1, message: "m" }],
    ],
  },
  MCPJsonRpcError: {
    good: { jsonrpc: "2.0", id: null, error: { code: -32600, message: "m", data: { any: 1 } } },
    open: ["/error/data"],
    optional: ["/error/data", "/error/data/any"],
    accepted: [...at("/id", 1, "a"), ...at("/error/data", ...ANY)],
    rejected: [
      ...at("/id", 1.5, true, {}),
      ...at("/error", ...NO_OBJECT, {}),
      ...at("/error/code", "1", 1.5, null),
      ...at("/error/message", ...NO_TEXT),
      ["/result", { resultType: "complete" }],
    ],
  },
  MCPConnectionManifest: {
    good: {
      $schema: "s",
      schema: "s",
      service: {},
      protocol: {},
      requestRequirements: {},
      security: {},
      capabilities: {},
      supportedMethods: [],
      identityAcceptanceRule: "r",
      directApiAlternative: {},
    },
    open: ["", "/service", "/protocol", "/requestRequirements", "/security", "/capabilities", "/directApiAlternative"],
    accepted: ["schema", "service", "protocol", "supportedMethods"].flatMap((name) => at(`/${name}`, ...ANY)),
    rejected: at("", null, [], "text"),
  },
};

/** The published schemas of shapes that are components too. */
const PUBLISHED: Readonly<Record<string, string>> = {
  ConceptDetail: "concept-detail",
  ConceptList: "concept-list",
  ResolveRequest: "resolve-request",
  ResolveEnvelope: "resolve-response",
  ErrorEnvelope: "error",
  StatusEnvelope: "status",
  AgentTool: "agent-tool",
  DeploymentIdentityUnavailable: "deployment-unavailable",
  MCPConnectionManifest: "mcp-server",
};

async function expectJudged(name: string, row: Case): Promise<void> {
  expectJudgedBy(served.component(name), name, row);
  const published = PUBLISHED[name];
  if (published !== undefined) expectJudgedBy(await publishedSchema(service, published), published, row);
}

/** Judges a good instance, each change of it, and each member removed or added. */
function expectJudgedBy(
  validate: ValidateFunction,
  name: string,
  { good, open = [], optional = [], accepted = [], rejected = [] }: Case,
): void {
  const verdict = (pointer: string, value: unknown, instance: unknown): unknown[] => [
    name,
    pointer,
    value === REMOVED ? "removed" : value,
    validate(instance),
  ];
  expectValid(validate, good, name);
  for (const [pointer, value] of accepted) {
    expect(verdict(pointer, value, change(good, [pointer, value]))).toEqual([name, pointer, value, true]);
  }
  for (const [pointer, value] of rejected) {
    expect(verdict(pointer, value, change(good, [pointer, value]))).toEqual([name, pointer, value, false]);
  }
  for (const [pointer, held] of objects(good)) {
    const extra: Change = [`${pointer}/undeclared`, 1];
    expect(verdict(...extra, change(good, extra))).toEqual([name, ...extra, open.includes(pointer)]);
    for (const member of Object.keys(held)) {
      const place = `${pointer}/${member.replaceAll("/", "~1")}`;
      const taken = verdict(place, REMOVED, change(good, [place, REMOVED]));
      expect(taken).toEqual([name, place, "removed", optional.includes(place)]);
    }
  }
}

describe("the component schemas", () => {
  it.each(Object.entries(REGISTRY))("V05: %s accepts and rejects what the contract does", (name, row) =>
    expectJudged(name, row),
  );
  it.each(Object.entries(TOOL))(
    "V05 B44 B45 B46 B47 B48 B49 B50: %s accepts and rejects what the contract does",
    (name, row) => expectJudged(name, row),
  );
  it.each(Object.entries(IDENTITY))("V05: %s accepts and rejects what the contract does", (name, row) =>
    expectJudged(name, row),
  );
  it.each(Object.entries(MCP))("V05: %s accepts and rejects what the contract does", (name, row) =>
    expectJudged(name, row),
  );

  it("V05: MCPJsonRpcResponse is a success or an error, and never both", () => {
    const validate = served.component("MCPJsonRpcResponse");
    const success = { jsonrpc: "2.0", id: 1, result: { resultType: "complete" } };
    const error = { jsonrpc: "2.0", id: null, error: { code: 1, message: "m" } };
    expectValid(validate, success);
    expectValid(validate, error);
    for (const other of [{ ...success, ...error }, { jsonrpc: "2.0", id: 1 }, [success], null, { data: null }]) {
      expect(validate(other)).toBe(false);
    }
  });

  it("V05: every shape of the contract's section 2 is a component", () => {
    const names = [...Object.keys({ ...REGISTRY, ...TOOL, ...IDENTITY, ...MCP }), "MCPJsonRpcResponse"];
    expect(Object.keys(served.api.components.schemas)).toEqual(expect.arrayContaining(names));
  });
});
