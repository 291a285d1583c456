/**
 * One message of `POST /mcp`, read in the protocol's order: JSON, shape, version, metadata, method,
 * name; the first failure decides the answer. methods.ts reads the parameters of a method.
 * Source: contract §2; MCP 2026-07-28, Streamable HTTP (request metadata, server validation, value
 * encoding); rulings O-50, O-51, O-63.
 */
import type { Identified, Message } from "../contract/inputs.ts";
import { MCP_METHODS, MCP_PROTOCOL_VERSION, PROTOCOL_VERSION_KEY, type RequestId } from "../contract/mcp.ts";
import { isObject, parseJson } from "../text/json.ts";
import { firstViolation, readerOf } from "../contract/validator.ts";
import { validators } from "../contract/validators.js";
import { type McpError, mcpError } from "./error.ts";

export type McpMethod = (typeof MCP_METHODS)[number];
export type Params = Readonly<Record<string, unknown>>;

/** The header fields that repeat parts of the message, as they were sent. */
export interface MessageFields {
  readonly version: string | undefined;
  readonly method: string | undefined;
  readonly name: string | undefined;
}

/** What a message is read with: its fields, and the address of the guide for people. */
export interface Received {
  readonly fields: MessageFields;
  readonly guide: string;
}

export type MessageReading =
  | { readonly ok: true; readonly id: RequestId; readonly method: McpMethod; readonly params: Params }
  | { readonly ok: false; readonly id: RequestId | null; readonly error: McpError };

const parseMessage = readerOf<Message>(validators.Message);
const parseMeta = readerOf<unknown>(validators.MCPRequestMeta);
const parseIdentified = readerOf<Identified>(validators.Identified);

/** The member of the parameters that `Mcp-Name` repeats. */
const NAMED_BY: Readonly<Partial<Record<McpMethod, string>>> = {
  "tools/call": "name",
  "resources/read": "uri",
  "prompts/get": "name",
};

/** Reads a message; never throws. */
export function readMessage(body: Uint8Array, received: Received): MessageReading {
  const json = parseJson(body);
  if (!json.ok) {
    const why = json.refusal === "duplicate_name" ? "it has a duplicate property name" : "it is not JSON in UTF-8";
    return { ok: false, id: null, error: mcpError("parse_error", `The body cannot be parsed: ${why}`) };
  }
  const reading = parseMessage(json.value);
  if (!reading.ok) {
    const identified = parseIdentified(json.value);
    const violation = firstViolation(reading.violations, "", "the message");
    const error = mcpError("invalid_request", `Not one JSON-RPC request: ${violation}`);
    return { ok: false, id: identified.ok ? identified.value.id : null, error };
  }
  const { id, method, params = {} } = reading.value;
  const { fields, guide } = received;
  const error = refuseVersion(method, params, received) ?? refuseMeta(params, guide) ?? refuseMethod(method, fields);
  if (error !== undefined) return { ok: false, id, error };
  const known = MCP_METHODS.find((name) => name === method);
  if (known === undefined) return { ok: false, id, error: mcpError("method_not_found", unknownMethod(method)) };
  const mismatch = refuseName(known, params, fields);
  return mismatch === undefined ? { ok: true, id, method: known, params } : { ok: false, id, error: mismatch };
}

/** The metadata must name a version, and the header field must repeat it. */
function refuseVersion(method: string, { _meta: meta, protocolVersion }: Params, { fields, guide }: Received) {
  const claimed = isObject(meta) ? meta[PROTOCOL_VERSION_KEY] : undefined;
  if (claimed === undefined) {
    // Without it, `initialize` or the header field shows that the client uses an older revision.
    if (method === "initialize")
      return unsupported(typeof protocolVersion === "string" ? protocolVersion : (fields.version ?? ""), guide);
    if (meta === undefined && fields.version !== undefined && fields.version !== MCP_PROTOCOL_VERSION)
      return unsupported(fields.version, guide);
  }
  if (typeof claimed !== "string")
    return mcpError("invalid_meta", `params._meta needs ${PROTOCOL_VERSION_KEY}, a string`);
  if (fields.version !== claimed || !isPlainField(claimed))
    return mcpError(
      "header_mismatch",
      mismatchOf("MCP-Protocol-Version", fields.version, "the version in params._meta"),
    );
  return undefined;
}

/**
 * The version must be ours, and the rest of the metadata valid, over any transport. Over standard
 * input and output there is no guide to lead to.
 */
export function refuseMeta({ _meta: meta }: Params, guide?: string): McpError | undefined {
  const claimed = isObject(meta) ? meta[PROTOCOL_VERSION_KEY] : undefined;
  if (typeof claimed === "string" && claimed !== MCP_PROTOCOL_VERSION) return unsupported(claimed, guide);
  const reading = parseMeta(meta);
  return reading.ok ? undefined : mcpError("invalid_meta", firstViolation(reading.violations, "params._meta"));
}

function refuseMethod(method: string, fields: MessageFields): McpError | undefined {
  if (fields.method === method && isPlainField(method)) return undefined;
  return mcpError("header_mismatch", mismatchOf("Mcp-Method", fields.method, "the method of the message"));
}

/** A name that is not a string is an error of the parameters, which the method reports. */
function refuseName(method: McpMethod, params: Params, { name }: MessageFields): McpError | undefined {
  const member = NAMED_BY[method];
  const expected = member === undefined ? undefined : params[member];
  if (typeof expected !== "string" || (name !== undefined && decodeName(name) === expected)) return undefined;
  return mcpError("header_mismatch", mismatchOf("Mcp-Name", name, `params.${member}`));
}

function mismatchOf(field: string, sent: string | undefined, what: string): string {
  return sent === undefined ? `The header field ${field} is missing` : `The header field ${field} differs from ${what}`;
}

/** Clients show this to people who have not set anything yet, so it says what to set. */
function unsupported(requested: string, guide?: string): McpError {
  const remedy = `, which begins with server/discover, not initialize: set it in the client, or start srs mcp for a host that cannot; see ${guide}`;
  const message = `This service supports only protocol version ${MCP_PROTOCOL_VERSION}${guide === undefined ? "" : remedy}`;
  return mcpError("unsupported_version", message, { supported: [MCP_PROTOCOL_VERSION], requested });
}

function unknownMethod(method: string): string {
  return `There is no method ${JSON.stringify(method.slice(0, 64))}; the methods are ${MCP_METHODS.join(", ")}`;
}

/** RFC 9110 §5.5: node:http reads other bytes as Latin-1, so they could look like characters. */
function isPlainField(field: string): boolean {
  return /^[\t\x20-\x7e]*$/.test(field);
}

const ENCODED = /^=\?base64\?(?<digits>.*)\?=$/;
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * The name in `Mcp-Name`, which may be encoded as `=?base64?…?=` around the Base64 of its UTF-8
 * (RFC 4648 §4); undefined if it cannot be decoded.
 */
function decodeName(field: string): string | undefined {
  if (!isPlainField(field)) return undefined;
  const digits = ENCODED.exec(field)?.groups?.["digits"];
  if (digits === undefined) return field;
  try {
    const bytes = atob(digits);
    // atob is lenient, but a name has only one encoding (RFC 4648 §3.5).
    if (btoa(bytes) !== digits) return undefined;
    return decoder.decode(Uint8Array.from(bytes, (character) => character.charCodeAt(0)));
  } catch {
    return undefined;
  }
}
