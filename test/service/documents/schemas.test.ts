/** Every document against the schema that its own `schema` constant names. */
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ValidateFunction } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { schemaNames } from "../../../runtime/contract/policy.ts";
import { DOCUMENTS, getJson, RECIPES, starterRegistry } from "../../support/documents.ts";
import { readZip } from "../../support/kits.ts";
import { empty, nasty } from "../../support/nasty.ts";
import { compileSchema, expectValid, openPlaces, optionalPlaces, publishedSchema } from "../../support/schemas.ts";
import { checkedRegistry } from "../../support/registry.ts";
import { ORIGIN, ownRelease } from "../../support/release.ts";
import { serveFolder, type Service, startService } from "../../support/service.ts";

let broken: string;
let services: Record<"starter" | "nasty" | "empty" | "broken", Service>;
beforeAll(async () => {
  broken = await ownRelease(checkedRegistry(empty));
  services = {
    starter: await startService(starterRegistry()),
    nasty: await startService(checkedRegistry(nasty)),
    empty: await startService(checkedRegistry(empty)),
    broken: await serveFolder(broken),
  };
  rmSync(join(broken, IDENTITY));
});
afterAll(async () => {
  await Promise.all(Object.values(services).map((service) => service.close()));
  rmSync(dirname(broken), { recursive: true });
});

const IDENTITY = "/.well-known/service-semantics-deployment.json";
const UNDER = ["starter", "nasty", "empty"] as const;

/** `manifest.json` of a kit, parsed. */
async function kitManifest(service: Service, recipeId: string): Promise<unknown> {
  const { status, body } = await service.send("GET", `/api/v1/integration-studio/kit/${recipeId}.zip`);
  expect([recipeId, status]).toEqual([recipeId, 200]);
  const manifest = (await readZip(body)).find(({ name }) => name === `service-semantics-${recipeId}/manifest.json`);
  return JSON.parse(manifest?.bytes.toString() ?? "") as unknown;
}

/** Documents of one request or without a fixed path: the request and the schema. */
const OTHERS: readonly { readonly ask: () => Promise<unknown>; readonly schema: string }[] = [
  { ask: () => getJson(services.nasty, "/api/v1/concepts/N-QUOTES"), schema: "concept-detail" },
  { ask: async () => (await services.nasty.resolve({ expression: "taxi" })).json(), schema: "resolve-response" },
  { ask: async () => (await services.nasty.resolve({ expression: "bank" })).json(), schema: "resolve-response" },
  { ask: async () => (await services.nasty.resolve({})).json(), schema: "error" },
  { ask: async () => (await services.nasty.send("GET", "/nope")).json(), schema: "error" },
  {
    ask: async () => (await services.nasty.send("GET", "/answers", { headers: { accept: "image/png" } })).json(),
    schema: "not-acceptable",
  },
  { ask: async () => (await services.broken.send("GET", IDENTITY)).json(), schema: "deployment-unavailable" },
  { ask: () => Promise.resolve({ expression: "x", language: "en" }), schema: "resolve-request" },
  ...RECIPES.map((id) => ({ ask: () => kitManifest(services.nasty, id), schema: "integration-kit" })),
];

describe("the published schemas", () => {
  it("name themselves, are JSON Schema 2020-12, and compile strictly, formats included", async () => {
    for (const name of schemaNames) {
      const schema = await getJson(services.nasty, `/schemas/${name}.v1.json`);
      expect(schema).toMatchObject({
        $schema: "https://json-schema.org/draft/2020-12/schema",
        $id: `${ORIGIN}/schemas/${name}.v1.json`,
        title: `service-semantics.${name}.v1`,
      });
      expect(typeof compileSchema(schema)).toBe("function");
    }
  });

  it("are there for every document that names one by its schema constant, and no document names none", async () => {
    const silent = ["api-catalog", "status", "concept-list"];
    for (const { path, schema } of DOCUMENTS) {
      const { schema: constant } = await getJson<{ schema?: string }>(services.starter, path);
      expect([path, constant]).toEqual([path, silent.includes(schema) ? undefined : `service-semantics.${schema}.v1`]);
    }
  });

  it.each(UNDER)("accept every document of the %s registry", async (name) => {
    const kit = await publishedSchema(services[name], "integration-kit");
    for (const id of RECIPES) expectValid(kit, await kitManifest(services[name], id), id);
    for (const { path, schema } of DOCUMENTS) {
      const validate = await publishedSchema(services[name], schema);
      expectValid(validate, await getJson(services[name], path), path);
    }
  });

  it("accept concepts, answers, refusals and requests", async () => {
    for (const { ask, schema } of OTHERS)
      expectValid(await publishedSchema(services.nasty, schema), await ask(), schema);
  });

  it("judge a document each", () => {
    const used = [...DOCUMENTS, ...OTHERS].map(({ schema }) => schema);
    expect([...new Set(used)].sort()).toEqual([...schemaNames].sort());
  });
});

describe("what the contract closes", () => {
  /** Objects that take undeclared members, by the contract or as maps; pointers are prefixes. */
  const OPEN: Readonly<Record<string, readonly string[]>> = {
    "agent-connect": [
      "/canonicalNextRequest/headers",
      "/canonicalResolverRequest/bodySchema",
      "/canonicalResolverRequest/headers",
      "/next",
    ],
    capabilities: ["/endpoints"],
    "agent-tool": ["/dataHandling", "/discovery", "/inputSchema", "/invocationPolicy", "/outputContract", "/transport"],
    "adoption-guide": ["/next"],
    "integration-readiness": ["/next"],
    // In the recipe's own shape.
    "integration-report": ["/exchanges/*/record", "/fixtures/*/record"],
    "mcp-server": [""],
    status: ["/data/publicBundle"],
    "concept-detail": ["/expressions/*/provenance", "/provenance"],
  };

  /** Members that may be missing although they are there. */
  const OPTIONAL: Readonly<Record<string, readonly string[]>> = {
    "api-catalog": ["/type", "/title", "/item", "/service-desc", "/service-doc", "/service-meta", "/status"],
    "agent-connect": ["/canonicalNextRequest/body/language"],
    "resolve-request": ["/language"],
    "integration-report": ["/request/language", "/question/choices/*/resolvesBy/language"],
  };

  const roots = (places: readonly string[]): string[] =>
    places.filter((place) => !places.some((above) => above !== place && place.startsWith(`${above}/`)));

  async function each(judge: (validate: ValidateFunction, document: unknown, schema: string) => void): Promise<void> {
    const asked = [
      ...DOCUMENTS.map(({ path, schema }) => ({ ask: () => getJson(services.nasty, path), schema })),
      ...OTHERS,
    ];
    for (const { ask, schema } of asked) judge(await publishedSchema(services.nasty, schema), await ask(), schema);
  }

  it("B01: rejects an undeclared member at every depth, but where an object is open", async () => {
    await each((validate, document, schema) => {
      // Only the report of a recipe that asks a person has exchanges.
      const { exchanges } = document as { readonly exchanges?: readonly unknown[] };
      const open = (OPEN[schema] ?? []).filter((place) => exchanges?.length !== 0 || !place.startsWith("/exchanges/"));
      expect([schema, roots(openPlaces(validate, document))]).toEqual([schema, open]);
    });
  });

  it("misses each member that is taken away, but where it is optional", async () => {
    await each((validate, document, schema) => {
      const open = OPEN[schema] ?? [];
      const missed = optionalPlaces(validate, document).filter(
        (place) => !open.some((above) => above !== "" && place.startsWith(`${above}/`)),
      );
      if (schema === "mcp-server") {
        // Ten names are required (contract §2); what is beside and below them is open.
        expect(missed).toEqual(expect.arrayContaining(["/description", "/tools", "/protocol/version"]));
        return;
      }
      const unexpected = missed.filter((place) => !(OPTIONAL[schema] ?? []).some((end) => place.endsWith(end)));
      expect([schema, unexpected]).toEqual([schema, []]);
    });
  });
});
