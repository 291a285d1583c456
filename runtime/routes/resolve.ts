/** `POST /api/v1/resolve` on the wire: body in, prebuilt bytes out. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { RESOLVE_BODY_MAX_BYTES } from "../limits.ts";
import type { RegistryIndex } from "../registry-index.ts";
import { sendAnswer, sendProblem } from "../reply.ts";
import { readJsonBody } from "../request-body.ts";
import { answerResolve } from "../resolve-answer.ts";

export function resolveRoute(index: RegistryIndex, fail: (reply: FastifyReply, error: unknown) => void) {
  return (request: FastifyRequest, reply: FastifyReply): void => {
    readJsonBody(request.raw, RESOLVE_BODY_MAX_BYTES, (body) => {
      // An unread rest of the body must not be taken for the next request.
      if ("status" in body) return sendProblem(reply, body, request.raw.complete ? {} : { connection: "close" });
      try {
        const answer = answerResolve(index, body);
        if (answer.ok) sendAnswer(reply, answer.body);
        else sendProblem(reply, answer.problem);
      } catch (error) {
        fail(reply, error);
      }
    });
  };
}
