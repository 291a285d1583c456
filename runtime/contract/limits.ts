/**
 * Every limit of the service, defined once for documents, schemas, parsers and the server.
 * Source: contract §8; rulings O-02, O-13, O-26, O-28, O-56.
 */

/** Expression length in Unicode code points. */
export const EXPRESSION_MIN_LENGTH = 1;
export const EXPRESSION_MAX_LENGTH = 1000;

/** Language tag length in characters (RFC 5646 §4.4.1 asks for buffers of at least 35). */
export const LANGUAGE_MIN_LENGTH = 1;
export const LANGUAGE_MAX_LENGTH = 35;

/** ConceptCode length in characters. */
export const CODE_MAX_LENGTH = 64;

/** Length of the lexical filter `q` in code points. */
export const QUERY_MAX_LENGTH = 200;

/** Candidates listed in one resolution. */
export const CANDIDATES_MAX = 10;

/** Body of `POST /api/v1/resolve` in bytes: 1000 astral characters fit as `\uXXXX\uXXXX`. */
export const RESOLVE_BODY_MAX_BYTES = 16 * 1024;

/** Time limits of the server in milliseconds: a slow peer cannot hold a connection for longer. */
export const HEADERS_TIMEOUT_MS = 10_000;
export const REQUEST_TIMEOUT_MS = 15_000;
/**
 * How long an idle connection stays open, if nothing else is set. It is longer than the 60 s of AWS
 * ALB and nginx, because a proxy must let go first (RFC 9112 §9.5).
 */
export const KEEP_ALIVE_TIMEOUT_MS = 75_000;
/** How long a connection may be silent in both directions while an answer is due. */
export const STALL_TIMEOUT_MS = 30_000;
/**
 * On shutdown: how long idle connections stay open, and how long the others may take after that.
 */
export const DRAIN_GRACE_MS = 500;
export const DRAIN_LIMIT_MS = 8_000;

/** Request body of `POST /mcp` in bytes: a call with a full `clientInfo` needs more (O-28). */
export const MCP_BODY_MAX_BYTES = 64 * 1024;

/** Requests to resolve and `/mcp` from one client, if limited (O-56): per second, and at once. */
export const RATE_LIMIT_PER_SECOND = 100;
export const RATE_LIMIT_BURST = 200;
/** The most clients that the limiter remembers. */
export const RATE_LIMIT_CLIENTS_MAX = 10_000;

/** The value of Retry-After when a registry in a store cannot be read. */
export const STORE_RETRY_SECONDS = 1;

/** MCP `clientInfo.name` and `clientInfo.version` in code points (contract §8). */
export const CLIENT_NAME_MIN_LENGTH = 1;
export const CLIENT_NAME_MAX_LENGTH = 200;

/** Concepts on one page of the concept browser. */
export const PAGE_CONCEPTS = 100;
/** A registry with more concepts has no files of names; its list is in code order. */
export const NAMES_MAX_CONCEPTS = 20_000;
