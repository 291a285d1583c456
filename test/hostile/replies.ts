/**
 * Reads what a server sent on a connection as answers, without a library's leniency, and holds each
 * against the contract: status, fields, envelope, digests, no internals, and what the connection
 * may do afterwards.
 */
import { createHash } from "node:crypto";
import { problems } from "../../runtime/contract/problem.ts";
import { project } from "../support/project.ts";

export interface Answer {
  readonly status: number;
  /** By lower-case name. */
  readonly fields: ReadonlyMap<string, string>;
  readonly body: Buffer;
  /** The whole answer, for comparison: without the time and without what is new each time. */
  readonly comparable: string;
}

export type Stream = { readonly answers: readonly Answer[]; readonly fault: string | undefined };

const FIELDS = new Set(
  (
    "access-control-allow-headers access-control-allow-methods access-control-allow-origin access-control-expose-headers " +
    "access-control-max-age allow cache-control connection content-length content-location content-security-policy " +
    "content-type date etag keep-alive link referrer-policy repr-digest retry-after vary x-content-sha256 " +
    "x-content-type-options x-service-semantics-deployment-identity"
  ).split(" "),
);

/** What may answer a request, whatever it is. */
export const STATUSES = new Set([200, 204, 304, 400, 403, 404, 405, 406, 408, 412, 413, 415, 417, 431]);

/** Splits a stream into answers; an answer to HEAD ends where the next answer begins. */
export function readAnswers(stream: Buffer): Stream {
  const answers: Answer[] = [];
  for (let at = 0; at < stream.length;) {
    const end = stream.indexOf("\r\n\r\n", at) + 4;
    const text = stream.toString("latin1", at, end);
    const [line = "", ...lines] = text.slice(0, -4).split("\r\n");
    const status = Number(/^HTTP\/1\.1 ([1-5]\d\d) [\w -]*$/.exec(line)?.[1]);
    if (end < 4 || !(status > 0)) return { answers, fault: `not an answer: ${quote(stream.subarray(at, at + 200))}` };
    const fields = new Map<string, string>();
    for (const field of lines) {
      const [, name = "", value = ""] = /^([\w-]+): ([\t\x20-\x7e]*)$/.exec(field) ?? [];
      const key = name.toLowerCase();
      if (!FIELDS.has(key)) return { answers, fault: `an unexpected field: ${JSON.stringify(field.slice(0, 200))}` };
      if (fields.has(key)) return { answers, fault: `${name} is sent twice` };
      fields.set(key, value);
    }
    at = end;
    if (status < 200) continue;
    const length = bodyLength(status, fields, stream.subarray(end));
    if (typeof length === "string") return { answers, fault: length };
    const body = stream.subarray(end, end + length);
    at += length;
    answers.push({ status, fields, body, comparable: comparable(text, body) });
  }
  return { answers, fault: undefined };
}

function bodyLength(status: number, fields: ReadonlyMap<string, string>, rest: Buffer): number | string {
  const length = fields.get("content-length");
  if (status === 204 || status === 304) return length === undefined ? 0 : `${status} has a Content-Length`;
  if (length === undefined || !/^\d+$/.test(length)) return `${status} has Content-Length ${length}`;
  const isHead = rest.length === 0 || rest.toString("latin1", 0, 9) === "HTTP/1.1 ";
  if (isHead) return 0;
  return rest.length < Number(length) ? `${status} is cut: ${rest.length} of ${length} bytes` : Number(length);
}

/** A page with a nonce has another each time, and so other digests. */
function comparable(head: string, body: Buffer): string {
  const nonce = /'nonce-([\w+/=]+)'/.exec(head)?.[1];
  const text = `${head.replace(/\r\nDate: [^\r]*/i, "")}${body.toString("latin1")}`;
  if (nonce === undefined) return text;
  return text.replaceAll(nonce, "NONCE").replaceAll(/\r\n(?:ETag|Repr-Digest|X-Content-SHA256): [^\r]*/gi, "");
}

/** What never leaves the service: places, stacks, errors of the system and of the language. */
const INTERNALS =
  /\bnode:|\bnode_modules\/|\bat [\w.<>]+ \(|\.[jt]s:\d+|\/(?:root|home|tmp|var|usr|work)\/|\bE(?:NOENT|ACCES|IO|MFILE|PERM|ISDIR)\b|(?:Type|Range|Syntax|Reference|Assertion|Index|Release)Error\b|\[object |undefined\b.*\bis not\b/;
/** A longer answer is a document of the release, which may speak of such things. */
const DOCUMENT_BYTES = 5000;

const statusOf = new Map<string, number>([
  ...problems.map(({ code, status }) => [code, status] as const),
  ["deployment_identity_unavailable", 503],
]);

/** What the contract forbids in an answer to any request; undefined if nothing is wrong. */
export function faultOf({ status, fields, body }: Answer): string | undefined {
  const text = body.toString("utf8");
  const place = INTERNALS.exec([...fields].flat().join("\n")) ?? (text.length < DOCUMENT_BYTES || status >= 400 ? INTERNALS.exec(text) : null);
  if (text.includes(project)) return "tells where the program is";
  if (place !== null) return `tells an internal: ${JSON.stringify(place[0])}`;
  if (fields.get("x-content-type-options") !== "nosniff") return "lacks nosniff";
  const cache = fields.get("cache-control");
  const type = fields.get("content-type") ?? "";
  const isPage = type.startsWith("text/html");
  if (status >= 400 && cache !== (isPage ? "private, no-store" : "no-store")) return `a refusal may be stored: ${cache}`;
  if (body.length === 0) return undefined;
  if (isPage && status >= 400) return status === 404 || status === 400 ? undefined : `${status} is a page`;
  if (status >= 400) return refusalFault(status, type, text);
  if (status !== 200) return `${status} has a body`;
  if (/json/.test(type) && !/ndjson/.test(type) && jsonOf(text) === undefined) return "is not JSON";
  const digest = createHash("sha256").update(body);
  const sha256 = fields.get("x-content-sha256");
  if (sha256 === undefined) return undefined;
  const [hex, base64] = [digest.copy().digest("hex"), digest.digest("base64")];
  return hex === sha256 && fields.get("repr-digest") === `sha-256=:${base64}:` ? undefined : "has the digest of other bytes";
} // prettier-ignore

/** The four forms of a refusal. */
function refusalFault(status: number, type: string, text: string): string | undefined {
  const value = jsonOf(text);
  if (value === undefined || !text.endsWith("\n")) return `a refusal is not a line of JSON: ${text.slice(0, 200)}`;
  if (type === "application/problem+json") {
    const flags = [value["status"], value["semanticAssignment"], value["downstreamAuthorization"], value["downstreamSideEffects"]];
    return status === 406 && String(flags) === "406,false,false,0" ? undefined : "a 406 without its flags";
  }
  if (type !== "application/json") return `a refusal has the type ${type}`;
  if (value["error"] === "concept_not_found") return status === 404 ? undefined : "concept_not_found is not 404";
  const { code, message } = (value["error"] ?? {}) as { code?: unknown; message?: unknown };
  if (typeof message !== "string" || message === "" || /[\r\n]/.test(message)) return "a refusal has no message";
  if (value["jsonrpc"] === "2.0")
    return Number.isInteger(code) && "id" in value && Object.keys(value).length === 3 ? undefined : "not JSON-RPC";
  if (value["data"] !== null || Object.keys(value).length !== 2) return "not the envelope";
  return statusOf.get(String(code)) === status ? undefined : `${status} has the code ${String(code)}`;
} // prettier-ignore

function jsonOf(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

export function quote(bytes: Buffer): string {
  return JSON.stringify(bytes.toString("latin1")).replaceAll(
    /(.)\1{40,}/g,
    (run: string, one: string) => `${one}{${run.length} times}`,
  );
}
