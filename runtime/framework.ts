/**
 * Fastify: finds the route of what is not one of our paths to the letter: encoded and parametrized paths, other forms and
 * methods, plain assets. Nothing else of it is in use: no listening, logger, body parsers or error pages.
 */
import Fastify from "fastify";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createHttpServer } from "./http.ts";
import { problem } from "./contract/problem.ts";
import type { Release } from "./release/release.ts";
import { sendProblem } from "./routes/reply.ts";
import { mountAssets } from "./routes/assets.ts";
import type { Methods } from "./routes/methods.ts";
import { hideMethod, mount, showMethod } from "./routes/mount.ts";
import { originForm } from "./http/target.ts";

/** Makes the listener of requests; `routes` are by Fastify's patterns. */
export async function makeFramework(
  routes: ReadonlyMap<string, Methods>,
  assets: Release["assets"],
): Promise<(request: IncomingMessage, response: ServerResponse) => void> {
  const app = Fastify({
    exposeHeadRoutes: false,
    return503OnClosing: false,
    // A code is refused by not being found, not by its length.
    routerOptions: { maxParamLength: 65_536 },
    rewriteUrl: (request) => originForm(request.url ?? "/"),
    frameworkErrors: (_error, request, reply) => {
      showMethod(request.raw);
      sendProblem(reply.hijack().raw, problem("invalid_http", "The path is not valid percent-encoding"));
    },
    // There are no schemas for it: the compilers that it would load are half of what it costs to make an app.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    // It needs one; ours listens.
    serverFactory: () => createHttpServer(),
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
  for (const [url, methods] of routes) mount(app, url, methods);
  mountAssets(app, assets);
  await app.ready();
  return (request, response) => app.routing(hideMethod(request), response);
}

function noCompiler(): never {
  throw new Error("The framework has no schemas to compile");
}
