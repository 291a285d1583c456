/**
 * Checks of routes with a body before they read it: rate limit (O-56), JSON (O-29), content coding
 * (RFC 9110 §15.5.16).
 */
import { problem } from "../contract/problem.ts";
import { hasContentCoding, isJsonContentType } from "../http/media-type.ts";
import { clientOf, type RateLimit, TokenBuckets } from "../http/token-bucket.ts";
import { answerProblem } from "./answer.ts";
import type { Answer, Connection, Request } from "./route.ts";

/** Takes one of the client's tokens. Returns the whole seconds until it may send more, or 0. */
export type Limiter = (connection: Connection) => number;

/** A limit for each client, a monotonic clock in seconds, and the buckets if they are observed. */
export type ClockedLimit = RateLimit & { readonly now: () => number; readonly buckets?: TokenBuckets };

/** Without a limit, no client waits. */
export function makeLimiter(limit: ClockedLimit | undefined): Limiter {
  if (limit === undefined) return () => 0;
  const { buckets = new TokenBuckets(limit) } = limit;
  return ({ remoteAddress }) => buckets.take(clientOf(remoteAddress), limit.now());
}

/** The refusal if the body must not be read, or undefined. */
export function refuseUnread(request: Request, takeToken: Limiter): Answer | undefined {
  const seconds = takeToken(request.connection);
  if (seconds > 0) return answerProblem(request, problem("rate_limited"), ["Retry-After", String(seconds)]);
  return isJsonContentType(request.field("content-type"))
    ? undefined
    : answerProblem(request, problem("unsupported_media_type"));
}

/** The refusal of a body with a content coding, or undefined. */
export function refuseCoding(request: Request): Answer | undefined {
  return hasContentCoding(request.field("content-encoding"))
    ? answerProblem(request, encoded, ["Accept-Encoding", "identity"])
    : undefined;
}

const encoded = problem("unsupported_media_type", "The request body must be sent without a content coding");
