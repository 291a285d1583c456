/**
 * What is published how, once, for generator and runtime alike: media type and cache policy of every kind of reply.
 * Source: rulings O-29, O-30, O-45, O-66.
 */

/** Machine representations may be kept for five minutes, and never recoded: their digests cover the exact bytes. */
const CACHE_PUBLIC = "public, max-age=300, must-revalidate, no-transform";
const CACHE_NEVER = "no-store";

export const policies = {
  /** Answers of the moment: resolve, status, every refusal. */
  answer: { mediaType: "application/json", cacheControl: CACHE_NEVER },
  /** Registry documents: concept list and details. */
  registry: { mediaType: "application/json", cacheControl: CACHE_PUBLIC },
  /** The public bundle: one JSON value a line. */
  bundle: { mediaType: "application/x-ndjson", cacheControl: CACHE_PUBLIC },
} as const;

export type PolicyName = keyof typeof policies;

/** Every path of the service, below the origin. */
export const paths = {
  resolve: "/api/v1/resolve",
  concepts: "/api/v1/concepts",
  status: "/api/v1/status",
  bundle: "/registry/bundle.ndjson",
} as const;

/** The prerendered documents of a release: each is the file of that path in dist. */
export const documents: Readonly<Record<string, PolicyName>> = { [paths.status]: "answer" };
