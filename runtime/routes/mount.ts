/** The framework finds the path alone, as if everything were one method: to it, thirty more would be as many routes a path. */
import type { IncomingMessage } from "node:http";
import type { FastifyInstance } from "fastify";
import { forMethods, type Methods } from "./methods.ts";

/** The one method that the framework hears of. */
const ONE_METHOD = "GET";

/** The methods of requests that the framework is finding a path for. */
const hidden = new WeakMap<IncomingMessage, string>();

/** Shows the framework a request with the one method; every callback of it begins with showMethod. */
export function hideMethod(request: IncomingMessage): IncomingMessage {
  hidden.set(request, request.method ?? "");
  request.method = ONE_METHOD;
  return request;
}

export function showMethod(request: IncomingMessage): void {
  request.method = hidden.get(request) ?? request.method ?? "";
}

export function mount(app: FastifyInstance, url: string, { GET, POST, ALL }: Methods): void {
  const route = ALL ?? (GET === undefined ? forMethods(["POST"], POST) : forMethods(["GET", "HEAD"], GET));
  app.route<{ Params: Record<string, string> }>({
    url,
    method: ONE_METHOD,
    // In the first hook, so that the framework never looks at a body.
    onRequest: (request, reply) => route(request.raw, reply.hijack().raw, request.params),
    handler: () => undefined,
  });
}
