/** Refusals on a connection, where node:http has no request that a route could answer. Source: RFC 9112 §2.2, §3.2; O-60. */
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type ProblemCode, problem } from "../contract/problem.ts";
import { targetOf } from "../http/target.ts";
import { answerProblem } from "../routes/answer.ts";
import { formatLastAnswer } from "./writer.ts";

/** The newest response of a connection. */
const latest = new WeakMap<Socket, ServerResponse>();

/** Remembers the response; of each connection the newest. */
export function rememberResponse(socket: Socket, response: ServerResponse): void {
  latest.set(socket, response);
}

/** Refuses what never became a request (bad syntax, too many fields, too slow), after the answers that are still due. */
export function refuseConnection(error: { readonly code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
  // Node keeps the response being written on its socket; its own handler looks there too.
  const { _httpMessage: due } = socket as Socket & { _httpMessage?: ServerResponse | null };
  // Is the fault in a later request, or in the body of the one that waits for its answer?
  if (due?.req.complete === true) return void due.on("close", () => setImmediate(refuseConnection, error, socket));
  // A request whose body nobody waited for has its answer; it gets no second one.
  const answered = due ?? latest.get(socket);
  if (answered?.writableEnded === true && !answered.req.complete) return socket.destroySoon();
  if (due?.headersSent === true) return void socket.destroy();
  // What node:http read last, and how much of it before the error; Fastify's type of it is another.
  const { rawPacket, bytesParsed } = error as { rawPacket?: Uint8Array; bytesParsed?: number };
  const target = due?.req.url ?? targetOf(rawPacket?.subarray(0, bytesParsed)) ?? "";
  const refusal = problem(PROBLEMS[error.code ?? ""] ?? "invalid_http");
  socket.end(formatLastAnswer(answerProblem({ target }, refusal)));
}

const PROBLEMS: Readonly<Record<string, ProblemCode>> = {
  HPE_HEADER_OVERFLOW: "header_fields_too_large",
  ERR_HTTP_REQUEST_TIMEOUT: "request_timeout",
};
