/**
 * The service on node:http: one Fastify app that mounts the table of routes, finds encoded and
 * parametrized paths, refuses what no route accepts, and listens. A target that is exactly one of
 * our paths goes to its route without the router. Files and the process are the concern of
 * serve.ts.
 * Source: RFC 9112 §3.2; rulings O-27, O-60.
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import Fastify, { type FastifyInstance } from "fastify";
import { HEADERS_TIMEOUT_MS, KEEP_ALIVE_TIMEOUT_MS, REQUEST_TIMEOUT_MS, STALL_TIMEOUT_MS } from "./contract/limits.ts";
import { problem, type ProblemCode } from "./contract/problem.ts";
import { originForm } from "./http/target.ts";
import { sha256 } from "./http/digest.ts";
import { refuseConnection, rememberResponse } from "./node/connection.ts";
import { http } from "./node/http.ts";
import { awaitContinue, type ClientAddress, NodeRequest, refusalOf } from "./node/request.ts";
import { type Observer, writeAnswer } from "./node/writer.ts";
import type { Served } from "./release/served.ts";
import { answerError, answerOptions, answerProblem } from "./routes/answer.ts";
import type { Answer, Request, Route } from "./routes/route.ts";
import { type Entry, type Found, refuseEncoding, type RouteTable } from "./routes/table.ts";
import { type ServiceOptions, serviceTable } from "./service.ts";

export interface ServerOptions extends Omit<ServiceOptions, "sha256"> {
  /** The client's address, where it is not that of the connection. */
  readonly clientAddress?: ClientAddress | undefined;
  readonly observer?: Observer | undefined;
}

type Respond = (found: Found, message: IncomingMessage, response: ServerResponse) => void;

/** Creates the server of an open release; the caller listens and closes. */
export function createServer(release: Served, options: ServerOptions): FastifyInstance {
  const table = serviceTable(release, { ...options, sha256 });
  const respond = responder(options, table.paths);
  const app = Fastify({
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: true,
    // An overlong code is answered as not found, whatever its length.
    routerOptions: { maxParamLength: 65_536 },
    rewriteUrl: ({ url = "/" }) => originForm(url),
    frameworkErrors: (_error, { raw }, reply) => respond(alone(refuseEncoding), raw, reply.hijack().raw),
    clientErrorHandler: refuseConnection,
    // No route has a schema, and loading Fastify's schema compilers takes half the time of creating
    // an app.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    serverFactory: (find) => makeServer(table, respond, find),
  });
  // Only node/request.ts reads bodies.
  app.removeAllContentTypeParsers();
  // Answers in the first hook, so that Fastify never reads a body.
  app.addHook("onRequest", ({ raw, is404 }, reply, next) => {
    if (is404) respond(alone(table.refuse(raw.url ?? "")), raw, reply.hijack().raw);
    else next();
  });
  for (const entry of table.entries) mount(app, entry, respond);
  return app;
}

function mount(app: FastifyInstance, { path, get, post }: Entry, respond: Respond): void {
  // A pattern, so that a code may hold any character but may not be empty.
  const url = path.replace(/:code$/, ":code(^[^]+)");
  for (const [method, route] of [[["GET", "HEAD"], get] as const, [["POST"], post] as const]) {
    if (route === undefined) continue;
    app.route<{ Params: Record<string, string> }>({
      url,
      method: [...method],
      onRequest: ({ raw, params }, reply) => respond({ route, parameters: params }, raw, reply.hijack().raw),
      handler: () => undefined,
    });
  }
}

/**
 * Answers a request by its route. An error is reported and answered with a refusal; if an answer
 * has already begun, the connection ends instead.
 */
function responder({ onError, clientAddress, observer }: ServerOptions, routePaths: RouteTable["paths"]): Respond {
  return ({ route, parameters }, message, response) => {
    const started = observer?.now() ?? 0;
    const request = new NodeRequest(message, parameters, clientAddress);
    const write = (answer: Answer): void | Promise<void> => {
      const written = writeAnswer(response, answer);
      observer?.answered(routePaths.get(route) ?? "other", answer, observer.now() - started);
      return written;
    };
    const fail = (error: unknown): void => {
      onError(error);
      if (response.headersSent) response.destroy();
      else void write(answerError(request, error));
    };
    const send = (answer: Answer): void => {
      try {
        write(answer)?.catch(fail);
      } catch (error) {
        fail(error);
      }
    };
    try {
      const answer = route(request);
      if (answer instanceof Promise) answer.then(send, fail);
      else send(answer);
    } catch (error) {
      fail(error);
    }
  };
}

function makeServer(
  table: RouteTable,
  respond: Respond,
  find: (message: IncomingMessage, response: ServerResponse) => void,
): Server {
  const answer = (message: IncomingMessage, response: ServerResponse): void => {
    rememberResponse(message.socket, response);
    // What comes behind it on the connection, node:http drops.
    if (message.headers.upgrade !== undefined) response.shouldKeepAlive = false;
    const refusal = refusalOf(message);
    if (refusal !== undefined)
      return respond(alone(refusing("invalid_http", refusal, ["Connection", "close"])), message, response);
    const { method = "", url = "" } = message;
    if (url.startsWith("*")) return respond(alone(answerAsterisk), message, response);
    const found = table.exact(method, url);
    if (found !== undefined) respond(found, message, response);
    // node:http takes the first word of HTTP/2 for a method, which the router does not know.
    else if (method === "PRI") respond(alone(refusing("invalid_http")), message, response);
    else find(message, response);
  };
  const server = http.createServer(
    {
      requestTimeout: REQUEST_TIMEOUT_MS,
      headersTimeout: HEADERS_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      connectionsCheckingInterval: 1000,
      // Node answers a missing Host without a body; this service sends every refusal in the
      // envelope.
      requireHostHeader: false,
      // Else the first Content-Type of several would decide.
      joinDuplicateHeaders: true,
    },
    answer,
  );
  // node:http would drop the fields behind so many, which may forbid what those before them ask.
  server.maxHeadersCount = 0;
  server.on("checkContinue", (message: IncomingMessage, response: ServerResponse) => {
    awaitContinue(message, response);
    answer(message, response);
  });
  server.on("checkExpectation", (message: IncomingMessage, response: ServerResponse) => {
    rememberResponse(message.socket, response);
    respond(alone(refusing("expectation_failed")), message, response);
  });
  // A client that closes its sending half still gets its answers (RFC 9293 §3.6); node:http then
  // ends the connection.
  Object.assign(server, { httpAllowHalfOpen: true });
  // Without this, answers to a peer that does not read them would stay in memory.
  server.setTimeout(STALL_TIMEOUT_MS);
  server.on("connect", (_message, socket: Socket) => refuseConnection({ code: "CONNECT" }, socket));
  return server;
}

/** RFC 9112 §3.2.4: only OPTIONS may have the target `*`, which asks about the whole server. */
function answerAsterisk(request: Request): ReturnType<Route> {
  if (request.method === "OPTIONS" && request.target === "*") return answerOptions("GET, HEAD, POST, OPTIONS");
  return answerProblem(request, problem("invalid_http", "The target * belongs to OPTIONS alone"));
}

/** A route whose path has no parameters. */
function alone(route: Route): Found {
  return { route, parameters: {} };
}

function refusing(code: ProblemCode, message?: string, fields?: Answer["fields"]): Route {
  return (request) => answerProblem(request, problem(code, message), fields);
}

function noCompiler(): never {
  throw new Error("The service has no schemas for Fastify to compile");
}
