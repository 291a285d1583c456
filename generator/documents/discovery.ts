/**
 * The machine-readable catalogs of a release: `/.well-known/api-catalog`, an RFC 9727 catalog as an
 * RFC 9264 linkset with the relations of RFC 8631; and
 * `/.well-known/service-semantics-discovery.json`, the ten routes from the same table that the
 * runtime serves, with a digest that reveals any change of them (contract §4.5; G15 to G18, G44,
 * G45; rulings O-09, O-46).
 */
import canonicalize from "canonicalize";
import {
  CONCEPT_HISTORY_PATH,
  contextPath,
  DATASET_PATH,
  MAPPINGS_PATH,
  SKOS_JSONLD_PATH,
  SKOS_TURTLE_PATH,
} from "../../runtime/contract/added-resources.ts";
import {
  inventory,
  paths,
  policies,
  type PolicyName,
  type Resource,
  type Variant,
} from "../../runtime/contract/policy.ts";
import type { LinkContext, Linkset } from "../../runtime/contract/representation.ts";
import { sha256 } from "../../runtime/http/digest.ts";
import { essenceOf } from "../../runtime/http/media-type.ts";
import type { Discovery, InventoryRoute } from "../contract/reference.ts";
import { documentEnd, documentHead, urlOf, type View } from "../view/view.ts";

/**
 * The catalog lists the endpoints as its items; each API lists its descriptions, its directions for
 * people and its metadata. `added` are the documents that only some releases have. The type of a
 * link has no parameters (RFC 8288 §3.4.1).
 */
export function apiCatalog(view: View, added: readonly string[]): Linkset {
  const link = (path: string, policy: PolicyName, title: string) => ({
    href: urlOf(view, path),
    type: essenceOf(policies[policy].mediaType),
    title,
  });
  const linked = (path: string, policy: PolicyName, title: string) =>
    added.includes(path) ? [link(path, policy, title)] : [];
  const identity = link(paths.deployment, "json", "Deployment identity");
  const receipt = link(paths.discovery, "json", "Discovery receipt");
  const status = [link(paths.status, "answer", "Registry status")];
  const direct: LinkContext = {
    anchor: urlOf(view, paths.resolve),
    "service-desc": [link(paths.openapi, "json", "OpenAPI description")],
    "service-doc": [
      link(paths.apiReference, "html", "API reference"),
      link(paths.answers, "html", "Answers"),
      link(paths.apiReferenceMarkdown, "markdown", "API reference as Markdown"),
      link(paths.studioPage, "html", "Integration studio"),
      link(paths.coveragePage, "html", "Coverage and ambiguity"),
      ...(added.includes(paths.changesFeed) ? [link(paths.changesPage, "html", "Changes")] : []),
    ],
    "service-meta": [
      receipt,
      identity,
      link(paths.wellKnownCapabilities, "json", "Agent contract"),
      link(paths.connect, "json", "Directions for an agent's first call"),
      link(paths.agentTool, "json", "Agent tool descriptor"),
      link(paths.agentInstructions, "text", "Agent instructions"),
      link(paths.readiness, "json", "Integration readiness"),
      link(paths.studio, "json", "Integration studio"),
      link(paths.retired, "json", "Retired codes"),
      link(paths.history, "json", "Release history"),
      link(paths.coverage, "json", "Coverage and ambiguity"),
      ...linked(paths.changesFeed, "atom", "Changes"),
      ...linked(CONCEPT_HISTORY_PATH, "bundle", "Changes by concept"),
      ...linked(MAPPINGS_PATH, "bundle", "Codes by external identifier"),
      ...linked(contextPath(view.registry.registryVersion), "jsonld", "JSON-LD context of a concept"),
      ...linked(DATASET_PATH, "turtle", "Description of the concepts as a dataset (VoID, DCAT)"),
      ...linked(SKOS_TURTLE_PATH, "turtle", "All concepts as SKOS, in Turtle"),
      ...linked(SKOS_JSONLD_PATH, "jsonld", "All concepts as SKOS, in JSON-LD"),
    ],
    status,
  };
  const mcp: LinkContext = {
    anchor: urlOf(view, paths.mcp),
    "service-desc": [link(paths.mcpServer, "json", "MCP connection manifest")],
    "service-doc": [link(paths.mcpGuide, "html", "MCP guide")],
    "service-meta": [receipt, identity],
    status,
  };
  const items = [
    { href: direct.anchor, title: "Direct API: POST a resolve request" },
    { href: urlOf(view, paths.concepts), type: policies.json.mediaType, title: "Direct API: published concepts" },
    { href: mcp.anchor, title: "MCP endpoint: POST a JSON-RPC request" },
  ];
  return { linkset: [{ anchor: urlOf(view, paths.apiCatalog), item: items }, direct, mcp] };
}

export function discovery(view: View): Discovery {
  const routes = inventory.map((resource) => inventoryRoute(view, resource));
  return {
    ...documentHead(view, "discovery", {
      title: "Discovery receipt",
      description:
        "The ten deterministic representation routes, each with media type, content location and cache policy.",
    }),
    routes,
    routeInventorySha256: routeInventorySha256(routes),
    routeInventoryRule: "Lowercase SHA-256 hex over the RFC 8785 (JCS) form of the routes array",
    detects:
      "Catalog drift only: that the routes are those of this receipt. It does not establish who published it, and it grants no authorization.",
    publisherAuthenticity: false,
    ...documentEnd,
  };
}

/** SHA-256 over the RFC 8785 form of the routes. */
export function routeInventorySha256(routes: readonly InventoryRoute[]): string {
  return sha256(Buffer.from(canonicalize(routes) ?? ""));
}

function inventoryRoute(view: View, { path, variants: [first, ...others] }: Resource): InventoryRoute {
  return {
    path,
    url: urlOf(view, path),
    methods: ["GET", "HEAD"],
    // The representation that a GET without Accept gets.
    ...routeRepresentation(view, first),
    representations: [first, ...others].map((variant) => routeRepresentation(view, variant)),
  };
}

function routeRepresentation(view: View, { policy, location }: Variant) {
  const { mediaType, cacheControl } = policies[policy];
  return { mediaType, contentLocation: urlOf(view, location), cachePolicy: cacheControl };
}
