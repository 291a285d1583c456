/** A path and its methods: HEAD goes with GET, OPTIONS tells, and every other method is refused with Allow (O-60). */
import type { FastifyInstance } from "fastify";
import { problem } from "../problem.ts";
import { sendOptions, sendProblem } from "../reply.ts";
import type { Route } from "./route.ts";

/** A route that answers its own faults. */
export type GuardedRoute = (...args: Parameters<Route>) => void;

export interface Methods {
  readonly GET?: GuardedRoute;
  readonly POST?: GuardedRoute;
  /** A route that answers every method itself. */
  readonly ALL?: GuardedRoute;
}

export function mount(app: FastifyInstance, url: string, { GET, POST, ALL }: Methods): void {
  if (ALL !== undefined) return answer(app, { url, method: app.supportedMethods }, ALL);
  const accepted = GET === undefined ? ["POST"] : ["GET", "HEAD"];
  answer(app, { url, method: accepted }, GET ?? POST);
  mountOthers(app, url, accepted);
}

/** OPTIONS, and the refusal of what a path does not accept. */
export function mountOthers(app: FastifyInstance, url: string, accepted: readonly string[]): void {
  const allow = [...accepted, "OPTIONS"].join(", ");
  const others = app.supportedMethods.filter((method) => method !== "OPTIONS" && !accepted.includes(method));
  answer(app, { url, method: ["OPTIONS"] }, (_request, response) => sendOptions(response, allow));
  answer(app, { url, method: others }, (_request, response) =>
    sendProblem(response, problem("method_not_allowed"), ["Allow", allow]),
  );
}

function answer(
  app: FastifyInstance,
  where: { readonly url: string; readonly method: string[] },
  route: GuardedRoute | undefined,
): void {
  app.route<{ Params: Record<string, string> }>({
    ...where,
    // In the first hook, so that the framework never looks at a body.
    onRequest: (request, reply) => route?.(request.raw, reply.hijack().raw, request.params),
    handler: () => undefined,
  });
}
