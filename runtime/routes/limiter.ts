/** How long a client has to wait; limited, if at all, over both routes that take a body together (O-56). */
import { clientOf, type RateLimit, TokenBuckets } from "../http/token-bucket.ts";
import type { Connection } from "./route.ts";

/** The whole seconds until the client may send more, 0 for now; takes one of its tokens. */
export type Limiter = (connection: Connection) => number;

/** A limit for each client, by the seconds of a steady clock. */
export type ClockedLimit = RateLimit & { readonly now: () => number };

/** Without a limit nobody waits. */
export function makeLimiter(limit: ClockedLimit | undefined): Limiter {
  if (limit === undefined) return () => 0;
  const buckets = new TokenBuckets(limit);
  return ({ remoteAddress }) => buckets.take(clientOf(remoteAddress), limit.now());
}
