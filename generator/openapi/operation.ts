/**
 * OpenAPI operations: their shape, GET together with HEAD, and a function for each kind of answer
 * that the service gives.
 */
import { type PolicyName, policies } from "../../runtime/contract/policy.ts";
import { essenceOf } from "../../runtime/http/media-type.ts";
import { type ComponentName, refTo } from "./components.ts";
import { requestHeaders, type ResponseHeader } from "../contract/headers.ts";

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface Operation {
  readonly tags: readonly [string];
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: unknown;
  readonly responses: Responses;
}

/** The operations by path. */
export type Paths = Readonly<Record<string, PathItem>>;

export interface PathItem {
  readonly get?: Operation;
  readonly head?: Operation;
  readonly post?: Operation;
}

/** A request header field as a parameter. */
export function header(name: keyof typeof requestHeaders, required = false): Parameter {
  return { name, in: "header", required, description: requestHeaders[name], schema: { type: "string" } };
}

/** GET and HEAD: the same header fields; HEAD has no body. */
export function readable({ parameters = [], ...head }: Omit<Operation, "responses">, answers: Responses): PathItem {
  const responses: Responses = { ...answers, ...COMMON_REFUSALS };
  const get: Operation = {
    ...head,
    parameters: [...parameters, ...("304" in responses ? [header("If-None-Match")] : [])],
    responses,
  };
  return {
    get,
    head: {
      ...get,
      operationId: `${head.operationId}Head`,
      summary: `${head.summary}: header fields only`,
      description: "The status and header fields of GET, without a body.",
      responses: Object.fromEntries(
        Object.entries(responses).map(([status, { content: _none, ...rest }]) => [status, rest]),
      ),
    },
  };
}

export interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { $ref: string }>>;
  readonly content?: Readonly<Record<string, unknown>>;
}

export type Responses = Readonly<Record<string, Response>>;

/** A body: a named schema, or text without a schema of ours. */
export interface Body {
  readonly policy: PolicyName;
  readonly schema?: ComponentName;
  readonly examples?: Readonly<Record<string, unknown>>;
}

const VALIDATORS: readonly ResponseHeader[] = ["Content-Location", "ETag", "Repr-Digest", "X-Content-SHA256"];

export function respond(description: string, bodies: readonly Body[], headers: readonly ResponseHeader[]): Response {
  return {
    description,
    headers: headerRefs([...headers, "Cache-Control"]),
    content: Object.fromEntries(bodies.map((body) => [essenceOf(policies[body.policy].mediaType), mediaType(body)])),
  };
}

/** A representation with validators: 200 and 304. */
export function represented(
  description: string,
  bodies: readonly Body[],
  more: readonly ResponseHeader[] = [],
): Responses {
  const headers = [...VALIDATORS, ...more];
  return {
    "200": respond(description, bodies, headers),
    "304": {
      description: "The client has the current representation; no body",
      headers: headerRefs([...headers, "Cache-Control"]),
    },
  };
}

/** A representation that reads Accept: 200, 304 and 406. */
export function negotiated(bodies: readonly Body[], more: readonly ResponseHeader[]): Responses {
  return {
    ...represented("The selected representation", bodies, ["Vary", ...more]),
    "406": respond(
      "Accept permits no available representation; nothing is assigned or authorized",
      [{ policy: "problem", schema: "NotAcceptable" }],
      ["Vary"],
    ),
  };
}

/** A refusal in the ErrorEnvelope. */
export function refused(description: string, headers: readonly ResponseHeader[] = []): Response {
  return respond(description, [{ policy: "answer", schema: "ErrorEnvelope" }], headers);
}

/** The responses that any request may get. */
export const COMMON_REFUSALS: Responses = {
  "4XX": refused("The request is refused: error.code says why", ["Allow"]),
  "5XX": refused("The service failed to answer; nothing was resolved or assigned"),
};

function headerRefs(names: readonly ResponseHeader[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function mediaType({ policy, schema, examples }: Body): unknown {
  // Raw bytes have no schema (OpenAPI 3.1.0, Considerations for Media Types).
  if (policy === "zip") return {};
  const shape = schema === undefined ? { type: "string" } : refTo(schema);
  if (examples === undefined) return { schema: shape };
  return {
    schema: shape,
    examples: Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }])),
  };
}
