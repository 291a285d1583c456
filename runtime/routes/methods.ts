/** A path and its methods: HEAD goes with GET, OPTIONS tells, and every other method is refused with Allow (O-60). */
import { problem } from "../contract/problem.ts";
import { sendOptions, sendProblem } from "./reply.ts";
import type { Route } from "./route.ts";

/** A route that answers its own faults. */
export type GuardedRoute = (...args: Parameters<Route>) => void;

export interface Methods {
  readonly GET?: GuardedRoute;
  readonly POST?: GuardedRoute;
  /** A route that answers every method itself. */
  readonly ALL?: GuardedRoute;
}

/** The route for the methods it accepts, OPTIONS, and the refusal of all others. */
export function forMethods(accepted: readonly string[], route: GuardedRoute | undefined): GuardedRoute {
  const allow = [...accepted, "OPTIONS"].join(", ");
  return (request, response, parameters) => {
    const { method = "" } = request;
    if (accepted.includes(method)) route?.(request, response, parameters);
    else if (method === "OPTIONS") sendOptions(response, allow);
    else sendProblem(response, problem("method_not_allowed"), ["Allow", allow]);
  };
}
