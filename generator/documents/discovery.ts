/**
 * `/.well-known/service-semantics-discovery.json`: the ten routes as the runtime serves them, taken from the same table,
 * and the digest by which a change of them is seen (contract §4.5; G15 to G18, G44, G45; rulings O-09, O-46).
 */
import canonicalize from "canonicalize";
import type { Discovery, InventoryRoute } from "../contract/reference.ts";
import { sha256 } from "../../runtime/http/digest.ts";
import { inventory, policies, type Resource, type Variant } from "../../runtime/contract/policy.ts";
import { documentEnd, documentHead, urlOf, type View } from "../view/view.ts";

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
    // What a GET without Accept gets.
    ...routeRepresentation(view, first),
    representations: [first, ...others].map((variant) => routeRepresentation(view, variant)),
  };
}

function routeRepresentation(view: View, { policy, location }: Variant) {
  const { mediaType, cacheControl } = policies[policy];
  return { mediaType, contentLocation: urlOf(view, location), cachePolicy: cacheControl };
}
