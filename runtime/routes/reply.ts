/**
 * The one place that writes responses. Bodies are made elsewhere; nothing here looks into them. It writes to
 * node:http directly: a framework's reply object costs a tenth of a small answer (bench/, decisions/).
 * Source: contract §4.5 common rules; rulings O-11, O-45, O-54, O-55, O-60, O-62.
 */
import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { isNotModified, isPreconditionFailed } from "../http/conditional.ts";
import type { ConceptNotFound } from "../contract/concept.ts";
import { STATUS_CODES } from "../http.ts";
import { fromProblem } from "../mcp/error.ts";
import { formatErrorBody, type McpResponse } from "../mcp/response.ts";
import { paths } from "../contract/policy.ts";
import { formatProblem, type Problem, problem } from "../contract/problem.ts";
import {
  COMMON_FIELDS,
  type Fields,
  formatFields,
  identityFields,
  MESSAGE_FIELDS,
  type RepresentationFields,
} from "../http/representation.ts";
import { pathOf } from "../http/target.ts";

/** A body that is too large to hold: its length in bytes and its pieces. */
export interface LongBody {
  readonly length: number;
  pieces(): Iterable<Uint8Array>;
}

const answerFields = formatFields("answer", undefined).ok;

/** Sends a computed answer that must not be stored. */
export function sendAnswer(response: ServerResponse, body: string): void {
  write(response, { status: 200, fields: answerFields, body });
}

/** Sends a refusal in the form of its path: the contract's ErrorEnvelope, on `/mcp` a JSON-RPC error. */
export function sendProblem(response: ServerResponse, refusal: Problem, fields: Fields = []): void {
  const { fields: own, body } = formOf(refusal, response.req.url);
  write(response, { status: refusal.status, fields: [...own, ...fields], body });
}

/** The same refusal as bytes, for a connection on which no whole request was read; it ends the connection. */
export function formatRefusal(refusal: Problem, target: string | undefined): Uint8Array {
  const { status } = refusal;
  const { fields: own, body } = formOf(refusal, target);
  const fields = [...own, "Content-Length", String(Buffer.byteLength(body)), "Connection", "close"];
  const lines = fields.flatMap((name, i) => (i % 2 === 0 ? [`${name}: ${fields[i + 1] ?? ""}\r\n`] : []));
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines.join("")}\r\n`;
  return Buffer.from(head + body);
}

function formOf(refusal: Problem, target = ""): { fields: Fields; body: string } {
  return pathOf(target) === paths.mcp
    ? { fields: MESSAGE_FIELDS, body: formatErrorBody(null, fromProblem(refusal)) }
    : { fields: answerFields, body: formatProblem(refusal) };
}

/** Sends a JSON-RPC response. */
export function sendMessage(response: ServerResponse, { status, body }: McpResponse, fields: Fields = []): void {
  write(response, { status, fields: [...MESSAGE_FIELDS, ...fields], body });
}

/** Sends the one failure body without an envelope (T-04). */
export function sendConceptNotFound(response: ServerResponse): void {
  write(response, { status: 404, fields: answerFields, body: CONCEPT_NOT_FOUND });
}

const notFound: ConceptNotFound = { error: "concept_not_found" };
const CONCEPT_NOT_FOUND = Buffer.from(`${JSON.stringify(notFound)}\n`);

/** Refuses to represent a resource (RFC 9457); the body comes from not-acceptable.ts. */
export function sendNotAcceptable(response: ServerResponse, body: Uint8Array): void {
  write(response, { status: 406, fields: notAcceptableFields, body });
}

const notAcceptableFields = formatFields("problem", undefined, ["Vary", "Accept"]).ok;

/** Refuses to vouch for the deployment; the body comes from identity.ts. */
export function sendIdentityUnavailable(response: ServerResponse, body: string): void {
  write(response, { status: 503, fields: identityUnavailableFields, body });
}

const identityUnavailableFields = formatFields("answer", undefined, identityFields("unavailable")).ok;

/** Sends a page that says that nothing is there. */
export function sendMissingPage(response: ServerResponse, fields: Fields, body: Uint8Array): void {
  write(response, { status: 404, fields, body });
}

/**
 * Sends a representation to GET or HEAD, or what a precondition asks for: 412, or 304 (RFC 9110 §13.2.2). A long body gives a
 * promise, which fails when its source does.
 */
export function sendRepresentation(
  response: ServerResponse,
  { ok, notModified, entityTag = "", reusable }: RepresentationFields,
  body: Uint8Array | LongBody,
): void | Promise<void> {
  const { "if-match": ifMatch, "if-none-match": ifNoneMatch } = response.req.headers;
  if (isPreconditionFailed(ifMatch, entityTag)) sendProblem(response, problem("precondition_failed"));
  else if (reusable && isNotModified(ifNoneMatch, entityTag)) {
    response.writeHead(304, notModified as string[]).end();
  } else if (body instanceof Uint8Array) write(response, { status: 200, fields: ok, body });
  else return writeLong(response, ok, body);
}

/** Answers OPTIONS, for browsers on other origins and for people who ask what a path accepts. */
export function sendOptions(response: ServerResponse, allow: string): void {
  const cors = [
    "Access-Control-Allow-Methods",
    allow,
    "Access-Control-Allow-Headers",
    "Content-Type, If-Match, If-None-Match",
  ];
  response.writeHead(204, [...COMMON_FIELDS, ...cors, "Access-Control-Max-Age", "86400", "Allow", allow]).end();
}

interface Answer {
  readonly status: number;
  readonly fields: Fields;
  /** One text goes out together with its head, in one write. */
  readonly body: Uint8Array | string | readonly (Uint8Array | string)[];
}

function write(response: ServerResponse, { status, fields, body }: Answer): void {
  const parts = typeof body === "string" || body instanceof Uint8Array ? [body] : body;
  let length = 0;
  for (const part of parts) length += Buffer.byteLength(part);
  response.writeHead(status, [...fields, "Content-Length", String(length)]);
  for (let i = 0; i + 1 < parts.length; i++) response.write(parts[i]);
  // To HEAD node:http sends the fields alone.
  response.end(parts.at(-1));
}

async function writeLong(response: ServerResponse, fields: Fields, body: LongBody): Promise<void> {
  response.writeHead(200, [...fields, "Content-Length", String(body.length)]);
  if (response.req.method === "HEAD") return void response.end();
  try {
    await pipeline(Readable.from(body.pieces(), { objectMode: false }), response);
  } catch (error) {
    // A peer that goes away is no fault.
    if ((error as NodeJS.ErrnoException).code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
  }
}
