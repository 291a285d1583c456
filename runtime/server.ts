/**
 * The service on node:http: one Fastify app that mounts the route table, finds encoded and
 * parametrized paths, and refuses requests that no route accepts. A target that is exactly one of
 * our paths goes to its route without the router. node/server.ts refuses invalid HTTP; serve.ts
 * handles files and the process.
 * Source: rulings O-27, O-60.
 */
import Fastify, { type FastifyInstance } from "fastify";
import { sha256 } from "./http/digest.ts";
import { originForm } from "./http/target.ts";
import { refuseConnection } from "./node/connection.ts";
import { alone, type Answering, makeServer, type Respond, responder } from "./node/server.ts";
import type { Served } from "./release/served.ts";
import type { Entry } from "./routes/table.ts";
import { type ServiceOptions, serviceTable } from "./service.ts";

export type ServerOptions = Omit<ServiceOptions & Answering, "sha256" | "paths">;

/** Creates the server of an open release; the caller listens and closes. */
export function createServer(release: Served, options: ServerOptions): FastifyInstance {
  const table = serviceTable(release, { ...options, sha256 });
  const respond = responder({ ...options, paths: table.paths });
  const app = Fastify({
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: true,
    // An overlong code is answered as not found, whatever its length.
    routerOptions: { maxParamLength: 65_536 },
    rewriteUrl: ({ url = "/" }) => originForm(url),
    // A path that the router cannot decode.
    frameworkErrors: (_error, { raw }, reply) =>
      respond(table.find(raw.method ?? "", raw.url ?? ""), raw, reply.hijack().raw),
    clientErrorHandler: refuseConnection,
    // No route has a schema, and loading Fastify's schema compilers takes half the time of creating
    // an app.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    serverFactory: (find) =>
      makeServer(respond, (message, response) => {
        const found = table.exact(message.method ?? "", message.url ?? "");
        if (found !== undefined) respond(found, message, response);
        else find(message, response);
      }),
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
  // A pattern, so that a code can contain any character but cannot be empty.
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

function noCompiler(): never {
  throw new Error("The service has no schemas for Fastify to compile");
}
