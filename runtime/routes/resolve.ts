/** `POST /api/v1/resolve` on the wire: body in, prebuilt bytes out. */
import type { IncomingMessage } from "node:http";
import { RESOLVE_BODY_MAX_BYTES } from "../contract/limits.ts";
import { problem } from "../contract/problem.ts";
import type { RegistryIndex } from "../registry/index.ts";
import { sendAnswer, sendProblem } from "./reply.ts";
import { readJsonBody } from "./request-body.ts";
import { answerResolve } from "../registry/answer.ts";
import type { Route } from "./route.ts";

/** `takeToken` gives the seconds until the client may send more, 0 for now. */
export function resolveRoute(index: RegistryIndex, takeToken: (request: IncomingMessage) => number): Route {
  return async (request, response) => {
    const seconds = takeToken(request);
    if (seconds > 0) {
      sendProblem(response, problem("rate_limited"), ["Retry-After", String(seconds)]);
      return;
    }
    const body = await readJsonBody(request, RESOLVE_BODY_MAX_BYTES);
    if ("status" in body) {
      // An unread rest of the body must not be taken for the next request.
      sendProblem(response, body, request.complete ? [] : ["Connection", "close"]);
      return;
    }
    const answer = answerResolve(index, body);
    if (answer.ok) sendAnswer(response, `${answer.envelope}\n`);
    else sendProblem(response, answer.problem);
  };
}
