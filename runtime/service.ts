/** Builds the route table of an open release, which every host of the service mounts. */
import { addedResources, prefixesIn } from "./contract/added-resources.ts";
import { paths } from "./contract/paths.ts";
import { resources } from "./contract/policy.ts";
import { problem } from "./contract/problem.ts";
import { untilHeld } from "./registry/block-source.ts";
import type { Identity } from "./release/identity.ts";
import type { Served } from "./release/served.ts";
import { answerProblem } from "./routes/answer.ts";
import { bundleRoute, conceptRoute, conceptsRoute } from "./routes/concepts.ts";
import { assetRoute, resourceRoute } from "./routes/documents.ts";
import { identityRoute } from "./routes/identity.ts";
import { type ClockedLimit, makeLimiter } from "./routes/limiter.ts";
import { mcpGate, mcpRoute } from "./routes/mcp.ts";
import { type PageRoutes, pageRoutes } from "./routes/pages.ts";
import { pastOf } from "./routes/past.ts";
import type { PageContext } from "./routes/representation.ts";
import { resolveRoute } from "./routes/resolve.ts";
import type { Route } from "./routes/route.ts";
import { type RouteTable, routeTable } from "./routes/table.ts";

export interface ServiceOptions {
  /** Receives every unexpected error. Requests, expressions and credentials are never logged. */
  readonly onError: (error: unknown) => void;
  /** Returns a fresh nonce for each page: unguessable, in Base64 characters. */
  readonly nonce: () => string;
  /** Returns the lowercase hex SHA-256 of a page. */
  readonly sha256: PageContext["sha256"];
  /** Returns the state of the deployment identity. */
  readonly identity: () => Promise<Identity>;
  /** Limits each client of resolve and MCP; without it there is no limit. */
  readonly rate?: ClockedLimit | undefined;
  /** Nothing is resolved while it returns false. Without it, the identity has no such effect. */
  readonly mayResolve?: (() => boolean) | undefined;
}

export function serviceTable(release: Served, options: ServiceOptions): RouteTable {
  const { onError, nonce, sha256, identity, rate, mayResolve } = options;
  const guarded = (route: Route): Route =>
    mayResolve === undefined ? route : (request) => (mayResolve() ? route(request) : answerProblem(request, unproven));
  const { origin } = release.manifest;
  const takeToken = makeLimiter(rate);
  const past = pastOf(release);
  const context: PageContext = { nonce, sha256, catalogUrl: origin + paths.apiCatalog };
  return routeTable({
    resolve: guarded(lazily(() => resolveRoute(release.index, takeToken))),
    // Another sender or method is refused as always (M26), even while nothing may be resolved.
    mcp: mcpGate(origin, guarded(lazily(() => mcpRoute(release, { onError, takeToken })))),
    concepts: lazily(() => conceptsRoute(release)),
    concept: lazily(() => conceptRoute(release)),
    bundle: lazily(() => bundleRoute(release)),
    deployment: identityRoute(identity, origin),
    pages: ["", ...prefixesIn(release.documents.keys())].map((prefix) => {
      const pages = (): Omit<PageRoutes, "prefix"> => pageRoutes(release, { context, past }, prefix);
      return {
        prefix,
        concepts: lazily(() => pages().concepts),
        concept: lazily(() => pages().concept),
        resolve: guarded(lazily(() => pages().resolve)),
        notFound: lazily(() => pages().notFound),
      };
    }),
    resources: new Map(
      [...resources, ...addedResources(release.documents.keys())].map((resource) => [
        resource,
        lazily(() => resourceRoute(resource, release, context)),
      ]),
    ),
    assets: new Map(
      [...release.assets.keys()].map((path) => [
        path,
        lazily(() => assetRoute(path, release.assets.get(path) ?? new Uint8Array())),
      ]),
    ),
  });
}

const unproven = problem(
  "registry_unavailable",
  "The deployment identity is unavailable; nothing was resolved or assigned",
);

/** Makes a route at its first request, because a release may have to be read from a remote host. */
function lazily(make: () => Route): Route {
  let made: Route | undefined;
  const get = (): Route => (made ??= make());
  return (request) => {
    if (made !== undefined) return made(request);
    const route = untilHeld(get);
    return typeof route === "function" ? route(request) : route.then((later) => later(request));
  };
}
