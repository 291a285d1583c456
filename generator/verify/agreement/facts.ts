/**
 * Checks what documents say about the release, its registry and its routes. Text that appears in
 * only one document can be checked only by rebuilding.
 */
import { hash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Readiness } from "../../../runtime/contract/document.ts";
import { CHANGES_SCHEMA, namesPath, SEARCH_PATH } from "../../../runtime/contract/added-resources.ts";
import { inventory, paths, policies, schemaPath } from "../../../runtime/contract/policy.ts";
import { product } from "../../../runtime/contract/product.ts";
import { BUNDLE_VERSION } from "../../contract/status.ts";
import type { Manifest } from "../../../runtime/contract/inputs.ts";
import { schemaOf } from "../integrity/documents.ts";
import { asObject, memberAt } from "../integrity/json.ts";
import type { Faults, Parts, RegistryFacts } from "../integrity/parts.ts";
import { checkHistory } from "./history.ts";
import { checkRules, type Rule } from "./rule.ts";

export function checkFacts({ documents, dist, facts, known: { origin } }: Parts): Faults {
  const routes = memberAt(documents.get(paths.discovery), "routes");
  const digest = routes && hash("sha256", canonicalJson(routes));
  const faults = checkRules(documents, [
    [paths.discovery, "routeInventorySha256", digest],
    [paths.discovery, "routes", expectedRoutes(origin)],
  ]);
  const [contract, copy] = [paths.capabilities, paths.wellKnownCapabilities].map((path) => dist.text(path.slice(1)));
  if (contract !== copy)
    faults.push(`${paths.wellKnownCapabilities.slice(1)}: differs from ${paths.capabilities.slice(1)}`);
  const { manifest } = dist;
  if (facts === undefined || manifest === undefined) return faults;
  for (const [path, value] of documents) {
    if (path.startsWith(`${paths.schemas}/`)) continue;
    for (const text of factsIn(value, manifest, facts)) faults.push(`${path.slice(1)}: ${text}`);
    const schema = schemaOf.get(path);
    const named = path.startsWith(`${paths.changes}/`) ? CHANGES_SCHEMA : schema && schemaPath(schema);
    const $schema = memberAt(value, "$schema");
    if ($schema !== undefined && named !== undefined && $schema !== origin + named)
      faults.push(`${path.slice(1)}: names another schema`);
  }
  const counted: Rule[] = [
    ...statusRules(manifest, facts),
    [SEARCH_PATH, "concepts", facts.publishedConcepts],
    [SEARCH_PATH, "named", dist.names.includes(namesPath().slice(1))],
    ...Object.entries(facts.coverage).map(([member, value]): Rule => [paths.coverage, member, value]),
  ];
  return [...faults, ...checkRules(documents, counted), ...checkHistory(documents, manifest, facts)];
}

/** The readiness of a release, as documents state it. */
export function readinessOf({ registry }: Manifest, facts: RegistryFacts): Readiness {
  const { publishedConcepts, reviewedExactExpressions } = facts;
  const exactResolutionReady = reviewedExactExpressions > 0;
  const status = exactResolutionReady ? "ready" : "not_ready_empty_registry";
  const { registryVersion } = registry;
  return { status, exactResolutionReady, registryVersion, publishedConcepts, reviewedExactExpressions };
}

/** Reports the members of a document that differ from the release or its registry. */
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

/** This service has no embedding runtime (O-23, O-24). */
const NO_MODEL = {
  activeEmbeddingProfiles: 0,
  semanticRuntimeConfigured: false,
  arbitraryQuerySemanticResolution: "disabled",
} as const;

function statusRules({ origin, registry: { registryVersion } }: Manifest, facts: RegistryFacts): Rule[] {
  const { bundleSha256, publishedConcepts, reviewedExactExpressions, languages, domains } = facts;
  const publicBundle = { version: BUNDLE_VERSION, registryVersion, sha256: bundleSha256, url: origin + paths.bundle };
  const counted = { publishedConcepts, reviewedExactExpressions, languages, domains };
  return Object.entries({ ...counted, ...NO_MODEL, publicBundle }).map(([name, value]) => [
    paths.status,
    `data.${name}`,
    value,
  ]);
}

/** The ten routes, from the table of the runtime. */
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

/** RFC 8785, for values that consist only of strings, arrays and objects with ASCII names. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(",")}}`;
}
