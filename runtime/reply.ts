/**
 * The one place that writes response fields. Bodies are bytes made elsewhere; nothing here looks into them.
 * Source: contract §4.5 common rules; rulings O-11, O-45, O-54, O-55, O-60, O-62.
 */
import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { isNotModified } from "./conditional.ts";
import { formatEntityTag, formatReprDigest } from "./digest.ts";
import { policies, type PolicyName } from "./policy.ts";
import { formatProblem, type Problem } from "./problem.ts";

/** Sent with every reply: public, read-only, credential-free. */
const COMMON = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "ETag, Repr-Digest, X-Content-SHA256, Content-Location",
  "x-content-type-options": "nosniff",
} as const;

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

const answerFields = fieldsOf("answer");

/** Sends a computed answer that must not be stored: the hot path, with nothing but fixed fields. */
export function sendAnswer(reply: FastifyReply, body: Uint8Array): void {
  void reply.code(200).headers(answerFields).send(bufferOf(body));
}

/** Sends a refusal in the contract's ErrorEnvelope. */
export function sendProblem(reply: FastifyReply, problem: Problem, fields: Record<string, string> = {}): void {
  const body = formatProblem(problem);
  void reply.code(problem.status).headers({ ...answerFields, ...fields, "content-length": body.length });
  void reply.send(reply.request.method === "HEAD" ? undefined : bufferOf(body));
}

/** Sends the one failure body without an envelope (T-04). */
export function sendConceptNotFound(reply: FastifyReply): void {
  void reply.code(404).headers({ ...answerFields, "content-length": CONCEPT_NOT_FOUND.length });
  void reply.send(reply.request.method === "HEAD" ? undefined : CONCEPT_NOT_FOUND);
}

const CONCEPT_NOT_FOUND = Buffer.from('{"error":"concept_not_found"}\n');

/** Sends a representation to GET or HEAD; with validators it answers 304 to a matching precondition. */
export function sendRepresentation(
  request: FastifyRequest,
  reply: FastifyReply,
  { policy, body, validators }: { policy: PolicyName; body: Uint8Array | LongBody; validators?: Validators },
): void {
  const { "content-type": contentType, ...fields } = fieldsOf(policy);
  const kept = { ...fields, ...formatValidators(validators) };
  if (validators !== undefined && isNotModified(request.headers["if-none-match"], formatEntityTag(validators.sha256))) {
    void reply.code(304).headers(kept).send();
    return;
  }
  void reply.code(200).headers({ ...kept, "content-type": contentType, "content-length": body.length });
  if (request.method === "HEAD") void reply.send();
  else
    void reply.send(body instanceof Uint8Array ? bufferOf(body) : Readable.from(body.pieces(), { objectMode: false }));
}

/** Answers OPTIONS, for browsers on other origins and for people who ask what a path accepts. */
export function sendOptions(reply: FastifyReply, allow: string): void {
  void reply
    .code(204)
    .headers({
      ...COMMON,
      allow,
      "access-control-allow-methods": allow,
      "access-control-allow-headers": "Content-Type, If-None-Match",
      "access-control-max-age": "86400",
    })
    .send();
}

function fieldsOf(policy: PolicyName): typeof COMMON & { "content-type": string; "cache-control": string } {
  const { mediaType, cacheControl } = policies[policy];
  return { ...COMMON, "content-type": mediaType, "cache-control": cacheControl };
}

function formatValidators(validators: Validators | undefined): Record<string, string> {
  if (validators === undefined) return {};
  const { contentLocation, sha256 } = validators;
  return {
    "content-location": contentLocation,
    etag: formatEntityTag(sha256),
    "repr-digest": formatReprDigest(sha256),
    "x-content-sha256": sha256,
  };
}

/** Fastify sends a Buffer as it is; this is a view, not a copy. */
function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
