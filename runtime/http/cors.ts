/**
 * What pages of other origins may send and read. Routes can read only the request fields that are
 * listed here (`Request.field`), and a test holds every answer to the response fields. Hosts get
 * both lists from the answers of the routes. It does not decide which routes are public: `/mcp` is
 * not.
 * Source: Fetch Standard §2.2.2, §3.3; ruling O-55.
 */

/** Read by public routes, `Range` only by hosts of files: `bytes=-N` is not safelisted. */
const READ = ["Accept", "Content-Encoding", "Content-Type", "If-Match", "If-None-Match", "Range"] as const;
/** Read by `/mcp` too. */
const READ_BY_MCP = ["Host", "Origin", "MCP-Protocol-Version", "Mcp-Method", "Mcp-Name"] as const;

export type RequestFieldName = (typeof READ | typeof READ_BY_MCP)[number];
/** A field that a route may read, by its lower-case name. */
export type RequestField = Lowercase<RequestFieldName>;

/**
 * Any other field may be sent, because it is ignored; only `Authorization` would need its own name
 * (§2.2.2), and a credential must not come here.
 */
const ALLOWED = [...READ, "*"].join(", ");

/** Written by routes or hosts of files, and readable only if they are exposed (§2.2.2). */
const EXPOSED = [
  "Accept-Encoding",
  "Allow",
  "Content-Location",
  "Content-Range",
  "ETag",
  "Link",
  "Repr-Digest",
  "Retry-After",
  "Vary",
  "X-Content-SHA256",
  "X-Service-Semantics-Deployment-Identity",
] as const;
export type ExposedField = (typeof EXPOSED)[number];

/** For every answer that pages of other origins may read, as name, value, name, value. */
export const CORS_FIELDS: readonly string[] = [
  "Access-Control-Allow-Origin",
  "*",
  "Access-Control-Expose-Headers",
  EXPOSED.join(", "),
];

/** For the answer to a preflight request; `methods` is the value of Allow. */
export function preflightFields(methods: string): readonly string[] {
  return [
    "Access-Control-Allow-Methods",
    methods,
    "Access-Control-Allow-Headers",
    ALLOWED,
    "Access-Control-Max-Age",
    "86400",
  ];
}
