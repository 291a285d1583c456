/**
 * The manifests of both versions. One document cannot be both: the versions write the same members
 * in different shapes, so each has an endpoint of its own.
 * Source: Reconciliation Service API 0.2 and 1.0-draft, "Service Manifest".
 */
import { paths } from "../../../runtime/contract/paths.ts";
import { typeOf } from "./entities.ts";
import type { Service } from "./listings.ts";
import { PREVIEW_SIZE } from "./preview.ts";
import { BATCH_MAX } from "./queries.ts";

function common({ release, domains }: Service) {
  const { registry, origin, productVersion } = release.manifest;
  return {
    name: `${registry.name} ${registry.registryVersion}`,
    defaultTypes: domains.map(typeOf),
    documentation: origin + paths.apiReference,
    serviceVersion: productVersion,
    batchSize: BATCH_MAX,
  };
}

export function manifest02(service: Service): object {
  const { endpoint } = service;
  const { origin } = service.release.manifest;
  const suggest = (what: string): object => ({ service_url: endpoint, service_path: `/suggest/${what}` });
  return {
    versions: ["0.2"],
    identifierSpace: `${origin}${paths.concepts}/`,
    schemaSpace: origin + paths.apiReference,
    ...common(service),
    view: { url: `${origin}${paths.conceptPages}/{{id}}` },
    preview: { url: `${endpoint}/preview?id={{id}}`, ...PREVIEW_SIZE },
    suggest: { entity: suggest("entity"), property: suggest("property"), type: suggest("type") },
    extend: { propose_properties: { service_url: endpoint, service_path: "/extend/propose" }, property_settings: [] },
  };
}

export function manifest10(service: Service): object {
  return {
    versions: ["1.0-draft"],
    ...common(service),
    view: { url: `${service.release.manifest.origin}${paths.conceptPages}/{id}` },
    preview: PREVIEW_SIZE,
    suggest: { entity: true, property: true, type: true },
    extend: { proposeProperties: true, propertySettings: [] },
    standardizedScore: true,
  };
}
