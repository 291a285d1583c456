/**
 * The service on node:http: the smallest Fastify app that mounts it, with a server that keeps its
 * law. node/server.ts refuses invalid HTTP; serve.ts handles files and the process.
 * Source: rulings O-27, O-60.
 */
import Fastify, { type FastifyInstance } from "fastify";
import { sha256 } from "./http/digest.ts";
import { originForm } from "./http/target.ts";
import { mountRoutes } from "./mount.ts";
import { refuseConnection } from "./node/connection.ts";
import { alone, type Answering, makeServer, responder } from "./node/server.ts";
import type { Served } from "./release/served.ts";
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
    clientErrorHandler: (error, socket) => refuseConnection(error, socket, options.limits),
    // No route has a schema, and loading Fastify's schema compilers takes half the time of creating
    // an app.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    serverFactory: (find) => makeServer(respond, find, options.limits),
  });
  // Answers in the first hook, so that Fastify never reads a body.
  app.addHook("onRequest", ({ raw, is404 }, reply, next) => {
    if (is404) respond(alone(table.refuse(raw.url ?? "")), raw, reply.hijack().raw);
    else next();
  });
  // Registering every method of every path, to refuse it, would take thousands of routes.
  mountRoutes(app, { table, respond, methodsOf: ({ get }) => (get === undefined ? ["POST"] : ["GET", "HEAD"]) });
  return app;
}

function noCompiler(): never {
  throw new Error("The service has no schemas for Fastify to compile");
}
