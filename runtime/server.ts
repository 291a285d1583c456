/**
 * The server over an open release: routes, methods, refusals, time limits. It never listens and never touches the
 * process; main.ts does. Fastify finds the route; the reply is written by reply.ts.
 */
import { createServer as createHttpServer, type IncomingMessage, METHODS, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import Fastify, { type FastifyInstance } from "fastify";
import { isConceptCode } from "./code.ts";
import { HEADERS_TIMEOUT_MS, KEEP_ALIVE_TIMEOUT_MS, REQUEST_TIMEOUT_MS } from "./limits.ts";
import { documents, paths } from "./policy.ts";
import { type ProblemCode, problem } from "./problem.ts";
import { IndexError } from "./registry-index.ts";
import type { Release } from "./release.ts";
import { formatRefusal, sendOptions, sendProblem, sendRepresentation } from "./reply.ts";
import { bundleRoute, conceptRoute, conceptsRoute } from "./routes/concepts.ts";
import { resolveRoute } from "./routes/resolve.ts";
import type { Route } from "./routes/route.ts";

export interface ServerOptions {
  /** Hears of every unexpected error. Requests, expressions and credentials are never logged. */
  readonly onFault: (error: unknown) => void;
}

/** Makes the server; the caller listens and closes. */
export function createServer(release: Release, { onFault }: ServerOptions): FastifyInstance {
  const guard = guardRoute(onFault);
  const routes = new Map<string, Methods>([
    [paths.resolve, { POST: guard(resolveRoute(release.index)) }],
    [paths.concepts, { GET: guard(conceptsRoute(release)) }],
    [paths.bundle, { GET: guard(bundleRoute(release)) }],
  ]);
  for (const [path, policy] of Object.entries(documents)) {
    const body = release.documents.get(path);
    if (body === undefined) throw new Error(`The release has no ${path}`);
    routes.set(path, { GET: guard((_request, response) => sendRepresentation(response, { policy, body })) });
  }
  const concept = guard(conceptRoute(release));
  const app = Fastify({
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: true,
    // A code is refused by not being found, not by its length.
    routerOptions: { maxParamLength: 65_536 },
    rewriteUrl: (request) => originForm(request.url ?? "/"),
    frameworkErrors: (_error, _request, reply) =>
      sendProblem(reply.hijack().raw, problem("invalid_http", "The path is not valid percent-encoding")),
    clientErrorHandler: refuseConnection,
    serverFactory: (handler) => listenTo(handler, directRouter(routes, concept)),
  });
  for (const method of METHODS) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  // Bodies are read by request-body.ts, and nowhere else.
  app.removeAllContentTypeParsers();
  app.setNotFoundHandler((_request, reply) => sendProblem(reply.hijack().raw, problem("not_found")));
  // Routes answer before the framework can fail; only what it says of a body at an unknown path arrives here.
  app.setErrorHandler((_error, _request, reply) => sendProblem(reply.hijack().raw, problem("not_found")));
  for (const [url, methods] of routes) mount(app, url, methods);
  mount(app, `${paths.concepts}/:code(^.+)`, { GET: concept });
  return app;
}

interface Methods {
  readonly GET?: GuardedRoute;
  readonly POST?: GuardedRoute;
}

/** Answers a request at once where its target is one of our paths to the letter; false leaves it to the framework. */
type DirectRouter = (request: IncomingMessage, response: ServerResponse) => boolean;

/** A concept's path is plain too: a ConceptCode needs no percent-encoding, so there is nothing to decode. */
function directRouter(routes: ReadonlyMap<string, Methods>, concept: GuardedRoute): DirectRouter {
  const prefix = `${paths.concepts}/`;
  return (request, response) => {
    const { url = "", method } = request;
    if (method !== "GET" && method !== "POST") return false;
    const route = routes.get(url)?.[method];
    if (route !== undefined) route(request, response, {});
    else if (method === "GET" && url.startsWith(prefix) && isConceptCode(url.slice(prefix.length))) {
      concept(request, response, { code: url.slice(prefix.length) });
    } else return false;
    return true;
  };
}

type GuardedRoute = (...args: Parameters<Route>) => void;

/** A route whose faults are reported and answered: 503 where the registry cannot be read, else 500. */
function guardRoute(onFault: (error: unknown) => void): (route: Route) => GuardedRoute {
  return (route) => (request, response, parameters) => {
    const fail = (error: unknown): void => {
      onFault(error);
      if (response.headersSent) response.destroy();
      else sendProblem(response, problem(error instanceof IndexError ? "registry_unavailable" : "internal_error"));
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
      if (request.headers.host === undefined && request.httpVersionMinor > 0) refuseHost(response);
      else if (!answered(request, response)) handler(request, response);
    },
  );
  server.on("checkExpectation", (_request, response: ServerResponse) =>
    sendProblem(response, problem("expectation_failed")),
  );
  server.on("connect", (_request, socket: Socket) => refuseConnection({ code: "CONNECT" }, socket));
  return server;
}

/** RFC 9112 §3.2: an HTTP/1.1 request without Host is answered 400. */
function refuseHost(response: ServerResponse): void {
  sendProblem(response, problem("invalid_http", "An HTTP/1.1 request needs a Host field"), ["Connection", "close"]);
}

/** Gives a path its methods; HEAD goes with GET, OPTIONS tells, and every other method is refused with Allow. */
function mount(app: FastifyInstance, url: string, { GET, POST }: Methods): void {
  const accepted = GET === undefined ? ["POST"] : ["GET", "HEAD"];
  const allow = [...accepted, "OPTIONS"].join(", ");
  const others = app.supportedMethods.filter((method) => method !== "OPTIONS" && !accepted.includes(method));
  const answer = (method: string[], route: GuardedRoute | undefined): void => {
    app.route<{ Params: Record<string, string> }>({
      method,
      url,
      // In the first hook, so that the framework never looks at a body.
      onRequest: (request, reply) => route?.(request.raw, reply.hijack().raw, request.params),
      handler: () => undefined,
    });
  };
  answer(accepted, GET ?? POST);
  answer(["OPTIONS"], (_request, response) => sendOptions(response, allow));
  answer(others, (_request, response) => sendProblem(response, problem("method_not_allowed"), ["Allow", allow]));
}

/** RFC 9112 §3.2.2: a server accepts the absolute form of a request target. */
function originForm(target: string): string {
  return target.startsWith("/") ? target : target.replace(/^https?:\/\/[^/?#]*/i, "") || "/";
}

/** Refuses what never became a request (bad syntax, too many fields, too slow), after the answers that are still due. */
function refuseConnection(error: { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
  // Node keeps the response being written on its socket; its own handler looks there too.
  const { _httpMessage: due } = socket as Socket & { _httpMessage?: ServerResponse | null };
  // Is the fault in a later request, or in the body of the one that waits for its answer?
  if (due?.req.complete === true) return void due.on("close", () => setImmediate(refuseConnection, error, socket));
  if (due?.headersSent === true) return void socket.destroy();
  socket.end(formatRefusal(problem(CONNECTION_PROBLEMS[error.code ?? ""] ?? "invalid_http")));
}

const CONNECTION_PROBLEMS: Readonly<Record<string, ProblemCode>> = {
  HPE_HEADER_OVERFLOW: "header_fields_too_large",
  ERR_HTTP_REQUEST_TIMEOUT: "request_timeout",
};
