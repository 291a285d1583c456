/**
 * The header fields of the service, defined once: for components of OpenAPI and rows of the API
 * reference.
 */
import type { ExposedField, RequestFieldName } from "../../runtime/http/cors.ts";
import type { ApiReference } from "./reference.ts";

interface Header {
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

const text = { type: "string" };

/** Every field that pages of other origins may read, but that of hosts of files. */
type OwnField = Exclude<ExposedField, "Content-Range"> | "Cache-Control";

export const responseHeaders = {
  "Content-Location": {
    description: "Absolute URI of the selected representation",
    schema: { type: "string", format: "uri" },
  },
  ETag: {
    description:
      "Strong entity tag: the quoted lowercase SHA-256 hex of the representation's bytes; on the deployment identity, of its closure",
    schema: { type: "string", pattern: '^"[0-9a-f]{64}"$' },
  },
  "Repr-Digest": {
    description: "RFC 9530 digest of the representation's bytes: sha-256=:BASE64:",
    schema: { type: "string", pattern: "^sha-256=:[A-Za-z0-9+/]{43}=:$" },
  },
  "X-Content-SHA256": {
    description: "Lowercase SHA-256 hex of the body's bytes",
    schema: { type: "string", pattern: "^[0-9a-f]{64}$" },
  },
  "Cache-Control": { description: "Cache policy of the representation", schema: text },
  Vary: { description: "Accept, where the answer depends on it", schema: text },
  Link: { description: 'The API catalog: <uri>; rel="api-catalog"; with a concept, its JSON-LD context', schema: text },
  Allow: { description: "The methods this path accepts, with 405 and with OPTIONS", schema: text },
  "Retry-After": { description: "With 429: the seconds to wait", schema: { type: "integer", minimum: 1 } },
  "X-Service-Semantics-Deployment-Identity": {
    description: "verified with 200, unavailable with 503",
    schema: { type: "string", enum: ["verified", "unavailable"] },
  },
  "Accept-Encoding": {
    description: "With 415 for a content coding: those that a request body may have, none",
    schema: text,
  },
} as const satisfies Record<OwnField, Header>;

export type ResponseHeader = keyof typeof responseHeaders;

/** Every field that routes read, but those that a client sends without knowing. */
type Read = Exclude<RequestFieldName, "Host" | "Origin" | "Range">;

export const requestHeaders = {
  Accept:
    "Media ranges that are acceptable (RFC 9110 section 12.5.1); missing or empty means any, and the first form is sent: JSON where there is one",
  "If-None-Match":
    "Entity tags the client holds, or * (RFC 9110 section 13.1.2, weak comparison); a match is answered with 304",
  "If-Match":
    "Entity tags, or *, of which the current representation must be one (RFC 9110 section 13.1.1, strong comparison); otherwise 412",
  "Content-Type": "application/json, in any case, alone or with charset=utf-8; required with a body",
  "Content-Encoding": "Must be absent or identity: a body is sent without a content coding, otherwise 415",
  "MCP-Protocol-Version": "The protocol version, equal to the one in params._meta",
  "Mcp-Method": "The method, equal to the one in the message",
  "Mcp-Name":
    "Required for tools/call and prompts/get (params.name) and for resources/read (params.uri): the same, or =?base64?…?= around the Base64 of its UTF-8 where it is not plain ASCII",
} as const satisfies Record<Read, string>;

/** Request and response fields, as the API reference lists them. */
export function listHeaders(): ApiReference["fields"] {
  const asked = Object.entries(requestHeaders);
  const answered = Object.entries(responseHeaders);
  return [
    ...asked.map(([name, description]) => ({ name, direction: "request" as const, description })),
    ...answered.map(([name, { description }]) => ({ name, direction: "response" as const, description })),
  ];
}
