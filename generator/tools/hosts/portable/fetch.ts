/**
 * The service as a fetch handler (Fetch Standard: `Request` in, `Response` out), with the same
 * route table as server.ts. It uses no Node API, so it runs wherever `fetch` does. The host must
 * handle faults of HTTP/1.1 itself (framing, Host, timeouts).
 */
import type { Problem } from "../../../../runtime/contract/problem.ts";
import type { RequestField } from "../../../../runtime/http/cors.ts";
import { eachHeld } from "../../../../runtime/registry/block-source.ts";
import type { Identity } from "../../../../runtime/release/identity.ts";
import type { Served } from "../../../../runtime/release/served.ts";
import { answerError, bodyTooLarge, isLong } from "../../../../runtime/routes/answer.ts";
import type { Answer, Body, LongBody, Request as RouteRequest } from "../../../../runtime/routes/route.ts";
import type { RouteTable } from "../../../../runtime/routes/table.ts";
import { type ServiceOptions, serviceTable } from "../../../../runtime/service.ts";
import { concat, readAtMost, toHex } from "../../../../runtime/text/bytes.ts";

export type FetchOptions = Partial<Omit<ServiceOptions, "sha256">>;

export type FetchHandler = (request: Request) => Promise<Response>;

/** Creates the handler of a release. Without `identity` the deployment identity is unavailable. */
export function createFetchHandler(release: Served, options: FetchOptions = {}): FetchHandler {
  const { onError = () => undefined } = options;
  const table = serviceTable(release, { nonce, identity: unproven, ...options, onError, sha256 });
  return fetchHandler((method, target) => table.find(method, target), onError);
}

/** Makes a handler of any routes. */
export function fetchHandler(find: RouteTable["find"], onError: ServiceOptions["onError"]): FetchHandler {
  return async (message) => {
    const { route, parameters } = find(message.method, message.url);
    const request = new FetchRequest(message, parameters);
    let answer: Answer;
    try {
      answer = await route(request);
    } catch (error) {
      onError(error);
      answer = answerError(request, error);
    }
    return toResponse(answer, message.method);
  };
}

class FetchRequest implements RouteRequest {
  readonly #message: Request;
  readonly method: string;
  readonly target: string;
  readonly parameters: RouteRequest["parameters"];
  /** A Request does not say who sent it. */
  readonly connection = {};

  constructor(message: Request, parameters: RouteRequest["parameters"]) {
    this.#message = message;
    this.method = message.method;
    this.target = message.url;
    this.parameters = parameters;
  }

  field(name: RequestField): string | undefined {
    return this.#message.headers.get(name) ?? undefined;
  }

  async readBody(maxBytes: number): Promise<Uint8Array | Problem> {
    if (Number(this.#message.headers.get("content-length") ?? 0) > maxBytes) return bodyTooLarge(maxBytes);
    return (await readAtMost(this.#message.body, maxBytes)) ?? bodyTooLarge(maxBytes);
  }
}

/** HEAD gets the length of the body that GET would get (RFC 9110 §9.3.2). */
function toResponse({ status, fields, body }: Answer, method: string): Response {
  // A record, because a host with its own Response class then needs no Headers.
  const headers: Record<string, string> = {};
  for (let i = 0; i < fields.length; i += 2) {
    const [name = "", value = ""] = [fields[i], fields[i + 1]];
    headers[name] = name in headers ? `${headers[name]}, ${value}` : value;
  }
  if (body === undefined) return new Response(null, { status, headers });
  const content = isLong(body) ? body : toBytes(body);
  if (content.length !== undefined) headers["Content-Length"] = String(content.length);
  if (method === "HEAD") return new Response(null, { status, headers });
  return new Response(isLong(content) ? streamOf(content) : content, { status, headers });
}

function toBytes(body: Exclude<Body, LongBody>): Uint8Array<ArrayBuffer> {
  // A Response copies the bytes.
  if (body instanceof Uint8Array) return body as Uint8Array<ArrayBuffer>;
  const parts = typeof body === "string" ? [body] : body;
  const bytes = parts.map((part) => (typeof part === "string" ? encoder.encode(part) : part));
  return concat(
    bytes,
    bytes.reduce((sum, { length }) => sum + length, 0),
  );
}

/** Reads a piece when the peer has taken the previous one. */
function streamOf(body: LongBody): ReadableStream<Uint8Array> {
  const rest = eachHeld(body.pieces());
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await rest.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
  });
}

async function sha256(bytes: Uint8Array): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", Uint8Array.from(bytes))));
}

/** 128 random bits (CSP 3 §8.2). */
function nonce(): string {
  return btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))));
}

/** A host without files cannot prove what it runs. */
function unproven(): Promise<Identity> {
  const detail = "this host has no files that could be compared";
  return Promise.resolve({ verified: false, failureCategory: "identity_document_missing_or_unsafe", detail });
}

const encoder = new TextEncoder();
