/**
 * The only writer to node:http. A framework's reply object would add a tenth to the cost of a small
 * answer (bench/, decision 003).
 */
import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { eachHeld } from "../registry/block-source.ts";
import { isLong } from "../routes/answer.ts";
import type { Answer, Body, LongBody } from "../routes/route.ts";
import { http } from "./http.ts";
import { awaitsContinue } from "./request.ts";
import { TIME_LIMITS, type TimeLimits } from "./time-limits.ts";

/** Sees every answer when it is handed to its connection, with the time it took. */
export interface Observer {
  /** Seconds of a monotonic clock. */
  now(): number;
  /** `path` is the route's, or `other` if no route accepts the request. */
  answered(path: string, answer: Answer, seconds: number): void;
}

/** Writes an answer. A long body returns a promise, which rejects if the body cannot be read. */
export function writeAnswer(
  response: ServerResponse,
  { status, fields, body, leavesBody }: Answer,
  limits = TIME_LIMITS,
): void | Promise<void> {
  // If the client waits for 100, node:http closes the connection.
  const closing = leavesBody === true && !response.req.complete ? ["Connection", "close"] : [];
  if (body === undefined) return void response.writeHead(status, [...fields, ...closing]).end();
  response.writeHead(status, [...fields, ...closing, ...framing(response, body)]);
  if (isLong(body)) return writeLong(response, body);
  if (closing.length > 0 && !awaitsContinue(response.req)) return endAfterRequest(response, body, limits);
  if (typeof body === "string" || body instanceof Uint8Array) return void response.end(body);
  // node:http sends only the fields to HEAD.
  for (let i = 0; i + 1 < body.length; i++) response.write(body[i]);
  response.end(body.at(-1));
}

/**
 * RFC 9112 §9.6: to close the connection now would reset it, and a client or proxy that still sends
 * would lose the answer. Only our half is closed, and the rest of the body is read and dropped.
 */
function endAfterRequest(response: ServerResponse, body: Exclude<Body, LongBody>, { requestMs }: TimeLimits): void {
  const { socket } = response.req;
  const parts = typeof body === "string" || body instanceof Uint8Array ? [body] : body;
  response.write(Buffer.concat(parts.map((part) => Buffer.from(part as string))), () => socket.end());
  response.req.on("end", () => socket.destroySoon()).resume();
  setTimeout(() => socket.destroy(), requestMs).unref();
}

/** An answer as bytes, for a connection that had no complete request; the connection then ends. */
export function formatLastAnswer(method: string, { status, fields, body = "" }: Answer): Uint8Array {
  if (isLong(body)) throw new TypeError("A refusal is short");
  const parts = typeof body === "string" || body instanceof Uint8Array ? [body] : body;
  const own = ["Date", new Date().toUTCString(), "Content-Length", String(lengthOf(body)), "Connection", "close"];
  const all = [...fields, ...own];
  const lines = all.flatMap((name, i) => (i % 2 === 0 ? [`${name}: ${all[i + 1] ?? ""}\r\n`] : []));
  const head = `HTTP/1.1 ${status} ${http.STATUS_CODES[status] ?? ""}\r\n${lines.join("")}\r\n`;
  const sent = method === "HEAD" ? [head] : [head, ...parts];
  return Buffer.concat(sent.map((part) => Buffer.from(part as string)));
}

/** How the client finds the end of a body (RFC 9112 §6.3); HEAD has the fields of GET. */
function framing(response: ServerResponse, body: Body): readonly string[] {
  const length = lengthOf(body);
  if (length !== undefined) return ["Content-Length", String(length)];
  if (response.req.httpVersion === "1.1") return ["Transfer-Encoding", "chunked"];
  // HTTP/1.0 has no chunks (§6.1), though node:http sends them to a client that has TE; the end of
  // the connection ends the body.
  response.useChunkedEncodingByDefault = false;
  return [];
}

function lengthOf(body: Body): number | undefined {
  if (typeof body === "string") return Buffer.byteLength(body);
  if (body instanceof Uint8Array || isLong(body)) return body.length;
  return body.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
}

async function writeLong(response: ServerResponse, body: LongBody): Promise<void> {
  if (response.req.method === "HEAD") return void response.end();
  try {
    await pipeline(Readable.from(eachHeld(body.pieces()), { objectMode: false }), response);
  } catch (error) {
    // A peer that goes away is not an error.
    if ((error as NodeJS.ErrnoException).code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
  }
}
