/**
 * The server over an open release: routes, methods, refusals, time limits. It never listens and never touches the
 * process; main.ts does. Fastify finds the route; the reply is written by reply.ts.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import Fastify, { type FastifyInstance } from "fastify";
import { isConceptCode } from "./code.ts";
import { createHttpServer } from "./http.ts";
import type { Identity } from "./identity.ts";
import { HEADERS_TIMEOUT_MS, KEEP_ALIVE_TIMEOUT_MS, REQUEST_TIMEOUT_MS, STALL_TIMEOUT_MS } from "./limits.ts";
import { paths, resources } from "./policy.ts";
import { type ProblemCode, problem } from "./problem.ts";
import type { Release } from "./release.ts";
import { formatRefusal, sendOptions, sendProblem } from "./reply.ts";
import { mountAssets } from "./routes/assets.ts";
import { bundleRoute, conceptRoute, conceptsRoute } from "./routes/concepts.ts";
import { resourceRoute } from "./routes/documents.ts";
import type { PageContext } from "./routes/send-page.ts";
import { pageRoutes } from "./routes/pages.ts";
import { problemOf } from "./routes/fault.ts";
import { identityRoute } from "./routes/identity.ts";
import { mcpRoute } from "./routes/mcp.ts";
import { resolveRoute } from "./routes/resolve.ts";
import { type GuardedRoute, hideMethod, type Methods, mount, showMethod } from "./routes/mount.ts";
import type { Route } from "./routes/route.ts";
import { originForm, targetOf } from "./target.ts";
import { clientOf, type RateLimit, TokenBuckets } from "./token-bucket.ts";

export interface ServerOptions {
  /** Hears of every unexpected error. Requests, expressions and credentials are never logged. */
  readonly onFault: (error: unknown) => void;
  /** Gives the nonce of a page: unguessable, of Base64 characters, another one each time. */
  readonly nonce: () => string;
  /** Gives the state of the deployment identity. */
  readonly identity: () => Promise<Identity>;
  /** Limits each client of resolve and MCP; without it nobody is limited. */
  readonly rate?: RateLimit & { /** Seconds of a steady clock. */ readonly now: () => number };
}

/** Makes the server; the caller listens and closes. */
export function createServer(release: Release, { onFault, nonce, identity, rate }: ServerOptions): FastifyInstance {
  const guard = guardRoute(onFault);
  const takeToken = limiterOf(rate);
  const pages: PageContext = { nonce, catalogUrl: release.manifest.origin + paths.apiCatalog };
  const rendered = pageRoutes(release, pages);
  const routes = new Map<string, Methods>([
    [paths.resolve, { POST: guard(resolveRoute(release.index, takeToken)) }],
    [paths.mcp, { ALL: guard(mcpRoute(release, { onFault, takeToken })) }],
    [paths.concepts, { GET: guard(conceptsRoute(release)) }],
    [paths.bundle, { GET: guard(bundleRoute(release)) }],
    [paths.conceptPages, { GET: guard(rendered.concepts) }],
    [paths.deployment, { GET: guard(identityRoute(identity, release.manifest.origin)) }],
    [paths.resolvePage, { GET: guard(rendered.resolve) }],
  ]);
  for (const resource of resources) routes.set(resource.path, { GET: guard(resourceRoute(resource, release, pages)) });
  const concept = guard(conceptRoute(release));
  const app = makeApp(directRouter(routes, concept));
  for (const [url, methods] of routes) if (!isOfRecipe(url)) mount(app, url, methods);
  mount(app, `${paths.concepts}/:code(^[^]+)`, { GET: concept });
  mount(app, `${paths.conceptPages}/:code(^[^]+)`, { GET: guard(rendered.concept) });
  for (const path of RECIPE_PATHS) mount(app, `${path}/*`, { GET: recipeRoute(routes) });
  mountAssets(app, release.assets);
  return app;
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

/** How long the client of a request has to wait; limited, if at all, over both routes that take a body together. */
function limiterOf(rate: ServerOptions["rate"]): (request: IncomingMessage) => number {
  if (rate === undefined) return () => 0;
  const buckets = new TokenBuckets(rate);
  return ({ socket }) => buckets.take(clientOf(socket.remoteAddress), rate.now());
}

/** Fastify with nothing of its own in the way: no logger, no body parsers, no error pages. */
function makeApp(answered: DirectRouter): FastifyInstance {
  const app = Fastify({
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: true,
    // A code is refused by not being found, not by its length.
    routerOptions: { maxParamLength: 65_536 },
    rewriteUrl: (request) => originForm(request.url ?? "/"),
    frameworkErrors: (_error, request, reply) => {
      showMethod(request.raw);
      sendProblem(reply.hijack().raw, problem("invalid_http", "The path is not valid percent-encoding"));
    },
    // There are no schemas for it: the compilers that it would load are half of what it costs to make an app.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    clientErrorHandler: refuseConnection,
    serverFactory: (handler) => listenTo(handler, answered),
  });
  app.addHook("onRequest", (request, _reply, next) => {
    showMethod(request.raw);
    next();
  });
  // Bodies are read by request-body.ts, and nowhere else.
  app.removeAllContentTypeParsers();
  app.setNotFoundHandler((_request, reply) => sendProblem(reply.hijack().raw, problem("not_found")));
  // Routes answer before the framework can fail; only what it says of a body at an unknown path arrives here.
  app.setErrorHandler((_error, _request, reply) => sendProblem(reply.hijack().raw, problem("not_found")));
  return app;
}

function noCompiler(): never {
  throw new Error("The framework has no schemas to compile");
}

/** Answers a request at once where its target is one of our paths to the letter; false leaves it to the framework. */
type DirectRouter = (request: IncomingMessage, response: ServerResponse) => boolean;

/** A concept's path is plain too: a ConceptCode needs no percent-encoding, so there is nothing to decode. */
function directRouter(routes: ReadonlyMap<string, Methods>, concept: GuardedRoute): DirectRouter {
  const prefix = `${paths.concepts}/`;
  return (request, response) => {
    const { url = "", method } = request;
    if (method !== "GET" && method !== "POST") return false;
    const methods = routes.get(url);
    const route = methods?.[method] ?? methods?.ALL;
    if (route !== undefined) route(request, response, {});
    else if (method === "GET" && url.startsWith(prefix) && isConceptCode(url.slice(prefix.length))) {
      concept(request, response, { code: url.slice(prefix.length) });
    } else return false;
    return true;
  };
}

/** A route whose faults are reported and answered. */
function guardRoute(onFault: (error: unknown) => void): (route: Route) => GuardedRoute {
  return (route) => (request, response, parameters) => {
    const fail = (error: unknown): void => {
      onFault(error);
      if (response.headersSent) response.destroy();
      else sendProblem(response, problemOf(error));
    };
    try {
      route(request, response, parameters)?.catch(fail);
    } catch (error) {
      fail(error);
    }
  };
}

/** The HTTP server: plain targets go straight to their route; everything else is Fastify's to find. */
function listenTo(handler: (request: IncomingMessage, response: ServerResponse) => void, answered: DirectRouter) {
  const server = createHttpServer(
    {
      requestTimeout: REQUEST_TIMEOUT_MS,
      headersTimeout: HEADERS_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      connectionsCheckingInterval: 1000,
      // Node refuses a missing Host without a body; here every refusal has the envelope.
      requireHostHeader: false,
    },
    (request, response) => {
      latest.set(request.socket, response);
      if (!hasOneHost(request)) refuseHost(response);
      else if (request.url?.startsWith("*") === true) answerAsterisk(request, response);
      else if (!answered(request, response)) handler(hideMethod(request), response);
    },
  );
  server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    latest.set(request.socket, response);
    sendProblem(response, problem("expectation_failed"));
  });
  // A peer that does not read its answers would have them kept for it.
  server.setTimeout(STALL_TIMEOUT_MS);
  server.on("connect", (_request, socket: Socket) => refuseConnection({ code: "CONNECT" }, socket));
  return server;
}

/** RFC 9112 §3.2.4: the asterisk is a target of OPTIONS, and asks about the server as a whole. */
function answerAsterisk({ method, url }: IncomingMessage, response: ServerResponse): void {
  if (method === "OPTIONS" && url === "*") sendOptions(response, "GET, HEAD, POST, OPTIONS");
  else sendProblem(response, problem("invalid_http", "The target * belongs to OPTIONS alone"));
}

/** RFC 9112 §3.2: exactly one Host field line; HTTP/1.0 may have none. */
function hasOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? "";
    if (name.length === 4 && name.toLowerCase() === "host") hosts++;
  }
  return hosts === 1 || (hosts === 0 && httpVersion === "1.0");
}

/** RFC 9112 §3.2: a request with no Host, or several, is answered 400. */
function refuseHost(response: ServerResponse): void {
  sendProblem(response, problem("invalid_http", "An HTTP/1.1 request needs one Host field"), ["Connection", "close"]);
}

/** The newest response of a connection. */
const latest = new WeakMap<Socket, ServerResponse>();

/** Refuses what never became a request (bad syntax, too many fields, too slow), after the answers that are still due. */
function refuseConnection(error: { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
  // Node keeps the response being written on its socket; its own handler looks there too.
  const { _httpMessage: due } = socket as Socket & { _httpMessage?: ServerResponse | null };
  // Is the fault in a later request, or in the body of the one that waits for its answer?
  if (due?.req.complete === true) return void due.on("close", () => setImmediate(refuseConnection, error, socket));
  // A request whose body nobody waited for has its answer; it gets no second one.
  const answered = due ?? latest.get(socket);
  if (answered?.writableEnded === true && !answered.req.complete) return socket.destroySoon();
  if (due?.headersSent === true) return void socket.destroy();
  // Where node:http stopped reading; Fastify's type of it is another.
  const { rawPacket, bytesParsed } = error as { rawPacket?: Uint8Array; bytesParsed?: number };
  const refusal = problem(CONNECTION_PROBLEMS[error.code ?? ""] ?? "invalid_http");
  socket.end(formatRefusal(refusal, due?.req.url ?? targetOf(rawPacket?.subarray(0, bytesParsed))));
}

const CONNECTION_PROBLEMS: Readonly<Record<string, ProblemCode>> = {
  HPE_HEADER_OVERFLOW: "header_fields_too_large",
  ERR_HTTP_REQUEST_TIMEOUT: "request_timeout",
};
