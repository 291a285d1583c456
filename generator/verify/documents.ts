/**
 * The documents of a release: each has its schema and its form, and what several of them say, of the release, the registry
 * and each other, they say alike. Prose that stands in one document alone is compared by a rebuild only.
 */
import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type * as Type from "../../runtime/contract/type.ts";
import { schemaConstant } from "../../runtime/contract/document.ts";
import { RECIPE_IDS } from "../../runtime/contract/recipe.ts";
import type { Readiness } from "../../runtime/contract/document.ts";
import { MCPDefinition } from "../../runtime/contract/mcp.ts";
import { publishedSchemas } from "../../runtime/contract/published.ts";
import type { Discovery } from "../../runtime/contract/reference.ts";
import { BUNDLE_VERSION, type StatusEnvelope } from "../../runtime/contract/status.ts";
import type { Manifest } from "../../runtime/release/manifest.ts";
import {
  folderFile,
  inventory,
  MCP_FILE,
  paths,
  policies,
  reportPath,
  type SchemaName,
  schemaNames,
  schemaPath,
} from "../../runtime/contract/policy.ts";
import { product } from "../../runtime/contract/product.ts";
import { compileSchema, firstFault } from "../../runtime/contract/validator.ts";
import type { Dist, Faults } from "./dist.ts";
import { asObject, formatJson, memberAt, readJson, toJson } from "./json.ts";
import type { RegistryFacts } from "./registry.ts";

/** Which published schema a document has. */
const schemaOf = new Map<string, SchemaName>([
  [paths.status, "status"],
  [paths.retired, "registry-retired"],
  [paths.history, "registry-history"],
  [paths.coverage, "registry-coverage"],
  [paths.apiCatalog, "api-catalog"],
  [paths.discovery, "discovery"],
  [paths.answersJson, "answers"],
  [paths.apiReferenceJson, "api-reference"],
  [paths.mcpServer, "mcp-server"],
  [paths.connect, "agent-connect"],
  [paths.capabilities, "capabilities"],
  [paths.wellKnownCapabilities, "capabilities"],
  [paths.agentTool, "agent-tool"],
  [paths.adoptionGuide, "adoption-guide"],
  [folderFile(paths.readiness), "integration-readiness"],
  ...RECIPE_IDS.map((id) => [reportPath(id), "integration-report"] as const),
  [folderFile(paths.studio), "integration-studio"],
]);

export interface Documents {
  /** Parsed JSON documents that have their schema, by their place, with a leading `/`. */
  readonly values: ReadonlyMap<string, unknown>;
  readonly faults: Faults;
}

/** Reads every JSON document of a release. */
export function readDocuments(dist: Dist, origin: string): Documents {
  const faults: Faults = [];
  const values = new Map<string, unknown>();
  const read = (place: string, schema?: Type.TSchema): void => {
    const bytes = dist.read(place.slice(1));
    // What is missing is told with the manifest.
    if (bytes === undefined) return;
    const json = readJson(bytes);
    const fault = json.ok ? faultOf(json.value, schema) : json.fault;
    if (fault !== undefined) faults.push(`${place.slice(1)}: ${fault}`);
    if (json.ok && new TextDecoder().decode(bytes) !== formatJson(json.value)) {
      faults.push(`${place.slice(1)}: not in the form of a release`);
    }
    if (json.ok && fault === undefined) values.set(place, json.value);
  };
  for (const [place, name] of schemaOf) read(place, publishedSchemas[name]);
  for (const name of schemaNames) read(schemaPath(name));
  read(MCP_FILE, MCPDefinition);
  read(paths.openapi);
  for (const name of schemaNames) {
    const published = values.get(schemaPath(name));
    const head = { $schema: JSON_SCHEMA, $id: origin + schemaPath(name), title: schemaConstant(name) };
    if (published !== undefined && !isDeepStrictEqual(published, toJson({ ...head, ...publishedSchemas[name] }))) {
      faults.push(`${schemaPath(name).slice(1)}: not the schema of this release`);
    }
  }
  return { values, faults };
}

export const JSON_SCHEMA = "https://json-schema.org/draft/2020-12/schema";

function faultOf(value: unknown, schema: Type.TSchema | undefined): string | undefined {
  if (schema === undefined) return undefined;
  const reading = compileSchema(schema)(value);
  return reading.ok ? undefined : firstFault(reading.violations, "", "it");
}

/** What documents say of the readiness of a release. */
export function readinessOf({ registry }: Manifest, facts: RegistryFacts): Readiness {
  const { publishedConcepts, reviewedExactExpressions } = facts;
  const exactResolutionReady = reviewedExactExpressions > 0;
  const status = exactResolutionReady ? "ready" : "not_ready_empty_registry";
  const { registryVersion } = registry;
  return { status, exactResolutionReady, registryVersion, publishedConcepts, reviewedExactExpressions };
}

/** What a document says wrong of the release and its registry. */
export function factsIn(value: unknown, manifest: Manifest, facts: RegistryFacts): string[] {
  const readiness = readinessOf(manifest, facts);
  const said: Readonly<Record<string, unknown>> = { release: product, canonicalOrigin: manifest.origin, readiness };
  const parts = [value, memberAt(value, "service"), memberAt(value, "discovery")].map((part) => asObject(part) ?? {});
  return parts.flatMap((part) =>
    Object.entries(said)
      .filter(([name, expected]) => name in part && !isDeepStrictEqual(part[name], expected))
      .map(([name]) => `its ${name} is not that of this release`),
  );
}

/** Checks what documents say of the release and its registry. */
export function checkFacts({ values }: Documents, manifest: Manifest, facts: RegistryFacts): Faults {
  const faults: Faults = [];
  for (const [place, value] of values) {
    if (place.startsWith(`${paths.schemas}/`)) continue;
    faults.push(...factsIn(value, manifest, facts).map((text) => `${place.slice(1)}: ${text}`));
    const $schema = memberAt(value, "$schema");
    const schema = schemaOf.get(place);
    if ($schema !== undefined && schema !== undefined && $schema !== manifest.origin + schemaPath(schema)) {
      faults.push(`${place.slice(1)}: names another schema`);
    }
  }
  return [...faults, ...checkStatus(values.get(paths.status), manifest, facts)];
}

/** This service has no embedding runtime (O-23, O-24). */
const NO_MODEL = {
  activeEmbeddingProfiles: 0,
  semanticRuntimeConfigured: false,
  arbitraryQuerySemanticResolution: "disabled",
} as const;

function checkStatus(value: unknown, { origin, registry }: Manifest, facts: RegistryFacts): Faults {
  if (value === undefined) return [];
  const { data } = value as StatusEnvelope;
  const { bundleSha256, publishedConcepts, reviewedExactExpressions, languages, domains } = facts;
  const counts = { publishedConcepts, reviewedExactExpressions, languages, domains };
  const { registryVersion } = registry;
  const expected = { ...data, ...counts, ...NO_MODEL };
  const faults: Faults = [];
  if (!isDeepStrictEqual(data, expected))
    faults.push(`${paths.status.slice(1)}: what it counts is not what the index holds`);
  const bundle = { version: BUNDLE_VERSION, registryVersion, sha256: bundleSha256, url: origin + paths.bundle };
  if (!isDeepStrictEqual(data.publicBundle, bundle)) {
    faults.push(`${paths.status.slice(1)}: its public bundle is not the one of the index`);
  }
  return faults;
}

/** Checks what documents say of each other. */
export function checkAgreement({ values }: Documents, dist: Dist, origin: string): Faults {
  const faults: Faults = [];
  const differ = (wrong: boolean, place: string, text: string): void =>
    void (wrong && faults.push(`${place.slice(1)}: ${text}`));
  const [contract, copy] = [paths.capabilities, paths.wellKnownCapabilities].map((place) => dist.text(place.slice(1)));
  differ(contract !== copy, paths.wellKnownCapabilities, `differs from ${paths.capabilities.slice(1)}`);
  const receipt = values.get(paths.discovery) as Discovery | undefined;
  if (receipt !== undefined) {
    const digest = createHash("sha256").update(canonicalJson(receipt.routes)).digest("hex");
    differ(digest !== receipt.routeInventorySha256, paths.discovery, "its digest is not that of its routes");
    differ(
      !isDeepStrictEqual(receipt.routes, expectedRoutes(origin)),
      paths.discovery,
      "its routes are not those of this release",
    );
  }
  return faults;
}

/** The ten routes, as the table of the runtime has them. */
function expectedRoutes(origin: string): unknown {
  return inventory.map(({ path, variants }) => {
    const representations = variants.map(({ policy, location }) => ({
      mediaType: policies[policy].mediaType,
      contentLocation: origin + location,
      cachePolicy: policies[policy].cacheControl,
    }));
    return { path, url: origin + path, methods: ["GET", "HEAD"], ...representations[0], representations };
  });
}

/** RFC 8785 for what holds texts, lists and objects with ASCII names only. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(",")}}`;
}
