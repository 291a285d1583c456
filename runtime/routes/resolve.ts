/**
 * `POST /api/v1/resolve`: a body in, a resolution out. Source: contract §4.1; rulings O-28, O-29,
 * O-56.
 */
import { RESOLVE_BODY_MAX_BYTES } from "../contract/limits.ts";
import { answerResolve } from "../registry/answer.ts";
import { untilHeld } from "../registry/block-source.ts";
import type { RegistryIndex } from "../registry/index.ts";
import { answerProblem, answerText } from "./answer.ts";
import { type Limiter, refuseCoding, refuseUnread } from "./limiter.ts";
import type { Route } from "./route.ts";

export function resolveRoute(index: RegistryIndex, takeToken: Limiter): Route {
  return async (request) => {
    const refused = refuseUnread(request, takeToken) ?? refuseCoding(request);
    if (refused !== undefined) return refused;
    const body = await request.readBody(RESOLVE_BODY_MAX_BYTES);
    if ("status" in body) return { ...answerProblem(request, body), leavesBody: true };
    const answer = await untilHeld(() => answerResolve(index, body));
    return answer.ok ? answerText(`${answer.envelope}\n`) : answerProblem(request, answer.problem);
  };
}
