/**
 * `POST /mcp` on the wire: who may send, body in, one JSON-RPC response out. What a message means is runtime/mcp/.
 * Source: MCP 2026-07-28, Streamable HTTP; rulings O-28, O-50, O-54 to O-56, O-60.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { isLoopbackAddress, refuseCaller } from "../http/caller.ts";
import { MCP_BODY_MAX_BYTES } from "../contract/limits.ts";
import { fromProblem, type McpError, mcpError } from "../mcp/error.ts";
import { makeMethods } from "../mcp/methods.ts";
import { type MessageFields, readMessage } from "../mcp/request.ts";
import { formatError, formatResult } from "../mcp/response.ts";
import { isJsonContentType } from "../http/media-type.ts";
import { problem } from "../contract/problem.ts";
import type { Release } from "../release/release.ts";
import { sendMessage } from "./reply.ts";
import type { Fields } from "../http/representation.ts";
import { hasContentCoding, readBody } from "./request-body.ts";
import { authorityOf } from "../http/target.ts";
import { problemOf } from "./fault.ts";
import type { Route } from "./route.ts";

export interface McpOptions {
  readonly onFault: (error: unknown) => void;
  /** The seconds until the client may send more, 0 for now. */
  readonly takeToken: (request: IncomingMessage) => number;
}

/** Answers every method of the path: who may not send at all is told so first. */
export function mcpRoute(release: Release, { onFault, takeToken }: McpOptions): Route {
  const methods = makeMethods(release);
  const { origin } = release.manifest;
  return async (request, response) => {
    const refused = refuseCaller(callerOf(request), origin);
    if (refused !== undefined) return refuse(response, mcpError("forbidden", refused));
    if (request.method !== "POST")
      return refuse(response, fromProblem(problem("method_not_allowed")), ["Allow", "POST"]);
    const seconds = takeToken(request);
    if (seconds > 0) return refuse(response, fromProblem(problem("rate_limited")), ["Retry-After", String(seconds)]);
    if (!isJsonContentType(request.headers["content-type"]))
      return refuse(response, fromProblem(problem("unsupported_media_type")));
    const body = await readBody(request, MCP_BODY_MAX_BYTES);
    // An unread rest of the body must not be taken for the next request.
    if ("status" in body) return refuse(response, fromProblem(body), request.complete ? [] : ["Connection", "close"]);
    if (hasContentCoding(request))
      return refuse(response, mcpError("parse_error", "The body cannot be parsed: it has a content coding"));

    const message = readMessage(body, fieldsOf(request));
    if (!message.ok) return sendMessage(response, formatError(message.id, message.error));
    const { id, method, params } = message;
    try {
      const answer = methods[method](params);
      sendMessage(response, answer.ok ? formatResult(id, answer.result) : formatError(id, answer.error));
    } catch (error) {
      onFault(error);
      sendMessage(response, formatError(id, fromProblem(problemOf(error))));
    }
  };
}

/** Refuses a request whose message was not read. */
function refuse(response: ServerResponse, error: McpError, fields: Fields = []): void {
  sendMessage(response, formatError(null, error), fields);
}

function callerOf(request: IncomingMessage & { readonly originalUrl?: string }) {
  const { headers, socket, originalUrl, url = "" } = request;
  return {
    // Where the router has changed the target, it keeps the one that was sent.
    authority: authorityOf(originalUrl ?? url) ?? headers.host,
    origin: headers.origin,
    overLoopback: isLoopbackAddress(socket.localAddress),
  };
}

function fieldsOf({ headers }: IncomingMessage): MessageFields {
  return {
    version: fieldOf(headers["mcp-protocol-version"]),
    method: fieldOf(headers["mcp-method"]),
    name: fieldOf(headers["mcp-name"]),
  };
}

/** node:http joins a field that is sent twice, so that it matches nothing. */
function fieldOf(value: string | string[] | undefined): string | undefined {
  return typeof value === "string" ? value : value?.join(", ");
}
