/**
 * Refusals on a connection, when node:http has no request that a route could answer. Source: RFC
 * 9112 §2.2, §3.2; O-60.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type ProblemCode, problem } from "../contract/problem.ts";
import { readRequestLine, readTargetAfter } from "../http/target.ts";
import { answerProblem } from "../routes/answer.ts";
import { TIME_LIMITS, type TimeLimits } from "./time-limits.ts";
import { formatLastAnswer } from "./writer.ts";

/** The newest response of a connection. */
const latest = new WeakMap<Socket, ServerResponse>();

/** Remembers a response as the newest of its connection. */
export function rememberResponse(socket: Socket, response: ServerResponse): void {
  latest.set(socket, response);
}

/** Undefined if there was no request yet. */
export function newestResponse(socket: Socket): ServerResponse | undefined {
  return latest.get(socket);
}

/**
 * Refuses input that never became a request (bad syntax, too many fields, too slow), after the
 * answers that are still due.
 */
export function refuseConnection(error: { readonly code?: string }, socket: Socket, limits = TIME_LIMITS): void {
  if (error.code === "ECONNRESET") return void socket.destroy();
  // The last answer is on its way. Closing now would reset the connection, and the client could
  // lose the part it has not read yet (RFC 9112 §9.6). Further input is read and dropped instead.
  if (!socket.writable) return void socket.resume();
  const refuse = (requested?: Requested): void => {
    if (socket.writable) endInTime(socket, limits, formatRefusal(error, requested));
  };
  // The connection must not stay open, whatever node:http still does with it.
  socket.setTimeout(limits.stallMs, () => socket.destroy());
  // Node keeps the response that is being written in this property, and its own handler reads it
  // too.
  const { _httpMessage: due } = socket as Socket & { _httpMessage?: ServerResponse | null };
  // A request that was read completely is not at fault: its answer goes first, then the refusal.
  const newest = newestResponse(socket);
  if (due?.req.complete === true) {
    // Prepended, because after the last answer node:http ends the connection of a client that has
    // closed its half.
    if (newest?.req.complete === true) {
      if (!isLast(newest)) newest.prependOnceListener("finish", () => refuse());
    } else due.on("close", () => setImmediate(refuseConnection, error, socket, limits));
    return;
  }
  // A request that was answered before its body was read gets no second answer.
  const answered = due ?? newest;
  if (answered?.writableEnded === true && !answered.req.complete) return endInTime(socket, limits);
  if (due?.headersSent === true) return void socket.destroy();
  refuse(due?.req);
}

/** Whether node:http ends the connection after this response. */
function isLast(response: ServerResponse): boolean {
  const { _last: endsConnection } = response as ServerResponse & { _last?: boolean };
  return endsConnection === true || !response.shouldKeepAlive;
}

type Requested = Pick<IncomingMessage, "method" | "url">;

function formatRefusal(error: { readonly code?: string }, requested: Requested = requestedBy(error)): Uint8Array {
  const { method = "", url = "" } = requested;
  const refusal = problem(PROBLEMS[error.code ?? ""] ?? "invalid_http");
  return formatLastAnswer(method, answerProblem({ target: url }, refusal));
}

/**
 * Closes our half once everything is sent. The other half stays open for a time, so that the client
 * can read the answer (RFC 9112 §9.6), but no longer, even if the client sends on.
 */
function endInTime(socket: Socket, { requestMs }: TimeLimits, last: Uint8Array | string = ""): void {
  socket.end(last, () => {
    const limit = setTimeout(() => socket.destroy(), requestMs).unref();
    socket.once("close", () => clearTimeout(limit));
  });
}

/** The request that failed, as far as the last packet shows it. */
function requestedBy(error: { readonly code?: string }): Requested {
  // The bytes that node:http read last, and how many of them it parsed before the error. Fastify's
  // type lacks both.
  const { rawPacket = new Uint8Array(), bytesParsed = 0 } = error as { rawPacket?: Uint8Array; bytesParsed?: number };
  if (error.code === "HPE_INVALID_METHOD") return { url: readTargetAfter(rawPacket, bytesParsed) };
  return readRequestLine(rawPacket.subarray(0, bytesParsed));
}

const PROBLEMS: Readonly<Record<string, ProblemCode>> = {
  HPE_HEADER_OVERFLOW: "header_fields_too_large",
  ERR_HTTP_REQUEST_TIMEOUT: "request_timeout",
};
