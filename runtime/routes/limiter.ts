/** How long a client has to wait: one limit, if any, for both routes that take a body (O-56). */
import { clientOf, type RateLimit, TokenBuckets } from "../http/token-bucket.ts";
import type { Connection } from "./route.ts";

/** Takes one of the client's tokens. Returns the whole seconds until it may send more, or 0. */
export type Limiter = (connection: Connection) => number;

/** A limit for each client, a monotonic clock in seconds, and its buckets if somebody watches them. */
export type ClockedLimit = RateLimit & { readonly now: () => number; readonly buckets?: TokenBuckets };

/** Without a limit, no client waits. */
export function makeLimiter(limit: ClockedLimit | undefined): Limiter {
  if (limit === undefined) return () => 0;
  const { buckets = new TokenBuckets(limit) } = limit;
  return ({ remoteAddress }) => buckets.take(clientOf(remoteAddress), limit.now());
}
