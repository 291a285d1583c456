/**
 * The one place that writes responses. Bodies are bytes made elsewhere; nothing here looks into them. It writes to
 * node:http directly: a framework's reply object costs a tenth of a small answer (bench/, decisions/).
 * Source: contract §4.5 common rules; rulings O-11, O-45, O-54, O-55, O-60, O-62.
 */
import { type ServerResponse, STATUS_CODES } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { isNotModified } from "./conditional.ts";
import type { ConceptNotFound } from "./contract/concept.ts";
import { formatEntityTag, formatReprDigest } from "./digest.ts";
import { policies, type PolicyName } from "./policy.ts";
import { formatProblem, type Problem } from "./problem.ts";

/** Field lines as node:http takes them: name, value, name, value. */
type Fields = readonly string[];

/** Sent with every reply: public, read-only, credential-free. */
const COMMON: Fields = [
  "Access-Control-Allow-Origin",
  "*",
  "Access-Control-Expose-Headers",
  "ETag, Repr-Digest, X-Content-SHA256, Content-Location",
  "X-Content-Type-Options",
  "nosniff",
];

/** What a representation is known by: its URI and the lowercase hex SHA-256 of its bytes. */
export interface Validators {
  readonly contentLocation: string;
  readonly sha256: string;
}

/** A body that is too large to hold: its length in bytes and its pieces. */
export interface LongBody {
  readonly length: number;
  pieces(): Iterable<Uint8Array>;
}

const answerFields: Fields = [...COMMON, ...policyFields("answer"), "Content-Type", policies.answer.mediaType];

/** Sends a computed answer that must not be stored. */
export function sendAnswer(response: ServerResponse, body: Uint8Array): void {
  write(response, { status: 200, fields: answerFields, body });
}

/** Sends a refusal in the contract's ErrorEnvelope. */
export function sendProblem(response: ServerResponse, problem: Problem, fields: Fields = []): void {
  write(response, { status: problem.status, fields: [...answerFields, ...fields], body: formatProblem(problem) });
}

/** The same refusal as bytes, for a connection on which no request was understood; it ends the connection. */
export function formatRefusal(problem: Problem): Uint8Array {
  const body = formatProblem(problem);
  const fields = [...answerFields, "Content-Length", String(body.length), "Connection", "close"];
  const lines = fields.flatMap((name, i) => (i % 2 === 0 ? [`${name}: ${fields[i + 1] ?? ""}\r\n`] : []));
  const head = `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ""}\r\n${lines.join("")}\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}

/** Sends the one failure body without an envelope (T-04). */
export function sendConceptNotFound(response: ServerResponse): void {
  write(response, { status: 404, fields: answerFields, body: CONCEPT_NOT_FOUND });
}

const notFound: ConceptNotFound = { error: "concept_not_found" };
const CONCEPT_NOT_FOUND = Buffer.from(`${JSON.stringify(notFound)}\n`);

/**
 * Sends a representation to GET or HEAD; with validators it answers 304 to a matching precondition. A long body gives a
 * promise, which fails when its source does.
 */
export function sendRepresentation(
  response: ServerResponse,
  { policy, body, validators }: { policy: PolicyName; body: Uint8Array | LongBody; validators?: Validators },
): void | Promise<void> {
  const kept = [...COMMON, ...policyFields(policy), ...validatorFields(validators)];
  const precondition = response.req.headers["if-none-match"];
  if (validators !== undefined && isNotModified(precondition, formatEntityTag(validators.sha256))) {
    response.writeHead(304, kept).end();
    return;
  }
  const fields = [...kept, "Content-Type", policies[policy].mediaType];
  if (body instanceof Uint8Array) write(response, { status: 200, fields, body });
  else return writeLong(response, fields, body);
}

/** Answers OPTIONS, for browsers on other origins and for people who ask what a path accepts. */
export function sendOptions(response: ServerResponse, allow: string): void {
  const cors = ["Access-Control-Allow-Methods", allow, "Access-Control-Allow-Headers", "Content-Type, If-None-Match"];
  response.writeHead(204, [...COMMON, ...cors, "Access-Control-Max-Age", "86400", "Allow", allow]).end();
}

interface Answer {
  readonly status: number;
  readonly fields: Fields;
  readonly body: Uint8Array;
}

function write(response: ServerResponse, { status, fields, body }: Answer): void {
  response.writeHead(status, [...fields, "Content-Length", String(body.length)]);
  // To HEAD node:http sends the fields alone.
  response.end(body);
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

function policyFields(policy: PolicyName): Fields {
  return ["Cache-Control", policies[policy].cacheControl];
}

function validatorFields(validators: Validators | undefined): Fields {
  if (validators === undefined) return [];
  const { contentLocation, sha256 } = validators;
  return [
    "Content-Location",
    contentLocation,
    "ETag",
    formatEntityTag(sha256),
    "Repr-Digest",
    formatReprDigest(sha256),
    "X-Content-SHA256",
    sha256,
  ];
}
