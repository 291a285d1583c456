/**
 * Every path of the service, once, with the methods it accepts. A path matches exactly or
 * percent-encoded; a path of a recipe matches only exactly, because an encoded id is a different id
 * (O-37).
 * Source: contract §4; ruling O-60.
 */
import { isConceptCode } from "../contract/code.ts";
import { paths } from "../contract/paths.ts";
import { policies, type Resource } from "../contract/policy.ts";
import { problem } from "../contract/problem.ts";
import { negotiate } from "../http/negotiate.ts";
import { originForm } from "../http/target.ts";
import { answerOptions, answerProblem } from "./answer.ts";
import type { PageRoutes } from "./pages.ts";
import { VARY_ACCEPT } from "./representation.ts";
import type { Route } from "./route.ts";

/** A path with its routes. HEAD uses the route of GET; `all` answers every method itself. */
export interface Entry {
  /** A path; the last segment may be `:code` (any one segment) or `*` (any rest). */
  readonly path: string;
  readonly get?: Route;
  readonly post?: Route;
  readonly all?: Route;
}

/** The routes of the service by their subject. */
export interface Routes {
  readonly resolve: Route;
  readonly mcp: Route;
  readonly concepts: Route;
  readonly concept: Route;
  readonly bundle: Route;
  readonly deployment: Route;
  /** English first, then every other language. */
  readonly pages: readonly PageRoutes[];
  readonly resources: ReadonlyMap<Resource, Route>;
  /** By path. */
  readonly assets: ReadonlyMap<string, Route>;
}

export interface RouteTable {
  readonly entries: readonly Entry[];
  /** The path of each route, as in its entry; answers are counted under it. */
  readonly paths: ReadonlyMap<Route, string>;
  /** The route of any target, for a host without a router, or for a path that it cannot decode. */
  find(method: string, target: string): Found;
  /** The answer if no route accepts a request: 404; for our paths OPTIONS, or 405 with Allow. */
  refuse(target: string): Route;
}

export interface Found {
  readonly route: Route;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Paths below these are compared exactly: an encoded id is a different id. */
const RECIPE_PATHS = [paths.readinessReports, paths.kits];
const CONCEPT_PREFIX = `${paths.concepts}/`;
const NONE = {};

export function routeTable(routes: Routes): RouteTable {
  const fixed: Entry[] = [
    { path: paths.resolve, post: routes.resolve },
    { path: paths.mcp, all: routes.mcp },
    { path: paths.concepts, get: routes.concepts },
    { path: paths.bundle, get: routes.bundle },
    { path: paths.deployment, get: routes.deployment },
    ...routes.pages.flatMap(({ prefix, concepts, resolve }) => [
      { path: prefix + paths.conceptPages, get: concepts },
      { path: prefix + paths.resolvePage, get: resolve },
    ]),
    ...[...routes.resources].map(([{ path }, get]) => ({ path, get })),
    ...[...routes.assets].map(([path, get]) => ({ path, get })),
  ];
  const byPath = new Map(fixed.map((entry) => [entry.path, entry]));
  const patterns: Entry[] = [
    { path: `${paths.concepts}/:code`, get: routes.concept },
    ...routes.pages.map(({ prefix, concept }) => ({ path: `${prefix}${paths.conceptPages}/:code`, get: concept })),
    ...RECIPE_PATHS.map((path) => ({ path: `${path}/*`, get: recipeRoute(byPath) })),
  ];
  /** The route of a target that is exactly one of our paths; or undefined. */
  const exact = (method: string, target: string): Found | undefined => {
    const route = routeOf(byPath.get(target), method);
    if (route !== undefined) return { route, parameters: NONE };
    // A ConceptCode needs no percent-encoding, so there is nothing to decode.
    if (!target.startsWith(CONCEPT_PREFIX) || (method !== "GET" && method !== "HEAD")) return undefined;
    const code = target.slice(CONCEPT_PREFIX.length);
    return isConceptCode(code) ? { route: routes.concept, parameters: { code } } : undefined;
  };
  const refuse: RouteTable["refuse"] = (target) => {
    const entry = entryOf(byPath, patterns, target);
    if (entry === undefined) return notFoundRoute(routes.pages, target);
    return entry.all ?? refusalOf(entry);
  };
  return {
    entries: [...fixed.filter(({ path }) => !isOfRecipe(path)), ...patterns],
    paths: new Map(
      [...fixed, ...patterns].flatMap(({ path, get, post, all }) =>
        [get, post, all].flatMap((route) => (route === undefined ? [] : [[route, path] as const])),
      ),
    ),
    refuse,
    find(method, sent) {
      const target = originForm(sent);
      const [path = ""] = target.split(/[?#]/, 1);
      const found = exact(method, path);
      if (found !== undefined) return found;
      if (!isOfRecipe(path) && decodePath(path) === undefined) return { route: refuseEncoding, parameters: NONE };
      const entry = entryOf(byPath, patterns, path);
      const route = routeOf(entry, method) ?? refuse(path);
      return { route, parameters: entry?.path.endsWith("/:code") === true ? { code: lastSegment(path) } : NONE };
    },
  };
}

const NOT_FOUND_TYPES = [policies.answer.mediaType, policies.html.mediaType];

/**
 * The answer to a path that is not ours: if the client prefers HTML, as browsers do, a page in the
 * language of the prefix; otherwise, even if Accept permits neither, the envelope of all refusals.
 */
function notFoundRoute(pages: readonly PageRoutes[], target: string): Route {
  const own = pages.findLast(({ prefix }) => originForm(target).startsWith(`${prefix}/`));
  return (request) =>
    own !== undefined && negotiate(request.field("accept"), NOT_FOUND_TYPES) === 1
      ? own.notFound(request)
      : answerProblem(request, problem("not_found"), VARY_ACCEPT);
}

/** The answer to a path that cannot be decoded. */
const refuseEncoding: Route = (request) =>
  answerProblem(request, problem("invalid_http", "The path is not valid percent-encoding"));

/** The last segment of a path, percent-decoded once. */
function lastSegment(path: string): string {
  return decodeURIComponent(path.slice(path.lastIndexOf("/") + 1));
}

/** The route of a method, if the path accepts it. */
export function routeOf(entry: Entry | undefined, method: string): Route | undefined {
  if (entry === undefined) return undefined;
  if (entry.all !== undefined) return entry.all;
  return method === "POST" ? entry.post : method === "GET" || method === "HEAD" ? entry.get : undefined;
}

/** The answer to other methods of a path; Allow lists those it has. */
function refusalOf({ get }: Entry): Route {
  const allow = get === undefined ? "POST, OPTIONS" : "GET, HEAD, OPTIONS";
  return (request) =>
    request.method === "OPTIONS"
      ? answerOptions(allow)
      : answerProblem(request, problem("method_not_allowed"), ["Allow", allow]);
}

/** The entry that a target names. Like Fastify's router, it does not decode reserved characters. */
function entryOf(byPath: ReadonlyMap<string, Entry>, patterns: readonly Entry[], target: string): Entry | undefined {
  const [sent = ""] = target.split(/[?#]/, 1);
  const path = isOfRecipe(sent) ? sent : decodePath(sent);
  if (path === undefined) return undefined;
  const pattern = patterns.find(({ path: one }) => {
    const prefix = one.slice(0, one.lastIndexOf("/") + 1);
    const rest = path.slice(prefix.length);
    return path.startsWith(prefix) && (one.endsWith("*") || (rest !== "" && !rest.includes("/")));
  });
  return pattern ?? byPath.get(path);
}

function decodePath(path: string): string | undefined {
  try {
    return decodeURI(path);
  } catch {
    return undefined;
  }
}

function isOfRecipe(path: string): boolean {
  return RECIPE_PATHS.some((one) => path.startsWith(`${one}/`));
}

function recipeRoute(byPath: ReadonlyMap<string, Entry>): Route {
  return (request) => {
    const [path = ""] = originForm(request.target).split("?", 1);
    const route = byPath.get(path)?.get;
    return route === undefined ? answerProblem(request, problem("recipe_not_found")) : route(request);
  };
}
