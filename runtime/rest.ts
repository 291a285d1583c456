/**
 * What a start leaves for later: the routes that few callers begin with, and Fastify for every target that is not one of our
 * paths to the letter: encoded, parametrized, with other methods, plain assets, nothing at all.
 */
import type { IncomingMessage } from "node:http";
import { makeFramework } from "./framework.ts";
import type { Identity } from "./release/identity.ts";
import { paths } from "./contract/policy.ts";
import { problem } from "./contract/problem.ts";
import type { Release } from "./release/release.ts";
import { sendProblem } from "./routes/reply.ts";
import { bundleRoute, conceptsRoute } from "./routes/concepts.ts";
import { directRouter, type Listener } from "./routes/direct.ts";
import { identityRoute } from "./routes/identity.ts";
import { mcpRoute } from "./routes/mcp.ts";
import type { GuardedRoute, Methods } from "./routes/methods.ts";
import { pageRoutes } from "./routes/pages.ts";
import type { Route } from "./routes/route.ts";
import type { PageContext } from "./routes/send-page.ts";

export interface RestOptions {
  readonly release: Release;
  /** The first routes, by path, and that of a concept. */
  readonly routes: ReadonlyMap<string, Methods>;
  readonly concept: GuardedRoute;
  readonly pages: PageContext;
  readonly identity: () => Promise<Identity>;
  readonly guard: (route: Route) => GuardedRoute;
  readonly takeToken: (request: IncomingMessage) => number;
  readonly onFault: (error: unknown) => void;
}

/** Makes the listener of whatever the first routes do not answer. */
export async function makeRest(options: RestOptions): Promise<Listener> {
  const { release, concept, pages, identity, guard, takeToken, onFault } = options;
  const rendered = pageRoutes(release, pages);
  const routes = new Map<string, Methods>([
    ...options.routes,
    [paths.mcp, { ALL: guard(mcpRoute(release, { onFault, takeToken })) }],
    [paths.concepts, { GET: guard(conceptsRoute(release)) }],
    [paths.bundle, { GET: guard(bundleRoute(release)) }],
    [paths.conceptPages, { GET: guard(rendered.concepts) }],
    [paths.deployment, { GET: guard(identityRoute(identity, release.manifest.origin)) }],
    [paths.resolvePage, { GET: guard(rendered.resolve) }],
  ]);
  const patterns = new Map<string, Methods>([
    ...[...routes].filter(([url]) => !isOfRecipe(url)),
    [`${paths.concepts}/:code(^[^]+)`, { GET: concept }],
    [`${paths.conceptPages}/:code(^[^]+)`, { GET: guard(rendered.concept) }],
    ...RECIPE_PATHS.map((path): [string, Methods] => [`${path}/*`, { GET: recipeRoute(routes) }]),
  ]);
  const answered = directRouter(routes, concept);
  const find = await makeFramework(patterns, release.assets);
  return (request, response) => {
    if (!answered(request, response)) find(request, response);
  };
}

/** What is below these paths is a recipe's, to the letter, or there is no such recipe (O-37): an encoded id is another id. */
const RECIPE_PATHS = [paths.readinessReports, paths.kits];

function isOfRecipe(url: string): boolean {
  return RECIPE_PATHS.some((path) => url.startsWith(`${path}/`));
}

function recipeRoute(routes: ReadonlyMap<string, Methods>): GuardedRoute {
  return (request, response) => {
    const [path = ""] = (request.url ?? "").split("?", 1);
    const route = routes.get(path)?.GET;
    if (route === undefined) sendProblem(response, problem("recipe_not_found"));
    else route(request, response, {});
  };
}
