/**
 * The server over an open release: routes, methods, refusals, time limits. It never listens and never touches the
 * process; main.ts does.
 */
import { METHODS } from "node:http";
import type { Socket } from "node:net";
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type RouteHandlerMethod,
} from "fastify";
import { HEADERS_TIMEOUT_MS, KEEP_ALIVE_TIMEOUT_MS, REQUEST_TIMEOUT_MS } from "./limits.ts";
import { paths } from "./policy.ts";
import { formatProblem, type ProblemCode, problem } from "./problem.ts";
import { IndexError } from "./registry-index.ts";
import type { Release } from "./release.ts";
import { sendOptions, sendProblem, sendRepresentation } from "./reply.ts";
import { bundleRoute, conceptRoute, conceptsRoute } from "./routes/concepts.ts";
import { resolveRoute } from "./routes/resolve.ts";

export interface ServerOptions {
  /** Hears of every unexpected error. Requests, expressions and credentials are never logged. */
  readonly onFault: (error: unknown) => void;
}

/** Makes the server; the caller listens and closes. */
export function createServer(release: Release, { onFault }: ServerOptions): FastifyInstance {
  const fail = (reply: FastifyReply, error: unknown): void => {
    onFault(error);
    sendProblem(reply, problem(error instanceof IndexError ? "registry_unavailable" : "internal_error"));
  };
  const app = Fastify({
    logger: false,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: "idle",
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    http: { headersTimeout: HEADERS_TIMEOUT_MS, connectionsCheckingInterval: 1000 },
    // A code is refused by not being found, not by its length.
    routerOptions: { maxParamLength: 65_536 },
    rewriteUrl: (request) => originForm(request.url ?? "/"),
    clientErrorHandler: refuseConnection,
    frameworkErrors: (_error, _request, reply) =>
      sendProblem(reply, problem("invalid_http", "The path is not valid percent-encoding")),
  });
  closeSilentConnections(app);
  for (const method of METHODS) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  // Bodies are read by request-body.ts.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, _payload, done) => done(null));
  app.setNotFoundHandler((_request, reply) => sendProblem(reply, problem("not_found")));
  app.setErrorHandler((error: { code?: string }, request, reply) => {
    // What the framework refuses before a handler runs is always about the type of a body.
    if (error.code?.startsWith("FST_ERR_") !== true) fail(reply, error);
    else sendProblem(reply, problem(request.is404 ? "not_found" : "unsupported_media_type"));
  });

  mount(app, paths.resolve, { POST: resolveRoute(release.index, fail) });
  mount(app, paths.concepts, { GET: conceptsRoute(release) });
  mount(app, `${paths.concepts}/:code(^.+)`, { GET: conceptRoute(release) });
  mount(app, paths.bundle, { GET: bundleRoute(release) });
  for (const [path, body] of release.documents) {
    mount(app, path, { GET: (request, reply) => sendRepresentation(request, reply, { policy: "answer", body }) });
  }
  return app;
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => void | Promise<FastifyReply>;

/** Gives a path its methods; HEAD goes with GET, OPTIONS tells, and every other method is refused with Allow. */
function mount(app: FastifyInstance, url: string, handlers: { GET?: Handler; POST?: Handler }): void {
  const accepted = handlers.GET === undefined ? ["POST"] : ["GET", "HEAD"];
  const allow = [...accepted, "OPTIONS"].join(", ");
  const handler = (handlers.GET ?? handlers.POST) as RouteHandlerMethod;
  app.route({ method: accepted, url, handler });
  app.route({ method: "OPTIONS", url, handler: (_request, reply) => sendOptions(reply, allow) });
  const refused = app.supportedMethods.filter((method) => method !== "OPTIONS" && !accepted.includes(method));
  // In a hook, so that no rule about the body of a refused method comes first.
  const refuse: Handler = (_request, reply) => sendProblem(reply, problem("method_not_allowed"), { allow });
  app.route({ method: refused, url, onRequest: refuse, handler: refuse });
}

/** On close, ends connections that never sent a request: Node waits for their first one, which may never come. */
function closeSilentConnections(app: FastifyInstance): void {
  const silent = new Set<Socket>();
  app.server.on("connection", (socket: Socket) => {
    silent.add(socket);
    socket.on("close", () => silent.delete(socket));
  });
  app.server.on("request", ({ socket }) => silent.delete(socket));
  app.addHook("preClose", (done) => {
    for (const socket of silent) socket.destroy();
    done();
  });
}

/** RFC 9112 §3.2.2: a server accepts the absolute form of a request target. */
function originForm(target: string): string {
  return target.startsWith("/") ? target : target.replace(/^https?:\/\/[^/?#]*/i, "") || "/";
}

/** Refuses what never became a request: bad syntax, too many fields, too slow. */
function refuseConnection(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
  const { status, ...rest } = problem(CONNECTION_PROBLEMS[error.code ?? ""] ?? "invalid_http");
  const body = Buffer.from(formatProblem({ status, ...rest }));
  const head = [
    `HTTP/1.1 ${status} Refused`,
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
    "Cache-Control: no-store",
    "Connection: close",
  ];
  socket.end(Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), body]));
}

const CONNECTION_PROBLEMS: Readonly<Record<string, ProblemCode>> = {
  HPE_HEADER_OVERFLOW: "header_fields_too_large",
  ERR_HTTP_REQUEST_TIMEOUT: "request_timeout",
};
