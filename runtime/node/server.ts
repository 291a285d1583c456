/**
 * A node:http server for routes. It refuses invalid HTTP/1.1 before any route sees it, in the same
 * envelope as every other refusal. The caller decides which route a request has.
 * Source: RFC 9112 §3.2; rulings O-27, O-60.
 */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { problem, type ProblemCode } from "../contract/problem.ts";
import { answerError, answerOptions, answerProblem } from "../routes/answer.ts";
import type { Answer, Request, Route } from "../routes/route.ts";
import type { Found, RouteTable } from "../routes/table.ts";
import { refuseConnection, rememberResponse } from "./connection.ts";
import { http } from "./http.ts";
import { awaitContinue, type ClientAddress, NodeRequest, refusalOf } from "./request.ts";
import { TIME_LIMITS, type TimeLimits } from "./time-limits.ts";
import { type Observer, writeAnswer } from "./writer.ts";

export interface Answering {
  readonly onError: (error: unknown) => void;
  /** The client's address, if it is not that of the connection. */
  readonly clientAddress?: ClientAddress | undefined;
  readonly observer?: Observer | undefined;
  /** The path under which the observer counts a route. */
  readonly paths?: RouteTable["paths"];
  readonly limits?: TimeLimits;
}

export type Respond = (found: Found, message: IncomingMessage, response: ServerResponse) => void;

/**
 * Answers a request by its route. An error is reported and answered with a refusal; if the answer
 * has already begun, the connection is destroyed instead.
 */
export function responder({ onError, clientAddress, observer, paths, limits }: Answering): Respond {
  return ({ route, parameters }, message, response) => {
    const started = observer?.now() ?? 0;
    const request = new NodeRequest(message, parameters, clientAddress);
    const write = (answer: Answer): void | Promise<void> => {
      const written = writeAnswer(response, answer, limits);
      observer?.answered(paths?.get(route) ?? "other", answer, observer.now() - started);
      return written;
    };
    const fail = (error: unknown): void => {
      onError(error);
      if (response.headersSent) response.destroy();
      else void write(answerError(request, error));
    };
    const send = (answer: Answer): void => {
      try {
        write(answer)?.catch(fail);
      } catch (error) {
        fail(error);
      }
    };
    try {
      const answer = route(request);
      if (answer instanceof Promise) answer.then(send, fail);
      else send(answer);
    } catch (error) {
      fail(error);
    }
  };
}

/** Makes a server that passes valid requests to `find` and answers all others itself. */
export function makeServer(respond: Respond, find: RequestListener, limits = TIME_LIMITS): Server {
  const answer = (message: IncomingMessage, response: ServerResponse): void => {
    rememberResponse(message.socket, response);
    // node:http drops everything on the connection after a request with Upgrade.
    if (message.headers.upgrade !== undefined) response.shouldKeepAlive = false;
    const refusal = refusalOf(message);
    if (refusal !== undefined)
      return respond(alone(refusing("invalid_http", refusal, ["Connection", "close"])), message, response);
    if (message.url?.startsWith("*") === true) return respond(alone(answerAsterisk), message, response);
    // node:http accepts PRI, the first word of HTTP/2, as a method; this service does not.
    if (message.method === "PRI") return respond(alone(refusing("invalid_http")), message, response);
    find(message, response);
  };
  const server = http.createServer(
    {
      requestTimeout: limits.requestMs,
      headersTimeout: limits.headersMs,
      keepAliveTimeout: limits.keepAliveMs,
      connectionsCheckingInterval: limits.checkMs,
      // Node refuses a missing Host without a body; this service sends every refusal in the
      // envelope.
      requireHostHeader: false,
      // Otherwise node:http would keep only the first of several Content-Type fields.
      joinDuplicateHeaders: true,
    },
    answer,
  );
  // No limit: node:http would drop the fields after it, which may forbid what the others ask for.
  server.maxHeadersCount = 0;
  server.on("checkContinue", (message: IncomingMessage, response: ServerResponse) => {
    awaitContinue(message, response);
    answer(message, response);
  });
  server.on("checkExpectation", (message: IncomingMessage, response: ServerResponse) => {
    // RFC 9110 §5.6.1: a list of empty elements expects nothing.
    if (/^[ \t,]*$/.test(message.headers.expect ?? "")) return answer(message, response);
    rememberResponse(message.socket, response);
    respond(alone(refusing("expectation_failed")), message, response);
  });
  // A client that closes its sending half still gets its answers (RFC 9293 §3.6); node:http then
  // ends the connection.
  Object.assign(server, { httpAllowHalfOpen: true });
  // Without this, answers to a peer that does not read them would stay in memory.
  server.setTimeout(limits.stallMs);
  server.on("connect", (_message, socket: Socket) => refuseConnection({ code: "CONNECT" }, socket, limits));
  return server;
}

/** RFC 9112 §3.2.4: only OPTIONS may have the target `*`, which asks about the whole server. */
function answerAsterisk(request: Request): ReturnType<Route> {
  if (request.method === "OPTIONS" && request.target === "*") return answerOptions("GET, HEAD, POST, OPTIONS");
  return answerProblem(request, problem("invalid_http", "Only OPTIONS may have the target *"));
}

/** A route whose path has no parameters. */
export function alone(route: Route): Found {
  return { route, parameters: {} };
}

function refusing(code: ProblemCode, message?: string, fields?: Answer["fields"]): Route {
  return (request) => answerProblem(request, problem(code, message), fields);
}
