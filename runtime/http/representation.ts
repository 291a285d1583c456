/**
 * The field lines of a representation, for the 200 and for the 304 that may replace it. HEAD gets
 * those of GET.
 * Source: contract §4.5 rules 2 to 6; RFC 9110 §8.7, §8.8.3, §15.4.5; RFC 9530 §3; rulings O-10,
 * O-11, O-44, O-48, O-55.
 */
import { hexToBase64 } from "../text/bytes.ts";
import { policies, type PolicyName } from "../contract/policy.ts";
import { CORS_FIELDS } from "./cors.ts";

/** Field lines as node:http accepts them: name, value, name, value. */
export type Fields = readonly string[];

/** Browsers must not guess a type other than Content-Type. */
const NO_SNIFF: Fields = ["X-Content-Type-Options", "nosniff"];

/** Sent with every reply except those of `/mcp`: public, read-only, credential-free. */
export const COMMON_FIELDS: Fields = [...CORS_FIELDS, ...NO_SNIFF];

/**
 * Sent with every reply of `/mcp`, which is not stored and which other sites cannot read (O-55).
 */
export const MESSAGE_FIELDS: Fields = [
  ...NO_SNIFF,
  "Cache-Control",
  policies.answer.cacheControl,
  "Content-Type",
  policies.answer.mediaType,
];

/**
 * The fields of the 200 that a 304 keeps: the contract's four, those of RFC 9110 §15.4.5 (node:http
 * adds Date), and the common ones.
 */
export const NOT_MODIFIED_FIELDS: ReadonlySet<string> = new Set([
  "Content-Location",
  "ETag",
  "Repr-Digest",
  "X-Content-SHA256",
  "Cache-Control",
  "Vary",
  "Link",
  "X-Service-Semantics-Deployment-Identity",
  ...COMMON_FIELDS.filter((_text, i) => i % 2 === 0),
]);

/** Identifies a representation: its URI and the lowercase hex SHA-256 of its bytes. */
export interface Validators {
  readonly contentLocation: string;
  readonly sha256: string;
  /** The digest in the entity tag, if it is not that of the bytes (T-03). */
  readonly tagged?: string;
}

export interface RepresentationFields {
  readonly ok: Fields;
  readonly notModified: Fields;
  readonly entityTag: string | undefined;
  /** Whether 304 is possible. False for pages: their bytes belong to one response (T-01). */
  readonly reusable: boolean;
}

/** The fields of a representation; `more` has those that only this one needs. */
export function formatFields(
  policy: PolicyName,
  validators: Validators | undefined,
  more: Fields = [],
): RepresentationFields {
  const { cacheControl, mediaType } = policies[policy];
  const ok = [
    ...COMMON_FIELDS,
    "Cache-Control",
    cacheControl,
    ...more,
    ...validatorFields(validators),
    "Content-Type",
    mediaType,
  ];
  const notModified = ok.filter((_text, i) => NOT_MODIFIED_FIELDS.has(ok[i & ~1] ?? ""));
  const entityTag = validators && entityTagOf(validators);
  return { ok, notModified, entityTag, reusable: entityTag !== undefined && policy !== "html" };
}

function entityTagOf({ sha256, tagged = sha256 }: Validators): string {
  return `"${tagged}"`;
}

function validatorFields(validators: Validators | undefined): Fields {
  if (validators === undefined) return [];
  const { contentLocation, sha256 } = validators;
  return [
    "Content-Location",
    contentLocation,
    "ETag",
    entityTagOf(validators),
    "Repr-Digest",
    `sha-256=:${hexToBase64(sha256)}:`,
    "X-Content-SHA256",
    sha256,
  ];
}

/** The field of every answer about the deployment identity (contract §3). */
export function identityFields(state: "verified" | "unavailable"): Fields {
  return ["X-Service-Semantics-Deployment-Identity", state];
}

/** RFC 9727 §2: the catalog and every page link to the catalog. */
export function catalogLink(catalogUrl: string): Fields {
  return ["Link", `<${catalogUrl}>; rel="api-catalog"`];
}

/** JSON-LD 1.1 §6.1: links the context that makes an unchanged JSON answer linked data. */
export function contextLink(contextUrl: string): Fields {
  return ["Link", `<${contextUrl}>; rel="http://www.w3.org/ns/json-ld#context"; type="application/ld+json"`];
}

/** A page may load only its own styles and script (by nonce) and images, and call only this API. */
export function pageFields(nonce: string): Fields {
  const policy =
    `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; img-src 'self'; ` +
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
  return ["Content-Security-Policy", policy, "Referrer-Policy", "no-referrer"];
}
