/**
 * The manifests of both versions. One document cannot be both: they write the same members in different shapes, so each version
 * has an endpoint of its own.
 * Source: Reconciliation Service API 0.2 and 1.0-draft, "Service Manifest".
 */
import { paths } from "../../runtime/contract/policy.ts";
import type { Manifest } from "../../runtime/release/manifest.ts";
import { typeOf } from "./entities.ts";
import { PREVIEW_SIZE } from "./preview.ts";
import { BATCH_MAX } from "./queries.ts";

export interface Described {
  readonly manifest: Manifest;
  readonly domains: readonly string[];
  /** The address of the endpoint, without a slash at its end. */
  readonly endpoint: string;
}

function common({ manifest: { registry, origin, productVersion }, domains }: Described) {
  return {
    name: `${registry.name} ${registry.registryVersion}`,
    defaultTypes: domains.map(typeOf),
    documentation: origin + paths.apiReference,
    serviceVersion: productVersion,
    batchSize: BATCH_MAX,
  };
}

export function manifest02(described: Described): object {
  const { manifest, endpoint } = described;
  const suggest = (what: string): object => ({ service_url: endpoint, service_path: `/suggest/${what}` });
  return {
    versions: ["0.2"],
    identifierSpace: `${manifest.origin}${paths.concepts}/`,
    schemaSpace: manifest.origin + paths.apiReference,
    ...common(described),
    view: { url: `${manifest.origin}${paths.conceptPages}/{{id}}` },
    preview: { url: `${endpoint}/preview?id={{id}}`, ...PREVIEW_SIZE },
    suggest: { entity: suggest("entity"), property: suggest("property"), type: suggest("type") },
    extend: { propose_properties: { service_url: endpoint, service_path: "/extend/propose" }, property_settings: [] },
  };
}

export function manifest10(described: Described): object {
  return {
    versions: ["1.0-draft"],
    ...common(described),
    view: { url: `${described.manifest.origin}${paths.conceptPages}/{id}` },
    preview: PREVIEW_SIZE,
    suggest: { entity: true, property: true, type: true },
    extend: { proposeProperties: true, propertySettings: [] },
    standardizedScore: true,
  };
}
