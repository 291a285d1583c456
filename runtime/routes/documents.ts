/**
 * Prerendered resources: choose the variant if the resource negotiates, then answer 200, 304 or
 * 406. A refusal of the representation comes before any precondition (RFC 9110 §13.2.1). Page
 * assets have the digest of their bytes in their names, so they need no validators.
 * Source: contract §4.5; RFC 9457; RFC 9239 §6 for the media type of scripts.
 */
import { paths } from "../contract/paths.ts";
import { ASSET_CACHE_CONTROL, policies, type Resource, type Variant } from "../contract/policy.ts";
import type { NotAcceptable } from "../contract/representation.ts";
import { negotiate } from "../http/negotiate.ts";
import {
  catalogLink,
  COMMON_FIELDS,
  type Fields,
  formatFields,
  type RepresentationFields,
} from "../http/representation.ts";
import { Page } from "../pages/page.ts";
import { documentOf, type Served } from "../release/served.ts";
import { answerPage, answerRepresentation, type PageContext, VARY_ACCEPT } from "./representation.ts";
import type { Route } from "./route.ts";

/** The route of a prerendered resource. Throws if the release lacks one of its files. */
export function resourceRoute(resource: Resource, release: Served, pages: PageContext): Route {
  const vary: Fields = resource.negotiates ? VARY_ACCEPT : [];
  const [first, ...others] = resource.variants;
  const routeOf = (variant: Variant): Route => variantRoute(variant, { release, pages, vary });
  const preferred = routeOf(first);
  if (!resource.negotiates) return preferred;
  const routes = [preferred, ...others.map(routeOf)];
  const mediaTypes = resource.variants.map(({ policy }) => policies[policy].mediaType);
  const fields = formatFields("problem", undefined, vary).ok;
  const refusal = { status: 406, fields, body: formatNotAcceptable(resource, release.manifest.origin) };
  return (request) => {
    const chosen = negotiate(request.field("accept"), mediaTypes);
    const route = chosen === undefined ? undefined : routes[chosen];
    return route === undefined ? refusal : route(request);
  };
}

interface VariantContext {
  readonly release: Served;
  readonly pages: PageContext;
  readonly vary: Fields;
}

function variantRoute({ file, policy, location }: Variant, { release, pages, vary }: VariantContext): Route {
  const body = documentOf(release, file);
  const contentLocation = release.manifest.origin + location;
  if (policy === "html") {
    const page = new Page(decoder.decode(body));
    return (request) => answerPage(request, pages, { page, contentLocation, more: vary });
  }
  const link = location === paths.apiCatalog ? catalogLink(contentLocation) : [];
  // The status must not be stored (O-45), so it has nothing to revalidate.
  const sha256 = release.files.get(file.slice(1)) ?? "";
  const validators = policy === "answer" ? undefined : { contentLocation, sha256 };
  const fields = formatFields(policy, validators, [...vary, ...link]);
  return (request) => answerRepresentation(request, fields, body);
}

/**
 * The 406 body: RFC 9457 members, the available representations, and that nothing was assigned
 * (contract §4.5 rule 5). It is the same for every request and quotes none of it.
 */
function formatNotAcceptable({ path, variants }: Resource, origin: string): Uint8Array {
  const body: NotAcceptable = {
    type: `${origin}${paths.apiReference}#negotiation`,
    title: "Not Acceptable",
    status: 406,
    detail: "Accept permits no available representation of this resource",
    instance: path,
    available: variants.map(({ policy, location }) => ({
      type: policies[policy].mediaType,
      href: origin + location,
    })),
    semanticAssignment: false,
    downstreamAuthorization: false,
    downstreamSideEffects: 0,
  };
  return encoder.encode(`${JSON.stringify(body)}\n`);
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
};

/**
 * The route of the asset at `path`; If-Match applies (RFC 9110 §13.1.1). Throws if its suffix has
 * no media type.
 */
export function assetRoute(path: string, body: Uint8Array): Route {
  const mediaType = MEDIA_TYPES[path.slice(path.lastIndexOf(".") + 1)];
  if (mediaType === undefined) throw new Error(`No media type for ${path}`);
  const ok = [...COMMON_FIELDS, "Cache-Control", ASSET_CACHE_CONTROL, "Content-Type", mediaType];
  const immutable: RepresentationFields = { ok, notModified: [], entityTag: undefined, reusable: false };
  return (request) => answerRepresentation(request, immutable, body);
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
