/** An open release as the table of its routes: what every host of the service mounts. */
import { paths, resources } from "./contract/policy.ts";
import type { Identity } from "./release/identity.ts";
import type { Release } from "./release/release.ts";
import type { PageContext } from "./routes/answer-page.ts";
import { assetRoute } from "./routes/assets.ts";
import { bundleRoute, conceptRoute, conceptsRoute } from "./routes/concepts.ts";
import { resourceRoute } from "./routes/documents.ts";
import { identityRoute } from "./routes/identity.ts";
import { type ClockedLimit, makeLimiter } from "./routes/limiter.ts";
import { mcpRoute } from "./routes/mcp.ts";
import { pageRoutes } from "./routes/pages.ts";
import { resolveRoute } from "./routes/resolve.ts";
import { type RouteTable, routeTable } from "./routes/table.ts";

export interface ServiceOptions {
  /** Hears of every unexpected error. Requests, expressions and credentials are never logged. */
  readonly onFault: (error: unknown) => void;
  /** Gives the nonce of a page: unguessable, of Base64 characters, another one each time. */
  readonly nonce: () => string;
  /** Gives the state of the deployment identity. */
  readonly identity: () => Promise<Identity>;
  /** Limits each client of resolve and MCP; without it nobody is limited. */
  readonly rate?: ClockedLimit;
}

export function serviceTable(release: Release, { onFault, nonce, identity, rate }: ServiceOptions): RouteTable {
  const { index, manifest, assets } = release;
  const takeToken = makeLimiter(rate);
  const context: PageContext = { nonce, catalogUrl: manifest.origin + paths.apiCatalog };
  const pages = pageRoutes(release, context);
  return routeTable({
    resolve: resolveRoute(index, takeToken),
    mcp: mcpRoute(release, { onFault, takeToken }),
    concepts: conceptsRoute(release),
    concept: conceptRoute(release),
    bundle: bundleRoute(release),
    deployment: identityRoute(identity, manifest.origin),
    conceptsPage: pages.concepts,
    conceptPage: pages.concept,
    resolvePage: pages.resolve,
    resources: new Map(resources.map((resource) => [resource, resourceRoute(resource, release, context)])),
    assets: new Map([...assets].map(([path, bytes]) => [path, assetRoute(path, bytes)])),
  });
}
