/**
 * The machine-readable catalogs of a release: `/.well-known/api-catalog`, an RFC 9727 catalog as an
 * RFC 9264 linkset with the relations of RFC 8631; and
 * `/.well-known/service-semantics-discovery.json`, the ten routes from the same table that the
 * runtime serves, with a digest that reveals any change of them (contract §4.5; G15 to G18, G44,
 * G45; rulings O-09, O-46).
 */
import { policyAt } from "../../runtime/contract/added-resources.ts";
import { paths } from "../../runtime/contract/paths.ts";
import { inventory, policies, type Resource, type Variant } from "../../runtime/contract/policy.ts";
import type { LinkContext, Linkset } from "../../runtime/contract/representation.ts";
import { essenceOf } from "../../runtime/http/media-type.ts";
import { type Discovery, type InventoryRoute, LOG_TITLE } from "../contract/reference.ts";
import { canonicalSha256 } from "./canonical-digest.ts";
import { type Api, listed, type Printing, type Relation } from "./document.ts";
import { checkpointOf, documentEnd, documentHead, urlOf, type View } from "../view/view.ts";

/**
 * The catalog lists the endpoints as its items; each API lists its descriptions, its directions for
 * people and its metadata, as the table of documents says. The type of a link has no parameters
 * (RFC 8288 §3.4.1).
 */
export function apiCatalog({ book: { view }, table, has }: Printing): Linkset {
  const linksOf = (api: Api): Omit<LinkContext, "anchor"> => {
    const links = listed(table, "catalog").flatMap(({ path, catalog, exists }) => {
      const { relation, title, of = ["direct"], at = () => path } = catalog;
      const target = at(view);
      return of.includes(api) && (exists?.(view) ?? has(target)) ? [{ relation, ...link(target, title) }] : [];
    });
    if (api === "direct") links.push(...logLinks(view));
    const named = RELATIONS.map((relation) => [relation, links.filter((one) => one.relation === relation)] as const);
    return Object.fromEntries(
      named.map(([relation, all]) => [relation, all.map(({ relation: _named, ...rest }) => rest)]),
    );
  };
  const link = (path: string, title: string) => ({
    href: urlOf(view, path),
    type: essenceOf(policies[policyAt(path)].mediaType),
    title,
  });
  const direct = { anchor: urlOf(view, paths.resolve), ...linksOf("direct") };
  const mcp = { anchor: urlOf(view, paths.mcp), ...linksOf("mcp") };
  const items = [
    { href: direct.anchor, title: "Direct API: POST a resolve request" },
    { href: urlOf(view, paths.concepts), type: policies.json.mediaType, title: "Direct API: published concepts" },
    { href: mcp.anchor, title: "MCP endpoint: POST a JSON-RPC request" },
  ];
  return { linkset: [{ anchor: urlOf(view, paths.apiCatalog), item: items }, direct, mcp] };
}

/** The only address that may be of another host: the owner names it. */
function logLinks(view: View) {
  const href = checkpointOf(view);
  return href === undefined ? [] : [{ relation: "service-meta" as const, href, type: "text/plain", title: LOG_TITLE }];
}

const RELATIONS: readonly Relation[] = ["service-desc", "service-doc", "service-meta", "status"];

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
  return canonicalSha256(routes);
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
