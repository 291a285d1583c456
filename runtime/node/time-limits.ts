/**
 * How long a peer may hold a connection, in milliseconds: the limits of the contract, unless a
 * server is made with others. Source: contract §8.
 */
import { HEADERS_TIMEOUT_MS, KEEP_ALIVE_TIMEOUT_MS, REQUEST_TIMEOUT_MS, STALL_TIMEOUT_MS } from "../contract/limits.ts";

export interface TimeLimits {
  readonly headersMs: number;
  /** For a whole request, and for input that is read and dropped after the last answer. */
  readonly requestMs: number;
  /** For a connection without a request. */
  readonly keepAliveMs: number;
  /** For silence in both directions while an answer is due. */
  readonly stallMs: number;
  /** How often node:http compares connections with the first two. */
  readonly checkMs: number;
}

export const TIME_LIMITS: TimeLimits = {
  headersMs: HEADERS_TIMEOUT_MS,
  requestMs: REQUEST_TIMEOUT_MS,
  keepAliveMs: KEEP_ALIVE_TIMEOUT_MS,
  stallMs: STALL_TIMEOUT_MS,
  checkMs: 1000,
};
