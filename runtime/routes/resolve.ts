/**
 * `POST /api/v1/resolve`: a body in, a resolution out. Source: contract §4.1; rulings O-28, O-29,
 * O-56; RFC 9110 §15.5.16.
 */
import { RESOLVE_BODY_MAX_BYTES } from "../contract/limits.ts";
import { problem } from "../contract/problem.ts";
import { hasContentCoding } from "../http/media-type.ts";
import { answerResolve } from "../registry/answer.ts";
import { untilHeld } from "../registry/block-source.ts";
import type { RegistryIndex } from "../registry/index.ts";
import { answerProblem, answerText } from "./answer.ts";
import { type Limiter, refuseUnread } from "./limiter.ts";
import type { Route } from "./route.ts";

export function resolveRoute(index: RegistryIndex, takeToken: Limiter): Route {
  return async (request) => {
    const refused = refuseUnread(request, takeToken);
    if (refused !== undefined) return refused;
    if (hasContentCoding(request.field("content-encoding")))
      return answerProblem(request, encoded, ["Accept-Encoding", "identity"]);
    const body = await request.readBody(RESOLVE_BODY_MAX_BYTES);
    if ("status" in body) return { ...answerProblem(request, body), leavesBody: true };
    const answer = await untilHeld(() => answerResolve(index, body));
    return answer.ok ? answerText(`${answer.envelope}\n`) : answerProblem(request, answer.problem);
  };
}

const encoded = problem("unsupported_media_type", "The request body must be sent without a content coding");
