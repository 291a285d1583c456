/**
 * Mounts the routes of the service in a Fastify app. Each answers in its first hook, after those of
 * the app around it: Fastify neither reads a body nor writes an answer, so that an answer is the
 * same in every app.
 */
import type { FastifyInstance } from "fastify";
import type { Respond } from "./node/server.ts";
import { type Entry, routeOf, type RouteTable } from "./routes/table.ts";

interface Mounted {
  readonly table: RouteTable;
  readonly respond: Respond;
  /** The methods of a path that the app passes on; it refuses the others itself. */
  readonly methodsOf: (entry: Entry) => string[];
}

export function mountRoutes(app: FastifyInstance, { table, respond, methodsOf }: Mounted): void {
  // Only node/request.ts reads bodies.
  app.removeAllContentTypeParsers();
  for (const entry of table.entries) {
    app.route<{ Params: Record<string, string> }>({
      // A pattern, so that a code can contain any character but cannot be empty.
      url: entry.path.replace(/:code$/, ":code(^[^]+)"),
      method: methodsOf(entry),
      exposeHeadRoute: false,
      onRequest({ raw, params }, reply) {
        const route = routeOf(entry, raw.method ?? "") ?? table.refuse(raw.url ?? "");
        respond({ route, parameters: params }, raw, reply.hijack().raw);
      },
      handler: () => undefined,
    });
  }
}
