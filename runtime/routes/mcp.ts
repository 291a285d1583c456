/**
 * `POST /mcp`: checks the sender, reads the body and sends one JSON-RPC response. runtime/mcp/
 * interprets the message.
 * Source: MCP 2026-07-28, Streamable HTTP; rulings O-28, O-50, O-54 to O-56, O-60.
 */
import { MCP_BODY_MAX_BYTES } from "../contract/limits.ts";
import { paths } from "../contract/paths.ts";
import { problem } from "../contract/problem.ts";
import { isLoopbackAddress, refuseCaller } from "../http/caller.ts";
import { hasContentCoding } from "../http/media-type.ts";
import { authorityOf } from "../http/target.ts";
import { formatError, fromProblem, mcpError } from "../mcp/error.ts";
import { makeMethods } from "../mcp/methods.ts";
import { type MessageFields, readMessage } from "../mcp/request.ts";
import { formatResult } from "../mcp/result.ts";
import { untilHeld } from "../registry/block-source.ts";
import type { Served } from "../release/served.ts";
import { answerMessage, answerProblem, problemOf, retryFields } from "./answer.ts";
import { type Limiter, refuseUnread } from "./limiter.ts";
import type { Request, Route } from "./route.ts";

export interface McpOptions {
  readonly onError: (error: unknown) => void;
  readonly takeToken: Limiter;
}

/** Refuses a forbidden sender before anything else, then every HTTP method but POST. */
export function mcpGate(origin: string, post: Route): Route {
  return (request) => {
    const forbidden = refuseCaller(callerOf(request), origin);
    if (forbidden !== undefined) return answerMessage(formatError(null, mcpError("forbidden", forbidden)));
    if (request.method === "POST") return post(request);
    return answerProblem(request, problem("method_not_allowed"), ["Allow", "POST"]);
  };
}

/** Answers POST from a sender that the gate let pass. */
export function mcpRoute(release: Served, { onError, takeToken }: McpOptions): Route {
  const methods = makeMethods(release);
  const guide = release.manifest.origin + paths.mcpGuide;
  return async (request) => {
    const refused = refuseUnread(request, takeToken);
    if (refused !== undefined) return refused;
    const body = await request.readBody(MCP_BODY_MAX_BYTES);
    if ("status" in body) return { ...answerProblem(request, body), leavesBody: true };
    if (hasContentCoding(request.field("content-encoding"))) return answerMessage(formatError(null, coded));

    const message = readMessage(body, { fields: fieldsOf(request), guide });
    if (!message.ok) return answerMessage(formatError(message.id, message.error));
    const { id, method, params } = message;
    try {
      const answer = await untilHeld(() => methods[method](params));
      return answerMessage(answer.ok ? formatResult(id, answer.result) : formatError(id, answer.error));
    } catch (error) {
      onError(error);
      const [refusal, retry] = [problemOf(error), retryFields(error)];
      const answer = formatError(id, fromProblem(refusal));
      return answerMessage(retry.length > 0 ? { ...answer, status: refusal.status } : answer, retry);
    }
  };
}

const coded = mcpError("parse_error", "The body cannot be parsed: it has a content coding");

function callerOf(request: Request) {
  return {
    authority: authorityOf(request.target) ?? request.field("host"),
    origin: request.field("origin"),
    overLoopback: isLoopbackAddress(request.connection.localAddress),
  };
}

/** A repeated field arrives joined, so it matches nothing. */
function fieldsOf(request: Request): MessageFields {
  return {
    version: request.field("mcp-protocol-version"),
    method: request.field("mcp-method"),
    name: request.field("mcp-name"),
  };
}
