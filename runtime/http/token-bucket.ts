/**
 * The rate limit of resolve and `/mcp`: each client has a bucket of tokens that refills steadily,
 * and each request takes one token. It uses no clock and no sockets. Source: ruling O-56.
 */
import { RATE_LIMIT_CLIENTS_MAX } from "../contract/limits.ts";

export interface RateLimit {
  /** Tokens per second. */
  readonly perSecond: number;
  /** Tokens in a full bucket: the requests that a client may send at once. */
  readonly burst: number;
}

interface Bucket {
  tokens: number;
  /** The time at which `tokens` was computed, in seconds. */
  at: number;
  isLimited: boolean;
}

export class TokenBuckets {
  readonly #limit: RateLimit;
  readonly #buckets = new Map<string, Bucket>();
  #limited = 0;

  constructor(limit: RateLimit) {
    this.#limit = limit;
  }

  /**
   * Takes a token. Returns 0 if there was one, otherwise the whole seconds until there is. `now` is
   * in seconds of any monotonic clock.
   */
  take(client: string, now: number): number {
    const { perSecond } = this.#limit;
    const bucket = this.#buckets.get(client) ?? this.#add(client, now);
    bucket.tokens = this.#tokensOf(bucket, now);
    bucket.at = now;
    if (bucket.tokens < 1) {
      if (!bucket.isLimited) this.#limited++;
      bucket.isLimited = true;
      return Math.ceil((1 - bucket.tokens) / perSecond);
    }
    bucket.tokens--;
    bucket.isLimited = false;
    return 0;
  }

  /** How many times a client that was not limited reached its limit. */
  get limited(): number {
    return this.#limited;
  }

  #tokensOf({ tokens, at }: Bucket, now: number): number {
    const { perSecond, burst } = this.#limit;
    return Math.min(burst, tokens + (now - at) * perSecond);
  }

  #add(client: string, now: number): Bucket {
    if (this.#buckets.size >= RATE_LIMIT_CLIENTS_MAX) this.#forget(now);
    const bucket = { tokens: this.#limit.burst, at: now, isLimited: false };
    this.#buckets.set(client, bucket);
    return bucket;
  }

  /**
   * Forgets full buckets, which are equivalent to missing ones. If more than half of the maximum
   * remain, forgets all, so that this sweep stays rare.
   */
  #forget(now: number): void {
    for (const [client, bucket] of this.#buckets) {
      if (this.#tokensOf(bucket, now) === this.#limit.burst) this.#buckets.delete(client);
    }
    if (this.#buckets.size > RATE_LIMIT_CLIENTS_MAX / 2) this.#buckets.clear();
  }
}

/** The key of a client: an IPv4 address, or the first 64 bits of an IPv6 address (RFC 6177). */
export function clientOf(address = ""): string {
  const mapped = /^::ffff:(?=.*\.)/i.exec(address)?.[0] ?? "";
  const plain = address.slice(mapped.length).replace(/%.*$/, "");
  if (!plain.includes(":")) return plain;
  const [head = "", tail] = plain.split("::");
  const groups = head === "" ? [] : head.split(":");
  const last = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? 0 : 8 - groups.length - last.length;
  return [...groups, ...Array<string>(zeros).fill("0"), ...last].slice(0, 4).join(":");
}
