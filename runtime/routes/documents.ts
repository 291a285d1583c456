/**
 * Prerendered resources: choose the variant if the resource negotiates, then answer 200, 304 or
 * 406. A refusal of the representation comes before any precondition (RFC 9110 §13.2.1).
 */
import { negotiate } from "../http/negotiate.ts";
import { formatNotAcceptable } from "../http/not-acceptable.ts";
import { Page } from "../pages/page.ts";
import { paths, policies, type Resource, type Variant } from "../contract/policy.ts";
import { documentOf, type Served } from "../release/served.ts";
import { answerNotAcceptable, answerRepresentation } from "./answer.ts";
import { catalogLink, type Fields, formatFields } from "../http/representation.ts";
import { answerPage, type PageContext } from "./answer-page.ts";
import type { Route } from "./route.ts";

/** The route of a prerendered resource. Throws if the release lacks one of its files. */
export function resourceRoute(resource: Resource, release: Served, pages: PageContext): Route {
  const vary: Fields = resource.negotiates ? ["Vary", "Accept"] : [];
  const [first, ...others] = resource.variants;
  const routeOf = (variant: Variant): Route => variantRoute(variant, { release, pages, vary });
  const preferred = routeOf(first);
  if (!resource.negotiates) return preferred;
  const routes = [preferred, ...others.map(routeOf)];
  const mediaTypes = resource.variants.map(({ policy }) => policies[policy].mediaType);
  const refusal = answerNotAcceptable(formatNotAcceptable(resource, release.manifest.origin));
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

const decoder = new TextDecoder();
